"""A Terraform file for the provider `google`: the instance, its tables, garbage collection and app profiles.

Labels are those of the addresses that a design keeps, else ids of elements: a rename in the design changes no label.
Source: the provider's schema of version 6.50 (read 2026-11-20); its release notes of 7.34 for `edition` (read
2026-11-22).
"""

from collections.abc import Iterator, Mapping

from designer.document import Spec
from designer.document.instance import Label
from designer.document.key import as_bytes
from designer.document.table import Table
from designer.document.terraform import Terraform
from designer.document.texts import N_

from .row_key_schema import NoStructError, build_struct, encode_struct, is_schema_of
from .shared.bigtable import ExportTable, PlannedFamily, plan_tables, refuse_other_engine
from .shared.comments import comment
from .shared.content import ExportContent
from .shared.hcl import HclBlock, UnquotedText, is_kept_unchanged, quote, value
from .shared.instance import DEFAULT, PlannedCluster, PlannedInstance, PlannedProfile, planned_instance
from .shared.names import stem
from .shared.omissions import KEYS_TOO, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format
from .shared.terraform_resources import Naming, add_arguments, import_blocks, moved_blocks, name_resources
from .shared.terraform_rules import set_rule

PROVIDER = ">= 6.50"
"""From here on all names of arguments used below are there, `edition` apart."""
PROVIDER_OF_EDITIONS, EDITIONS_FROM = ">= 7.34", (7, 34)
_ASKS = {"zone": "string", "nodes": "number"}
OMITTED: Fields = KEYS_TOO


