"""The instance as it is to be made: its name, clusters and app profiles. What is not said is asked for, not guessed."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.instance import AppProfile, Autoscaling, Cluster, FixedNodes, Instance
from designer.document.texts import N_
from designer.wording.formatting import format_value
from estimator.facts.routing import named_clusters, profile_rejections

from .comments import one_line
from .content import ExportContent
from .names import CLUSTER, INSTANCE, PROFILE, NameRules, ascii_slug, assign_names
from .result import ExportRemarks

SHORTEST_SHOWN, LONGEST_SHOWN = 4, 30
"""Of an instance's display name, in characters (instances page, read 2026-11-20)."""
STORAGE_TARGETS_GIB = {"ssd": (2_560, 5_120), "hdd": (8_192, 16_384)}
DEFAULT = "default"
"""The app profile that every instance has from the start: it is changed, not made."""
NOT_WRITTEN = N_("the profile routes to a cluster that is not in this file")
PROJECT = r"(?:[a-z0-9.-]+:)?[a-z][-a-z0-9]{4,28}[a-z0-9]"
"""A project's id, with the domain that old ones have (Resource Manager, read 2026-11-27)."""
KMS_KEY = r"projects/[-a-z0-9.:]+/locations/[-a-z0-9]+/keyRings/[-_a-zA-Z0-9]+/cryptoKeys/[-_a-zA-Z0-9]+"
ZONE = r"[a-z][a-z0-9]*(-[a-z0-9]+)+"
"""Names of regions are as those of zones, without the last part; for what is no such name there are no prices."""
OF_EDITIONS = ("Terraform", "gcloud")
"""Tools that have words for editions: the provider from 7.34 on, gcloud after 528 (both read 2026-11-22)."""
MOST_TIMES = 10
"""How many times its least nodes a cluster may be scaled to (autoscaling page, read 2026-11-20)."""
CPU_TARGETS = (10, 80)
"""In per cent (admin API, read 2026-11-20)."""


@dataclass(frozen=True)
class PlannedCluster:
    """A cluster with its id; zone and nodes are None where whoever makes it must say them."""

    cluster: Cluster
    name: str
    zone: str | None
    nodes: int | None
    scaling: Autoscaling | None
    cpu_percent: int
    storage_gib: int | None


@dataclass(frozen=True)
class PlannedProfile:
    """An app profile: one cluster, some, or (empty) any."""

    profile: AppProfile
    name: str
    clusters: tuple[str, ...]


@dataclass(frozen=True)
class PlannedInstance:
    """An instance. Without clusters it is one that is there already."""

    name: str
    project: str | None
    """None where whoever uses the files must say it."""
    display_name: str
    edition: str | None
    """None is the ordinary one, which every tool makes where nothing is said."""
    storage: str
    clusters: tuple[PlannedCluster, ...]
    profiles: tuple[PlannedProfile, ...]
    left_out: tuple[str, ...]


def planned_instance(content: ExportContent, remarks: ExportRemarks, *, tool: str) -> PlannedInstance:
    """Return the instance of a design for Bigtable.

    Remarks about unsupported features name the tool.
    """
    spec, left_out = content.spec, list[str]()
    name = assign_names([("", spec.instance.name or _short_name(spec.name, INSTANCE))], INSTANCE)[""]
    if spec.instance.name and name != spec.instance.name:
        remarks.note("", INSTANCE.reason(spec.instance.name), wanted=spec.instance.name, name=name)
    if not spec.instance.name:
        message = N_(
            "the instance name {name} is derived from the design; specify an instance name to keep it if you "
            "rename the design"
        )
        remarks.note("", message, name=name)
    edition = "ENTERPRISE_PLUS" if spec.instance.edition == "enterprise_plus" else None
    if edition and tool not in OF_EDITIONS:
        left_out.append(remarks.refuse_field("", tool, Instance, "edition"))
    project = spec.instance.project
    if project and not re.fullmatch(PROJECT, project):
        left_out.append(remarks.refuse("", N_("{project} is not the id of a project"), project=project))
        project = None
    if spec.instance.in_memory:
        left_out.append(remarks.refuse_field("", tool, Instance, "in_memory"))
    storage = str(effective_value(spec, spec.instance, "storage"))
    if spec.instance.storage is None and spec.instance.clusters:
        remarks.note_guess("", Instance, "storage", storage.upper())
    clusters = tuple(_clusters(content, _cluster_names(spec, remarks), storage, remarks, left_out))
    if not clusters:
        remarks.note("", N_("the design has no cluster: the instance is assumed to exist"))
    profiles = tuple(_profiles(content, {c.cluster.id: c.name for c in clusters}, remarks, left_out))
    return PlannedInstance(
        name, project, _display_name(spec.name, name), edition, storage, clusters, profiles, tuple(left_out)
    )


def _display_name(text: str, name: str) -> str:
    # Composed before it is cut, so that no accent is cut off its letter.
    label = unicodedata.normalize("NFC", one_line(text))[:LONGEST_SHOWN].strip()
    return label if len(label) >= SHORTEST_SHOWN else name


def _short_name(text: str, names: NameRules) -> str:
    return ascii_slug(text)[: names.longest].strip("-")


def _cluster_names(spec: Spec, remarks: ExportRemarks) -> Mapping[str, str]:
    target_names = [
        (
            cluster.id,
            next(
                filter(None, (_short_name(text, CLUSTER) for text in (cluster.name, cluster.zone, cluster.region))), ""
            ),
        )
        for cluster in spec.instance.clusters
    ]
    names = assign_names(target_names, CLUSTER)
    for each in spec.instance.clusters:
        if each.name and names[each.id] != each.name:
            remarks.note(each.id, CLUSTER.reason(each.name), wanted=each.name, name=names[each.id])
    return names


