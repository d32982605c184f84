"""Write the trained networks as ONNX files that the program runs."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from models.training.nets import FinderNet, ReaderNet
from vision.spot import CROP_HEIGHT, CROP_WIDTH


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


def export(folder: Path, finder: Path | None, reader: Path | None) -> None:
    """Write ``finder.onnx`` and ``reader.onnx`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    if finder is not None:
        net = FinderNet()
        folded(averaged(net, finder))
        net.take_pixels()
        size = torch.zeros(1, 96, 128, 3, dtype=torch.uint8)
        axes = {"pictures": {0: "n", 1: "h", 2: "w"}, "maps": {0: "n", 2: "rows", 3: "columns"}}
        torch.onnx.export(
            net,
            (size,),
            str(folder / "finder.onnx"),
            input_names=["pictures"],
            output_names=["maps"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )
    if reader is not None:
        net = folded(averaged(ReaderNet(), reader))
        size = torch.zeros(2, CROP_HEIGHT, CROP_WIDTH, 3, dtype=torch.uint8)
        names = ["ranks", "suits", "poses", "features"]
        torch.onnx.export(
            net,
            (size,),
            str(folder / "reader.onnx"),
            input_names=["crops"],
            output_names=names,
            dynamic_axes={n: {0: "n"} for n in ["crops", *names]},
            opset_version=17,
            dynamo=False,
        )


def main() -> None:
    """Export from the command line."""
    parser = argparse.ArgumentParser(description="Export checkpoints to ONNX.")
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--reader", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1])
    args = parser.parse_args()
    export(args.out, args.finder, args.reader)


if __name__ == "__main__":
    main()
