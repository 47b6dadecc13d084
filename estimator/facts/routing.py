"""Routing of reads and writes to clusters, shared by the rules about app profiles."""

from collections.abc import Iterator, Mapping

from designer.document import Spec
from designer.document.access import Read, Write
from designer.document.instance import AppProfile
from designer.document.table import RowKind, Table
from estimator.kernels.capacity.demand import serving_share
from estimator.kernels.traffic.operations import has_data_boost

Access = Read | Write


def profile_of(spec: Spec, access: Access) -> AppProfile | None:
    """Return the app profile that the access names; None is the instance's default one."""
    return None if access.app_profile is None else spec.find(access.app_profile)


def has_multi_cluster_routing(spec: Spec, access: Access) -> bool:
    """Return True if the access is routed to any of several clusters.

    So is the default profile of an instance with several.
    """
    profile = profile_of(spec, access)
    return len(spec.instance.clusters) > 1 if profile is None else profile.routing == "multi"


def served_shares(spec: Spec, access: Access) -> Mapping[str, float]:
    """Share of its requests by the id of each cluster that serves it while all are well; empty on Data Boost."""
    clusters = spec.instance.clusters
    if not clusters or has_data_boost(spec, access):
        return {}
    shares = serving_share(clusters, profile_of(spec, access), access.where.region if access.where else None)
    return {c.id: float(share) for c, share in zip(clusters, shares, strict=True) if share > 0}


def reads(spec: Spec) -> Iterator[tuple[Table, Read]]:
    """Every read with its table."""
    return ((table, read) for table, kind in spec.row_kinds() for read in kind.reads)


def writes(spec: Spec) -> Iterator[tuple[Table, RowKind, Write]]:
    """Every write with its table and row kind."""
    return ((table, kind, write) for table, kind in spec.row_kinds() for write in kind.writes)
