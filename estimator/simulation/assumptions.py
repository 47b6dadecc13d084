"""Assumptions of a simulation that no page documents: by name, with range, reason and wording."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.document import Engine
from designer.document.texts import N_
from estimator.kernels.traffic.assumptions import FRONT, FRONT_LEAD, PARTITION, PARTITION_LOAD, TABLET, TABLET_LOAD

from ..engines import bigtable
from .servers import SERVERS

PERFORMANCE = "https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)"
AUTOSCALING = "https://cloud.google.com/bigtable/docs/autoscaling (updated 2026-04-08)"
OVERVIEW = "https://cloud.google.com/bigtable/docs/overview (read 2026-11-20)"
READS = "https://cloud.google.com/bigtable/docs/reads (read 2026-11-21)"
HOT_TABLETS = "https://cloud.google.com/bigtable/docs/hot-tablets (read 2026-11-20)"


@dataclass(frozen=True)
class RunAssumption:
    """A number of the model that no page documents, as this run had it."""

    name: str
    value: float
    default: float
    unit: str
    reason: str
    """Why this value, as a message."""
    source: str
    """The page that says something about it, or empty."""
    low: float
    high: float
    """Where the truth may lie; a run accepts any value that makes sense (`Parameters`)."""


@dataclass(frozen=True)
class AssumptionDefault:
    """One assumption, and which values a run may give it."""

    name: str
    value: float
    low: float
    high: float
    unit: str
    reason: str
    source: str = ""
    least: float = 0.0
    most: float = 1e15


_DOWN = bigtable.ASSUMPTIONS["scale_down_share_per_hour"]

_THROUGHPUT = bigtable.ASSUMPTIONS["throughput_share"]

_ALL = (
    AssumptionDefault(
        "throughput_share", _THROUGHPUT.value, _THROUGHPUT.low, _THROUGHPUT.high, _THROUGHPUT.unit, _THROUGHPUT.why,
        PERFORMANCE, least=0.01, most=100,
    ),
    AssumptionDefault(
        "tablet_bytes", TABLET.value, TABLET.low, TABLET.high, TABLET.unit, TABLET.why, PERFORMANCE, least=2**20,
    ),
    AssumptionDefault(
        "split_node_share", TABLET_LOAD.value, TABLET_LOAD.low, TABLET_LOAD.high, "nodes",
        N_("a tablet that uses a tenth of a node is split, if possible: the documentation describes splits "
    "by load but no threshold"), HOT_TABLETS, least=1e-4, most=10,
    ),
    AssumptionDefault(
        "overfull_factor", 1.5, 1.0, 2.0, "multiple of a tablet's bytes",
        N_("a tablet is split by size at 1.5 times the mean tablet size"), OVERVIEW,
        least=1, most=100,
    ),
    AssumptionDefault(
        "front_seconds", FRONT.value, FRONT.low, FRONT.high, FRONT.unit, FRONT.why, HOT_TABLETS, least=1,
    ),
    AssumptionDefault(
        "front_lead_seconds", FRONT_LEAD.value, FRONT_LEAD.low, FRONT_LEAD.high, FRONT_LEAD.unit, FRONT_LEAD.why,
        HOT_TABLETS, least=1,
    ),
    AssumptionDefault(
        "splitting", 1.0, 0.0, 1.0, "0 or 1",
        N_("tablets split by size and load, and merge at low load; with 0, the tablets of the steady day remain"),
        OVERVIEW, most=1,
    ),
    AssumptionDefault(
        "balancing", 1.0, 0.0, 1.0, "0 or 1",
        N_("tablets move to less busy nodes; with 0, they remain in their initial places"), OVERVIEW, most=1,
    ),
    AssumptionDefault(
        "split_ways", 4.0, 2.0, 16.0, "tablets per quarter of an hour",
        N_("number of tablets from one busy tablet after a quarter of an hour: two rounds of halving. The "
    "pace is not published; the documentation recommends several minutes of load before a test"),
        PERFORMANCE, least=1, most=1024,
    ),
    AssumptionDefault(
        "merge_node_share", 0.02, 0.005, 0.05, "nodes",
        N_("adjacent tablets below a fifth of the split load are merged; the documentation describes merges "
    "but not when"), OVERVIEW, most=10,
    ),
    AssumptionDefault(
        "merge_after_seconds", 14_400.0, 3_600.0, 86_400.0, "seconds",
        N_("tablets merge after four hours of low load; otherwise each night would undo the splits of the "
    "day. Rounded to whole windows"),
        OVERVIEW,
    ),
    AssumptionDefault(
        "balance_slack_share", 0.1, 0.02, 0.5, "share of the mean",
        N_("a node within a tenth of the mean load is not rebalanced: moving a tablet causes a short wait "
    "for callers"),
        least=0, most=10,
    ),
    AssumptionDefault(
        "moved_share", 0.25, 0.05, 1.0, "share of the tablets in a window",
        N_("at most a quarter of the tablets move between two windows: moves are cheap because data stays "
    "in place, but not free"), OVERVIEW, most=1,
    ),
    AssumptionDefault(
        "node_useful_seconds", 1_200.0, 300.0, 1_200.0, "seconds",
        N_("documented: new nodes can take up to 20 minutes under load to help. Rounded to whole windows: "
    "in a month, with hourly windows, they help from the next hour"),
        PERFORMANCE,
        most=864_000,
    ),
    AssumptionDefault(
        "scale_down_share_per_hour", _DOWN.value, _DOWN.low, _DOWN.high, _DOWN.unit, _DOWN.why, AUTOSCALING,
        least=0.001, most=1,
    ),
    AssumptionDefault(
        "scale_down_wait_seconds", 1_800.0, 600.0, 3_600.0, "seconds",
        N_("the autoscaler removes nodes after half an hour of lower load, rounded to whole windows: it is "
    "documented to scale up immediately and down slowly"), AUTOSCALING,
    ),
    AssumptionDefault(
        "scan_nodes", 1.0, 1.0, 100.0, "nodes",
        N_("documented: a scan returns rows in key order, so it uses about one node at a time. A job that "
    "reads many ranges in parallel uses more nodes"), READS,
        least=0.1, most=10_000,
    ),
    AssumptionDefault(
        "retried_share", 0.8, 0.5, 1.0, "share of rejected operations",
        N_("with retries, this share of rejected operations returns in the next window on the same keys; "
    "the other operations are abandoned"), most=1,
    ),
    AssumptionDefault(
        "partition_bytes", PARTITION.value, PARTITION.low, PARTITION.high, PARTITION.unit, PARTITION.why, least=2**20,
    ),
    AssumptionDefault(
        "partition_operations", PARTITION_LOAD.value, PARTITION_LOAD.low, PARTITION_LOAD.high, PARTITION_LOAD.unit,
        PARTITION_LOAD.why, least=1,
    ),
)  # fmt: skip

DEFAULTS: Mapping[str, AssumptionDefault] = {each.name: each for each in _ALL}
"""All of them by name, in the order in which they are listed under a result."""

TOLERANCE = 1.25
"""The balancer's hottest node is at most so many times max(mean, what cannot be split), once the load is steady and
nodes are busier than a few tablets' worth: greedy placement is within 4/3 of the best there is, in practice closer."""


def run_assumptions(engine: Engine, changed: Mapping[str, float]) -> tuple[RunAssumption, ...]:
    """Return the assumptions of a run in the engine's own words; changed ones have their own value."""
    servers = SERVERS[engine]
    assumptions = []
    for assumption in DEFAULTS.values():
        if assumption.name not in servers.ABSENT_ASSUMPTIONS:
            unit, reason, source = servers.ASSUMPTION_WORDS.get(
                assumption.name, (assumption.unit, assumption.reason, assumption.source)
            )
            value = float(changed.get(assumption.name, assumption.value))
            assumptions.append(
                RunAssumption(
                    assumption.name, value, assumption.value, unit, reason, source, assumption.low, assumption.high
                )
            )
    return tuple(assumptions)
