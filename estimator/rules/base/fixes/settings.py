"""Fixes to families and clusters."""

from collections.abc import Sequence

from designer.spec.family import Family, Gc, Intersection, MaxAge, MaxVersions
from designer.spec.instance import Autoscaling, Cluster, FixedNodes

from ..clusters import least_nodes
from ..edits import Edit, change
from ..reading import Rows

_REPLACES = ("overwrite", "increment", "read_modify_write", "check_and_mutate")


def collected(kinds: Sequence[Rows], family: Family) -> tuple[Edit | None, bool]:
    """Garbage collection of what no reader wants, and whether that is safe."""
    gc = _unwanted(kinds, family) if family.gc is None else None
    return (change(family, "gc", gc), True) if gc is not None else (None, True)


def _unwanted(kinds: Sequence[Rows], family: Family) -> Gc | None:
    needed = family.needed
    if needed is not None:
        rules: list[Gc] = []
        if needed.versions is not None:
            rules.append(MaxVersions(versions=needed.versions))
        if needed.age_days is not None:
            rules.append(MaxAge(age_days=needed.age_days))
        if needed.forever or not rules:
            return None
        return rules[0] if len(rules) == 1 else Intersection(rules=tuple(rules))
    reads = [read for rows in kinds for read in rows.kind.reads]
    writes = [write for rows in kinds for write in rows.kind.writes]
    newest = all((read.newest_versions or 1) == 1 and read.cell_days is None for read in reads)
    replaced = bool(writes) and all(write.mode in _REPLACES for write in writes)
    return MaxVersions(versions=1) if newest and replaced else None


def more_nodes(cluster: Cluster, count: int) -> Edit | None:
    """More nodes, fixed or as the autoscaler's most."""
    match cluster.nodes:
        case FixedNodes() if cluster.nodes.count < count:
            return change(cluster, "nodes", FixedNodes(count=count))
        case Autoscaling() if cluster.nodes.max < count:
            least = max(cluster.nodes.min, least_nodes(count))
            return change(cluster, "nodes", cluster.nodes.model_copy(update={"min": least, "max": count}))
    return None