def make(content: ExportContent) -> ExportResult:
    """One file; with `adopts` also one that imports what is in no state yet."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    instance = planned_instance(content, remarks, tool="Terraform")
    names = name_resources(content.spec, remarks)
    write = _Writer(content.spec, instance, names, remarks)
    blocks = [*write.settings(), *write.instance_blocks()]
    for table in plan_tables(content.spec, remarks):
        blocks += write.table_blocks(table)
    blocks += [write.profile_block(profile) for profile in instance.profiles if _can_be_made(profile, content, remarks)]
    # A `moved` block may only name a resource that is in the file; one that was refused above is not.
    addresses = {block.address for block in blocks if block.address}
    blocks += moved_blocks(names, addresses)
    note_omissions(content.spec, remarks, OMITTED)
    files = [_file(content, f"{stem(content.spec.name)}.tf", blocks)]
    if content.adopts:
        adopted = import_blocks(content.spec, instance, names, write.ids, remarks)
        files.append(_file(content, f"{stem(content.spec.name)}.import.tf", [*adopted]))
    return remarks.build_result(*files)


def _file(content: ExportContent, name: str, blocks: list[HclBlock]) -> File:
    head = comment(content.origin)
    return File.of(name, "\n\n".join([head, *("\n".join(block.lines()) for block in blocks)]) + "\n")


def _variable(name: str, cluster: PlannedCluster) -> str:
    return f"{name}_of_{cluster.cluster.id}"


def _variables(cluster: PlannedCluster) -> Iterator[str]:
    if cluster.zone is None:
        yield "zone"
    if cluster.nodes is None and cluster.scaling is None:
        yield "nodes"


def _can_be_made(planned: PlannedProfile, content: ExportContent, remarks: ExportRemarks) -> bool:
    is_managed = planned.profile.terraform is not None and planned.profile.terraform.address
    # Bigtable makes the profile `default` with each instance, so `terraform apply` would fail on creating it (decision
    # 25).
    if planned.name != DEFAULT or is_managed or content.adopts:
        return True
    message = N_("every instance has this app profile by default: import it into the Terraform state to change it")
    remarks.refuse(planned.profile.id, message)
    return False


class _Writer:
    """Blocks of one design."""

    def __init__(
        self, spec: Spec, instance: PlannedInstance, names: Mapping[str, Naming], remarks: ExportRemarks
    ) -> None:
        self.spec, self.instance, self.names, self.remarks = spec, instance, names, remarks
        self.ids: dict[str, str] = {}
        """What the API calls each written thing, below its project."""

    def settings(self) -> Iterator[HclBlock]:
        needs, instance = HclBlock("terraform"), self.instance
        google = {"source": "hashicorp/google", "version": self._provider_version()}
        needs.add_block(HclBlock("required_providers")).set("google", google)
        yield needs
        # A variable, so that one file serves several instances, as of tests and production, without an edit.
        yield HclBlock("variable", "instance_name").set("type", UnquotedText("string")).set("default", instance.name)
        for cluster in instance.clusters:
            for what in _variables(cluster):
                yield HclBlock("variable", _variable(what, cluster)).set("type", UnquotedText(_ASKS[what]))

    def _provider_version(self) -> str:
        managed = self.spec.instance.terraform
        used = managed.provider_version if managed is not None else None
        if used is None:
            return PROVIDER_OF_EDITIONS if self._writes_edition else PROVIDER
        return f"{used}, {PROVIDER_OF_EDITIONS}" if self._writes_edition and PROVIDER_OF_EDITIONS not in used else used

    @property
    def _writes_edition(self) -> bool:
        managed = self.spec.instance.terraform
        is_possible = managed is None or managed.is_possible(EDITIONS_FROM)
        return bool(self.instance.edition and self.instance.clusters and is_possible)

    def _resource(self, id_: str, managed: Terraform | None) -> HclBlock:
        naming = self.names[id_]
        block = HclBlock("resource", naming.type, naming.label)
        self._managed = (block, naming.type, id_, managed)
        return block

    def _close(self) -> HclBlock:
        """Add what the design keeps of the resource, at the end of its block, as is usual of `lifecycle`."""
        block, type_, id_, managed = self._managed
        add_arguments(block, type_, id_, managed, self.remarks)
        return block

    def _instance_name(self) -> UnquotedText:
        return UnquotedText(f"{self.names[''].address}.name" if self.instance.clusters else "var.instance_name")

    # --- the instance -----------------------------------------------------------------------------------------------

    def instance_blocks(self) -> Iterator[HclBlock]:
        instance, own = self.instance, self.spec.instance
        if not instance.clusters:
            return
        block = self._resource("", own.terraform)
        self.ids[""] = f"instances/{instance.name}"
        for sentence in instance.left_out:
            block.add_comment(f"not here: {sentence}")
        if instance.edition and not self._writes_edition:
            message = N_("editions are in the provider from 7.34 on; the design is for the versions {version}")
            version = own.terraform.provider_version if own.terraform else ""
            block.add_comment(f"not here: {self.remarks.refuse('', message, version=version)}")
        block.set("name", UnquotedText("var.instance_name")).set("project", instance.project)
        block.set("display_name", instance.display_name)
        block.set("edition", instance.edition if self._writes_edition else None)
        labels = {label.name: label.value for label in own.labels if self._is_kept(label)}
        block.set("labels", labels or None)
        for cluster in instance.clusters:
            block.add_block(_cluster(cluster, instance.storage))
        yield self._close()

    def _is_kept(self, label: Label) -> bool:
        good = is_kept_unchanged(label.name) and is_kept_unchanged(label.value)
        if not good:
            self.remarks.refuse("", N_("Terraform would change the label {name}"), name=label.name)
        return good

    def profile_block(self, planned: PlannedProfile) -> HclBlock:
        profile = planned.profile
        block = self._resource(profile.id, profile.terraform)
        self.ids[profile.id] = f"instances/{self.instance.name}/appProfiles/{planned.name}"
        block.set("instance", self._instance_name()).set("app_profile_id", planned.name)
        block.set("project", self.instance.project)
        name = profile.name if profile.name != planned.name else ""
        # A profile has no display name in the API; the description is the only text of it that Terraform can keep.
        if text := next(
            (candidate for candidate in (profile.description, name) if candidate and is_kept_unchanged(candidate)), None
        ):
            block.set("description", text)
        if profile.routing == "multi":
            block.set("multi_cluster_routing_use_any", True)
            block.set("multi_cluster_routing_cluster_ids", list(planned.clusters) or None)
            block.set("row_affinity", profile.row_affinity or None)
        if profile.routing == "single":
            inner = block.add_block(HclBlock("single_cluster_routing")).set("cluster_id", planned.clusters[0])
            inner.set("allow_transactional_writes", profile.transactions)
        if profile.data_boost:
            block.add_block(HclBlock("data_boost_isolation_read_only")).set("compute_billing_owner", "HOST_PAYS")
        else:
            block.add_block(HclBlock("standard_isolation")).set("priority", f"PRIORITY_{profile.priority.upper()}")
        return self._close()

    # --- tables -----------------------------------------------------------------------------------------------------

    def table_blocks(self, table: ExportTable) -> Iterator[HclBlock]:
        own = table.table
        if table.rotating is not None:
            yield _periods(table, self.names[own.id].label)
        block = self._resource(own.id, own.terraform)
        name: str = table.name
        if table.rotating is not None:
            block.set("for_each", UnquotedText(f"var.{_periods_name(self.names[own.id].label)}"))
            # The quoted prefix without its closing quote, so that the key of the period is interpolated inside of it.
            name = UnquotedText(f'{quote(table.rotating.prefix)[:-1]}${{each.key}}"')
        else:
            self.ids[own.id] = f"instances/{self.instance.name}/tables/{table.name}"
        splits = [key.decode() for key in _in_order(table) if _can_be_split(table, key, self.remarks)]
        schema = self._row_key_schema(own)
        for sentence in (*table.left_out, *_rejected_reasons(table, self.remarks)):
            block.add_comment(f"not here: {sentence}")
        block.set("name", name).set("instance_name", self._instance_name()).set("project", self.instance.project)
        block.set("split_keys", splits or None)
        if own.deletion_protection is not None:
            block.set("deletion_protection", "PROTECTED" if own.deletion_protection else "UNPROTECTED")
        if table.change_stream_hours is not None:
            block.set("change_stream_retention", f"{table.change_stream_hours}h0m0s")
        block.set("row_key_schema", schema)
        if table.backup_days is not None:
            policy = block.add_block(HclBlock("automated_backup_policy"))
            policy.set("retention_period", f"{table.backup_days * 24}h0m0s").set("frequency", "24h0m0s")
        for family in table.families:
            raw_type = family.family.terraform.argument("type") if family.family.terraform else None
            # A type that the design has no words for, as it was in the state.
            type_ = family.type or (raw_type if isinstance(raw_type, str) else None)
            block.add_block(HclBlock("column_family")).set("family", family.name).set("type", type_)
        yield self._close()
        yield from (
            self._policy(table, family) for family in table.families if family.rule is not None or _has_policy(family)
        )

    def _row_key_schema(self, table: Table) -> UnquotedText | str | None:
        if not table.row_key_schema:
            return None
        raw_schema = table.terraform.argument("row_key_schema") if table.terraform else None
        # The text as it came, as long as it means the same: another spelling would be a change of the table (decision
        # 61).
        if isinstance(raw_schema, str) and is_schema_of(self.spec, table, raw_schema):
            return raw_schema
        try:
            struct = encode_struct(*build_struct(self.spec, table, self.remarks))
        except NoStructError as none:
            self.remarks.refuse(none.at, none.message, **none.params)
            return None
        return UnquotedText(f"jsonencode({value({'structType': struct})})")

    def _policy(self, table: ExportTable, family: PlannedFamily) -> HclBlock:
        managed = family.family.terraform
        block = self._resource(family.family.id, managed)
        address = self.names[table.table.id].address
        if table.rotating is not None:
            block.set("for_each", UnquotedText(address))
        block.set("instance_name", self._instance_name())
        block.set("table", UnquotedText("each.value.name" if table.rotating else f"{address}.name"))
        block.set("column_family", family.name).set("project", self.instance.project)
        set_rule(block, family, self.remarks)
        return self._close()


def _periods_name(label: str) -> str:
    return f"periods_of_{label}"


def _periods(table: ExportTable, label: str) -> HclBlock:
    """Return the variable that says which tables of a set exist."""
    assert table.rotating is not None
    rotation = table.table.rotation
    block = HclBlock("variable", _periods_name(label)).set("type", UnquotedText("set(string)"))
    block.add_comment(f"one table for each {rotation.period if rotation else ''}: add the next before it begins")
    if rotation is not None and rotation.kept_tables is not None:
        block.add_comment(f"keep the newest {rotation.kept_tables}: a table whose period is removed here is deleted")
    return block.set("default", list(table.rotating.periods))


def _has_policy(family: PlannedFamily) -> bool:
    return family.family.terraform is not None and bool(family.family.terraform.address)


def _in_order(table: ExportTable) -> tuple[bytes, ...]:
    """Return the split keys, in the state's order if there is one: another order makes the table anew."""
    if table.table.terraform is None:
        return table.splits
    # `fromkeys` drops a key that was given twice, and keeps the order.
    return tuple(dict.fromkeys(key for text in table.table.split_keys if (key := as_bytes(text)) in table.splits))


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


def _cluster(cluster: PlannedCluster, storage: str) -> HclBlock:
    block = HclBlock("cluster").set("cluster_id", cluster.name)
    block.set("zone", cluster.zone or UnquotedText(f"var.{_variable('zone', cluster)}"))
    block.set("storage_type", storage.upper()).set("kms_key_name", cluster.cluster.kms_key)
    # 1X is what is not said; the provider would show it as a change of clusters that were made without.
    if cluster.cluster.node_scaling == 2:
        block.set("node_scaling_factor", "NodeScalingFactor2X")
    if cluster.scaling is None:
        block.set("num_nodes", cluster.nodes or UnquotedText(f"var.{_variable('nodes', cluster)}"))
    else:
        inner = block.add_block(HclBlock("autoscaling_config"))
        inner.set("min_nodes", cluster.scaling.min).set("max_nodes", cluster.scaling.max)
        inner.set("cpu_target", cluster.cpu_percent).set("storage_target", cluster.storage_gib)
    return block


FORMAT = Format(
    name="terraform",
    title="Terraform",
    about=N_("A Terraform file that creates the instance, its tables, garbage collection and app profiles."),
    make=make,
    engines=("bigtable",),
    omits=OMITTED,
)
