"""Results as plain data for JSON: arrays as lists, money as text with its cents, bytes and keys in their text form."""

import datetime
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from pydantic import BaseModel

from designer.document import Model
from designer.document.key import as_text
from designer.document.texts import Text
from designer.wording.formatting import english
from estimator.results.heat import Heat

HEAT = (
    "bounds", "window_starts", "window_seconds", "stored_share", "writes_per_second", "reads_per_second",
    "write_node_share", "read_node_share",
)  # fmt: skip
"""The heat of a day in full, not as the products that it is kept as."""

FIGURES = 6
"""Significant digits of the floats in arrays: more than any assumption behind them deserves."""


def to_plain(value: Any, *, maximum: int | None = None) -> Any:
    """Return the value as dicts, lists, texts, numbers, booleans and None; arrays over `maximum` become None."""
    match value:
        case None | bool() | int() | str():
            return value
        case float() | np.floating():
            return float(f"{float(value):.12g}") if math.isfinite(value) else None  # JSON has no infinity
        case np.integer():
            return int(value)
        case Decimal():
            return str(value)
        case bytes():
            return as_text(value)
        case datetime.date():
            return value.isoformat()
        case np.ndarray():
            return None if maximum is not None and value.size > maximum else _round_array(value)
        case Text():
            return english(value.message, value.params)
        case Model():
            return value.model_dump(mode="json", exclude_unset=True)
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {str(key): to_plain(item, maximum=maximum) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [to_plain(item, maximum=maximum) for item in value]
    if isinstance(value, Heat):
        return {name: to_plain(getattr(value, name), maximum=maximum) for name in HEAT}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name), maximum=maximum) for f in fields(value)}
    raise TypeError(f"{type(value).__name__} has no plain form")


def _round_array(array: np.ndarray[Any, Any]) -> Any:
    """Return the array as lists of numbers, each different one of which is rounded once: many are the same."""
    bits, places = np.unique(np.asarray(array, float).ravel().view(np.int64), return_inverse=True)
    rounded = [
        float(f"{value:.{FIGURES}g}") if math.isfinite(value) else None  # JSON has no infinity
        for value in bits.view(float).tolist()
    ]
    return np.array(rounded, dtype=object)[places].reshape(array.shape).tolist()
