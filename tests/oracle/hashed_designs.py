"""Designs whose keys begin with a hash of a time, or of a bucket of it: the crossed designs with one more part."""

from copy import deepcopy
from typing import Any

import numpy as np

from designer.document.load import from_data

from .designs import Design, design

_BUCKETS: tuple[dict[str, Any], ...] = (
    {"resolution": "hour"},
    {"resolution": "day", "pattern": "%Y%m%d"},
    {"bucket_seconds": 21_600, "unit": "s"},
)
LONG, SHORT = 6, 1
"""Digits of a hash that tells all buckets of a month apart, and of one that meets again and again."""


def hashed_design(seed: int) -> Design:
    """Return a design whose keys begin with a hash of a time or of its bucket.

    A short hash of a bucket stands only before the time itself, as it tells no buckets apart.
    """
    made = design(seed)
    rng = np.random.default_rng([seed, 37])
    data = deepcopy(made.data)
    kind = data["tables"][0]["row_kinds"][0]
    is_shown = made.features["time"] in ("moment", "newest first")
    digits = SHORT if is_shown and rng.random() < 0.3 else LONG
    lead: dict[str, Any] = {"id": "k-hash", "after": "#"}
    if rng.random() < 0.7:
        lead |= {"kind": "time", "hash": "md5", "hash_digits": digits} | _BUCKETS[rng.integers(len(_BUCKETS))]
    else:
        lead |= {"kind": "hash", "digits": digits}
    kind["key"] = [lead, *kind["key"]]
    for read in kind["reads"]:
        if read["id"] == "point":
            read["exact_time"] = True
    names = "bucket" if lead["kind"] == "time" else "moment"
    return Design(seed, made.features | {"hashed": f"{names} {digits}"}, from_data(data), data)
