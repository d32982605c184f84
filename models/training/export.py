"""Write the trained networks as ONNX files that the program runs."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
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


def averaged(net: nn.Module, checkpoint: Path) -> nn.Module:
    """``net`` with the averaged weights of a checkpoint, ready to be used."""
    weights = torch.load(checkpoint, weights_only=True)["mean"]
    net.load_state_dict(
        {k.removeprefix("module."): v for k, v in weights.items() if k.startswith("module.")}
    )
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


def export(folder: Path, nets: Mapping[str, Path | None], scenes: Path, photos: Path) -> None:
    """Write ``finder.onnx``, ``reader.onnx`` and ``face.onnx`` into ``folder``.

    ``nets``: the checkpoint of each, or None to leave one out; ``scenes`` and ``photos`` hold the
    pictures that tell how they are quantized.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (finder := nets.get("finder")) is not None:
        net = FinderNet()
        folded(averaged(net, finder))
        write_finder(net, pictures_for(scenes, photos), folder / "finder.onnx")
    if (reader := nets.get("reader")) is not None:
        write_reader(_reader_of(reader), crops_for(scenes, Crops), folder / "reader.onnx")
    if (face := nets.get("face")) is not None:
        write_face(_reader_of(face), crops_for(scenes, Faces), folder / "face.onnx")


def _reader_of(checkpoint: Path) -> ReaderNet:
    net = ReaderNet()
    folded(averaged(net, checkpoint))
    return net


def main() -> None:
    """Export from the command line."""
    here = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Export checkpoints to ONNX.")
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--face", type=Path)
    parser.add_argument("--out", type=Path, default=here / "models")
    parser.add_argument("--data", type=Path, required=True, help="folder with the rendered scenes")
    parser.add_argument("--photos", type=Path, default=here.parent / "shared" / "photos")
    args = parser.parse_args()
    nets = {"finder": args.finder, "reader": args.reader, "face": args.face}
    export(args.out, nets, args.data, args.photos)


if __name__ == "__main__":
    main()
