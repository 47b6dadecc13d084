"""Capacity of one server of each engine: a node, or a partition of the service."""

from collections.abc import Mapping
from typing import Protocol

from designer.document import Engine, Spec
from estimator.results import ReadPlan

from . import bigtable, tablestore


class ServerFacts(Protocol):
    """Facts about one server of an engine, as its module implements them."""

    def burden(self, per_second: float, node_share: float) -> float:
        """Return how many times a load that cannot be split takes what it may: from 1 on it warns."""

    def effect(self, per_second: float, node_share: float) -> float:
        """Return the measure of such a load."""

    def warning_per_second(self, per_second: float, node_share: float) -> float | None:
        """Return the rate per second from which such a load warns."""

    def typical_warning_per_second(self) -> float:
        """Return the warning rate per second where no rate is known yet."""

    def time_factor(self, spec: Spec, plan: ReadPlan, ranges: float) -> float:
        """Return the work of a read against what it would be with so many ranges."""


SERVERS: Mapping[Engine, ServerFacts] = {"bigtable": bigtable, "tablestore": tablestore}


def server_of(spec: Spec) -> ServerFacts:
    """Return what one server of a design's engine takes."""
    return SERVERS[spec.engine]
