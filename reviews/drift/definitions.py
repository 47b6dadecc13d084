"""Definitions of an instance and its tables by place: those that a design exports, and those that files tell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.family import Family
from designer.document.instance import AppProfile, Autoscaling, Cluster, FixedNodes
from designer.document.key import as_bytes
from designer.document.texts import N_
from designer.imports.shared.stated_parts import CLUSTERS, COPIES, PROFILES, TABLES, Values
from reviews.exports.cbt import age_text, rule_text
from reviews.exports.shared import gc
from reviews.exports.shared.bigtable import ExportTable, RotatingName, plan_tables
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

from . import tablestore
from .files import DefinitionFiles
from .row_keys import designed_key_text, key_schema_text

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
    "row_key": N_("row key schema"),
    "edition": N_("edition"),
    "storage": N_("storage"),
    "zone": N_("zone"),
    "nodes": N_("nodes"),
    "node_scaling": N_("node scaling"),
    "routing": N_("routing"),
    "transactions": N_("single-row transactions"),
    "priority": N_("priority"),
    "data_boost": N_("Data Boost"),
    "row_affinity": N_("row affinity"),
    "kms_key": N_("encryption key"),
    "labels": N_("labels"),
    **tablestore.LABELS,
}
"""What is compared of a table, a family, a cluster, a profile or the instance."""

ABSENT = "none"
OFF, ON = "off", "on"
USUAL_GIB = frozenset(least for least, _ in STORAGE_TARGETS_GIB.values())
"""Storage targets that a cluster has where nobody sets one."""


@dataclass
class Definitions:
    """Values by place, and of which kinds of things every one is listed."""

    values: dict[Place, str] = field(default_factory=dict)
    element_ids: dict[Place, str] = field(default_factory=dict)
    """Ids of a design's elements, by the place of the thing."""
    sets: list[RotatingName] = field(default_factory=list)
    """Tables that rotate: of each set one is compared."""
    whole: set[Place] = field(default_factory=set)
    """Places whose lists are complete: what is not among them does not exist."""
    implied: set[Place] = field(default_factory=set)
    """Things that another setting makes: no file has to tell of them."""
    refused: dict[Place, str] = field(default_factory=dict)
    """Ids of things of a design that no tool can make as it says: what runs in their places is not beyond it."""

    def add(self, place: Place, element_id: str, settings: Mapping[str, str | None]) -> None:
        """Add a thing with its settings; None is not said."""
        self.values[*place, "exists"] = ON
        self.element_ids[place] = element_id
        for name, value in settings.items():
            if value is not None:
                self.values[*place, name] = value


def of_design(content: ExportContent) -> tuple[Definitions, tuple[ExportRemark, ...]]:
    """Return what a design exports, as far as it says so, and what no tool can make of it."""
    remarks, definitions = ExportRemarks(), Definitions()
    if tablestore.is_for_tablestore(content.spec):
        tables, refusals = tablestore.planned_settings(content)
        for id_, name, planned in tables:
            definitions.add(("table", name), id_, planned)
        definitions.whole.add(("table",))
        definitions.refused = _find_refused(content.spec, definitions)
        return definitions, refusals
    for table in plan_tables(content.spec, remarks):
        _add_planned_table(content.spec, table, definitions)
    instance = planned_instance(_with_nodes(content), remarks, tool="Terraform")
    own = content.spec.instance
    labels = _labels_text((label.name, label.value) for label in own.labels) if own.labels else None
    settings = {"edition": own.edition, "storage": own.storage.upper() if own.storage else None, "labels": labels}
    definitions.values |= {("instance", name): value for name, value in settings.items() if value is not None}
    _add_planned_instance(instance, own.clusters, definitions)
    definitions.refused = _find_refused(content.spec, definitions)
    definitions.whole |= {("table",), ("cluster",), ("app profile",)}
    definitions.whole |= {("table", table, "family") for kind, table, *_ in definitions.values if kind == "table"}
    return definitions, remarks.build_result().refusals


