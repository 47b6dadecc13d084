"""Assumed values that were fitted to known sizes; they are computed from the document, and are no part of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .texts import Text


@dataclass(frozen=True)
class FittedValue:
    """A value in place of an assumed one, and the known size that it is fitted to."""

    value: Any
    why: Text


@dataclass(frozen=True)
class FitOutcome:
    """A known size beside the modelled one, after the fit."""

    known: str
    """Id of the known size."""
    row_kind: str
    known_size: float
    modelled_size: float
    """With the fitted values; where none reaches the known size, with the assumed ones. [bytes] or [rows]"""
    nearest_size: float
    """The nearest that assumed values could reach; the modelled size if it was reached."""
    is_reached: bool


@dataclass(frozen=True)
class Fits:
    """All that was fitted in one document."""

    values: Mapping[tuple[str, str], FittedValue] = field(default_factory=dict)
    """By the id of a field or column, and the name of its assumed value."""
    outcomes: tuple[FitOutcome, ...] = ()


NO_FITS = Fits()
