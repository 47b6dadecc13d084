"""Servers of a played design on each engine: the nodes of its clusters, or the service's partitions."""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from designer.document import Engine, Spec
from designer.document.instance import Cluster
from designer.document.table import Table
from estimator.kernels.capacity.nodes import SizingRule
from estimator.kernels.traffic.operations import OperationRate
from estimator.results import Estimate, PatternName, ReadPlan
from estimator.results.arrays import Floats

from . import bigtable, tablestore
from .scaling import Scaler


class Servers(Protocol):
    """Model of an engine's servers, as its module implements it."""

    @property
    def NEGLIGIBLE_SHARE(self) -> float:  # noqa: N802
        """Peak share of one server below which a load is no obstacle to splits."""

    @property
    def SIZE_ASSUMPTION(self) -> str:  # noqa: N802
        """The name of the assumption that ranges are split by size by."""

    @property
    def ABSENT_ASSUMPTIONS(self) -> Collection[str]:  # noqa: N802
        """Names of assumptions that mean nothing."""

    @property
    def ASSUMPTION_WORDS(self) -> Mapping[str, tuple[str, str, str]]:  # noqa: N802
        """Unit, reason and source of assumptions that are in other words than usual."""

    @property
    def ADVICE(self) -> Mapping[PatternName, str]:  # noqa: N802
        """Advice on patterns that is other than usual."""

    def cluster_ids(self, spec: Spec) -> tuple[str, ...]:
        """Return the ids of what is played; a service without clusters is one, without an id."""

    def cluster(self, spec: Spec, place: int) -> Cluster | None:
        """Return the cluster that is played in a place, if it is one."""

    def initial_split_keys(self, table: Table) -> list[bytes]:
        """Return the split keys that a table is created with."""

    def can_be_split_at_first(self) -> bool:
        """Return whether a table can be created with split keys."""

    def usable_share(self, assumed: Callable[[str], float]) -> float:
        """Return how much of its published throughput a server has."""

    def windows_per_read(self, flow: OperationRate, plan: ReadPlan, seconds_per_window: float) -> int:
        """Return in how many windows one read is served."""

    def routed_shares(self, spec: Spec, flow: OperationRate) -> tuple[float, ...]:
        """Return what each cluster serves: every write counts in every cluster, reads where they are routed."""

    def sizing_rules(self, spec: Spec, estimate: Estimate) -> tuple[SizingRule, ...]:
        """Return the rule that each cluster is sized by."""

    def scaler(
        self, spec: Spec, estimate: Estimate, place: int, rule: SizingRule,
        *, assumed: Callable[[str], float], load: float, stored_bytes: float, cold_bytes: float, window_seconds: float,
    ) -> Scaler:  # fmt: skip
        """Return what decides how many nodes a cluster has in each window."""

    def split_load(
        self, load: Floats, operations: Floats, *, assumed: Callable[[str], float], window_seconds: float
    ) -> Floats:
        """Return the load that ranges are split by, of node time and operations: float64 (ranges, windows)."""


SERVERS: Mapping[Engine, Servers] = {"bigtable": bigtable, "tablestore": tablestore}


def servers_of(spec: Spec) -> Servers:
    """Return the servers of a design's engine."""
    return SERVERS[spec.engine]
