"""Commands for Google's `cbt`, as shell scripts: one for the instance, one for tables, families and rules.

Rules are always parenthesised, for `and` and `or` have no precedence there, and a rule is always written (`never` for
none), for versions of cbt differ in what they assume. Source: cbt's own help, 1.23.2 (run 2026-11-20).
"""

import csv
import io
from collections.abc import Iterator

from designer.document.instance import AppProfile, Cluster
from designer.document.table import Table
from designer.document.texts import N_

from .shared import gc
from .shared.bigtable import ExportTable, plan_tables, refuse_other_engine
from .shared.comments import comment
from .shared.content import ExportContent
from .shared.instance import (
    DEFAULT,
    NOT_WRITTEN,
    PlannedCluster,
    PlannedInstance,
    PlannedProfile,
    label_rejections,
    planned_instance,
)
from .shared.names import stem
from .shared.omissions import NOT_TERRAFORM, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format
from .shared.shell import Bare, command, project_line, value_or_variable

_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms"))


def make(content: ExportContent) -> ExportResult:
    """Build the scripts; the instance's script only if the design describes an instance."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    instance = planned_instance(content, remarks, tool="cbt")
    name = stem(content.spec.name)
    head = list(_head(content, instance))
    files = [File.of(f"{name}-tables.sh", "\n".join([*head, *_tables(content, remarks), ""]))]
    if instance.clusters or instance.profiles or instance.left_out:
        files.insert(0, File.of(f"{name}-instance.sh", "\n".join([*head, *_instance(content, instance, remarks), ""])))
    note_omissions(content.spec, remarks, NOT_TERRAFORM)
    return remarks.build_result(*files)


def _head(content: ExportContent, instance: PlannedInstance) -> Iterator[str]:
    yield "#!/usr/bin/env bash"
    yield comment(content.origin)
    yield "# PROJECT=... [INSTANCE=...] [CBT_FLAGS='-creds /dev/null'] bash THIS-FILE"
    yield "set -euo pipefail"
    yield project_line(instance.project)
    yield f'INSTANCE="${{INSTANCE:-{instance.name}}}"'
    # A function, so that the options are in one place; CBT_FLAGS is not quoted, since it may hold several options.
    yield 'cbt() { command cbt -project "$PROJECT" -instance "$INSTANCE" ${CBT_FLAGS:-} "$@"; }'


# --- tables ---------------------------------------------------------------------------------------------------------


def _tables(content: ExportContent, remarks: ExportRemarks) -> Iterator[str]:
    for table in plan_tables(content.spec, remarks):
        yield ""
        for sentence in (*table.left_out, *_rejected_reasons(table, remarks)):
            yield comment(f"not here: {sentence}")
        yield from _rotation(table)
        yield create_table(table, remarks)


def _rotation(table: ExportTable) -> Iterator[str]:
    """Yield how the name of a table of a set is made, and what is run as a new one begins."""
    if table.rotating is None or table.table.rotation is None:
        return
    variable, most_tables = table.rotating.variable, table.table.rotation.kept_tables
    yield comment(f"before each {table.table.rotation.period} begins, run this with {variable} set to it")
    if most_tables is not None:
        yield comment(f"then delete all but the newest {most_tables}: cbt deletetable {table.rotating.prefix}...")
    yield f'{variable}="${{{variable}:-$(date -u +{table.rotating.pattern})}}"'


def _rejected_reasons(table: ExportTable, remarks: ExportRemarks) -> Iterator[str]:
    settings = {
        "deletion_protection": table.table.deletion_protection,
        "change_stream_days": table.change_stream_hours,
        "backups": table.backup_days,
        "infrequent_access_days": table.cold_seconds,
        "row_key_schema": table.table.row_key_schema,
    }
    yield from (remarks.refuse_field(table.table.id, "cbt", Table, name) for name, value in settings.items() if value)


def create_table(table: ExportTable, remarks: ExportRemarks) -> str:
    """Return the command that creates a table with its families, their rules and the split keys."""
    families = ",".join(family_text(f.name, f.rule, f.type) for f in table.families)
    # In double quotes: the shell puts the period into the name when the script runs.
    name = Bare(f'"{table.rotating.prefix}${table.rotating.variable}"') if table.rotating else table.name
    arguments: list[str | bytes] = ["cbt", "createtable", name]
    if families:
        arguments.append(f"families={families}")
    splits = [key for key in table.splits if _can_be_split(table, key, remarks)]
    if splits:
        # Bytes and not text: a split key can be any bytes, and the script is written as such.
        arguments.append(b"splits=" + b",".join(map(_record, splits)))
    return command(*arguments)


def family_text(name: str, rule: gc.Rule | None, type_: str | None) -> str:
    """Return a family with its rule and type."""
    return f"{name}:{rule_text(rule)}{f':{type_}' if type_ else ''}"


def rule_text(rule: gc.Rule | None) -> str:
    """Return a rule in cbt's syntax, with parentheses throughout."""
    match rule:
        case None:
            return "never"
        case gc.Age(ms):
            return f"(maxage={age_text(ms)})"
        case gc.Versions(count):
            return f"(maxversions={count})"
    joined = " or " if isinstance(rule, gc.AnyOf) else " and "
    return f"({joined.join(_inner_rule_text(rule) for rule in rule.rules)})"


