"""Two designs beside each other: what changed, and what each change leads to. Knows no Django, clock or file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from designer.document import Spec
from designer.document.texts import Text

from .alignment import Aligned, MatchedBy, aligned
from .bills import BillDifference, bill_difference
from .changes import SIGNS, Change, FieldChange, Sign, changes
from .effects import Effects, Side, effects
from .steps import Compute, See, Step, steps, whole
from .stored_data import rewritten, stored

CONSEQUENCES = ("data", "reads", "findings", "cost", "heat")
"""What changes lead to, by the names that they are filtered by."""


@dataclass(frozen=True)
class Told:
    """A change with its consequences."""

    number: int
    change: Change
    stored: tuple[Text, ...]
    """What it means for stored data."""
    step: Step

    @property
    def leads(self) -> bool:
        """True if the change is the first of its step, where the step's effects are shown."""
        return self.step.changes[0] == self.number - 1

    @property
    def along(self) -> tuple[int, ...]:
        """Numbers of the changes that were made with it."""
        return tuple(n + 1 for n in self.step.changes if n + 1 != self.number)

    @property
    def consequences(self) -> frozenset[str]:
        """Kinds of consequences of the change."""
        made = self.step.effects
        found: dict[str, tuple[object, ...]] = {
            "data": self.stored,
            "reads": made.reads,
            "findings": made.came or made.gone,
            "heat": made.heat,
        }
        costs = {"cost"} if made.money and made.money.amount else set()
        return frozenset(name for name, held in found.items() if held) | costs


@dataclass(frozen=True)
class Comparison:
    """Everything that is otherwise in the second of two designs."""

    before: Side
    after: Side
    matched_by: MatchedBy
    own_ids: Mapping[str, str]
    """Ids of the second design itself, where it has others for the same elements."""
    changes: tuple[Told, ...]
    together: Effects
    bill: BillDifference

    @cached_property
    def counts(self) -> Mapping[Sign, int]:
        """Number of changes of each kind."""
        return {sign: sum(1 for told in self.changes if told.change.sign == sign) for sign in SIGNS}

    def own_id(self, at: str) -> str:
        """Return the id of an element in the second design."""
        return self.own_ids.get(at, at)


def compare(
    before: Side, after: Side, *, alignment: Aligned, compute: Compute | None = None, see: See = whole
) -> Comparison:
    """Both designs with their estimates and findings, made once by the caller; the second is `alignment.spec`.

    With `compute`, which estimates further designs, each change has effects of its own; else all have them together.
    What `see` leaves out of a design is in nothing that is told.
    """
    found = changes(before.spec, after.spec)
    one, other = see(before), see(after)
    whole_is_seen = one.spec is before.spec and other.spec is after.spec
    told = dict(_told(found, found if whole_is_seen else changes(one.spec, other.spec)))
    each: dict[int, Step] = {}
    for step in steps(before, after, found, compute, see=see):
        shown = replace(step, changes=tuple(n for n in step.changes if n in told))
        each |= dict.fromkeys(shown.changes, shown)
    keys = rewritten(one.spec, other.spec)

    def means(change: Change) -> tuple[Text, ...]:
        of_keys = _keys_of(one.spec, other.spec, change, keys)
        return (*of_keys, *stored(one.spec, other.spec, change))

    return Comparison(
        before=one,
        after=other,
        matched_by=alignment.by,
        own_ids=alignment.own_ids,
        changes=tuple(Told(n + 1, change, means(change), each[n]) for n, change in told.items()),
        together=effects(one, other),
        bill=bill_difference(one.estimate, other.estimate),
    )


def _told(found: tuple[Change, ...], seen: tuple[Change, ...]) -> Iterator[tuple[int, Change]]:
    """Yield the visible changes in their displayable form, with their positions among all changes."""
    by = {(change.sign, change.at, change.what): change for change in seen}
    for n, change in enumerate(found):
        if (told := by.get((change.sign, change.at, change.what))) is not None:
            yield n, told


def _keys_of(before: Spec, after: Spec, change: Change, keys: Mapping[str, Text]) -> tuple[Text, ...]:
    """Return the keys rewritten by a change to a segment or primary-key column of the row kind."""
    found = []
    for spec in (before, after):
        for _, kind in spec.row_kinds():
            parts = {one.id for one in (*kind.key, *kind.key_columns)}
            parts |= {segment.id for column in kind.key_columns for segment in column.segments}
            if change.at in parts and kind.id in keys and keys[kind.id] not in found:
                found.append(keys[kind.id])
    return tuple(found)


__all__ = [
    "CONSEQUENCES", "SIGNS", "Aligned", "BillDifference", "Change", "Comparison", "Effects", "FieldChange", "See",
    "Side", "Sign", "Step", "Told", "aligned", "compare",
]  # fmt: skip
