"""A known size or share differs from the design.

**What** The design states the share of a field’s busiest value, or the size of the largest row or prefix, and other
values that contradict it.
**Why** One of the two is wrong. The figures of the design are computed from the other values, so load, row sizes and
cost are as wrong as these.
**Instead** Remove or correct the wrong value. Assumed values are fitted to what is known; entered values are not
changed.
**Fine when** The known figure was exceptional, for example during an incident. In that case, remove it.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.field import Field
from designer.document.key import segment_fields
from designer.document.texts import N_
from designer.wording import element_label, known_size_text
from estimator.kernels.keys.values.popularity import largest_share
from estimator.results import Choice, Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import NEWEST_ONLY, TENANT, design, field_part

TOLERANCE = 0.1
"""A tenth more or less is the same: known figures are rounded."""
PREFIX = N_(
    "The largest prefix of {row_kind} was seen with {known_rows} rows. With the entered values, {modelled_rows} is the "
    "nearest that the model reaches. Which entered value differs?"
)
ROW = N_(
    "The largest row of {row_kind} was seen with {known_bytes}. With the entered values, {modelled_bytes} is the "
    "nearest that the model reaches. Which entered value differs?"
)
NOT_IN_KEY = N_("{row_kind} is known to have had {size}, but {field} is not in its key. Which field ends the prefix?")
NOTHING = N_(
    "{row_kind} is known to have had {size} on {date}, but in the design it stores nothing on this day. Enter the "
    "history of the table."
)
KEEP = N_("Fit the distribution to {one_share}")
REMOVE = N_("Remove the known share")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per known share and known size that other values contradict."""
    for field in spec.fields:
        if field.busiest_share is not None:
            yield from _share(spec, field, field.busiest_share)
    for outcome in spec.fits.outcomes:
        if outcome.is_reached or _is_alike(outcome.known_size, outcome.nearest_size):
            continue
        row_kind = spec.find(outcome.row_kind)
        table = next(table for table, kind in spec.row_kinds() if kind.id == outcome.row_kind)
        known_size = spec.find(outcome.known)
        params = {"row_kind": row_kind.name or table.label, "size": known_size_text(spec, known_size)}
        if known_size.prefix and all(known_size.prefix not in segment_fields(segment) for segment in row_kind.segments):
            params["field"] = element_label(spec, known_size.prefix)
            yield Violation(outcome.known, params, message=NOT_IN_KEY, about=(outcome.row_kind,))
            continue
        if outcome.nearest_size <= 0:
            day = known_size.date or effective_value(spec, spec, "start")
            yield Violation(outcome.known, params | {"date": day}, message=NOTHING, about=(outcome.row_kind,))
            continue
        is_row = known_size.largest_row_mib is not None
        unit = "bytes" if is_row else "rows"
        params |= {f"known_{unit}": outcome.known_size, f"modelled_{unit}": outcome.nearest_size}
        yield Violation(outcome.known, params, message=ROW if is_row else PREFIX, about=(outcome.row_kind,))


def _share(spec: Spec, field: Field, known_share: float) -> Iterator[Violation]:
    """Yield a question if the busiest value’s share is another under the field’s distribution."""
    law, values = effective_value(spec, field, "popularity"), effective_value(spec, field, "distinct")
    stated = largest_share(law, values)
    if _is_alike(known_share, stated):
        return
    choices = [Choice(REMOVE, {}, change(field, "busiest_share", None))]
    # A distribution can have it: it is no less than an even share.
    if field.popularity is not None and known_share * values >= 1:
        choices.insert(0, Choice(KEEP, {"one_share": known_share}, change(field, "popularity", None)))
    params = {"field": field.label, "known_share": known_share, "modelled_share": stated}
    yield Violation(field.id, params, "busiest_share", choices=tuple(choices))


def _is_alike(known_figure: float, modelled: float) -> bool:
    return abs(known_figure - modelled) <= TOLERANCE * known_figure


def _tenants(**field: Any) -> Spec:
    """Build a design of a thousand tenants whose rows are overwritten."""
    tenant = {**TENANT, "values": {"kind": "pattern", "text": "t{n:03}"}, "distinct": 1_000, **field}
    return design(field_part("tenant"), fields=(tenant,), per_second=1, write={"mode": "overwrite"}, gc=NEWEST_ONLY)


RULE = Rule(
    code="G007",
    severity="question",
    message=N_(
        "The busiest {field} is known to take {known_share} of the traffic, but the entered values give it "
        "{modelled_share}. Which is right?"
    ),
    check=check,
    bad=lambda: _tenants(popularity={"kind": "uniform"}, busiest_share=0.03),
    good=lambda: _tenants(popularity=None, busiest_share=0.03),
    near_miss=lambda: _tenants(popularity={"kind": "uniform"}, busiest_share=0.00105),
)
