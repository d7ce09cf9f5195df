"""The seams of the project, on one page.

Whoever implements one runs its conformance suite in `daypack.testing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from daypack.types import Pack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = "NDArray[np.float32]"
    """float32, shape (n_texts, dim), rows L2-normalised."""


class Embedder(Protocol):
    """Texts to vectors. Equal text gives an equal vector, whatever it is batched with, on one machine.

    Threads may share one.
    """

    @property
    def model_id(self) -> str:
        """Name, version and shape; vectors of two ids are never compared."""

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i]. A text without any token gives a row of zeros. Raises ModelError."""


CountTokens: TypeAlias = Callable[[str], int]
"""The number of tokens of a text by one named tokenizer; never negative, 0 for the empty text."""

Shape: TypeAlias = Callable[[Pack], str]
"""A pack as text. Pure; must accept a pack without excerpts."""

Clock: TypeAlias = Callable[[], float]
"""Unix seconds."""
