"""The key contains a hash without its source field.

**What** The key contains a hash of a field but not the field.
**Why** A hash is not readable: Key Visualizer shows no name for a hot row. You cannot list or scan values in order,
and two values with the same hash share a row.
**Instead** Keep the hash as a short prefix to spread the load, and add the readable value after it.
**Fine when** Every read knows the value, and nobody needs to list values or to recognise a hot row: then it is a note,
as it is while no read is stated.
Or the value is personal data that must not be in a key, and there is no alternative.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
PLAID on Qiita, 2018-12-11: row keys of KARTE on Bigtable (read 2026-11-20)
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from designer.document import Spec, effective_value
from designer.document.field import Field
from designer.document.key import FieldSegment, HashSegment, Segment, TimeSegment, segment_fields, shows_time
from designer.document.texts import N_, TextList
from designer.wording import segment_label
from estimator.facts.hashes import is_hashed_bucket
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.population.draws import Drawing
from estimator.kernels.population.told_apart import MILLISECOND
from estimator.kernels.traffic.known_segments import is_timestamp
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, USER, Part, design, field_part, hash_part, read_part
from ..shared.fixes import add_readable_values

SHARED = N_(
    "The key of {table} contains only a hash of {fields}. You cannot read, list or scan the "
    "{distinct} values from the keys. About {sharing} of them share a row with another value."
)
KNOWN = N_(
    "The key of {table} contains only a hash of {fields}. Its reads know these values and find their rows, but the "
    "keys do not show them: you cannot list them, and a hot row has no name."
)
BUCKETS = N_(
    "The key of {table} contains only a hash of a bucket of time, {fields}. You cannot read the time from the keys, or "
    "scan the {distinct} buckets in order."
)
BUCKETS_SHARED = N_(
    "The key of {table} contains only a hash of a bucket of time, {fields}. You cannot read the time from the keys, or "
    "scan the {distinct} buckets in order. About {sharing} of them share a hash, so that rows of different times "
    "become one."
)
APPEND = N_("Add {fields} after the hash")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per hash of fields that are not personal data and are not in the key themselves."""
    for rows in row_kinds(spec, estimate):
        visible_fields = {
            part.field for part in rows.kind.segments if isinstance(part, FieldSegment) or _is_whole_time(part)
        }
        finest = min((segment_seconds(s) for s in rows.kind.segments if shows_time(s)), default=math.inf)
        dated = any(isinstance(part, FieldSegment) and is_timestamp(spec, part.field) for part in rows.kind.segments)
        hashes: list[tuple[HashSegment, list[Field]]] = []
        for segment, facts in rows.segments:
            # A readable time at least as fine as the hashed bucket shows which bucket the hash stands for.
            if is_hashed_bucket(segment) and not dated and finest > segment_seconds(segment):
                yield _of_buckets(rows, segment, facts.distinct)
            if not isinstance(segment, HashSegment):
                continue
            fields = [spec.find(field) for field in segment.fields]
            hidden = [field for field in fields if field.id not in visible_fields]
            if not hidden or any(effective_value(spec, field, "personal") for field in fields):
                continue
            violation = _build_violation(rows, segment, hidden)
            if violation.message != SHARED and _is_served(rows, segment, hidden):
                hashes.append((segment, hidden))
            else:  # without a stated read, nobody is known to need the values
                yield (
                    violation if rows.kind.reads or violation.message == SHARED else replace(violation, severity="note")
                )
        if hashes:
            yield _of_known_values(rows, hashes)


def _is_served(rows: RowKindFacts, segment: HashSegment, hidden: Sequence[Field]) -> bool:
    """Return whether every read gives the full values, or takes all of them below an earlier part that it knows."""
    place = rows.kind.segments.index(segment)
    earlier = {field for part in rows.kind.segments[:place] for field in segment_fields(part)}
    names = {field.id for field in hidden}
    for read in rows.kind.reads:
        whole = {bind.field for bind in read.binds if bind.is_whole}
        takes_all = bool(whole & earlier) and not names & {bind.field for bind in read.binds}
        if not (names <= whole or takes_all):
            return False
    return bool(rows.kind.reads)


def _of_known_values(rows: RowKindFacts, hashes: Sequence[tuple[HashSegment, list[Field]]]) -> Violation:
    """Return one note about all hashes of a key whose values every read knows."""
    segment, hidden = hashes[0]
    fix = add_readable_values(rows, segment, hidden) if len(hashes) == 1 else None
    fields = TextList(field.label for _, fields in hashes for field in fields)
    return Violation(
        at=segment.id,
        params={"table": rows.table.label, "fields": fields},
        message=KNOWN,
        severity="note",
        fix=fix,
        fix_label=APPEND if fix is not None else "",
    )


def _is_whole_time(segment: Segment) -> TypeGuard[TimeSegment]:
    """Return whether a segment shows a time to the millisecond, as a hash of it takes it."""
    return shows_time(segment) and segment_seconds(segment) <= MILLISECOND


def _of_buckets(rows: RowKindFacts, segment: TimeSegment, buckets: float) -> Violation:
    sharing = buckets * _collision_share(buckets, segment.hash_values)
    names = {"table": rows.table.label, "fields": segment_label(rows.spec, segment)}
    return Violation(
        at=segment.id,
        params={**names, "distinct": buckets, "sharing": sharing},
        message=BUCKETS_SHARED if sharing >= 1 else BUCKETS,
        effect=buckets,
        severity="warning" if sharing >= 1 else "note",
    )


def _build_violation(rows: RowKindFacts, segment: HashSegment, hidden: list[Field]) -> Violation:
    # A value has one owner, so an owner adds no combinations: 100 tenants with 60,000 users in all are 60,000 pairs.
    distinct = Drawing(rows.spec, ({},), 0.0).count([field.id for field in hidden])
    sharing = distinct * _collision_share(distinct, segment.values)
    fix = add_readable_values(rows, segment, hidden)
    return Violation(
        at=segment.id,
        params={
            "table": rows.table.label,
            "fields": TextList(field.label for field in hidden),
            "distinct": distinct,
            "sharing": sharing,
        },
        message=SHARED if sharing >= 1 else "",
        effect=distinct,
        fix=fix,
        fix_label=APPEND if fix is not None else "",
    )


def _collision_share(values: float, hashes: float) -> float:
    """Share of values whose hash some other value has too: 1 - (1 - 1/hashes)^(values - 1)."""
    return -math.expm1((values - 1) * math.log1p(-1 / hashes)) if values > 1 else 0.0


def _states(*key: Part, listed: bool = False, **field: bool) -> Spec:
    """Build a design of the newest state of each user, or of one whose users are listed as well."""
    every = ({**read_part(rate_per_second=1e-4), "id": "every", "name": "all users"},)
    return design(
        *key,
        fields=({**USER, **field},),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("user",)), *(every if listed else ())),
    )


RULE = Rule(
    code="K006",
    severity="warning",
    message=N_(
        "The key of {table} contains only a hash of {fields}. You cannot read, list or scan the "
        "{distinct} values from the keys."
    ),
    check=check,
    bad=lambda: _states(hash_part("user", digits=16), listed=True),
    good=lambda: _states(hash_part("user", digits=4, after="_"), field_part("user")),
    near_miss=lambda: _states(hash_part("user", digits=16)),
    engines=BIGTABLE,
)
