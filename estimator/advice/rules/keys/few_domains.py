"""Nearly all rows lie under very few domains.

**What** The key begins with a domain, and most of what is written belongs to one or a few of them.
**Why** A domain in front spreads the load where there are many. With few, it is the same beginning in nearly every
key: the table starts as one range, and only what stands behind the domain can spread it.
**Instead** Lead with something else that has many evenly busy values, and put the domain behind it or into a column.
**Fine when** Finer parts behind the domain, such as pages, spread the load, and readers want a domain's rows together.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.domains import few_domains
from estimator.facts.load import unspread_load
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Found, Rule
from ..shared.examples import DEVICE, Part, of, read, readings, time

SPREAD = N_(
    "The key of {table} begins with {segment}, and about {fronts} domains take its writes: {value} alone takes "
    "{write_share} ({rate_per_second}), the work of {work_nodes}. Only what stands behind the domain spreads that."
)
PARTITION = N_(
    "The key of {table} begins with {segment}, and about {fronts} domains take its writes: {value} alone takes "
    "{write_share} ({rate_per_second}). It hurts from {hurts_per_second} on one partition."
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


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per row kind that begins with a domain of which few take nearly all writes."""
    for rows in row_kinds(spec, estimate):
        load = few_domains(rows)
        if load is None or rows.lead is None or load.burden < 1:
            continue
        stuck = unspread_load(rows)
        grave = stuck is not None and stuck.burden >= 1
        yield Found(
            at=rows.lead[0].id,
            params={
                "table": rows.table.label,
                "segment": segment_label(spec, rows.lead[0]),
                "fronts": load.effective,
                "value": load.prefix,
                **load.figures,
            },
            message="" if grave else SPREAD,
            effect=load.effect,
            severity="warning" if grave else "note",
            about=rows.about,
            cause=rows.busiest_write,
        )


def _visits(per_second: float, *key: Part) -> Spec:
    """Visits of pages of three sites."""
    reads = (read(binds=("site", "device"), time={"days": 1 / 24}),)
    return readings(*key, fields=(SITES, DEVICE), per_second=per_second, reads=reads)


RULE = Rule(
    code="K018",
    severity="warning",
    message=N_(
        "The key of {table} begins with {segment}, and about {fronts} domains take its writes: {value} alone takes "
        "{write_share} ({rate_per_second}), and nothing behind it spreads that. It is the work of {work_nodes}, which "
        "one node must do. It hurts from {hurts_per_second} on one domain."
    ),
    messages={"tablestore": {"": PARTITION, SPREAD: PARTITION}},
    check=check,
    bad=lambda: _visits(20_000, of("site", "#", {"kind": "reverse_domain"}), time("#"), of("device")),
    good=lambda: _visits(20_000, of("device", "#"), of("site", "#", {"kind": "reverse_domain"}), time()),
    near_miss=lambda: _visits(20_000, of("site", "#", {"kind": "reverse_domain"}), of("device", "#"), time()),
    under=("K026", "K014"),
)
