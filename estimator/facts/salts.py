"""Effect of a salt or hash before the key: the load on one range without it, and the largest row."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document import effective_value, owner_id, write_mode
from designer.document.field import Field
from designer.document.key import LiteralSegment, SaltSegment, Segment, segment_fields
from designer.document.texts import N_, Text
from designer.wording import segment_label
from estimator.engines import engine_of
from estimator.kernels.keys.values.popularity import largest_share

from .partitions import partition_segments
from .reading import RowKindFacts
from .servers import server_of

PREVENTS = N_(
    " It prevents a hot range: without it, one range would receive {without_per_second} of writes. The threshold is "
    "{limit_per_second}."
)
NOT_NEEDED = N_(
    " Writes do not need it: without it, the busiest range receives {without_per_second}. The threshold is "
    "{limit_per_second}."
)
BEHIND_GROWTH = N_(" It does not spread writes: it follows {growing} in the key, and new rows go to the end of that.")
KEEPS_ROWS_SMALL = N_(
    " It keeps rows small: without it, the largest would reach {largest_bytes}. The threshold is {limit_bytes}."
)
KEEPS_VALUES_SMALL = N_(
    " It divides values of the partition key: without it, the largest would reach {largest_bytes}. The threshold is "
    "{limit_bytes}."
)
_SERIES = ("new_cell", "new_column")
"""Modes that write further cells into rows that exist."""


@dataclass(frozen=True)
class SaltEffect:
    """Effect of a salt or hash: whether it prevents something."""

    is_needed: bool
    """True if a range would be hot without it, or a row (on Tablestore a value of the partition key) too large."""
    sentence: Text


def salt_effect(rows: RowKindFacts, salt: Segment) -> SaltEffect | None:
    """Return what a salt or hash prevents; None while no rate is known or it spreads reads."""
    load = _load_without(rows, salt)
    if load is not None and load.is_needed:
        return load
    return _size_without(rows, salt) or load


def _load_without(rows: RowKindFacts, salt: Segment) -> SaltEffect | None:
    """Return what it does to the writes of the busiest range, at the peak.

    New rows go to the end of the first growing segment, below the busiest values before it.
    """
    if rows.traffic is None or not rows.writes:
        return None
    growing = next((segment for segment, facts in rows.segments if facts.grows is not None or segment is salt), salt)
    if growing is not salt and not _divides_partition_key(rows, salt):
        return SaltEffect(False, Text(BEHIND_GROWTH, {"growing": segment_label(rows.spec, growing)}))
    share = min([1.0, *_shares_before_growth(rows, salt)])
    # A bound: fields may come together, so that their shares cannot be multiplied.
    per_second = share * sum(load.peak_rows_per_second for _, load in rows.writes)
    node_share = share * sum(load.peak_rows_per_second * load.node_seconds_per_row for _, load in rows.writes)
    server = server_of(rows.spec)
    is_hot = server.burden(per_second, node_share) >= 1
    limit = server.warning_per_second(per_second, node_share)
    figures = {"without_per_second": per_second, "limit_per_second": limit}
    return SaltEffect(is_hot, Text(PREVENTS if is_hot else NOT_NEEDED, figures))


def _size_without(rows: RowKindFacts, salt: Segment) -> SaltEffect | None:
    """Return that a salt keeps rows or values of the partition key below the size that the engine advises, if it does.

    What it spreads evenly would be as many times larger without it.
    """
    if not isinstance(salt, SaltSegment) or rows.growth is None or not rows.growth.live_largest_bytes.size:
        return None
    engine = engine_of(rows.spec)
    limit_bytes = engine.LIMITS[engine.ADVISED_SIZE].value
    if rows.traffic is not None and rows.traffic.partition is not None:
        message, is_divided = KEEPS_VALUES_SMALL, _divides_partition_key(rows, salt)
        largest_bytes = rows.traffic.partition.largest_bytes * salt.modulo
    else:
        message, is_divided = KEEPS_ROWS_SMALL, _divides_rows(rows, salt)
        largest_bytes = float(rows.growth.live_largest_bytes.max()) * salt.modulo
    if not is_divided or largest_bytes <= limit_bytes:
        return None
    return SaltEffect(True, Text(message, {"largest_bytes": largest_bytes, "limit_bytes": limit_bytes}))


def _divides_partition_key(rows: RowKindFacts, salt: Segment) -> bool:
    """Return whether a salt gives values of the partition key, on which partitions depend, further ones."""
    has_partition = rows.traffic is not None and rows.traffic.partition is not None
    return has_partition and salt in partition_segments(rows)


def _divides_rows(rows: RowKindFacts, salt: SaltSegment) -> bool:
    """Return whether cells of one row would be in one without the salt: it is not made of what the key shows anyway."""
    if not any(write_mode(rows.spec, write) in _SERIES for write in rows.kind.writes):
        return False
    shown = {field for s in rows.kind.segments if s is not salt for field in segment_fields(s)}
    return not salt.fields or not shown.issuperset(salt.fields)


def _shares_before_growth(rows: RowKindFacts, salt: Segment) -> Iterator[float]:
    """Yield the share of the busiest value of each field that remains before the first growing segment."""
    for segment, facts in rows.segments:
        if segment.id == salt.id or isinstance(segment, LiteralSegment | SaltSegment):
            continue
        if facts.grows is not None:
            return
        yield from (busiest_share(rows, field) for field in segment_fields(segment))


def busiest_share(rows: RowKindFacts, field: str) -> float:
    """Return the share of the writes on the busiest value of a field; 1 where its popularity is its children's."""
    spec = rows.spec
    element: Field = spec.find(field)
    if any(owner_id(spec, child.id) == field for child in spec.fields):
        return 1.0
    distinct = float(effective_value(spec, element, "distinct"))
    laws = [effective_value(spec, element, "popularity")]
    for write in rows.kind.writes:
        activity: Any = spec.by_id.get(write.activity or "")
        laws += [d.popularity for d in (activity.draws if activity else ()) if d.field == field and d.popularity]
    return max(largest_share(law, distinct) for law in laws)
