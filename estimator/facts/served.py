"""How well a read is served: as a point, a short range, or a scan of what it does not return."""

from estimator.results import ReadPlan

SHORT_ROWS = 10_000
"""A range of up to so many rows is short (our assumption: at 1 KiB a row about 10 MB, which a node scans in 50 ms)."""


def is_wasteful(plan: ReadPlan) -> bool:
    """Return whether a read scans at least a thousand rows and returns a tenth of them or less."""
    return plan.has_actual_rows and plan.rows_scanned >= 1_000 and plan.rows_scanned > 10 * plan.rows_returned
