"""Demand that no engine can serve: it exceeds all that the engine is known to serve to everybody together."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.results import ClusterNodes, ReadPlan, Refusal, TableGrowth, TablePart, TableTraffic, UnknownReason

from ..traffic.operations import has_data_boost

TOO_MANY = N_("“{access}” asks for more than {limit_per_second}: this cannot be served.")
TOO_HEAVY_READ = N_("“{access}” needs more than {capacity}: this cannot be served. Each request scans {scanned_bytes}.")
TOO_HEAVY_WRITE = N_("“{access}” needs more than {capacity}: this cannot be served. Each row has {row_bytes}.")
TOO_LARGE = N_("“{table}” stores more than {limit_bytes}: this cannot be served.")
TOO_MANY_TOGETHER = N_("The tables together need more than {capacity}: this cannot be served.")
NO_FIGURES = N_("No nodes and no bill: “{table}” asks for more than the engine can serve.")


class _Access(NamedTuple):
    """One write or read with the servers that it keeps busy."""

    id: str
    per_second: float
    servers: float
    message: str
    size: Mapping[str, float]


def growth_refusal(spec: Spec, table: Table, growth: TableGrowth) -> Refusal | None:
    """Return why no instance can store a table's bytes; None if one can."""
    limit = engine_of(spec).SERVICE_SCALE.stored_bytes
    if float(growth.physical_bytes.max()) <= limit:
        return None
    return Refusal(TOO_LARGE, table.id, {"table": table.label, "limit_bytes": limit})


HALF = 0.5
"""Of a server's time at most, where nodes are counted for a load: a table alone may need no more than that of all."""


def traffic_refusal(
    spec: Spec, traffic: TableTraffic, plans: Iterable[ReadPlan], *, busy: float = 1.0
) -> Refusal | None:
    """Return why no instance can serve a table's traffic, with its largest cause; None if one can.

    `busy` is the share of their time that servers may be busy.
    """
    scale, accesses = engine_of(spec).SERVICE_SCALE, tuple(_accesses(spec, traffic, plans))
    if sum(access.per_second for access in accesses) > scale.requests_per_second:
        most = max(accesses, key=lambda access: access.per_second)
        limit = {"limit_per_second": scale.requests_per_second}
        return Refusal(TOO_MANY, most.id, {"access": spec.find(most.id).label, **limit})
    # The largest access is named, because a person can change that one; the limit is for all of them.
    if accesses and float(traffic.node_share_by_month.max()) > busy * scale.servers:
        most = max(accesses, key=lambda access: access.servers)
        size = {"capacity": scale.server_text, **most.size}
        return Refusal(most.message, most.id, {"access": spec.find(most.id).label, **size})
    return None


def _accesses(spec: Spec, traffic: TableTraffic, plans: Iterable[ReadPlan]) -> Iterable[_Access]:
    for write in traffic.writes:
        rate = write.peak_rows_per_second
        size = {"row_bytes": write.bytes_per_row}
        yield _Access(write.write, rate, rate * write.node_seconds_per_row, TOO_HEAVY_WRITE, size)
    for plan in (plan for plan in plans if plan.refused is None):
        rate = plan.per_second or 0.0
        size = {"scanned_bytes": plan.bytes_scanned}
        servers = 0.0 if has_data_boost(spec, spec.find(plan.read)) else rate * plan.node_seconds
        yield _Access(plan.read, rate, servers, TOO_HEAVY_READ, size)


def refused_part(part: TablePart) -> Refusal | None:
    """Return why a table cannot be served; None if it can, or if too little is known of it."""
    return next((reason for reason in part.because if isinstance(reason, Refusal)), None)


def demand_refusal(spec: Spec, parts: Mapping[str, TablePart]) -> UnknownReason | None:
    """Return why the tables cannot be served together; None if they can."""
    for table in spec.tables:
        if table.id in parts and refused_part(parts[table.id]) is not None:
            return UnknownReason(NO_FIGURES, table.id, {"table": table.label})
    scale = engine_of(spec).SERVICE_SCALE
    busy = sum(float(part.traffic.node_share_by_month.max()) for part in parts.values() if part.traffic)
    stored = sum(float(part.growth.physical_bytes.max()) for part in parts.values() if part.growth)
    return _together(spec) if busy > scale.servers or stored > scale.stored_bytes else None


def nodes_refusal(spec: Spec, nodes: Iterable[ClusterNodes]) -> UnknownReason | None:
    """Return why no service has the nodes that a cluster needs or is given; None if it may."""
    most = max((float(max(node.needed_by_month.max(), node.nodes_by_month.max())) for node in nodes), default=0.0)
    return _together(spec) if most > engine_of(spec).SERVICE_SCALE.servers else None


def _together(spec: Spec) -> Refusal:
    return Refusal(TOO_MANY_TOGETHER, "", {"capacity": engine_of(spec).SERVICE_SCALE.server_text})
