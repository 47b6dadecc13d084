"""Values of a design that were measured: on which day, and of what."""

import zlib
from typing import Any, Literal

from pydantic import Field

from .base import Count, Day, Element, Id, Model

MeasurementSource = Literal["table_stats", "monitoring", "clusters", "trace"]


class MeasuredValue(Model):
    """A value that was taken over from a measurement.

    It tells the origin of a field for as long as the field has this value, so an edit of the field needs no other.
    """

    at: Id = Field(title="About", description="The element. If it is removed, this says nothing.")
    field: str = Field(
        title="Field",
        min_length=1,
        max_length=80,
        description="Dots separate levels: `nodes.count`; for the fields of a read: `binds.user.popularity`.",
    )
    value: float = Field(
        title="Value", strict=True, description="For a profile or an access distribution: the CRC-32 of its JSON."
    )
    source: MeasurementSource = Field(title="Source")
    date: Day = Field(title="Date")
    lines: Count | None = Field(default=None, title="Lines", description="Of an access log.")

    def holds_for(self, element: Element) -> bool:
        """Return whether the field still has the measured value."""
        return measured_figure(find_part(element, self.field)) == self.value


def find_part(element: Any, path: str) -> Any:
    """Return a part by names with dots (`value.max_bytes`; of a list by field, `binds.user`); None if there is none."""
    part = element
    for name in path.split("."):
        if isinstance(part, tuple):
            part = next((member for member in part if getattr(member, "field", None) == name), None)
        else:
            part = getattr(part, name, None)
    return part


def measured_figure(value: Any) -> float | None:
    """Return what a measurement keeps of a value: a number, or the CRC-32 of a part of the document."""
    if isinstance(value, Model):
        return float(zlib.crc32(value.model_dump_json(exclude_defaults=True).encode()))
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
