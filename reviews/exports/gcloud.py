"""Commands for `gcloud bigtable`, as shell scripts: one for the instance, one for tables.

gcloud takes one garbage-collection term or two joined by `&&` or `||`, and no value types: a family with more is made
bare, or by cbt, and `cbt setgcpolicy` says the rest. Ages are in seconds: of days above a year it loses hours.
Source: gcloud 528 (run 2026-11-20); its reference for `--edition`, which 528 has not (read 2026-11-22).
"""

from collections.abc import Iterable, Iterator

from designer.document import Spec
from designer.document.texts import N_

from .cbt import family_text, rule_text
from .row_key_schema import NoStructError, build_struct, yaml_file
from .shared import gc
from .shared.bigtable import ExportTable, PlannedFamily, plan_tables, refuse_other_engine
from .shared.comments import comment
from .shared.content import ExportContent
from .shared.instance import (
    DEFAULT,
    PlannedCluster,
    PlannedInstance,
    PlannedProfile,
    label_rejections,
    planned_instance,
)
from .shared.names import stem
from .shared.omissions import NOT_TERRAFORM, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format
from .shared.shell import Bare, command, long_command, project_line, quote_argument, value_or_variable

_DELIMITERS = ",|;@%+~!*?=/:_"
TABLE = ("gcloud", "bigtable", "instances", "tables", "create")


def make(content: ExportContent) -> ExportResult:
    """Build the scripts; the instance's script only if the design describes an instance."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    instance = planned_instance(content, remarks, tool="gcloud")
    name = stem(content.spec.name)
    schemas: list[File] = []
    tables = list(_tables(content, remarks, schemas))
    files = [File.of(f"{name}-gcloud-tables.sh", "\n".join([*_head(content, instance, tables), *tables, ""]))]
    if instance.clusters or instance.profiles or instance.left_out:
        lines = list(_instance(content, instance, remarks))
        files.insert(
            0, File.of(f"{name}-gcloud-instance.sh", "\n".join([*_head(content, instance, lines), *lines, ""]))
        )
    note_omissions(content.spec, remarks, NOT_TERRAFORM)
    return remarks.build_result(*files, *schemas)


def _head(content: ExportContent, instance: PlannedInstance, lines: list[str]) -> Iterator[str]:
    yield "#!/usr/bin/env bash"
    yield comment(content.origin)
    yield "# PROJECT=... [INSTANCE=...] bash THIS-FILE"
    yield "set -euo pipefail"
    yield project_line(instance.project)
    yield f'INSTANCE="${{INSTANCE:-{instance.name}}}"'
    # A function of the same name, so that no command can forget the project and run in the shell's default one.
    yield 'gcloud() { command gcloud --project="$PROJECT" "$@"; }'
    if any(line.startswith("cbt ") for line in lines):
        yield 'cbt() { command cbt -project "$PROJECT" -instance "$INSTANCE" "$@"; }'
    yield ""


# --- tables ---------------------------------------------------------------------------------------------------------


def _tables(content: ExportContent, remarks: ExportRemarks, schemas: list[File]) -> Iterator[str]:
    for table in plan_tables(content.spec, remarks):
        yield from (comment(f"not here: {sentence}") for sentence in table.left_out)
        ordinary = [family for family in table.families if family.type is None]
        # gcloud makes no table without a family, and aggregates are added by cbt afterwards.
        if not ordinary:
            message = N_("{tool} cannot create a table without a non-aggregate family")
            yield comment(f"not here: table {table.name}: {remarks.refuse(table.table.id, message, tool='gcloud')}")
            continue
        schema = _row_key_schema(content.spec, table, remarks) if table.table.row_key_schema else None
        schemas += [schema] if schema else []
        yield long_command(*_create(table, ordinary, remarks), *_schema_flags(schema))
        yield from _update_table(table)


def _row_key_schema(spec: Spec, table: ExportTable, remarks: ExportRemarks) -> File | None:
    """Return the file of the table's row key schema."""
    try:
        return yaml_file(spec, table.table, table.name, *build_struct(spec, table.table, remarks), remarks)
    except NoStructError as none:
        remarks.refuse(none.at, none.message, **none.params)
        return None


def _schema_flags(schema: File | None) -> Iterator[str]:
    if schema is not None:
        yield Bare(f'--row-key-schema-definition-file="$(dirname "$0")"/{quote_argument(schema.name)}')


def _create(table: ExportTable, families: list[PlannedFamily], remarks: ExportRemarks) -> Iterator[str]:
    cold = table.cold_seconds
    yield from (*TABLE[:1], *(("beta",) if cold is not None else ()), *TABLE[1:])
    yield table.name
    yield Bare('--instance="$INSTANCE"')
    yield f"--column-families={','.join(map(_family, families))}"
    splits = list(_splits(table, remarks))
    if splits:
        yield f"--splits={join_items(splits)}"
    if table.table.deletion_protection is not None:
        yield "--deletion-protection" if table.table.deletion_protection else "--no-deletion-protection"
    if table.change_stream_hours is not None:
        yield f"--change-stream-retention-period={table.change_stream_hours}h"
    if table.backup_days is not None:
        yield f"--automated-backup-retention-period={table.backup_days}d"
    if cold is not None:
        yield f"--tiered-storage-infrequent-access-older-than={cold}s"


def _family(family: PlannedFamily) -> str:
    rule = terms(family.rule)
    return f"{family.name}:{rule}" if rule else family.name


