"""Thresholds at which surplus bytes are a note or a warning, the same for all rules about them."""

from estimator.results import Severity

from .families import FamilyUsage

SHARE = 0.10
"""Of the table's bytes: less than this is within the error of any estimate of its size."""
NOTE_GIB = 10.0
"""Compressed; below it is worth a dollar or two a month."""
WARNING_GIB = 100.0
"""Compressed; from here it costs tens of dollars a month in every cluster, and scans and backups carry it, too."""


def surplus_severity(usage: FamilyUsage, logical_bytes: float) -> Severity | None:
    """Return the severity of these surplus bytes; None if they are negligible."""
    gib = usage.compressed_gib(logical_bytes)
    if usage.share(logical_bytes) < SHARE or gib < NOTE_GIB:
        return None
    return "warning" if gib >= WARNING_GIB else "note"
