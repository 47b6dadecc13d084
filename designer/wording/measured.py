"""Measurements that values were taken over from, in words."""

from collections.abc import Mapping

from designer.document.measured_values import MeasuredValue, MeasurementSource
from designer.document.texts import N_, Text

_MESSAGES: Mapping[MeasurementSource, str] = {
    "table_stats": N_("measured, table stats of {date}"),
    "monitoring": N_("measured, monitoring of {date}"),
    "clusters": N_("measured, clusters of {date}"),
    "trace": N_("measured, access log of {date}, {lines} lines"),
}


def measured_text(measured: MeasuredValue) -> Text:
    """Return where a value was measured."""
    return Text(_MESSAGES[measured.source], {"date": measured.date, "lines": measured.lines or 0})
