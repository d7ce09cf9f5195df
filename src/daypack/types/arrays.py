"""Names for the arrays of numpy by what they hold: `Ints`, `Floats` and `Bools` are most of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # only type checkers read the texts below, so no program waits for numpy.typing
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float32]"
Bools: TypeAlias = "NDArray[np.bool_]"
Vectors: TypeAlias = "NDArray[np.float32]"
"""Shape (n_texts, dim), rows L2-normalised."""

Array: TypeAlias = "NDArray[Any]"
AnyInts: TypeAlias = "NDArray[np.integer]"
Float64s: TypeAlias = "NDArray[np.float64]"
Int8s: TypeAlias = "NDArray[np.int8]"
UInt8s: TypeAlias = "NDArray[np.uint8]"
UInt16s: TypeAlias = "NDArray[np.uint16]"
UInt32s: TypeAlias = "NDArray[np.uint32]"
UInt64s: TypeAlias = "NDArray[np.uint64]"
