"""One change after another: how the first design becomes the second, and what each step leads to.

Steps add up: each is computed on top of those before it, in the order in which one would decide (`RANKS`). A change
comes with what it cannot be without, and the changes of one key are one step.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from designer.document import Element, Spec
from designer.document.base import walk
from designer.document.edits import EditConflictError, apply
from designer.document.references import references

from .bills import unpriced_keys
from .changes import ElementChange, batch
from .effects import DesignWithEstimate, Effects, effects

MOST_STEPS = 24
"""So many steps are computed; the changes that are left are the last step together."""

Compute = Callable[[Spec], DesignWithEstimate | None]
"""Estimates a design on the way; None where no more are to be computed."""

See = Callable[[DesignWithEstimate], DesignWithEstimate]
"""What somebody may see of a design."""


def see_everything(side: DesignWithEstimate) -> DesignWithEstimate:
    """Everything."""
    return side


RANKS = (
    "Field", "Table", "Row kind", "Primary key column", "Key segment", "Column family", "Column", "Activity", "Write",
    "Read", "Known size", "Backup",
)  # fmt: skip
"""Keys before what is written and read with them: a read that scans a whole table only with the old key costs that
of nobody's design. What is removed goes after these, so that there is a bill all the way."""
LAST = ("Accepted risk", "Design", "App profile", "Instance", "Cluster")
"""What every table depends on; the last step costs nothing, as the second design is computed already."""


@dataclass(frozen=True)
class ChangeStep:
    """Changes that were made at once, by their places, and what they lead to."""

    changes: tuple[int, ...]
    effects: Effects


def steps(
    before: DesignWithEstimate,
    after: DesignWithEstimate,
    changes: Sequence[ElementChange],
    compute: Compute | None,
    *,
    see: See = see_everything,
) -> Iterator[ChangeStep]:
    """Yield the steps from one design to the other; one step where nothing can be computed on the way.

    Nor can anything between two engines: half of one and half of the other is nobody's design. Designs are computed
    whole; `see` leaves out of each what is not to be in the effects.
    """
    dependencies = Dependencies(before.spec, after.spec, changes)
    compute = compute if before.spec.engine == after.spec.engine else None
    first, last = see(before), see(after)
    net, bills = effects(first, last), (first.estimate.bill, last.estimate.bill)
    # The same lines count in all steps, or the steps would not add up to the difference of the bills.
    uncounted = unpriced_keys(*bills) if bills[0] and bills[1] else None  # type: ignore[arg-type]
    done, waiting = set[int](), set[int]()
    side, computed = first, 0
    for n in sorted(range(len(changes)), key=lambda n: _rank(changes[n])):
        if n in done:
            continue
        waiting |= dependencies.required_changes(n) - done
        done |= waiting
        if len(done) == len(changes) or compute is None or computed >= MOST_STEPS:
            continue
        # Nothing is computed from a name, so the step costs no estimate.
        if all(_has_no_effect(changes[m]) for m in waiting):
            yield ChangeStep(tuple(sorted(waiting)), Effects())
            waiting = set()
        # Changes that cannot be made by themselves wait for those after them and become one step with these.
        elif (spec := dependencies.design_with(done)) is not None:
            midpoint, computed = compute(spec), computed + 1
            if midpoint is None:
                computed = MOST_STEPS
                continue
            following = see(midpoint)
            yield ChangeStep(tuple(sorted(waiting)), _net_effects(effects(side, following, uncounted=uncounted), net))
            side, waiting = following, set()
    if waiting:
        yield ChangeStep(tuple(sorted(waiting)), _net_effects(effects(side, last, uncounted=uncounted), net))


def _rank(change: ElementChange) -> tuple[bool, bool, int]:
    late, removed = change.what in LAST, change.sign == "removed"
    return late, removed, (LAST if late else RANKS).index(change.what)


def _has_no_effect(change: ElementChange) -> bool:
    """Return whether no computation depends on the changed field."""
    return change.at == "" and all(field.name in ("name", "description") for field in change.fields)


