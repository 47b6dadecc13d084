"""Routing of reads and writes to clusters, shared by the rules about app profiles."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from designer.document import Spec
from designer.document.access import Read, Write
from designer.document.instance import AppProfile
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.kernels.capacity.demand import serving_share
from estimator.kernels.traffic.operations import has_data_boost

Access = Read | Write

_ONE_CLUSTER = N_("single-cluster routing requires exactly one cluster")
TRANSACTIONS_OF_MANY = N_("single-row transactions require single-cluster routing")
_AFFINITY_OF_ONE = N_("row affinity requires multi-cluster routing")
_BOOST_ROUTING = N_("Data Boost requires single-cluster routing")
_BOOST_TRANSACTIONS = N_("Data Boost is read-only and does not support single-row transactions")
_BOOST_PRIORITY = N_("Data Boost does not support priorities")


class ProfileRejection(NamedTuple):
    """A setting of an app profile that the engine rejects beside its others."""

    message: str
    accepted: Mapping[str, Any]
    """Values of its fields that are accepted; the first is the field that is at fault."""


def profile_of(spec: Spec, access: Access) -> AppProfile | None:
    """Return the app profile that the access names; None is the instance's default one."""
    return None if access.app_profile is None else spec.find(access.app_profile)


def profile_rejections(spec: Spec, profile: AppProfile) -> Iterator[ProfileRejection]:
    """Yield why the engine rejects an app profile, by its own settings alone.

    References
    ----------
    Bigtable Admin API, AppProfile: one routing policy, and either a priority or Data Boost, which is "read-only … with
    single-cluster routing"; "Data Boost overview" and gcloud's app-profiles create, which has no option of the other
    kind beside one of these (all read 2026-11-28).
    """
    to_one = {"clusters": named_clusters(spec, profile)[:1]}
    if profile.routing == "single":
        if len(named_clusters(spec, profile)) != 1:
            yield ProfileRejection(_ONE_CLUSTER, to_one)
        if profile.row_affinity:
            yield ProfileRejection(_AFFINITY_OF_ONE, {"row_affinity": False})
    elif profile.data_boost:
        yield ProfileRejection(_BOOST_ROUTING, {"routing": "single", **to_one})
    elif profile.transactions:
        yield ProfileRejection(TRANSACTIONS_OF_MANY, {"transactions": False})
    if profile.data_boost and profile.transactions:
        yield ProfileRejection(_BOOST_TRANSACTIONS, {"transactions": False})
    if profile.data_boost and profile.priority != "high":
        yield ProfileRejection(_BOOST_PRIORITY, {"priority": "high"})


def named_clusters(spec: Spec, profile: AppProfile) -> tuple[str, ...]:
    """Return the clusters that a profile routes to; all where it names none."""
    return profile.clusters or tuple(cluster.id for cluster in spec.instance.clusters)


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
    shares = serving_share(clusters, profile_of(spec, access), access.where)
    return {c.id: float(share) for c, share in zip(clusters, shares, strict=True) if share > 0}


def reads(spec: Spec) -> Iterator[tuple[Table, Read]]:
    """Every read with its table."""
    return ((table, read) for table, kind in spec.row_kinds() for read in kind.reads)


def writes(spec: Spec) -> Iterator[tuple[Table, RowKind, Write]]:
    """Every write with its table and row kind."""
    return ((table, kind, write) for table, kind in spec.row_kinds() for write in kind.writes)
