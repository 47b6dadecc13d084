"""Exactly what a measurement depends on, and its hash: not the names of other things, not rates as such.

Counts are rounded, so that a rate which changes nothing that is stored asks for no new measurement.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np
from pydantic import BaseModel

from estimator.kernels.keys import EventDistribution, KeyInputs, KeyPattern, TimeDistribution, pattern_of

CODE_VERSION = 1
"""Part of every hash: raised when a measurement of the same content changes."""


@dataclass(frozen=True)
class ColumnContent:
    """The cells of one column."""

    family: str
    qualifier: bytes
    qualifier_from: KeyInputs | None
    """Qualifiers that are made from data."""
    value_kind: str
    typical_bytes: float
    max_bytes: float
    constant_time: bool
    cells_per_row: float
    """Mean at the end of the horizon, after garbage collection, two figures."""
    names_per_row: float
    """Different qualifiers that a row can have; infinity is no limit."""
    seed: int


@dataclass(frozen=True)
class KindContent:
    """The rows of one kind."""

    key: KeyInputs
    """With the popularity by which stored bytes spread over values."""
    edges_s: tuple[float, ...]
    weights: tuple[float, ...]
    """When the rows were written: pieces of even density. [seconds since 1970]"""
    rows: float
    """To the nearest half of an octave."""
    has_growing_rows: bool
    """Popular rows are larger, not only more."""
    events_per_row: float
    gap_days: float
    """Mean time between two writes to a row whose key does not show when."""
    weight: float
    """Share of the table's logical bytes, in hundredths."""
    columns: tuple[ColumnContent, ...]
    """In the order in which a row stores them."""

    @cached_property
    def pattern(self) -> KeyPattern:
        """The compiled key; ValueError if none can be made."""
        return pattern_of(self.key)

    @cached_property
    def distribution(self) -> EventDistribution:
        """Distribution of the times at which the stored rows were written."""
        edges = np.array(self.edges_s)
        return EventDistribution(TimeDistribution(edges[None, :-1], edges[None, 1:], np.array([self.weights])))


@dataclass(frozen=True)
class TableContent:
    """Data stored in a table at the end of the horizon."""

    kinds: tuple[KindContent, ...]
    logical_bytes: float
    """To the nearest half of an octave."""

    @cached_property
    def sha256(self) -> str:
        """The key that a measurement is remembered by."""
        return hashlib.sha256(json.dumps([CODE_VERSION, _to_json(self)]).encode()).hexdigest()


def round_to_figures(value: float, count: int = 2) -> float:
    """Round to so many significant figures."""
    return float(f"{value:.{count}g}")


def half_octaves(value: float) -> float:
    """Return the nearest power of √2; 0 stays 0.

    >>> half_octaves(1000.0)
    1024.0
    """
    # Steps of √2 ≈ 1.41: growth of a few per cent asks for no new measurement, as density hardly changes compression.
    return 0.0 if value <= 0 else 2.0 ** (round(2 * math.log2(value)) / 2)


def _to_json(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return [_to_json(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return sorted((key, _to_json(item)) for key, item in value.items())
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_to_json(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value
