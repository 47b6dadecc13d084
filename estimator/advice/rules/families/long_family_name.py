"""A family has a long name, which every cell repeats.

**What** A column family name takes a tenth or more of a table's bytes beyond the size of one or two letters.
**Why** Each cell stores, replicates and sends its family name. Compression removes most of it on disk, but not in
memory, in replication or in responses.
**Instead** Give the family a name of one or two letters and describe it in the design.
**Fine when** The table is small, or it already holds data: column families cannot be renamed, only rewritten into a
new family.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.facts.billing import stored_cost
from estimator.facts.families import FamilyUsage, family_usages
from estimator.kernels.growth.compression import NAMES
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import field_part, readings, time_part
from ..shared.fixes import is_live, short_name

SHORT_BYTES = 2
"""A letter or two tell a table's families apart."""
SHARE = 0.10
"""Of the table's bytes before compression: from a tenth on, a shorter name shows in what is read and sent."""
SAVED_GIB = 10.0
"""Less, before compression, is not worth a line."""

SHORTEN = N_("Use a short name while no data is stored; code that reads and writes must use it")
REFILL = N_("Use a short name: all data must be rewritten into a new family, and all code must use it")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family whose name takes a tenth of the table more than a short name would."""
    for usage in family_usages(spec, estimate):
        length = len(usage.family.name.encode())
        if length <= SHORT_BYTES:
            continue
        names = sum(kind.bytes_by_cause.family for kind in usage.kinds)
        saved = names * (1 - SHORT_BYTES / length)
        if usage.share(saved) < SHARE or saved < SAVED_GIB * GiB:
            continue
        others = {family.name for family in usage.table.families}
        short = short_name(usage.family.name, others, SHORT_BYTES)
        live = is_live(usage.table)
        yield Violation(
            at=usage.family.id,
            field="name",
            params={
                "family": usage.family.label,
                "table": usage.table.label,
                "name_bytes": length,
                "saved_bytes": saved,
                "saved_share": usage.share(saved),
                "saved_cost": stored_cost(estimate, saved * _compressed_share(usage)),
            },
            effect=usage.share(saved),
            fix=change(usage.family, "name", short) if short else None,
            fix_safe=not live,
            fix_label="" if not short else REFILL if live else SHORTEN,
        )


def _compressed_share(usage: FamilyUsage) -> float:
    """Return the share of names left on disk; they repeat in every row and compress better than the table."""
    growth = usage.growth
    of_all = growth.compression_origin not in ("guess", "measured")  # a measured share is of all bytes together
    return growth.compressed_share if of_all else NAMES.typical


def _named_family_design(name: str) -> Spec:
    """Build a design of a thousand devices that write a small value every tenth of a second."""
    column = {"value": {"kind": "integer"}}
    return readings(field_part("device", "#"), time_part(), per_second=10_000, family={"name": name}, column=column)


RULE = Rule(
    code="F002",
    severity="note",
    message=N_(
        "The name of family {family} of {table} takes {name_bytes} in every cell. A short name saves "
        "{saved_bytes}, {saved_share} of the table before compression. Disk savings a month: "
        "{saved_cost}."
    ),
    check=check,
    bad=lambda: _named_family_design("device_measurements"),
    good=lambda: _named_family_design("m"),
    near_miss=lambda: _named_family_design("meas"),
    engines=BIGTABLE,
)
