"""The networks as they are run: eight bits a weight and an activation.

Convolutions of integers take a third of the time here, and the files shrink; what an index is
does not hang on the ninth bit (Jacob et al. 2018, "Quantization and Training of Neural
Networks for Efficient Integer-Arithmetic-Only Inference"; after training, per channel).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from models.training.nets import WHITE, FinderNet, ReaderNet
from models.training.photographs import photographs
from models.training.shards import SceneStore
from vision.finder import fitted, four_in_one, shrunk
from vision.spot import CROP_HEIGHT, CROP_WIDTH, Pixels

Axes = dict[str, dict[int, str]]

#: Pictures of each kind that tell how far activations reach, and their long sides in pixels.
PICTURES, SIDES = 40, (320, 640)
#: Batches of crops that do so for the reader, and their seed.
BATCHES, SEED = 6, 5


class _Twice(nn.Module):
    """A 1 x 1 convolution and the nearest-neighbour enlarging after it, as one shuffle.

    Enlarging integers is slow in onnxruntime; four copies of each channel, shuffled, are the same.
    """

    def __init__(self, narrow: nn.Sequential) -> None:
        super().__init__()
        old: Any = narrow[0]
        self.copies = nn.Conv2d(old.in_channels, 4 * old.out_channels, 1)
        self.copies.weight.data = old.weight.data.repeat_interleave(4, 0)
        self.copies.bias.data = old.bias.data.repeat_interleave(4, 0)  # type: ignore[union-attr]

    def forward(self, x: Tensor) -> Tensor:
        """(n, c, h, w) to (n, out, 2h, 2w)."""
        return nn.functional.pixel_shuffle(torch.relu(self.copies(x)), 2)


class FinderInUse(nn.Module):
    """A trained finder with folded normalisations, for :func:`~vision.finder.four_in_one` input.

    Input (n, 12, h/2 + 1, w/2 + 1), values 0…255; output as :class:`FinderNet`.
    """

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = net
        old: Any = net.s4[0][0]  # type: ignore[index]
        self.first = nn.Conv2d(12, old.out_channels, 2)
        self.first.bias.data = old.bias.data  # type: ignore[union-attr]
        weight = torch.zeros(old.out_channels, 2, 2, 2, 2, 3)
        for y in range(3):
            for x in range(3):
                weight[:, y // 2, x // 2, y % 2, x % 2] = old.weight.data[:, :, y, x] / WHITE
        # From (out, block row, block column, row, column, colour).
        self.first.weight.data = weight.permute(0, 3, 4, 5, 1, 2).reshape(-1, 12, 2, 2)
        self.double16, self.double8 = _Twice(net.from16), _Twice(net.from8)

    def forward(self, x: Tensor) -> Tensor:
        """Maps of logits and values."""
        net = self.net
        s4 = net.s4[2](net.s4[1](torch.relu(self.first(x))))
        s8 = net.s8(s4)
        up = self.double8(net.up8(self.double16(net.s16(s8)) + s8))
        out: Tensor = net.head(net.up4(up + s4))
        return out


class _Inputs(CalibrationDataReader):  # type: ignore[misc]
    """What a network may be given, one input after another."""

    def __init__(self, name: str, inputs: Iterable[NDArray[Any]]) -> None:
        self._name, self._inputs = name, iter(inputs)

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        """The next input, or None."""
        x = next(self._inputs, None)
        return None if x is None else {self._name: x}


def _finder_inputs(pictures: Sequence[Pixels]) -> Iterator[NDArray[np.float32]]:
    """Pictures as the network gets them; the first spans all values that a pixel can have."""
    extremes = np.zeros((64, 64, 3), np.uint8)
    extremes[:, 32:] = 255
    for picture in (extremes, *(shrunk(p, side) for p in pictures for side in SIDES)):
        yield four_in_one(fitted(picture))[None].transpose(0, 3, 1, 2).astype(np.float32)


def pictures_for(scenes: Path, photos: Path) -> list[Pixels]:
    """Rendered scenes and photographs of the ``train`` split, as far as they are there."""
    store = SceneStore.load(scenes, limit=4)
    pictures = [store.scene(i).image for i in range(0, len(store), max(1, len(store) // PICTURES))][
        :PICTURES
    ]
    if photos.is_dir():
        usable = [p for p in photographs(photos, "train") if p.kind in ("card", "visible")]
        pictures += [p.pixels() for p in usable[:: max(1, len(usable) // PICTURES)]][:PICTURES]
    return pictures


def crops_for(
    scenes: Path, batches: Callable[[SceneStore, SceneStore | None, int], Callable[[int], Any]]
) -> Iterator[NDArray[np.uint8]]:
    """``batches`` as a reader was trained on, from scenes and from photographs if any."""
    photos = SceneStore.load(scenes, "photos-*.npz")
    made = batches(SceneStore.load(scenes, limit=4), photos if len(photos) else None, SEED)
    return (np.asarray(made(step)[0], np.uint8) for step in range(BATCHES))


def write_finder(net: FinderNet, pictures: Sequence[Pixels], target: Path) -> None:
    """Write ``net``, its normalisations folded, as an ONNX file that takes pixels as they are.

    Input ``pictures`` uint8 (n, h/2 + 1, w/2 + 1, 12); output ``maps`` float32.
    """
    plain = _onnx(
        FinderInUse(net).eval(),
        torch.zeros(1, 12, 49, 65),
        {"pictures": {0: "n", 2: "h", 3: "w"}},
        {"maps": {0: "n", 2: "rows", 3: "columns"}},
    )
    # Heat and places share the last map: one scale would not do for both.
    inside = [node.name for node in plain.graph.node][:-1]
    model = _quantized(plain, _Inputs("pictures", _finder_inputs(pictures)), inside)
    _take_bytes(model)
    onnx.checker.check_model(model)
    onnx.save(model, target)


def write_reader(net: ReaderNet, crops: Iterable[NDArray[np.uint8]], target: Path) -> None:
    """Write ``net``, its normalisations folded, as an ONNX file.

    Input ``crops`` uint8 (n, 64, 48, 3), of which ``crops`` are examples; outputs ``ranks``,
    ``suits``, ``poses``, ``features``, all float32.
    """
    _write_crops(net, "crops", crops, ("ranks", "suits", "poses", "features"), target)


def write_face(net: ReaderNet, faces: Iterable[NDArray[np.uint8]], target: Path) -> None:
    """The same for the face reader: input ``faces``, outputs ``ranks`` and ``suits``."""
    _write_crops(_RanksAndSuits(net), "faces", faces, ("ranks", "suits"), target)


class _RanksAndSuits(nn.Module):
    def __init__(self, net: ReaderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, faces: Tensor) -> tuple[Tensor, Tensor]:
        ranks, suits, _, _ = self.net(faces)
        return ranks, suits


def _write_crops(
    net: nn.Module,
    name: str,
    examples: Iterable[NDArray[np.uint8]],
    outputs: Sequence[str],
    target: Path,
) -> None:
    plain = _onnx(
        net.eval(),
        torch.zeros(2, CROP_HEIGHT, CROP_WIDTH, 3, dtype=torch.uint8),
        {name: {0: "n"}},
        {output: {0: "n"} for output in outputs},
    )
    # The evening out of each crop before the body stays exact.
    body = [node.name for node in plain.graph.node if "/body/" in node.name]
    onnx.save(_quantized(plain, _Inputs(name, examples), body), target)


def _onnx(net: nn.Module, example: Tensor, inputs: Axes, outputs: Axes) -> Any:
    """The network as an ONNX model of floats, made ready for quantization."""
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder) / "plain.onnx", Path(folder) / "ready.onnx"
        torch.onnx.export(
            net,
            (example,),
            str(plain),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={**inputs, **outputs},
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        return onnx.load(ready)


def _quantized(model: Any, inputs: _Inputs, nodes: Sequence[str]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        quantize_static(
            model,
            str(whole),
            inputs,
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "Add", "Relu", "DepthToSpace"],
            nodes_to_quantize=list(nodes),
        )
        return onnx.load(whole)


def _take_bytes(model: Any) -> None:
    """Let pixels in as they are: an eight-bit picture is quantized already, with scale 1."""
    graph = model.graph
    first = next(n for n in graph.node if n.op_type == "QuantizeLinear")
    scale = next(i for i in graph.initializer if i.name == first.input[1])
    if first.input[0] != "pictures" or onnx.numpy_helper.to_array(scale) != 1.0:
        raise ValueError("the finder's input was not quantized by whole levels, as pixels are")
    graph.node.remove(first)
    turn = onnx.helper.make_node("Transpose", ["pictures"], [first.output[0]], perm=[0, 3, 1, 2])
    graph.node.insert(0, turn)
    graph.input.pop()
    pictures = onnx.helper.make_tensor_value_info(
        "pictures", onnx.TensorProto.UINT8, ["n", "h", "w", 12]
    )
    graph.input.append(pictures)