def _net_effects(step: Effects, net: Effects) -> Effects:
    """Return a step's effects without those that another step reverses."""
    reads, tables = {read.read for read in net.reads}, {change.table for change in net.heat}
    gone, came = ({(f.rule, f.at) for f in findings} for findings in (net.gone, net.came))
    return replace(
        step,
        reads=tuple(read for read in step.reads if read.read in reads),
        gone=tuple(f for f in step.gone if (f.rule, f.at) in gone),
        came=tuple(f for f in step.came if (f.rule, f.at) in came),
        heat=tuple(change for change in step.heat if change.table in tables),
    )


class Dependencies:
    """Dependencies between changes."""

    def __init__(self, before: Spec, after: Spec, changes: Sequence[ElementChange]) -> None:
        self.before, self.after, self.changes = before, after, changes

    def required_changes(self, change: int) -> frozenset[int]:
        """Return the positions of a change and of all changes that it requires."""
        positions, work = {change}, [change]
        while work:
            new = self._direct_requirements[work.pop()] - positions
            positions |= new
            work += new
        return frozenset(positions)

    def design_with(self, needed: set[int]) -> Spec | None:
        """Return the first design with only these changes; None if they cannot be made without others."""
        try:
            needed_changes = [self.changes[n] for n in sorted(needed)]
            return apply(self.before, batch(self.before, self.after, needed_changes))[0]
        except EditConflictError:
            return None

    @cached_property
    def _direct_requirements(self) -> tuple[frozenset[int], ...]:
        adds, takes, sets = self._changes_by_id
        requirements = [set[int]() for _ in self.changes]
        for n, change in enumerate(self.changes):
            if change.stands is not None and change.stands.parent in adds:
                requirements[n].add(adds[change.stands.parent])
            if change.sign in ("added", "changed") and change.at:
                requirements[n] |= self._additions_for(self.after.by_id[change.at], adds)
            if change.sign == "removed":
                requirements[n] |= self._removals_for(self.before.by_id[change.at], takes, sets)
        for key in self._keys:
            for n in key:
                requirements[n] |= key - {n}
        return tuple(map(frozenset, requirements))

    @cached_property
    def _changes_by_id(self) -> tuple[dict[str, int], dict[str, int], dict[str, set[int]]]:
        """By id: the change that adds an element, the one that takes it away, and those that set its fields."""
        adds: dict[str, int] = {}
        takes: dict[str, int] = {}
        sets: dict[str, set[int]] = {}
        for n, change in enumerate(self.changes):
            for spec, sign, positions in ((self.after, "added", adds), (self.before, "removed", takes)):
                if change.sign == sign:
                    inside = (part for part in walk(spec.by_id[change.at]) if isinstance(part, Element))
                    positions.update((part.id, n) for part in inside)
            if change.sign in ("changed", "moved"):
                sets.setdefault(change.at, set()).add(n)
        return adds, takes, sets

    def _additions_for(self, element: Element, adds: dict[str, int]) -> set[int]:
        """Return the changes that add the elements this one refers to."""
        return {adds[ref.to] for ref in references(element) if ref.to in adds}

    def _removals_for(self, element: Element, takes: dict[str, int], sets: dict[str, set[int]]) -> set[int]:
        """Return the changes that remove, or edit, the elements that refer to this one."""
        inside = {part.id for part in walk(element) if isinstance(part, Element)}
        holders = {r.holder for r in self.before.pointers if r.to in inside and r.holder and r.holder not in inside}
        removals = {takes[holder] for holder in holders if holder in takes}
        return removals.union(*(sets.get(holder, set()) for holder in holders))

    @cached_property
    def _keys(self) -> tuple[set[int], ...]:
        """A key is one decision: what changes in its segments is one."""
        owners = {**_owners(self.before), **_owners(self.after)}
        keys: dict[str, set[int]] = {}
        for n, change in enumerate(self.changes):
            if change.at in owners:
                keys.setdefault(owners[change.at], set()).add(n)
        return tuple(keys.values())


def _owners(spec: Spec) -> dict[str, str]:
    """Return the row kind or column that owns each segment and primary-key column."""
    owners: dict[str, str] = {}
    for table in spec.tables:
        for kind in table.row_kinds:
            columns = (segment for column in kind.key_columns for segment in column.segments)
            owners |= {part.id: kind.id for part in (*kind.key, *kind.key_columns, *columns)}
        for family in table.families:
            owners |= {part.id: column.id for column in family.columns for part in column.qualifier_from}
    return owners