def _find_refused(spec: Spec, definitions: Definitions) -> dict[Place, str]:
    """Return the ids of all that the design names and no export makes, by place."""
    clusters, profiles = spec.instance.clusters, spec.instance.app_profiles
    ids: dict[Place, str] = {("cluster", cluster.name): cluster.id for cluster in clusters}
    ids |= {("app profile", profile.name): profile.id for profile in profiles}
    table_places = {id_: place for place, id_ in definitions.element_ids.items() if len(place) == 2}
    for table in spec.tables:
        place = table_places.get(table.id, ("table", table.name))
        ids[place] = table.id
        ids |= {(*place, "family", family.name): family.id for family in table.families}
    return {place: id_ for place, id_ in ids.items() if place not in definitions.element_ids}


def _with_nodes(content: ExportContent) -> ExportContent:
    """Return the content with a number of nodes in each cluster, so that none is computed: it is not compared."""
    instance = content.spec.instance
    clusters = tuple(
        cluster if cluster.nodes else cluster.model_copy(update={"nodes": FixedNodes(count=2)})
        for cluster in instance.clusters
    )
    changed = instance.model_copy(update={"clusters": clusters})
    return ExportContent(content.spec.model_copy(update={"instance": changed}))


def _add_planned_table(spec: Spec, table: ExportTable, definitions: Definitions) -> None:
    place: Place = ("table", table.rotating.label if table.rotating else table.name)
    definitions.sets += [table.rotating] if table.rotating else []
    protected = table.table.deletion_protection
    definitions.add(place, table.table.id, {
        "deletion_protection": None if protected is None else _switch(is_on=protected),
        "change_stream": f"{table.change_stream_hours}h" if table.change_stream_hours is not None else ABSENT,
        "backups": _days(table.backup_days) if table.backup_days is not None else ABSENT,
        "infrequent_access": f"{table.cold_seconds}s" if table.cold_seconds is not None else ABSENT,
        "splits": _split_text(table.splits) if table.splits else ABSENT,
        "row_key": designed_key_text(spec, table.table),
    })  # fmt: skip
    for backup in table.table.backups:
        if backup.kept_days is not None:
            backup_place = (*place, "backup", _copy_text(backup.kind, backup.kept_days))
            definitions.add(backup_place, backup.id, {})
            definitions.implied |= {backup_place} if backup.automated else set()
    for family in table.families:
        _add_family((*place, "family", family.name), family.family, definitions)


def _copy_text(kind: str, kept_days: float) -> str:
    return f"{kind}, {_days(kept_days)}"


def _add_family(place: Place, family: Family, definitions: Definitions) -> None:
    definitions.add(place, family.id, {"kind": family.kind, "gc": _rule_text(gc.rule_of(family.gc))})


def _rule_text(rule: gc.Rule | None) -> str:
    """Return a rule in words that are the same for rules that collect the same cells."""
    text = rule_text(_in_order(rule)) if rule else "never"
    return text[1:-1] if text.startswith("(") else text


def _in_order(rule: gc.Rule) -> gc.Rule:
    """Return a rule with its parts in an order of their own, and of several ages or counts the one that decides."""
    if not isinstance(rule, gc.AnyOf | gc.AllOf):
        return rule
    decides = min if isinstance(rule, gc.AnyOf) else max
    ages = [rule.ms for rule in rule.rules if isinstance(rule, gc.Age)]
    counts = [rule.count for rule in rule.rules if isinstance(rule, gc.Versions)]
    # A union of two ages deletes at the lower one, an intersection at the higher: the other never decides.
    parts: list[gc.Rule] = [_in_order(rule) for rule in rule.rules if isinstance(rule, gc.AnyOf | gc.AllOf)]
    parts += [gc.Age(decides(ages))] if ages else []
    parts += [gc.Versions(decides(counts))] if counts else []
    return parts[0] if len(parts) == 1 else type(rule)(tuple(sorted(parts, key=repr)))


