"""all-MiniLM-L6-v2: the default embedder. English, 384 dimensions, 256 tokens, nothing to download.

The weights and the vocabulary are in the folder `minilm` beside this file, with the model's licence. Both hashes
are pinned: vectors under one id come from one set of weights. The graph multiplies in int8; `make models` writes it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from daypack.embed.onnx import OnnxEmbedder, word_piece_tokenizer
from daypack.errors import ModelUnavailable

DIM = 384
MODEL_SHA256 = "6eceefde04db168704ccfc31ab3a6e233429b949f4f174ff52fc84235306cb50"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
MODEL = Path(__file__).parent / "minilm" / "model.onnx"
VOCABULARY = Path(__file__).parent / "minilm" / "vocab.txt"


def open_minilm(*, threads: int = 2, max_tokens: int = 256, model_path: Path | None = None) -> OnnxEmbedder:
    """The packaged model. `model_path` is for the same weights elsewhere: the hash has to match."""
    return OnnxEmbedder(
        name="minilm",
        # The cut is part of the id: two cuts give two vectors of one long text.
        model_id=f"minilm-l6-v2-w7a8-{DIM}d-{max_tokens}t-{MODEL_SHA256[:8]}",
        model_path=model_path or MODEL,
        model_sha256=MODEL_SHA256,
        build_tokenizer=_tokenizer,
        dim=DIM,
        max_tokens=max_tokens,
        threads=threads,
    )


def _tokenizer() -> Any:
    if hashlib.sha256(VOCABULARY.read_bytes()).hexdigest() != VOCABULARY_SHA256:
        raise ModelUnavailable("minilm", f"{VOCABULARY} has been changed")
    return word_piece_tokenizer(VOCABULARY)
