"""Write the trained networks as ONNX files that the program runs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import nn

from models.training.fit_face import Batches as Faces
from models.training.fit_reader import Batches as Crops
from models.training.nets import FinderNet, ReaderNet
from models.training.quantize import (
    crops_for,
    pictures_for,
    write_face,
    write_finder,
    write_reader,
)


def averaged(net: nn.Module, checkpoints: Sequence[Path]) -> nn.Module:
    """``net`` with the mean of the averaged weights of its checkpoints, ready to be used.

    Of two trainings, one going on from the other, the mean reads decks that neither has seen
    better than each (Wortsman et al. 2022, "Model soups").
    """
    weights = [torch.load(file, weights_only=True)["mean"] for file in checkpoints]
    mean = {
        k.removeprefix("module."): torch.stack([w[k].double() for w in weights]).mean(0).to(v.dtype)
        for k, v in weights[0].items()
        if k.startswith("module.")
    }
    net.load_state_dict(mean)
    return net.eval()


def folded(net: nn.Module) -> nn.Module:
    """The same network with each batch normalisation folded into the convolution before it."""
    for module in net.modules():
        if isinstance(module, nn.Sequential):
            for i in range(len(module) - 1):
                if isinstance(module[i], nn.Conv2d) and isinstance(module[i + 1], nn.BatchNorm2d):
                    module[i] = torch.nn.utils.fuse_conv_bn_eval(module[i], module[i + 1])
                    module[i + 1] = nn.Identity()
    return net


def export(folder: Path, nets: Mapping[str, Sequence[Path]], scenes: Path, photos: Path) -> None:
    """Write ``finder.onnx``, ``reader.onnx`` and ``face.onnx`` into ``folder``.

    ``nets``: the checkpoints of each, none to leave it out; ``scenes`` and ``photos`` hold the
    pictures that tell how they are quantized.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if finder := nets.get("finder"):
        net = FinderNet()
        folded(averaged(net, finder))
        write_finder(net, pictures_for(scenes, photos), folder / "finder.onnx")
    if reader := nets.get("reader"):
        write_reader(_reader_of(reader), crops_for(scenes, Crops), folder / "reader.onnx")
    if face := nets.get("face"):
        write_face(_reader_of(face), crops_for(scenes, Faces), folder / "face.onnx")


def _reader_of(checkpoints: Sequence[Path]) -> ReaderNet:
    net = ReaderNet()
    folded(averaged(net, checkpoints))
    return net


def main() -> None:
    """Export from the command line."""
    here = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(
        description="Export checkpoints to ONNX; of several of one network, their mean."
    )
    parser.add_argument("--finder", type=Path, nargs="+", default=[])
    parser.add_argument("--reader", type=Path, nargs="+", default=[])
    parser.add_argument("--face", type=Path, nargs="+", default=[])
    parser.add_argument("--out", type=Path, default=here / "models")
    parser.add_argument("--data", type=Path, required=True, help="folder with the rendered scenes")
    parser.add_argument("--photos", type=Path, default=here.parent / "shared" / "photos")
    args = parser.parse_args()
    nets = {"finder": args.finder, "reader": args.reader, "face": args.face}
    export(args.out, nets, args.data, args.photos)


if __name__ == "__main__":
    main()
