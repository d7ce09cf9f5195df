"""Writes small.onnx, an encoder for the tests of folders: sines of the numbers of word pieces, in 16 dimensions.

python tests/embed/small_model.py     (needs the package onnx)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

DIM = 16


def main() -> None:
    steps = (0.1 + 0.37 * np.arange(DIM)).astype(np.float32)
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["number", "last"], ["column"]),
        helper.make_node("Mul", ["column", "steps"], ["angle"]),
        helper.make_node("Sin", ["angle"], ["last_hidden_state"]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", DIM])],
        [numpy_helper.from_array(np.array([-1], np.int64), "last"), numpy_helper.from_array(steps, "steps")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    Path(__file__).with_name("small.onnx").write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
