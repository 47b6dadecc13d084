"""A Terraform file for the provider `google`: the instance, its tables, garbage collection and app profiles.

Labels are the ids of elements, so a rename in the design changes a name and no label. Source: the provider's schema of
version 6.50 (read 2026-11-20); its release notes of 7.34 for `edition` (read 2026-11-22).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.table import Table
from designer.document.texts import N_

from .shared import gc
from .shared.bigtable import ExportTable, PlannedFamily, plan_tables, refuse_other_engine
from .shared.comments import comment
from .shared.content import ExportContent
from .shared.hcl import HclBlock, UnquotedText, is_kept_unchanged, value
from .shared.instance import DEFAULT, PlannedCluster, PlannedInstance, PlannedProfile, planned_instance
from .shared.names import label, stem
from .shared.omissions import KEYS_TOO, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

PROVIDER = ">= 6.50"
"""From here on all names of arguments used below are there, `edition` apart."""
PROVIDER_OF_EDITIONS = ">= 7.34"
_HOUR_MS = 3_600_000
_ASKS = {"zone": "string", "nodes": "number"}


def make(content: ExportContent) -> ExportResult:
    """One file."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    instance = planned_instance(content, remarks, tool="Terraform")
    blocks = [*_settings(instance), *_instance(instance)]
    for table in plan_tables(content.spec, remarks):
        blocks += _table(table, instance, remarks)
    blocks += [_profile(one, instance) for one in instance.profiles if _can_be_made(one, remarks)]
    note_omissions(content.spec, remarks, KEYS_TOO)
    head = comment(content.origin)
    text = "\n\n".join([head, *("\n".join(block.lines()) for block in blocks)]) + "\n"
    return remarks.build_result(File.of(f"{stem(content.spec.name)}.tf", text))


def _settings(instance: PlannedInstance) -> Iterator[HclBlock]:
    needs = HclBlock("terraform")
    version = PROVIDER_OF_EDITIONS if instance.edition and instance.clusters else PROVIDER
    needs.add_block(HclBlock("required_providers")).set("google", {"source": "hashicorp/google", "version": version})
    yield needs
    yield HclBlock("variable", "instance_name").set("type", UnquotedText("string")).set("default", instance.name)
    for cluster in instance.clusters:
        for what in _variables(cluster):
            yield HclBlock("variable", _variable(what, cluster)).set("type", UnquotedText(_ASKS[what]))


def _variables(cluster: PlannedCluster) -> Iterator[str]:
    if cluster.zone is None:
        yield "zone"
    if cluster.nodes is None and cluster.scaling is None:
        yield "nodes"


def _variable(name: str, cluster: PlannedCluster) -> str:
    return f"{name}_of_{cluster.cluster.id}"


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(instance: PlannedInstance) -> Iterator[HclBlock]:
    if not instance.clusters:
        return
    block = HclBlock("resource", "google_bigtable_instance", "instance")
    for sentence in instance.left_out:
        block.add_comment(f"not here: {sentence}")
    block.set("name", UnquotedText("var.instance_name")).set("display_name", instance.display_name)
    block.set("edition", instance.edition)
    for cluster in instance.clusters:
        block.add_block(_cluster(cluster, instance.storage))
    yield block


def _cluster(cluster: PlannedCluster, storage: str) -> HclBlock:
    block = HclBlock("cluster").set("cluster_id", cluster.name)
    block.set("zone", cluster.zone or UnquotedText(f"var.{_variable('zone', cluster)}"))
    block.set("storage_type", storage.upper())
    if cluster.cluster.node_scaling == 2:
        block.set("node_scaling_factor", "NodeScalingFactor2X")
    if cluster.scaling is None:
        block.set("num_nodes", cluster.nodes or UnquotedText(f"var.{_variable('nodes', cluster)}"))
    else:
        inner = block.add_block(HclBlock("autoscaling_config"))
        inner.set("min_nodes", cluster.scaling.min).set("max_nodes", cluster.scaling.max)
        inner.set("cpu_target", cluster.cpu_percent).set("storage_target", cluster.storage_gib)
    return block


def _instance_name(instance: PlannedInstance) -> UnquotedText:
    return UnquotedText("google_bigtable_instance.instance.name" if instance.clusters else "var.instance_name")


def _can_be_made(planned: PlannedProfile, remarks: ExportRemarks) -> bool:
    if planned.name != DEFAULT:
        return True
    message = N_("every instance has this app profile by default: import it into the Terraform state to change it")
    remarks.refuse(planned.profile.id, message)
    return False