def _inner_rule_text(rule: gc.Rule) -> str:
    text = rule_text(rule)
    # Within a group, single rules need no parentheses of their own.
    return text if isinstance(rule, gc.AnyOf | gc.AllOf) else text[1:-1]


def age_text(ms: int) -> str:
    """Return an age as a whole number of the largest unit that divides it.

    There are no weeks or years.
    """
    size, unit = next((size, unit) for size, unit in _UNITS if ms % size == 0)
    return f"{ms // size}{unit}"


def _can_be_split(table: ExportTable, key: bytes, remarks: ExportRemarks) -> bool:
    """Return whether a table can be split at this key.

    Splits are one record of comma-separated values, in which line ends change on reading; an argument ends at
    NUL.
    """
    if b"\0" not in key and b"\r" not in key:
        return True
    remarks.refuse(
        table.table.id,
        N_("{tool} does not accept the split key {key}: it contains a NUL or a carriage return"),
        tool="cbt",
        key=key,
    )
    return False


def _record(key: bytes) -> bytes:
    """Return a key as one value of a comma-separated record."""
    text = io.StringIO()
    # Latin-1 maps each byte to one character and back, so that csv can quote bytes.
    csv.writer(text, lineterminator="").writerow([key.decode("latin-1")])
    return text.getvalue().encode("latin-1")


# --- the instance ---------------------------------------------------------------------------------------------------


def _instance(content: ExportContent, instance: PlannedInstance, remarks: ExportRemarks) -> Iterator[str]:
    for sentence in (*instance.left_out, *label_rejections(content.spec, "cbt", remarks)):
        yield comment(f"not here: {sentence}")
    cluster_names: set[str] = set()
    for cluster in instance.clusters:
        missing = "nodes" if cluster.scaling else "node_scaling" if cluster.cluster.node_scaling != 1 else ""
        missing = missing or ("kms_key" if cluster.cluster.kms_key else "")
        if missing:
            yield comment(f"not here: cluster {cluster.name}: {_refuse_cluster(cluster, missing, remarks)}")
            continue
        where = (
            value_or_variable("ZONE", cluster.name, cluster.zone),
            value_or_variable("NODES", cluster.name, cluster.nodes),
        )
        storage = instance.storage.upper()
        # cbt creates an instance only together with its first cluster.
        if not cluster_names:
            yield command(
                "cbt", "createinstance", Bare('"$INSTANCE"'), instance.display_name, cluster.name, *where, storage
            )
        else:
            yield command("cbt", "createcluster", cluster.name, *where, storage)
        cluster_names.add(cluster.name)
    for profile in instance.profiles:
        why = _refuse_profile(profile, remarks)
        # A profile that routes to a cluster that was left out would be refused when the script runs, and would stop it.
        if why is None and not cluster_names.issuperset(profile.clusters):
            why = remarks.refuse(profile.profile.id, NOT_WRITTEN)
        if why:
            yield comment(f"not here: app profile {profile.name}: {why}")
        else:
            text = profile.profile.description or profile.profile.name
            # A line break within an argument would still be valid for the shell, but not for people who read the
            # script.
            description = text if text.isprintable() else profile.name
            route = f"route-to={profile.clusters[0]}" if profile.clusters else "route-any"
            route += ":transactional-writes" if profile.profile.transactions else ""
            # Each instance has the profile "default" from the beginning; creating it fails.
            verb, force = ("updateappprofile", ("-force",)) if profile.name == DEFAULT else ("createappprofile", ())
            yield command("cbt", verb, Bare('"$INSTANCE"'), profile.name, description or profile.name, route, *force)


def _refuse_cluster(cluster: PlannedCluster, missing: str, remarks: ExportRemarks) -> str:
    if missing == "nodes":
        return remarks.refuse(
            cluster.cluster.id, N_("{tool} creates only clusters with a fixed number of nodes"), tool="cbt"
        )
    return remarks.refuse_field(cluster.cluster.id, "cbt", Cluster, missing)


def _refuse_profile(profile: PlannedProfile, remarks: ExportRemarks) -> str | None:
    at = profile.profile.id
    if profile.profile.routing == "multi" and profile.clusters:
        return remarks.refuse(
            at, N_("{tool} supports routing to one cluster or to any cluster, not to a group of clusters"), tool="cbt"
        )
    if profile.profile.row_affinity:
        return remarks.refuse_field(at, "cbt", AppProfile, "row_affinity")
    if profile.profile.data_boost:
        return remarks.refuse_field(at, "cbt", AppProfile, "data_boost")
    if profile.profile.priority != "high":
        return remarks.refuse_field(at, "cbt", AppProfile, "priority")
    return None


FORMAT = Format(
    name="cbt",
    title="cbt",
    about=N_(
        "Shell scripts of cbt commands that create the instance and its tables. They also run against the emulator."
    ),
    make=make,
    engines=("bigtable",),
    omits=NOT_TERRAFORM,
    media_type="text/x-shellscript",
)
