"""Domains at the beginning of a key, of which few take the writes."""

from designer.document import effective_value
from designer.document.key import FieldSegment

from .load import Load, prefix_load
from .reading import RowKindFacts

FEW = 3.0
"""Domains that take the writes, counted as 1 ÷ Σ share²: with no more than so many, "a small number of domain names"
is meant whatever the cluster."""


def few_domains(rows: RowKindFacts) -> Load | None:
    """Return the load on the busiest domain if domains lead the key and few take the writes; else None."""
    lead = rows.leading_segment
    if lead is None or not isinstance(lead[0], FieldSegment):
        return None
    if effective_value(rows.spec, rows.spec.find(lead[0].field), "kind") != "domain":
        return None
    load = prefix_load(rows, rows.kind.segments.index(lead[0]) + 1)
    return load if load is not None and load.effective <= FEW else None
