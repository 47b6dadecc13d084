"""Fixes to families and clusters."""

import math
from collections.abc import Sequence

from designer.document import Spec, write_mode
from designer.document.family import Family, Gc, Intersection, MaxAge, MaxVersions, Union
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.table import Table
from estimator.engines import bigtable
from estimator.facts.clusters import minimum_nodes, round_to_step
from estimator.facts.reading import RowKindFacts

from ..edits import Edit, change

_REPLACES = ("overwrite", "increment", "read_modify_write", "check_and_mutate")


def collect_unwanted(kinds: Sequence[RowKindFacts], family: Family) -> tuple[Edit | None, bool]:
    """Garbage collection of what no reader wants, and whether that is safe: it takes stored cells away for good."""
    gc = _unwanted_rule(kinds, family) if family.gc is None else None
    return (change(family, "gc", gc) if gc is not None else None, not any(is_live(rows.table) for rows in kinds))


def _unwanted_rule(kinds: Sequence[RowKindFacts], family: Family) -> Gc | None:
    needed = family.needed
    if needed is not None:
        rules: list[Gc] = []
        if needed.versions is not None:
            rules.append(MaxVersions(versions=needed.versions))
        if needed.age_days is not None:
            rules.append(MaxAge(age_days=needed.age_days))
        if needed.forever or not rules:
            return None
        # An intersection deletes only what both rules delete, so all that is needed by either stays.
        return rules[0] if len(rules) == 1 else Intersection(rules=tuple(rules))
    if any(column.needed is not None for column in family.columns) or any(rows.kind.reads_unknown for rows in kinds):
        return None
    reads = [read for rows in kinds for read in rows.kind.reads]
    modes = [write_mode(rows.spec, write) for rows in kinds for write in rows.kind.writes]
    # Where every write replaces the value, a read that sets no number of versions is taken to want the newest.
    newest = all((read.newest_versions or 1) == 1 and read.cell_days is None for read in reads)
    replaced = bool(modes) and all(mode in _REPLACES for mode in modes)
    return MaxVersions(versions=1) if newest and replaced else None


def extend_retention(
    spec: Spec, table: Table, family: Family, *, age_days: float | None, versions: int | None
) -> Edit | None:
    """Return an edit that raises every age, or every version count, of the family's rule to this minimum.

    None for what is to be kept for ever, and where the engine refuses so large an increase: on a replicated table
    that holds data.
    """
    if family.gc is None or (age_days is not None and not math.isfinite(age_days)):
        return None
    if age_days is not None and len(spec.instance.clusters) > 1 and is_live(table):
        least = min(_ages(family.gc), default=age_days)
        # Bigtable refuses a large increase of the age on a replicated table, because clusters may have collected
        # already.
        if age_days - least > bigtable.LIMITS["ttl_increase_replicated_days"].value:
            return None
    return change(family, "gc", _raise_limits(family.gc, age_days=age_days, versions=versions))


def _raise_limits(gc: Gc, *, age_days: float | None, versions: int | None) -> Gc:
    match gc:
        case MaxAge() if age_days is not None:
            return MaxAge(age_days=max(gc.age_days, age_days))
        case MaxVersions() if versions is not None:
            return MaxVersions(versions=max(gc.versions, versions))
        case Union() | Intersection():
            rules = tuple(_raise_limits(rule, age_days=age_days, versions=versions) for rule in gc.rules)
            return gc.model_copy(update={"rules": rules})
    return gc


def _ages(gc: Gc) -> list[float]:
    match gc:
        case MaxAge():
            return [gc.age_days]
        case Union() | Intersection():
            return [age for rule in gc.rules for age in _ages(rule)]
    return []


def is_live(table: Table) -> bool:
    """Return whether the table holds data on the start date, so that names and keys are fixed."""
    return bool(table.history_months or table.rows_stored or table.gib_stored)


def bound_by_reads(rows: RowKindFacts, family: Family) -> Edit | None:
    """Garbage collection that keeps what is needed: as the family says, else every version that some read asks for.

    None where a read names no bound, or another row kind reads the family, too.
    """
    if family.gc is not None or len(rows.table.row_kinds) > 1:
        return None
    if family.needed is not None:
        gc = _unwanted_rule((rows,), family)
        return change(family, "gc", gc) if gc is not None else None
    reads = rows.kind.reads
    if not reads or any(read.newest_versions is None and read.cell_days is None for read in reads):
        return None
    rules: list[Gc] = []
    # A read with a limit of age is served by the age, which keeps all its versions. The intersection below deletes
    # only what is outside of both.
    if versions := [read.newest_versions for read in reads if read.cell_days is None and read.newest_versions]:
        rules.append(MaxVersions(versions=max(versions)))
    if ages := [read.cell_days + (read.age_days or 0) for read in reads if read.cell_days is not None]:
        rules.append(MaxAge(age_days=max(ages)))
    return change(family, "gc", rules[0] if len(rules) == 1 else Intersection(rules=tuple(rules)))


def more_nodes(cluster: Cluster, count: int) -> Edit | None:
    """More nodes, fixed or as the autoscaler's most."""
    match cluster.nodes:
        case FixedNodes() if cluster.nodes.count < count:
            return change(cluster, "nodes", FixedNodes(count=count))
        case Autoscaling() if cluster.nodes.max < count:
            # Bigtable requires that the maximum is at most ten times the minimum, so a much larger maximum raises the
            # minimum.
            least = round_to_step(max(cluster.nodes.min, minimum_nodes(count)), cluster)
            return change(cluster, "nodes", cluster.nodes.model_copy(update={"min": least, "max": count}))
    return None
