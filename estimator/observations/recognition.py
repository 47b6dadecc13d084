"""Recognition of files of the cloud's own tools: definitions, for `drift`, or measurements, for `observe`, or both."""

from collections.abc import Sequence
from typing import Literal

from designer import imports
from designer.document.texts import N_, Text
from designer.document.validation_errors import InvalidDocumentError

from .files import EMPTY, NOTHING, read_measurements
from .measurements import Measurement, ObservationError

DEFINITIONS = ("terraform_state", "terraform", "gcloud", "cbt", "tablestore")
"""Formats that tell what is defined where it runs."""
Told = Literal["definitions", "measurements"]
ONLY_DEFINED = N_("it contains definitions, not measurements: compare it with drift")
ONLY_MEASURED = N_("it contains measurements, not definitions: compare it with observe")


def recognise(data: str | bytes, *, keys: str = "text") -> frozenset[Told]:
    """Return what a file tells; a description of a table with its statistics tells both."""
    kinds = set[Told]()
    try:
        read = imports.read(data)
        if read.format in DEFINITIONS and not read.told.is_empty and not read.is_assumed:
            kinds.add("definitions")
    except InvalidDocumentError:
        pass
    try:
        read_measurements(data if isinstance(data, bytes) else data.encode(errors="replace"), keys=keys)
        kinds.add("measurements")
    except ObservationError:
        pass
    return frozenset(kinds)


def read_observed(data: bytes, *, keys: str = "text", table: str = "") -> list[Measurement]:
    """Return what a file measures, as `read_measurements` does; a file of definitions is refused as that.

    Raises
    ------
    ObservationError
        If it measures nothing.
    """
    try:
        return read_measurements(data, keys=keys, table=table)
    except ObservationError as error:
        if _is_defined(data) if error.message == NOTHING else _has_families(data):
            raise ObservationError(ONLY_DEFINED) from None
        raise


def read_several(
    files: Sequence[tuple[str, bytes]], *, keys: str = "text", table: str = ""
) -> tuple[list[Measurement], tuple[str, ...]]:
    """Return what named files measure, and the names of those that are empty lists, as where no tablet is hot.

    Raises
    ------
    ObservationError
        If one of them cannot be read, or all are empty lists.
    """
    measurements, empty = list[Measurement](), list[str]()
    for name, data in files:
        try:
            measurements += read_observed(data, keys=keys, table=table)
        except ObservationError as error:
            if error.message == EMPTY:
                empty.append(name)
            elif name:
                reason = Text(error.message, error.params)
                raise ObservationError(N_("{file}: {reason}"), file=name, reason=reason) from error
            else:
                raise
    if empty and not measurements:
        raise ObservationError(EMPTY)
    return measurements, tuple(empty)


def _is_defined(data: bytes) -> bool:
    return _has_families(data) or "definitions" in recognise(data)


def _has_families(data: bytes) -> bool:
    """Return whether a file is a list of families with their rules, which names no table."""
    try:
        read = imports.read(data)
    except InvalidDocumentError:
        return False
    return read.format == "cbt" and any(table.families for table in read.spec.tables)
