"""Definitions of an instance and its tables by place: those that a design exports, and those that files tell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.document import Spec
from designer.document.family import Family
from designer.document.instance import AppProfile, Autoscaling, Cluster, FixedNodes
from designer.document.key import as_bytes
from designer.document.table import Table
from designer.document.texts import N_
from designer.imports import ImportResult
from reviews.exports.cbt import age_text, rule_text
from reviews.exports.shared import gc
from reviews.exports.shared.bigtable import ExportTable, plan_tables
from reviews.exports.shared.content import ExportContent
from reviews.exports.shared.instance import (
    DEFAULT,
    STORAGE_TARGETS_GIB,
    PlannedCluster,
    PlannedInstance,
    PlannedProfile,
    planned_instance,
)
from reviews.exports.shared.result import ExportRemark, ExportRemarks

from .files import ToldFiles

Place = tuple[str, ...]
"""Such as `("table", "readings", "family", "d", "gc")`."""

LABELS: Mapping[str, str] = {
    "kind": N_("kind"),
    "gc": N_("garbage collection"),
    "deletion_protection": N_("deletion protection"),
    "change_stream": N_("change stream retention"),
    "backups": N_("automated backups kept"),
    "infrequent_access": N_("infrequent access after"),
    "splits": N_("split keys"),
    "edition": N_("edition"),
    "storage": N_("storage"),
    "zone": N_("zone"),
    "nodes": N_("nodes"),
    "node_scaling": N_("node scaling"),
    "routing": N_("routing"),
    "transactions": N_("single-row transactions"),
    "priority": N_("priority"),
    "data_boost": N_("Data Boost"),
}
"""What is compared of a table, a family, a cluster, a profile or the instance."""

ABSENT = "none"
OFF, ON = "off", "on"


@dataclass
class Definitions:
    """Values by place, and of which kinds of things every one is listed."""

    values: dict[Place, str] = field(default_factory=dict)
    element_ids: dict[Place, str] = field(default_factory=dict)
    """Ids of a design's elements, by the place of the thing."""
    whole: set[Place] = field(default_factory=set)
    """Places whose lists are complete: what is not among them does not exist."""

    def add(self, place: Place, element_id: str, settings: Mapping[str, str | None]) -> None:
        """Add a thing with its settings; None is not said."""
        self.values[*place, "exists"] = ON
        self.element_ids[place] = element_id
        for name, value in settings.items():
            if value is not None:
                self.values[*place, name] = value


def of_design(content: ExportContent) -> tuple[Definitions, tuple[ExportRemark, ...]]:
    """Return what a design exports, as far as it says so, and what no tool can make of it."""
    remarks, found = ExportRemarks(), Definitions()
    for table in plan_tables(content.spec, remarks):
        _add_planned_table(table, found)
    instance = planned_instance(_with_nodes(content), remarks, tool="Terraform")
    own = content.spec.instance
    settings = {"edition": own.edition, "storage": own.storage.upper() if own.storage else None}
    found.values |= {("instance", name): value for name, value in settings.items() if value is not None}
    _add_planned_instance(instance, own.clusters, found)
    found.whole |= {("table",), ("cluster",), ("app profile",)}
    found.whole |= {("table", table, "family") for kind, table, *_ in found.values if kind == "table"}
    return found, remarks.build_result().refusals


def _with_nodes(content: ExportContent) -> ExportContent:
    """Return the content with a number of nodes in each cluster, so that none is computed: it is not compared."""
    instance = content.spec.instance
    clusters = tuple(
        cluster if cluster.nodes else cluster.model_copy(update={"nodes": FixedNodes(count=2)})
        for cluster in instance.clusters
    )
    changed = instance.model_copy(update={"clusters": clusters})
    return ExportContent(content.spec.model_copy(update={"instance": changed}))


def _add_planned_table(table: ExportTable, found: Definitions) -> None:
    place: Place = ("table", table.name)
    protected = table.table.deletion_protection
    found.add(place, table.table.id, {
        "deletion_protection": None if protected is None else _switch(is_on=protected),
        "change_stream": f"{table.change_stream_hours}h" if table.change_stream_hours is not None else ABSENT,
        "backups": _days(table.backup_days) if table.backup_days is not None else ABSENT,
        "infrequent_access": f"{table.cold_seconds}s" if table.cold_seconds is not None else ABSENT,
        "splits": _split_text(table.splits) if table.splits else None,
    })  # fmt: skip
    for family in table.families:
        _add_family((*place, "family", family.name), family.family, found)


def _add_family(place: Place, family: Family, found: Definitions) -> None:
    rule = _in_order(gc.rule_of(family.gc))
    found.add(place, family.id, {"kind": family.kind, "gc": rule_text(rule).strip("()") if rule else "never"})


def _in_order(rule: gc.Rule | None) -> gc.Rule | None:
    """Return a rule with its parts in an order of their own: that of the notation does not count."""
    if isinstance(rule, gc.AnyOf | gc.AllOf):
        parts = [each for each in map(_in_order, rule.rules) if each is not None]
        return type(rule)(tuple(sorted(parts, key=repr)))
    return rule


