"""Almost all rows belong to very few domains.

**What** The key starts with a domain, and most writes belong to one or a few domains.
**Why** A leading domain spreads the load only if there are many domains. With few domains, almost all keys share a
prefix. The table starts as one range, and only the segments after the domain can spread it.
**Instead** Start the key with another field that has many evenly busy values. Put the domain after it or in a
column.
**Fine when** Later segments, such as pages, spread the load, and readers need a domain's rows together.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.load import few_domains, unspread_load
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, Part, field_part, read_part, readings, time_part

SPREAD = N_(
    "The key of {table} starts with {segment}, and about {fronts} domains receive its writes. "
    "{value} alone receives {write_share} ({rate_per_second}), {work_share} of one node's limit. Only the "
    "segments after the domain spread the load."
)
PARTITION = N_(
    "The key of {table} starts with {segment}, and about {fronts} domains receive its writes. "
    "{value} alone receives {write_share} ({rate_per_second}). The threshold is {hurts_per_second} "
    "per partition."
)

SITES: Part = {
    **DEVICE,
    "id": "site",
    "name": "site",
    "kind": "domain",
    "values": {
        "kind": "enumeration",
        "items": [{"value": "shop.example.com", "weight": 8}, {"value": "example.net"}, {"value": "example.org"}],
    },
    "distinct": 3,
    "popularity": None,
}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind that begins with a domain of which few values take nearly all writes."""
    for rows in row_kinds(spec, estimate):
        load = few_domains(rows)
        if load is None or rows.leading_segment is None or load.burden < 1:
            continue
        stuck = unspread_load(rows)
        grave = stuck is not None and stuck.burden >= 1
        yield Violation(
            at=rows.leading_segment[0].id,
            params={
                "table": rows.table.label,
                "segment": segment_label(spec, rows.leading_segment[0]),
                "fronts": round(load.effective),
                "value": load.prefix,
                **load.figures,
            },
            message="" if grave else SPREAD,
            effect=load.effect,
            severity="warning" if grave else "note",
            about=rows.load_subject_ids,
            cause=rows.busiest_write,
        )


def _visits(per_second: float, *key: Part) -> Spec:
    """Visits of pages of three sites."""
    reads = (read_part(binds=("site", "device"), time={"days": 1 / 24}),)
    return readings(*key, fields=(SITES, DEVICE), per_second=per_second, reads=reads)


RULE = Rule(
    code="K018",
    severity="warning",
    message=N_(
        "The key of {table} starts with {segment}, and about {fronts} domains receive its writes. "
        "{value} alone receives {write_share} ({rate_per_second}), and no later segment spreads them. "
        "One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second} per "
        "domain."
    ),
    messages={"tablestore": {"": PARTITION, SPREAD: PARTITION}},
    check=check,
    bad=lambda: _visits(
        20_000, field_part("site", "#", {"kind": "reverse_domain"}), time_part("#"), field_part("device")
    ),
    good=lambda: _visits(
        20_000, field_part("device", "#"), field_part("site", "#", {"kind": "reverse_domain"}), time_part()
    ),
    near_miss=lambda: _visits(
        20_000, field_part("site", "#", {"kind": "reverse_domain"}), field_part("device", "#"), time_part()
    ),
    under=("K026", "K014"),
)
