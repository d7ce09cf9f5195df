"""Texts → vectors. One function opens any embedder by name; nothing heavy is imported before it is used.

minilm            the packaged all-MiniLM-L6-v2, int8 on disk, 384 dimensions, on this machine
hashing           bag of hashed words, 256 dimensions, no model at all
folder:PATH       an ONNX sentence encoder and its tokenizer in a local folder
endpoint:URL      an OpenAI-compatible /v1/embeddings service; the only one that sends text anywhere
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from daypack.errors import ConfigError

if TYPE_CHECKING:
    from daypack.ports import Embedder, StaticTable

DEFAULT_EMBEDDER = "minilm"
EMBEDDER_NAMES = ("minilm", "hashing", "folder:PATH", "endpoint:URL")


def open_embedder(
    name: str = DEFAULT_EMBEDDER, *, threads: int = 2, model: str = "", api_key: str = ""
) -> Embedder:
    """The embedder of that name. Weights are read at the first `embed`, so opening is cheap.

    `threads` is for models on this machine; `model` and `api_key` are for an endpoint. Raises `ConfigError` for an
    unknown name, `ModelUnavailable` for a missing model.
    """
    adapter, _, place = name.partition(":")
    match adapter, bool(place):
        case "minilm", False:
            from daypack.embed.minilm import open_minilm

            return open_minilm(threads=threads)
        case "hashing", False:
            from daypack.embed.hashing import HashingEmbedder

            return HashingEmbedder()
        case "folder", True:
            from daypack.embed.folder import open_folder

            return open_folder(Path(place), threads=threads)
        case "endpoint", True:
            from daypack.embed.endpoint import EndpointEmbedder

            return EndpointEmbedder(place, model=model, api_key=api_key)
        case _:
            raise ConfigError(f"unknown embedder {name!r}; use one of {', '.join(EMBEDDER_NAMES)}")


def open_static(name: str = DEFAULT_EMBEDDER) -> StaticTable | None:
    """The static table in the space of the embedder of that name, None where it has none.

    Raises `ModelUnavailable` for a table that is missing or damaged.
    """
    if name != DEFAULT_EMBEDDER:
        return None
    from daypack.embed.static import open_table

    return open_table()


__all__ = ["DEFAULT_EMBEDDER", "EMBEDDER_NAMES", "open_embedder", "open_static"]
