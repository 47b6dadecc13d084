"""What one node must serve alone, as the cluster serves it in which it is the busiest."""

from dataclasses import replace

from designer.document import Spec
from estimator.kernels.capacity.demand import reads_by_cluster
from estimator.results import HotRow, TableTraffic


def indivisible_share(spec: Spec, traffic: TableTraffic) -> float:
    """Return the node time of the busiest thing that cannot be split; on Tablestore, of a partition-key value."""
    return traffic.indivisible_share_in(reads_by_cluster(spec))


def hot_rows(spec: Spec, traffic: TableTraffic) -> tuple[HotRow, ...]:
    """Return the busiest row of each write and read; of a read, with the share of its requests that one cluster has."""
    return tuple(_in_one_cluster(spec, row) for row in traffic.hot_rows)


def _in_one_cluster(spec: Spec, row: HotRow) -> HotRow:
    most = max(served.get(row.access, 1.0) for served in reads_by_cluster(spec))
    return replace(row, per_second=row.per_second * most, node_share=row.node_share * most) if most < 1 else row