def _profile(planned: PlannedProfile, instance: PlannedInstance) -> HclBlock:
    profile = planned.profile
    block = HclBlock("resource", "google_bigtable_app_profile", label(profile.id))
    block.set("instance", _instance_name(instance)).set("app_profile_id", planned.name)
    if profile.name and profile.name != planned.name and is_kept_unchanged(profile.name):
        block.set("description", profile.name)
    if profile.routing == "multi":
        block.set("multi_cluster_routing_use_any", True)
        block.set("multi_cluster_routing_cluster_ids", list(planned.clusters) or None)
    if profile.routing == "single":
        inner = block.add_block(HclBlock("single_cluster_routing")).set("cluster_id", planned.clusters[0])
        inner.set("allow_transactional_writes", profile.transactions)
    if profile.data_boost:
        block.add_block(HclBlock("data_boost_isolation_read_only")).set("compute_billing_owner", "HOST_PAYS")
    else:
        block.add_block(HclBlock("standard_isolation")).set("priority", f"PRIORITY_{profile.priority.upper()}")
    return block


# --- tables ---------------------------------------------------------------------------------------------------------


def _table(table: ExportTable, instance: PlannedInstance, remarks: ExportRemarks) -> Iterator[HclBlock]:
    block = HclBlock("resource", "google_bigtable_table", label(table.table.id))
    splits = [key.decode() for key in table.splits if _can_be_split(table, key, remarks)]
    for sentence in (*table.left_out, *_rejected_reasons(table, remarks)):
        block.add_comment(f"not here: {sentence}")
    block.set("name", table.name).set("instance_name", _instance_name(instance))
    block.set("split_keys", splits or None)
    if table.table.deletion_protection is not None:
        block.set("deletion_protection", "PROTECTED" if table.table.deletion_protection else "UNPROTECTED")
    if table.change_stream_hours is not None:
        block.set("change_stream_retention", f"{table.change_stream_hours}h0m0s")
    if table.backup_days is not None:
        policy = block.add_block(HclBlock("automated_backup_policy"))
        policy.set("retention_period", f"{table.backup_days * 24}h0m0s").set("frequency", "24h0m0s")
    for family in table.families:
        block.add_block(HclBlock("column_family")).set("family", family.name).set("type", family.type)
    yield block
    yield from (_policy(table, family, instance) for family in table.families if family.rule is not None)


def _rejected_reasons(table: ExportTable, remarks: ExportRemarks) -> Iterator[str]:
    if table.cold_seconds is not None:
        yield remarks.refuse_field(table.table.id, "Terraform", Table, "infrequent_access_days")


def _can_be_split(table: ExportTable, key: bytes, remarks: ExportRemarks) -> bool:
    try:
        good = is_kept_unchanged(key.decode())
    except UnicodeDecodeError:
        good = False
    if not good:
        message = N_("Terraform does not accept the split key {key}: it supports only text, in Unicode composed form "
    "and without NUL")  # fmt: skip
        remarks.refuse(table.table.id, message, key=key)
    return good


def _policy(table: ExportTable, family: PlannedFamily, instance: PlannedInstance) -> HclBlock:
    own = label(table.table.id)
    block = HclBlock("resource", "google_bigtable_gc_policy", label(family.family.id))
    block.set("instance_name", _instance_name(instance))
    block.set("table", UnquotedText(f"google_bigtable_table.{own}.name")).set("column_family", family.name)
    assert family.rule is not None
    block.set("gc_rules", UnquotedText(f"jsonencode({value(top_rule(family.rule))})"))
    return block


def top_rule(rule: gc.Rule) -> Mapping[str, Any]:
    """Return a rule in the form of the provider's `gc_rules`: a list, and a mode if there are several."""
    data = nested_rule(rule)
    return data if "rules" in data else {"rules": [data]}


def nested_rule(rule: gc.Rule) -> Mapping[str, Any]:
    """Return a rule inside another rule.

    Its mode is in lower case, as the provider requires here.
    """
    match rule:
        case gc.Age(ms):
            return {"max_age": duration(ms)}
        case gc.Versions(count):
            return {"max_version": count}
    return {"mode": "union" if isinstance(rule, gc.AnyOf) else "intersection", "rules": [*map(nested_rule, rule.rules)]}


def duration(ms: int) -> str:
    """Return a duration in Go's form, in hours if it is a whole number of hours."""
    if ms % _HOUR_MS == 0:
        return f"{ms // _HOUR_MS}h"
    return f"{ms // 1000}s" if ms % 1000 == 0 else f"{ms}ms"


FORMAT = Format(
    name="terraform",
    title="Terraform",
    about=N_("A Terraform file that creates the instance, its tables, garbage collection and app profiles."),
    make=make,
    engines=("bigtable",),
    omits=KEYS_TOO,
)
