"""Makes ``models/reference.onnx``, the yardstick of ``pilewatch bench``.

Eight 3×3 convolutions of 16 channels with ReLU on a 233×233 picture: 1.0 billion multiplications.
4.1 of them are the work of a YOLOv8n-sized detector at 640×640 (4.1 billion), so that a
time can be stated as a share of something well known, on any machine.

Needs the package onnx: ``python -m models.training.reference_model models/reference.onnx``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from models.training.command import Parser, told, write

LAYERS, CHANNELS, SIDE = 8, 16, 233


def make() -> Any:
    """Return the model; one set of weights serves all layers, since only the time matters."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(0)
    # He's scale keeps the values near 1 through all layers; tiny ones would be slow to reckon with.
    spread = np.sqrt(2 / (9 * CHANNELS))
    weights = rng.normal(0, spread, (CHANNELS, CHANNELS, 3, 3)).astype(np.float32)
    bias = np.full(CHANNELS, 0.1, np.float32)
    nodes, last = [], "picture"
    for layer in range(LAYERS):
        convolved, name = f"convolved{layer}", f"layer{layer}"
        nodes.append(
            helper.make_node("Conv", [last, "weights", "bias"], [convolved], pads=[1, 1, 1, 1])
        )
        nodes.append(helper.make_node("Relu", [convolved], [name]))
        last = name
    shape = [1, CHANNELS, SIDE, SIDE]
    graph = helper.make_graph(
        nodes,
        "reference",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(last, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(bias, "bias")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    return model


def main() -> None:
    """Write it."""
    parser = Parser(description="Make the yardstick of pilewatch bench.")
    parser.add_argument("file", type=Path, metavar="FILE.onnx")
    write(parser.parse_args().file, make().SerializeToString())


if __name__ == "__main__":
    raise SystemExit(told(main))
