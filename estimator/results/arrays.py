"""Names of the kinds of arrays that the estimator's figures, keys and counts are."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def distinct(values: ArrayLike) -> NDArray[Any]:
    """Return the distinct values, ascending: `np.unique` loads all of `numpy.ma` to ask whether some are masked."""
    ordered = np.sort(values, axis=None)
    is_first = np.ones(ordered.size, dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]
