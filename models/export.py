"""Writes the six layers of MiniLM as a graph that computes in int8.

    python export.py MODEL.safetensors FOLDER

Weights are int8 with one scale a column. Activations are quantised while the graph runs, row by row: each token has its own scale, so that the
vector of a text does not depend on the texts beside it in a batch. Sums are int32. The graph takes `words`, the rows of the word pieces of texts of equal length, without padding,
and gives `sentence_embedding`: the mean over the tokens, before it is normalised. The rows of all pieces stand in a file beside it, which
the runtime need not load: int8 codes (pieces, 384), then a float32 scale for each.

The same bytes come out of the same weights: names are fixed and nothing is stamped with a time.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

LAYERS, WIDTH, HEADS = 6, 384, 12
EPSILON = 1e-12
# Weights in seven bits: two products of 8 times 8 bits overflow the 16 bits in which processors without VNNI add them.
WEIGHT_PEAK = 63
CONTRIB = "com.microsoft"

Array = NDArray[np.float32]


class Graph:
    """The nodes and constants of the graph, added layer by layer."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: NDArray) -> str:  # type: ignore[type-arg]
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def embeddings(self) -> str:
        """Positions and the one token type are added to the rows of the word pieces."""
        places = (
            self.weights["embeddings.position_embeddings.weight"]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        shape = self.node("Shape", ["words"], "shape")
        length = self.node("Gather", [shape, self.constant("one", np.array([1], np.int64))], "length")
        zero = self.constant("zero", np.array([0], np.int64))
        there = self.node("Slice", [self.constant("places", places), zero, length, zero], "place")
        total = self.node("Add", ["words", there], "embedding")
        return self.norm("embeddings.LayerNorm", total, "states.0")

    def norm(self, name: str, source: str, output: str) -> str:
        gamma = self.constant(f"{name}.weight", self.weights[f"{name}.weight"])
        beta = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("LayerNormalization", [source, gamma, beta], output, epsilon=EPSILON, axis=-1)

    def joined(self, name: str, product: str, bias: str, source: str, output: str) -> str:
        """norm(product + bias + source). `SkipLayerNormalization` does it in one node that takes three times as long."""
        biased = self.node("Add", [product, bias], f"{output}.biased")
        return self.norm(name, self.node("Add", [biased, source], f"{output}.sum"), output)

    def quantised(self, source: str) -> tuple[str, str]:
        """(codes around 128, scales): a row x of a token as codes with x = scale · (code - 128)."""
        size = self.node("Abs", [source], f"{source}.abs")
        peak = self.node("ReduceMax", [size], f"{source}.peak", axes=[-1], keepdims=1)
        scale = self.node("Mul", [peak, self.constant("1/127", np.float32(1 / 127))], f"{source}.scale")
        unit = self.node("Div", [source, scale], f"{source}.unit")
        codes = self.node(
            "QuantizeLinear",
            [unit, self.constant("unit", np.float32(1)), self.constant("middle", np.uint8(128))],
            f"{source}.codes",
        )
        return codes, scale

    def product(self, source: tuple[str, str], matrix: Array, output: str) -> str:
        """source · matrix, without its bias."""
        codes, scale = source
        steps = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / WEIGHT_PEAK
        weights = np.rint(matrix / steps).astype(np.int8)
        inputs = [
            codes,
            self.constant(f"{output}.matrix", weights),
            "unit",
            self.constant(f"{output}.steps", steps.astype(np.float32)),
            "middle",
        ]
        product = self.node("MatMulIntegerToFloat", inputs, f"{output}.product", CONTRIB)
        return self.node("Mul", [product, scale], output)

    def layer(self, number: int, source: str) -> str:
        name = f"encoder.layer.{number}"
        matrix = lambda part: self.weights[f"{name}.{part}.weight"].T  # noqa: E731
        bias = lambda part: self.weights[f"{name}.{part}.bias"]  # noqa: E731
        attention = [f"attention.self.{part}" for part in ("query", "key", "value")]
        codes = self.quantised(source)
        joined = self.product(
            codes, np.concatenate([matrix(part) for part in attention], axis=1), f"{name}.qkv"
        )
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        self.nodes.append(
            helper.make_node(
                "Split",
                [joined, self.constant("thirds", np.full(3, WIDTH, np.int64))],
                parts,
                name=f"{name}.split",
                axis=-1,
            )
        )
        biases = self.constant(f"{name}.qkv.bias", np.concatenate([bias(part) for part in attention]))
        context = self.node(
            "MultiHeadAttention", [*parts, biases], f"{name}.context", CONTRIB, num_heads=HEADS
        )
        out = self.product(self.quantised(context), matrix("attention.output.dense"), f"{name}.out")
        middle = self.joined(
            f"{name}.attention.output.LayerNorm",
            out,
            self.constant(f"{name}.out.bias", bias("attention.output.dense")),
            source,
            f"{name}.middle",
        )
        wide = self.product(self.quantised(middle), matrix("intermediate.dense"), f"{name}.wide")
        active = self.node(
            "BiasGelu",
            [wide, self.constant(f"{name}.wide.bias", bias("intermediate.dense"))],
            f"{name}.active",
            CONTRIB,
        )
        narrow = self.product(self.quantised(active), matrix("output.dense"), f"{name}.narrow")
        return self.joined(
            f"{name}.output.LayerNorm",
            narrow,
            self.constant(f"{name}.narrow.bias", bias("output.dense")),
            middle,
            f"states.{number + 1}",
        )

    def model(self) -> onnx.ModelProto:
        states = self.embeddings()
        for number in range(LAYERS):
            states = self.layer(number, states)
        self.node("ReduceMean", [states], "sentence_embedding", axes=[1], keepdims=0)
        graph = helper.make_graph(
            self.nodes,
            "minilm",
            [helper.make_tensor_value_info("words", TensorProto.FLOAT, ["texts", "tokens", WIDTH])],
            [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["texts", WIDTH])],
            list(self.constants.values()),
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="daypack")


def word_rows(weights: dict[str, Array]) -> bytes:
    """The rows of all word pieces, each with a scale of its own."""
    table = weights["embeddings.word_embeddings.weight"]
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    codes = np.rint(table / np.maximum(scales, 1e-12)).astype(np.int8)
    return codes.tobytes() + scales.astype("<f4").tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    weights = {
        name: value.astype(np.float32)
        for name, value in load_file(options.weights).items()
        if value.dtype.kind == "f"
    }
    files = {
        "model.onnx": Graph(weights).model().SerializeToString(deterministic=True),
        "words.bin": word_rows(weights),
    }
    for name, data in files.items():
        (options.folder / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