def _add_planned_instance(instance: PlannedInstance, clusters: Sequence[Cluster], definitions: Definitions) -> None:
    has_nodes = {cluster.id: cluster.nodes is not None for cluster in clusters}
    for planned_cluster in instance.clusters:
        settings = {
            "zone": planned_cluster.zone,
            "node_scaling": f"{planned_cluster.cluster.node_scaling}x",
            "kms_key": planned_cluster.cluster.kms_key,
        }
        nodes = _planned_nodes(planned_cluster) if has_nodes[planned_cluster.cluster.id] else None
        definitions.add(("cluster", planned_cluster.name), planned_cluster.cluster.id, {**settings, "nodes": nodes})
    for profile in instance.profiles:
        _add_profile(profile.name, profile, definitions)


def _planned_nodes(cluster: PlannedCluster) -> str:
    if cluster.scaling is None:
        return str(cluster.nodes)
    is_said = cluster.storage_gib is not None and cluster.storage_gib not in USUAL_GIB
    target = f", {cluster.storage_gib} GiB a node" if is_said else ""
    return f"{cluster.scaling.min} to {cluster.scaling.max} at {cluster.cpu_percent} % CPU{target}"


def _add_profile(name: str, profile: PlannedProfile, definitions: Definitions) -> None:
    _add_routes(name, profile.profile, profile.clusters, definitions)


def _add_routes(name: str, profile: AppProfile, clusters: Sequence[str], definitions: Definitions) -> None:
    routes = " ".join([profile.routing, *sorted(clusters)])
    definitions.add(("app profile", name), profile.id, {
        "routing": routes,
        "transactions": _switch(is_on=profile.transactions),
        # Data Boost has no priorities, and its profiles tell the default one.
        "priority": None if profile.data_boost else profile.priority,
        "data_boost": _switch(is_on=profile.data_boost),
        "row_affinity": _switch(is_on=profile.row_affinity),
    })  # fmt: skip


# --- what runs ------------------------------------------------------------------------------------------------------


def of_files(files: DefinitionFiles, designed: Definitions) -> Definitions:
    """Return what files tell; what they do not is in no place. Of tables of a set the newest stands for all."""
    definitions, parts, sets = Definitions(), files.told, designed.sets
    designed_tables = [place for place in designed.element_ids if len(place) == 2 and place[0] == "table"]
    for kind, name in KINDS.items():
        definitions.whole |= {(kind,)} if name in parts.whole else set()
    # Sorted by name, the newest period of a set comes last and stays in the mapping.
    tables = {name_of_set(name, sets): parts.tables[name] for name in sorted(parts.tables)}
    for name, values in tables.items():
        if values.keys() != {COPIES}:  # a backup outlives its table
            _add_running_table(("table", name), values, definitions)
        copies = {_copy_text(*backup) for backup in values.get(COPIES, ())}
        definitions.values |= {("table", name, "backup", copy, "exists"): ON for copy in copies}
    definitions.whole |= {(*table, "backup") for table in designed_tables} if COPIES in parts.whole else set()
    settings = {name: parts.instance.get(name) for name in ("edition", "storage")}
    definitions.values |= {
        ("instance", name): str(value).upper() if name == "storage" else str(value)
        for name, value in settings.items()
        if value is not None
    }
    if "labels" in parts.instance:
        pairs = ((label["name"], label["value"]) for label in parts.instance["labels"])
        definitions.values["instance", "labels"] = _labels_text(pairs)
    for name, values in parts.clusters.items():
        _add_running_cluster(("cluster", name), values, definitions)
    for name, values in parts.app_profiles.items():
        _add_running_profile(("app profile", name), values, definitions)
    return definitions


def name_of_set(name: str, sets: Sequence[RotatingName]) -> str:
    """Return the name that stands for a table of a set; of any other its own."""
    return next((table_set.label for table_set in sets if table_set.includes(name)), name)