def _clusters(
    content: ExportContent, names: Mapping[str, str], storage: str, remarks: ExportRemarks, left_out: list[str]
) -> Iterator[PlannedCluster]:
    zones: set[str] = set()
    for cluster in content.spec.instance.clusters:
        name = names[cluster.id]
        if not cluster.zone:
            remarks.note(cluster.id, N_("the design does not specify a zone: you enter it at run time"))
        elif not re.fullmatch(ZONE, cluster.zone):
            message = N_("{zone} is not a valid zone name")
            left_out.append(f"cluster {name}: {remarks.refuse(cluster.id, message, zone=cluster.zone)}")
            continue
        elif re.fullmatch(ZONE, cluster.region) and cluster.zone.rpartition("-")[0] != cluster.region:
            # The bill is of the region, the cluster would run in the zone: files must not make what was not priced.
            message = N_("the zone {zone} is not in {region}, the region of the bill")
            reason = remarks.refuse(cluster.id, message, zone=cluster.zone, region=cluster.region)
            left_out.append(f"cluster {name}: {reason}")
            continue
        scaling = cluster.nodes if isinstance(cluster.nodes, Autoscaling) else None
        why = _scaling_rejection(scaling, storage) if scaling else None
        why = _step_rejection(cluster) or why
        if cluster.kms_key and not re.fullmatch(KMS_KEY, cluster.kms_key):
            why = N_("the encryption key must be projects/P/locations/L/keyRings/R/cryptoKeys/K")
        if cluster.zone in zones:
            why = N_("another cluster of the instance is already in this zone")
        if why:
            left_out.append(f"cluster {name}: {remarks.refuse(cluster.id, why)}")
            continue
        # Of clusters whose zone is asked for later, nothing is known yet.
        zones |= {cluster.zone} - {""}
        nodes = None if scaling else _nodes(content, cluster, remarks)
        target = scaling.cpu_target if scaling else None
        percent = 60 if target is None else round(target * 100)
        if scaling and target is None:
            remarks.note_guess(cluster.id, Autoscaling, "cpu_target", format_value("share", percent / 100))
        gib = None if scaling is None or scaling.storage_target_gib is None else int(scaling.storage_target_gib)
        yield PlannedCluster(cluster, name, cluster.zone or None, nodes, scaling, percent, gib)


def _scaling_rejection(scaling: Autoscaling, storage: str) -> str | None:
    """Return the reason why Bigtable rejects the autoscaling, or None if it accepts it."""
    percent = (0.6 if scaling.cpu_target is None else scaling.cpu_target) * 100
    low, high = CPU_TARGETS
    # A share such as 0.57 is not exactly 57 per cent as a float.
    if not low <= percent <= high or abs(percent - round(percent)) > 1e-9:
        return N_("the CPU target must be a whole percentage from 10 to 80")
    gib = scaling.storage_target_gib
    least, most = STORAGE_TARGETS_GIB[storage]
    if gib is not None and (not least <= gib <= most or gib != int(gib)):
        return N_(
            "the storage target per node must be 2,560 to 5,120 GiB (SSD) or 8,192 to 16,384 GiB (HDD), in whole GiB"
        )
    if scaling.min < 1:
        return N_("autoscaling requires at least one node")
    if scaling.max > MOST_TIMES * scaling.min:
        return N_("with autoscaling, the maximum is at most ten times the minimum number of nodes")
    return None


def _step_rejection(cluster: Cluster) -> str | None:
    """Return the reason why 2x node scaling does not allow these node counts, or None if it does."""
    match cluster.nodes:
        case FixedNodes(count=count):
            numbers: tuple[int, ...] = (count,)
        case Autoscaling(min=least, max=most):
            numbers = (least, most)
        case _:
            numbers = ()
    if any(number % cluster.node_scaling for number in numbers):
        return N_("with 2x node scaling, a cluster must have an even number of nodes")
    return None


def _nodes(content: ExportContent, cluster: Cluster, remarks: ExportRemarks) -> int | None:
    if isinstance(cluster.nodes, FixedNodes):
        return cluster.nodes.count
    computed = next((sized for sized in content.estimate.nodes if sized.cluster == cluster.id), None)
    if computed is None or not computed.nodes_by_month[1] > 0:
        remarks.note(
            cluster.id, N_("the node count is in neither the design nor the estimate: you enter it at run time")
        )
        return None
    nodes = int(computed.nodes_by_month[1])  # after the first month, as its bill has them; before it stands the start
    message = N_("the design does not specify a node count; the load of the first month requires {nodes}")
    remarks.note(cluster.id, message, nodes=nodes)
    return nodes


def _profiles(
    content: ExportContent, clusters: dict[str, str], remarks: ExportRemarks, left_out: list[str]
) -> Iterator[PlannedProfile]:
    profiles = content.spec.instance.app_profiles
    names = assign_names(((profile.id, profile.name) for profile in profiles), PROFILE, remarks)
    for profile in profiles:
        rejections = (cluster.message for cluster in profile_rejections(content.spec, profile))
        to = named_clusters(content.spec, profile) if profile.routing == "single" else profile.clusters
        why = next(rejections, None) if all(one in clusters for one in to) else NOT_WRITTEN
        if why:
            left_out.append(f"app profile {names[profile.id]}: {remarks.refuse(profile.id, why)}")
        else:
            yield PlannedProfile(profile, names[profile.id], tuple(clusters[one] for one in to))


def label_rejections(spec: Spec, tool: str, remarks: ExportRemarks) -> Iterator[str]:
    """Yield why a tool does not give the instance its labels."""
    for label in spec.instance.labels:
        message = N_("{tool} does not set labels: {name} = {value}")
        yield remarks.refuse("", message, tool=tool, name=label.name, value=label.value)
