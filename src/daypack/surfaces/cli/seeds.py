"""Environment variables of the tools that Daypack replaces, read as its own."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping

_PROJECT = "CONTEXT_MODE_PROJECT_DIR"
_BUCKET = "CONTEXT_BUCKET_"
_NAMES = {"ROOT": "STORE", "EMBEDDING_BACKEND": "EMBEDDER"}  # the others are called alike
EMBEDDERS = {"onnx_minilm": "minilm", "local_hashing": "hashing"}


def adopt_variables(variables: MutableMapping[str, str]) -> Iterator[str]:
    """Set our variables after those of other tools, where they are not set. Yields a note for each."""
    for name in sorted(variables):
        if name == _PROJECT:
            ours, value = "DAYPACK_PROJECT_DIR", variables[name]
        elif name.startswith(_BUCKET):
            bare = name.removeprefix(_BUCKET)
            ours, value = f"DAYPACK_{_NAMES.get(bare, bare)}", variables[name]
            value = EMBEDDERS.get(value, value) if bare == "EMBEDDING_BACKEND" else value
        else:
            continue
        if value and ours not in variables:
            variables[ours] = value
            yield f"{name} is called {ours} here"