def terms(rule: gc.Rule | None) -> str:
    """Return the rule in gcloud's syntax: one term, or two with `&&` or `||`.

    Return "" if there is no rule, or if the rule is too complex.
    """
    if isinstance(rule, gc.AnyOf | gc.AllOf):
        leaves = [leaf for leaf in rule.rules if isinstance(leaf, gc.Age | gc.Versions)]
        # gcloud takes two terms at most, so a third one or a group inside goes to cbt.
        joined = ("||" if isinstance(rule, gc.AnyOf) else "&&").join(map(terms, leaves))
        return joined if len(leaves) == len(rule.rules) == 2 and all(map(terms, leaves)) else ""
    if isinstance(rule, gc.Age):
        return f"maxage={rule.ms // 1000}s" if rule.ms % 1000 == 0 else ""
    return f"maxversions={rule.count}" if rule else ""


def _update_table(table: ExportTable) -> Iterator[str]:
    for family in table.families:
        if family.type is not None:
            yield command("cbt", "createfamily", table.name, family_text(family.name, family.rule, family.type))
        elif family.rule is not None and not terms(family.rule):
            yield command("cbt", "setgcpolicy", table.name, family.name, rule_text(family.rule))


def _splits(table: ExportTable, remarks: ExportRemarks) -> Iterator[str]:
    for key in table.splits:
        try:
            text = key.decode()
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            message = N_("{tool} does not accept the split key {key}: it is not text, or contains a NUL")
            remarks.refuse(table.table.id, message, tool="gcloud", key=key)
        else:
            yield text


def join_items(items: Iterable[str]) -> str:
    """Return a list for one flag.

    The delimiter is not a comma if an item contains one (`gcloud topic escaping`).
    """
    texts = list(items)
    whole = "".join(texts)
    if "," not in whole and not whole.startswith("^"):
        return ",".join(texts)
    # Circled numbers and letters: split keys can hold every ordinary sign.
    spare = (chr(code) for code in range(0x2460, 0x24FF))
    delimiter = next(sign for sign in (*_DELIMITERS, *spare) if sign not in whole)
    return f"^{delimiter}^{delimiter.join(texts)}"


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(content: ExportContent, instance: PlannedInstance, remarks: ExportRemarks) -> Iterator[str]:
    left_out = (*instance.left_out, *label_rejections(content.spec, "gcloud", remarks))
    yield from (comment(f"not here: {sentence}") for sentence in left_out)
    flags = [f"--display-name={instance.display_name}", f"--cluster-storage-type={instance.storage}"]
    if instance.edition and instance.clusters:
        remarks.note("", N_("gcloud supports editions since 2026: older versions reject the flag --edition"))
        flags.append(f"--edition={instance.edition}")
    clusters = (Bare(f"--cluster-config={_cluster(cluster)}") for cluster in instance.clusters)
    if instance.clusters:
        yield long_command("gcloud", "bigtable", "instances", "create", Bare('"$INSTANCE"'), *flags, *clusters)
    for profile in instance.profiles:
        # The profile `default` exists with the instance: creating it would fail.
        there = profile.name == DEFAULT
        verb = "update" if there else "create"
        start = ("gcloud", "bigtable", "app-profiles", verb, profile.name, Bare('--instance="$INSTANCE"'))
        yield command(*start, *_profile(profile), *(_update_flags(profile) if there else ()))


def _cluster(cluster: PlannedCluster) -> str:
    """Return a cluster for `--cluster-config`.

    It has only names and numbers, so that nothing needs quotes.
    """
    settings = {"id": cluster.name, "zone": value_or_variable("ZONE", cluster.name, cluster.zone)}
    if cluster.scaling is None:
        settings["nodes"] = value_or_variable("NODES", cluster.name, cluster.nodes)
    else:
        settings["autoscaling-min-nodes"] = str(cluster.scaling.min)
        settings["autoscaling-max-nodes"] = str(cluster.scaling.max)
        settings["autoscaling-cpu-target"] = str(cluster.cpu_percent)
        if cluster.storage_gib is not None:
            settings["autoscaling-storage-target"] = str(cluster.storage_gib)
    if cluster.cluster.node_scaling == 2:
        settings["node-scaling-factor"] = "node-scaling-factor-2x"
    if cluster.cluster.kms_key:
        settings["kms-key"] = cluster.cluster.kms_key
    return ",".join(f"{name}={value}" for name, value in settings.items())


def _profile(planned: PlannedProfile) -> Iterator[str]:
    profile = planned.profile
    if profile.routing == "single":
        yield f"--route-to={planned.clusters[0]}"
        if profile.transactions:
            yield "--transactional-writes"
    else:
        yield "--route-any"
        if planned.clusters:
            yield f"--restrict-to={','.join(planned.clusters)}"
        if profile.row_affinity:
            yield "--row-affinity"
    if profile.description and "\0" not in profile.description:
        yield f"--description={profile.description}"
    if profile.data_boost:
        yield from ("--data-boost", "--data-boost-compute-billing-owner=HOST_PAYS")
    else:
        yield f"--priority=PRIORITY_{profile.priority.upper()}"


def _update_flags(planned: PlannedProfile) -> Iterator[str]:
    """Yield the flags that turn an existing profile into this one.

    Warnings are suppressed, because they have no use for a new instance.
    """
    if planned.profile.routing == "single" and not planned.profile.transactions:
        yield "--no-transactional-writes"
    yield "--force"


FORMAT = Format(
    name="gcloud",
    title="gcloud",
    about=N_(
        "Shell scripts of gcloud commands that create the instance and its tables, with cbt for features "
        "that gcloud lacks."
    ),
    make=make,
    engines=("bigtable",),
    omits=NOT_TERRAFORM,
    media_type="text/x-shellscript",
)
