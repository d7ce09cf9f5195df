"""all-MiniLM-L6-v2: the default embedder. English, 384 dimensions, 256 tokens, nothing to download.

The folder `minilm` beside this file has three files of it, with the model's licence: the six layers as a graph that multiplies in int8, the rows of
the word pieces, and the vocabulary. `make models` writes the first two. All hashes are pinned: vectors under one id come from
one set of weights.

The rows stand beside the graph because the runtime would read and copy them at every start, and a text needs a few of them.
"""

from __future__ import annotations

from pathlib import Path

from daypack.embed.onnx import OnnxEmbedder, OnnxModel, PinnedFile
from daypack.embed.wordpieces import FOLDER, WordPieces, packaged_vocabulary

DIM = 384
MODEL = PinnedFile(FOLDER / "model.onnx", "8b019d7142fa03bc687714ef6d41dd8e80956e238060220bf0adef43ad2eb142")
WORDS = PinnedFile(FOLDER / "words.bin", "97fb7962a86aef8120cb7685dc9cc09e51080b80b5b9b1b1c1abdbca0937e0df")
# Of the weights: the hash of the one file that held graph and rows in the first release. Its vectors are these, to the bit.
WEIGHTS = "6eceefde"


def open_minilm(*, threads: int = 2, max_tokens: int = 256, model_path: Path | None = None) -> OnnxEmbedder:
    """The packaged model. `model_path` is for the same graph elsewhere: the hash has to match."""
    model = OnnxModel(
        name="minilm",
        # The cut is part of the id: two cuts give two vectors of one long text.
        model_id=f"minilm-l6-v2-w7a8-{DIM}d-{max_tokens}t-{WEIGHTS}",
        graph=MODEL._replace(path=model_path or MODEL.path),
        words=WORDS,
        build_tokenizer=lambda: WordPieces(packaged_vocabulary()),
        dim=DIM,
        max_tokens=max_tokens,
    )
    return OnnxEmbedder(model, threads=threads)
