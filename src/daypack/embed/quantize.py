"""Vectors in their stored form: one float scale and one signed byte a dimension.

    scale = max|x| / 127        code = round(x / scale)        x ≈ scale · code

384 dimensions take 388 bytes instead of 1,536. The cosine between a row and its stored form is above .9999.
"""

from __future__ import annotations

from daypack.errors import BadVector
from daypack.types.arrays import Bools, Floats, Int8s, Vectors

# float32 rows of a thousand dimensions are within 1e-6 of unit length; this finds rows that were never
# normalised
NORM_TOLERANCE = 1e-3


def check(vectors: Vectors, *, dim: int, model_id: str) -> Bools:
    """A mask of the rows that may be stored. A row of zeros (a text without tokens) may not, because it has
    no direction.

    Raises `BadVector` for anything else that is not a finite row of unit length and `dim` dimensions: such a
    model is broken, and its other rows cannot be trusted either.
    """
    import numpy as np

    if vectors.ndim != 2 or vectors.shape[1] != dim:
        raise BadVector(model_id, f"shape {vectors.shape}, expected rows of {dim}")
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
    if not np.isfinite(norms).all():
        raise BadVector(model_id, f"NaN or infinite in row {int(np.argmin(np.isfinite(norms)))}")
    storable: Bools = norms > 0
    off = storable & (np.abs(norms - 1) > NORM_TOLERANCE)
    if off.any():
        row = int(np.argmax(off))
        raise BadVector(model_id, f"row {row} has length {norms[row]:.4g} instead of 1")
    return storable


def quantize(vectors: Vectors) -> tuple[Floats, Int8s]:
    """Scales (n,) and codes (n, dim). A row of zeros gets scale 0 and codes 0."""
    import numpy as np

    peaks = np.abs(vectors).max(axis=1, initial=0.0)
    scales = (peaks / 127).astype(np.float32)
    steps = np.where(scales > 0, scales, np.float32(1))[:, None]
    codes = np.clip(np.rint(vectors / steps), -127, 127).astype(np.int8)
    return scales, codes