KINDS: Mapping[str, str] = {"table": TABLES, "cluster": CLUSTERS, "app profile": PROFILES}
"""Lists of an import by the kind of place."""


def _add_running_table(place: Place, values: Values, definitions: Definitions) -> None:
    settings: dict[str, str | None] = {}
    if "deletion_protection" in values:
        settings["deletion_protection"] = _switch(is_on=bool(values["deletion_protection"]))
    if "change_stream_days" in values:
        days = values["change_stream_days"]
        settings["change_stream"] = f"{round(days * 24)}h" if days is not None else ABSENT
    if "infrequent_access_days" in values:
        days = values["infrequent_access_days"]
        settings["infrequent_access"] = f"{round(days * DAY_SECONDS)}s" if days is not None else ABSENT
    if "backups" in values:
        kept_days = next((backup["kept_days"] for backup in values["backups"]), None)
        settings["backups"] = _days(kept_days) if kept_days is not None else ABSENT
    if "split_keys" in values:
        settings["splits"] = _split_text(map(as_bytes, values["split_keys"])) if values["split_keys"] else ABSENT
    if "row_key" in values:
        settings["row_key"] = key_schema_text(values["row_key"])
    definitions.add(place, "", {**settings, **tablestore.definition_settings(values)})
    for name, family in values.get("families", {}).items():
        rule = _rule_text(collection_rule_of(family["gc"])) if "gc" in family else None
        definitions.add((*place, "family", name), "", {"kind": family.get("kind"), "gc": rule})
    if "families" in values:
        definitions.whole.add((*place, "family"))


def collection_rule_of(data: Any) -> gc.Rule | None:
    """Return the rule that an import read as data of a document."""
    return gc.rule_of(Family.model_validate({"id": "f", "gc": data}).gc)


def _add_running_cluster(place: Place, values: Values, definitions: Definitions) -> None:
    scaling = values.get("node_scaling")
    definitions.add(place, "", {
        "zone": values.get("zone") or None,
        "nodes": _running_nodes(Cluster.model_validate({"id": "c", "nodes": values.get("nodes")})),
        "node_scaling": None if scaling is None else f"{scaling}x",
        "kms_key": (values["kms_key"] or ABSENT) if "kms_key" in values else None,
    })  # fmt: skip


def _add_running_profile(place: Place, values: Values, definitions: Definitions) -> None:
    routed = values.get("clusters")
    definitions.add(place, "", {
        "routing": None if routed is None else " ".join([values["routing"], *sorted(routed)]),
        "transactions": _switch(is_on=values["transactions"]) if "transactions" in values else None,
        "priority": None if values.get("data_boost") else values.get("priority"),
        "data_boost": _switch(is_on=values["data_boost"]) if "data_boost" in values else None,
        "row_affinity": _switch(is_on=values["row_affinity"]) if "row_affinity" in values else None,
    })  # fmt: skip


def _running_nodes(cluster: Cluster) -> str | None:
    match cluster.nodes:
        case FixedNodes(count=count):
            return str(count)
        case Autoscaling(min=least, max=most, cpu_target=target, storage_target_gib=gib):
            # The API tells the storage target also where nobody set one; told on one side only, it would be a
            # difference.
            storage_text = f", {round(gib)} GiB a node" if gib is not None and round(gib) not in USUAL_GIB else ""
            return f"{least} to {most} at {round((0.6 if target is None else target) * 100)} % CPU{storage_text}"
    return None


def _labels_text(labels: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(labels)) or ABSENT


def _switch(*, is_on: bool) -> str:
    return ON if is_on else OFF


def _days(days: float) -> str:
    return age_text(round(days * gc.DAY_MS))


def _split_text(splits: Iterable[bytes]) -> str:
    return " ".join(sorted(repr(key)[1:] for key in splits))


def is_built_in(place: Place) -> bool:
    """Return whether every instance has this from the start: nobody has to design it."""
    return place == ("app profile", DEFAULT)
