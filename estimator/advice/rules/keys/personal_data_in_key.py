"""A key or a family name contains personal data.

**What** The row key contains a personal data field in full, in part or as an unkeyed hash. Or a family is named
after one of its values.
**Why** Keys and family names are also service data. Logs, metrics, error messages and diagnostic tools show them to
people without access to the data. A key cannot be corrected or erased without rewriting its rows. An unkeyed hash
of an e-mail address or a phone number remains personal data. Anyone with a list of addresses can hash the list.
**Instead** Give the person a surrogate ID, store the personal value in a cell, and look up the ID. Alternatively,
use a hash with a secret key.
**Fine when** The hash uses a secret key that readers of the keys do not have. The design treats every hash as
unkeyed, so accept the finding with that reason.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterable, Iterator

from designer.document import Spec, effective_value
from designer.document.field import Enumeration, Field
from designer.document.key import FieldSegment, HashSegment, Segment, TimeSegment, segment_fields
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import NEWEST_ONLY, USER, Part, design, field_part, hash_part, read_part

CROWD = 10.0
"""From so many persons per value on, a coarse part or a short hash is taken to point at nobody; privacy practice asks
for groups of five to ten at least."""

SHORTEST = 3
"""Characters of a value from which its standing in a family's name is no accident."""

HASHED = N_(
    "The key of {table} contains an unkeyed hash of {field}, which is personal data. Anyone who can "
    "list its {distinct} values can hash them and identify each row. If the hash uses a secret key, "
    "accept this finding."
)
COARSE = N_(
    "The key of {table} contains a part of {field}, which is personal data. Only about {sharing} of "
    "its {distinct} values share the same part, which is too few for anonymity."
)
NAMED = N_(
    "The family {family} of {table} is named after a value of {field}, which is personal data. "
    "Family names appear in logs and metrics."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind and personal field in its key, and per family named after such a value."""
    personal = {field.id: field for field in spec.fields if effective_value(spec, field, "personal")}
    if not personal:
        return
    for rows in row_kinds(spec, estimate):
        for field in personal.values():
            yield from _key_violations(rows, field)
    yield from _name_violations(spec, personal.values())


def _key_violations(rows: RowKindFacts, field: Field) -> Iterator[Violation]:
    """Yield a finding at the segment that shows most of the field."""
    segments = [segment for segment in rows.kind.segments if field.id in segment_fields(segment)]
    if not segments:
        return
    distinct = float(effective_value(rows.spec, field, "distinct"))
    params = {"table": rows.table.label, "field": field.label, "distinct": distinct}
    whole = next((s for s in segments if isinstance(s, FieldSegment | TimeSegment)), None)
    if whole is not None:
        yield Violation(whole.id, params, effect=distinct)
        return
    plainest = max(segments, key=lambda segment: _distinct_values(rows, segment))
    sharing = distinct / _distinct_values(rows, plainest)
    if sharing < CROWD:
        message = HASHED if isinstance(plainest, HashSegment) else COARSE
        yield Violation(plainest.id, {**params, "sharing": max(sharing, 1.0)}, effect=distinct, message=message)


def _distinct_values(rows: RowKindFacts, segment: Segment) -> float:
    """Different values of a segment; of a hash those that its digits have."""
    if isinstance(segment, HashSegment):
        return segment.values
    distinct = next((facts.distinct for s, facts in rows.segments if s.id == segment.id), None)
    return max(distinct or getattr(segment, "modulo", 1.0), 1.0)


def _name_violations(spec: Spec, fields: Iterable[Field]) -> Iterator[Violation]:
    for field in fields:
        values = field.values.items if isinstance(field.values, Enumeration) else ()
        texts = [item.value.lower() for item in values if len(item.value) >= SHORTEST]
        for table in spec.tables if texts else ():
            for family in table.families:
                if any(text in family.name.lower() for text in texts):
                    params = {"family": family.name, "table": table.label, "field": field.label}
                    yield Violation(family.id, params, field="name", message=NAMED)


def _of_people(*key: Part, personal: bool = True) -> Spec:
    """Build a design of the newest state of each person."""
    email = {
        **USER,
        "id": "email",
        "name": "email",
        "personal": personal,
        "values": {"kind": "pattern", "text": "person{n:04}.example.com"},
    }
    return design(
        *key,
        fields=(email, USER),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("email", "user")),),
    )


RULE = Rule(
    code="K020",
    severity="warning",
    message=N_(
        "The key of {table} contains {field}, which is personal data. Its {distinct} values are readable "
        "in keys, and therefore in logs, metrics and diagnostic tools."
    ),
    check=check,
    bad=lambda: _of_people(field_part("email")),
    good=lambda: _of_people(field_part("user")),
    near_miss=lambda: _of_people(hash_part("email", digits=1, after="#"), field_part("user")),
)