def _add_planned_instance(instance: PlannedInstance, clusters: Sequence[Cluster], found: Definitions) -> None:
    said = {cluster.id: cluster.nodes is not None for cluster in clusters}
    for each in instance.clusters:
        settings = {"zone": each.zone, "node_scaling": f"{each.cluster.node_scaling}x"}
        nodes = _planned_nodes(each) if said[each.cluster.id] else None
        found.add(("cluster", each.name), each.cluster.id, {**settings, "nodes": nodes})
    for profile in instance.profiles:
        _add_profile(profile.name, profile, found)


def _planned_nodes(each: PlannedCluster) -> str:
    if each.scaling is None:
        return str(each.nodes)
    target = f", {each.storage_gib} GiB a node" if each.storage_gib is not None else ""
    return f"{each.scaling.min} to {each.scaling.max} at {each.cpu_percent} % CPU{target}"


def _add_profile(name: str, profile: PlannedProfile, found: Definitions) -> None:
    _add_routes(name, profile.profile, profile.clusters, found)


def _add_routes(name: str, profile: AppProfile, clusters: Sequence[str], found: Definitions) -> None:
    routes = " ".join([profile.routing, *sorted(clusters)])
    found.add(("app profile", name), profile.id, {
        "routing": routes,
        "transactions": _switch(is_on=profile.transactions),
        "priority": None if profile.data_boost else profile.priority,
        "data_boost": _switch(is_on=profile.data_boost),
    })  # fmt: skip


# --- what runs ------------------------------------------------------------------------------------------------------


def of_files(told: ToldFiles) -> Definitions:
    """Return what files tell; of two that tell the same the later one counts."""
    found = Definitions()
    for result in told.results:
        for table in result.spec.tables:
            _add_running_table(result.format, table, found)
        _add_running_instance(result.format, result.spec, found)
    for result, is_list in told.lists:
        found.whole |= set(_whole_lists(result, is_list=is_list))
    return found


def _whole_lists(result: ImportResult, *, is_list: bool) -> Iterator[Place]:
    """Yield the kinds of which a file lists everything.

    Terraform lists what it manages: tables of a state that it has none of are nobody's.
    """
    spec, is_terraform = result.spec, result.format.startswith("terraform")
    for kind, things in (
        ("table", spec.tables),
        ("cluster", spec.instance.clusters),
        ("app profile", spec.instance.app_profiles),
    ):
        if things and (is_list or is_terraform):
            yield (kind,)
    for table in spec.tables:
        if table.families:
            yield ("table", table.name, "family")


def _add_running_table(format_name: str, table: Table, found: Definitions) -> None:
    place: Place = ("table", table.name)
    tells_settings = format_name != "cbt" and bool(table.families or table.model_fields_set & _TABLE_SETTINGS)
    settings: dict[str, str | None] = {}
    if tells_settings:  # an answer of the API leaves out what is off
        kept_days = next((backup.kept_days for backup in table.backups if backup.kept_days is not None), None)
        stream, cold = table.change_stream_days, table.infrequent_access_days
        settings = {
            "deletion_protection": _switch(is_on=bool(table.deletion_protection)),
            "change_stream": f"{round(stream * 24)}h" if stream is not None else ABSENT,
            "backups": _days(kept_days) if kept_days is not None else ABSENT,
        }
        if format_name == "gcloud":
            settings["infrequent_access"] = f"{round(cold * 86_400)}s" if cold is not None else ABSENT
        else:
            settings["splits"] = _split_text(map(as_bytes, table.split_keys)) if table.split_keys else ABSENT
    found.add(place, table.id, settings)
    for family in table.families:
        _add_family((*place, "family", family.name), family, found)


_TABLE_SETTINGS = {"deletion_protection", "change_stream_days", "backups", "infrequent_access_days"}


def _add_running_instance(format_name: str, spec: Spec, found: Definitions) -> None:
    instance = spec.instance
    if instance.edition is not None:
        found.values["instance", "edition"] = instance.edition
    if instance.clusters and instance.storage is not None:
        found.values["instance", "storage"] = instance.storage.upper()
    for cluster in instance.clusters:
        settings = {"zone": cluster.zone or None, "nodes": _running_nodes(cluster, instance.storage)}
        scaling = f"{cluster.node_scaling}x"
        found.add(("cluster", cluster.name), cluster.id, {**settings, "node_scaling": scaling})
    names = {cluster.id: cluster.name for cluster in instance.clusters}
    for profile in instance.app_profiles:
        _add_routes(profile.name, profile, [names[one] for one in profile.clusters if one in names], found)


def _running_nodes(cluster: Cluster, storage: str | None) -> str | None:
    match cluster.nodes:
        case FixedNodes(count=count):
            return str(count)
        case Autoscaling(min=least, max=most, cpu_target=target, storage_target_gib=gib):
            usual = {float(STORAGE_TARGETS_GIB[kind][0]) for kind in ("ssd", "hdd") if storage in (None, kind)}
            told = f", {round(gib)} GiB a node" if gib is not None and gib not in usual else ""
            return f"{least} to {most} at {round((0.6 if target is None else target) * 100)} % CPU{told}"
    return None


def _switch(*, is_on: bool) -> str:
    return ON if is_on else OFF


def _days(days: float) -> str:
    return age_text(round(days * gc.DAY_MS))


def _split_text(splits: Iterable[bytes]) -> str:
    return " ".join(sorted(repr(key)[1:] for key in splits))


def is_built_in(place: Place) -> bool:
    """Return whether every instance has this from the start: nobody has to design it."""
    return place == ("app profile", DEFAULT)
