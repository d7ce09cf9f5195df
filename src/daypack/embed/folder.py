"""A sentence encoder from a local folder, in the layout that sentence-transformers exports to ONNX.

    model.onnx (or onnx/model.onnx)    tokenizer.json, else vocab.txt    1_Pooling/config.json, for another
    pooling than the mean

The model id is a hash of those files, so a changed file is another model and its vectors are never mixed with
the old ones.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from daypack.embed.onnx import OnnxEmbedder, OnnxModel, PinnedFile, Tokenizer
from daypack.embed.wordpieces import LibraryTokenizer, WordPieces, vocabulary_in
from daypack.errors import ModelUnavailable
from daypack.system import path_named

MOST_TOKENS = 256  # of a text that the model reads


def open_folder(folder: Path, *, threads: int = 2) -> OnnxEmbedder:
    """Reads and hashes the files now, starts the model at the first use."""
    name = f"folder:{folder}"
    folder = path_named(folder)
    graph = _first(name, folder, "model.onnx", "onnx/model.onnx")
    vocabulary = _first(name, folder, "tokenizer.json", "vocab.txt")
    pooling = folder / "1_Pooling" / "config.json"
    try:
        graph_sha256 = hashlib.sha256(graph.read_bytes()).hexdigest()
        parts = [graph_sha256.encode(), vocabulary.read_bytes()]
        settings = json.loads(pooling.read_text(encoding="utf-8")) if pooling.is_file() else {}
    except (OSError, ValueError) as error:
        raise ModelUnavailable(name, f"its files cannot be read: {error}") from error
    first_token = bool(isinstance(settings, dict) and settings.get("pooling_mode_cls_token"))
    parts.append(b"first" if first_token else b"mean")
    # Each part is hashed by itself, so that moving bytes from one file to the next gives another id.
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    model = OnnxModel(
        name=name,
        model_id=f"folder-{digest[:16]}-{MOST_TOKENS}t",
        graph=PinnedFile(graph, graph_sha256),
        build_tokenizer=lambda: _tokenizer(vocabulary),
        pool_first_token=first_token,
        max_tokens=MOST_TOKENS,
    )
    return OnnxEmbedder(model, threads=threads)


def _first(name: str, folder: Path, *candidates: str) -> Path:
    for candidate in candidates:
        if (folder / candidate).is_file():
            return folder / candidate
    raise ModelUnavailable(name, f"the folder has no {' and no '.join(candidates)}")


def _tokenizer(path: Path) -> Tokenizer:
    if path.suffix == ".txt":
        return WordPieces(vocabulary_in(path.read_text(encoding="utf-8")))
    from tokenizers import Tokenizer as Library

    tokenizer = Library.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # "[SEP]" inside a stored text is text, not a command to the model
    return LibraryTokenizer(tokenizer)
