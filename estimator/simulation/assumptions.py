"""What a simulation assumes because no page documents it: by name, with its range, its reason and what is said."""

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
class Assumption:
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
class Default:
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
    Default(
        "throughput_share", _THROUGHPUT.value, _THROUGHPUT.low, _THROUGHPUT.high, _THROUGHPUT.unit, _THROUGHPUT.why,
        PERFORMANCE, least=0.01, most=100,
    ),
    Default(
        "tablet_bytes", TABLET.value, TABLET.low, TABLET.high, TABLET.unit, TABLET.why, PERFORMANCE, least=2**20,
    ),
    Default(
        "split_node_share", TABLET_LOAD.value, TABLET_LOAD.low, TABLET_LOAD.high, "nodes",
        N_("a tablet that keeps a tenth of a node busy is split, where it can be: pages say that tablets split by "
           "load, not at which load"), HOT_TABLETS, least=1e-4, most=10,
    ),
    Default(
        "overfull_factor", 1.5, 1.0, 2.0, "times a tablet's bytes",
        N_("a tablet is split by its size when it holds half as much again as tablets do on average"), OVERVIEW,
        least=1, most=100,
    ),
    Default(
        "front_seconds", FRONT.value, FRONT.low, FRONT.high, FRONT.unit, FRONT.why, HOT_TABLETS, least=1,
    ),
    Default(
        "front_lead_seconds", FRONT_LEAD.value, FRONT_LEAD.low, FRONT_LEAD.high, FRONT_LEAD.unit, FRONT_LEAD.why,
        HOT_TABLETS, least=1,
    ),
    Default(
        "splitting", 1.0, 0.0, 1.0, "0 or 1",
        N_("tablets split by size and by load and merge when cold; 0 keeps those of the steady day"), OVERVIEW, most=1,
    ),
    Default(
        "balancing", 1.0, 0.0, 1.0, "0 or 1",
        N_("tablets move to less busy nodes; 0 keeps each where it was at the start"), OVERVIEW, most=1,
    ),
    Default(
        "split_ways", 4.0, 2.0, 16.0, "tablets in a quarter of an hour",
        N_("a busy tablet becomes so many within a quarter of an hour: two rounds of splitting in halves; the pace is "
           "not published, only that a table needs several minutes of load before a test of it means something"),
        PERFORMANCE, least=1, most=1024,
    ),
    Default(
        "merge_node_share", 0.02, 0.005, 0.05, "nodes",
        N_("neighbouring tablets below a fifth of the load that splits them are merged: pages say that tablets merge, "
           "not when"), OVERVIEW, most=10,
    ),
    Default(
        "merge_after_seconds", 14_400.0, 3_600.0, 86_400.0, "seconds",
        N_("tablets must have been cold for four hours before they merge, else each night would undo each day; rounded "
           "to whole windows"),
        OVERVIEW,
    ),
    Default(
        "balance_slack_share", 0.1, 0.02, 0.5, "share of the mean",
        N_("a node within a tenth of the mean load is left alone: moving a tablet costs its callers a short wait"),
        least=0, most=10,
    ),
    Default(
        "moved_share", 0.25, 0.05, 1.0, "share of the tablets in a window",
        N_("at most a quarter of the tablets move between two windows: moving is cheap, as data stays where it is, but "
           "not free"), OVERVIEW, most=1,
    ),
    Default(
        "node_useful_seconds", 1_200.0, 300.0, 1_200.0, "seconds",
        N_("documented: it can take up to 20 minutes under load before more nodes help; rounded to whole windows, so "
           "that in a month, which is played by the hour, they help in the hour after the one that asks for them"),
        PERFORMANCE,
        most=864_000,
    ),
    Default(
        "scale_down_share_per_hour", _DOWN.value, _DOWN.low, _DOWN.high, _DOWN.unit, _DOWN.why, AUTOSCALING,
        least=0.001, most=1,
    ),
    Default(
        "scale_down_wait_seconds", 1_800.0, 600.0, 3_600.0, "seconds",
        N_("the autoscaler removes nodes only after the load has been lower for half an hour, rounded to whole "
           "windows: pages say that it scales up at once and down slowly"), AUTOSCALING,
    ),
    Default(
        "scan_nodes", 1.0, 1.0, 100.0, "nodes",
        N_("documented: a scan returns its rows in the order of their keys, so it keeps about one node busy at a time, "
           "and lasts as long as that takes; a job that reads many ranges side by side keeps more of them busy"), READS,
        least=0.1, most=10_000,
    ),
    Default(
        "retried_share", 0.8, 0.5, 1.0, "share of what is refused",
        N_("with retries, so much of what was refused comes again in the next window, on the same keys; the rest has "
           "given up"), most=1,
    ),
    Default(
        "partition_bytes", PARTITION.value, PARTITION.low, PARTITION.high, PARTITION.unit, PARTITION.why, least=2**20,
    ),
    Default(
        "partition_operations", PARTITION_LOAD.value, PARTITION_LOAD.low, PARTITION_LOAD.high, PARTITION_LOAD.unit,
        PARTITION_LOAD.why, least=1,
    ),
)  # fmt: skip

DEFAULTS: Mapping[str, Default] = {each.name: each for each in _ALL}
"""All of them by name, in the order in which they are listed under a result."""

TOLERANCE = 1.25
"""The balancer's hottest node is at most so many times max(mean, what cannot be split), once the load is steady and
nodes are busier than a few tablets' worth: greedy placement is within 4/3 of the best there is, in practice closer."""


def assumed_in(engine: Engine, changed: Mapping[str, float]) -> tuple[Assumption, ...]:
    """The assumptions of a run in the engine's own words, changed ones with their own value."""
    servers = SERVERS[engine]
    found = []
    for each in DEFAULTS.values():
        if each.name not in servers.ABSENT_ASSUMPTIONS:
            unit, reason, source = servers.ASSUMPTION_WORDS.get(each.name, (each.unit, each.reason, each.source))
            value = float(changed.get(each.name, each.value))
            found.append(Assumption(each.name, value, each.value, unit, reason, source, each.low, each.high))
    return tuple(found)
