"""A table has too many column families.

**What** A table has more than about 100 column families.
**Why** The quota page recommends at most about 100 families. Each family has its own garbage collection policy and
its own part of each row. A read assembles a row from all families that it uses. Families are part of the schema:
each new one is an administrative change in all clusters.
**Instead** Put columns with the same reads and retention into one family. Put names that come from data (a tag, a
metric, a customer's field) into column qualifiers. Their number is not limited.
**Fine when** The number is only slightly above the limit, all families are small, and each read names the ones that
it needs.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines import bigtable
from estimator.kernels.growth.reader_needs import is_family_read
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, field_part, readings, time_part

LIMIT = bigtable.LIMITS["families"].value

ALL = N_(
    "{table} has {families} column families, {over} more than the {limit} that Bigtable recommends. "
    "Reads that use all of them: {readers}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table above the limit, with the reads that access more families than that."""
    for table in spec.tables:
        families = len(table.families)
        if families <= LIMIT:
            continue
        reads = (read for kind in table.row_kinds for read in kind.reads)
        wide = [read.label for read in reads if sum(is_family_read(read, family) for family in table.families) > LIMIT]
        params = {"table": table.label, "families": families, "over": families - int(LIMIT), "limit": int(LIMIT)}
        params |= {"readers": tuple(wide)} if wide else {}
        yield Violation(table.id, params, "families", families, message=ALL if wide else "")


def _with_families(count: int) -> Spec:
    """One family per metric, of which a reader wants a few."""
    families = [
        {
            "id": f"family-{number}",
            "name": f"m{number}",
            "gc": NEWEST_ONLY,
            "columns": [{"id": f"column-{number}", "qualifier": "v", "value": {"kind": "json"}, "presence": 0.1}],
        }
        for number in range(count)
    ]
    return readings(field_part("device", "#"), time_part(), per_second=10, table={"families": families})


RULE = Rule(
    code="F001",
    severity="warning",
    message=N_("{table} has {families} column families, {over} more than the {limit} that Bigtable recommends."),
    check=check,
    bad=lambda: _with_families(101),
    good=lambda: _with_families(3),
    near_miss=lambda: _with_families(100),
    engines=BIGTABLE,
)
