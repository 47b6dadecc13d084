"""Two designs beside each other: what changed, and what each change leads to. Knows no Django, clock or file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from designer.document import Spec, fingerprint
from designer.document.texts import Text

from .alignment import Alignment, MatchedBy, align, replace_ids
from .bills import BillDifference, bill_difference
from .changes import SIGNS, ElementChange, FieldChange, Sign, changes
from .effects import DesignWithEstimate, Effects, effects
from .steps import ChangeStep, Compute, See, see_everything, steps
from .stored_data import rewrite_messages, stored_data_effects

CONSEQUENCES = ("data", "reads", "findings", "cost", "heat")
"""What changes lead to, by the names that they are filtered by."""


@dataclass(frozen=True)
class DescribedChange:
    """A change with its consequences."""

    number: int
    change: ElementChange
    stored: tuple[Text, ...]
    """What it means for stored data."""
    step: ChangeStep

    @property
    def is_first_of_step(self) -> bool:
        """True if the change is the first of its step, where the step's effects are shown."""
        return self.step.changes[0] == self.number - 1

    @property
    def companions(self) -> tuple[int, ...]:
        """Numbers of the changes that were made with it."""
        return tuple(n + 1 for n in self.step.changes if n + 1 != self.number)

    @property
    def consequences(self) -> frozenset[str]:
        """Kinds of consequences of the change."""
        effects = self.step.effects
        kinds: dict[str, tuple[object, ...]] = {
            "data": self.stored,
            "reads": effects.reads,
            "findings": effects.came or effects.gone,
            "heat": effects.heat,
        }
        costs = {"cost"} if effects.money and effects.money.amount else set()
        return frozenset(name for name, contents in kinds.items() if contents) | costs


@dataclass(frozen=True)
class Comparison:
    """Everything that is otherwise in the second of two designs."""

    before: DesignWithEstimate
    after: DesignWithEstimate
    matched_by: MatchedBy
    own_ids: Mapping[str, str]
    """Ids of the second design itself, where it has others for the same elements."""
    changes: tuple[DescribedChange, ...]
    together: Effects
    bill: BillDifference

    @cached_property
    def counts(self) -> Mapping[Sign, int]:
        """Number of changes of each kind."""
        return {sign: sum(1 for entry in self.changes if entry.change.sign == sign) for sign in SIGNS}

    def own_id(self, at: str) -> str:
        """Return the id of an element in the second design."""
        return self.own_ids.get(at, at)

    @cached_property
    def sha256_after(self) -> str:
        """Hash of the second design as it is in its own file."""
        aligned = self.after.spec
        return fingerprint(replace_ids(aligned, self.own_ids) if self.own_ids else aligned)


def compare(
    before: DesignWithEstimate,
    after: DesignWithEstimate,
    *,
    alignment: Alignment,
    compute: Compute | None = None,
    see: See = see_everything,
) -> Comparison:
    """Both designs with their estimates and findings, made once by the caller; the second is `alignment.spec`.

    With `compute`, which estimates further designs, each change has effects of its own; else all have them together.
    What `see` leaves out of a design is in nothing that is told.
    """
    all_changes = changes(before.spec, after.spec)
    first, other = see(before), see(after)
    # Steps are computed of the whole designs, but only changes that are visible in the redacted ones may be told.
    whole_is_seen = first.spec is before.spec and other.spec is after.spec
    visible_changes = dict(
        _described_changes(all_changes, all_changes if whole_is_seen else changes(first.spec, other.spec))
    )
    change_steps: dict[int, ChangeStep] = {}
    for step in steps(before, after, all_changes, compute, see=see):
        visible_step = replace(step, changes=tuple(n for n in step.changes if n in visible_changes))
        change_steps |= dict.fromkeys(visible_step.changes, visible_step)
    keys = rewrite_messages(first.spec, other.spec)

    def means(change: ElementChange) -> tuple[Text, ...]:
        of_keys = _rewritten_keys(first.spec, other.spec, change, keys)
        return (*of_keys, *stored_data_effects(first.spec, other.spec, change))

    return Comparison(
        before=first,
        after=other,
        matched_by=alignment.by,
        own_ids=alignment.own_ids,
        changes=tuple(
            DescribedChange(n + 1, change, means(change), change_steps[n]) for n, change in visible_changes.items()
        ),
        together=effects(first, other),
        bill=bill_difference(first.estimate, other.estimate),
    )


def _described_changes(
    all_changes: tuple[ElementChange, ...], visible: tuple[ElementChange, ...]
) -> Iterator[tuple[int, ElementChange]]:
    """Yield the visible changes in their displayable form, with their positions among all changes."""
    by = {(change.sign, change.at, change.what): change for change in visible}
    for n, change in enumerate(all_changes):
        if (match := by.get((change.sign, change.at, change.what))) is not None:
            yield n, match


def _rewritten_keys(before: Spec, after: Spec, change: ElementChange, keys: Mapping[str, Text]) -> tuple[Text, ...]:
    """Return the keys rewritten by a change to a segment or primary-key column of the row kind."""
    texts = []
    for spec in (before, after):
        for _, kind in spec.row_kinds():
            parts = {part.id for part in (*kind.key, *kind.key_columns)}
            parts |= {segment.id for column in kind.key_columns for segment in column.segments}
            if change.at in parts and kind.id in keys and keys[kind.id] not in texts:
                texts.append(keys[kind.id])
    return tuple(texts)


__all__ = [
    "CONSEQUENCES",
    "SIGNS",
    "Alignment",
    "BillDifference",
    "ChangeStep",
    "Comparison",
    "DescribedChange",
    "DesignWithEstimate",
    "Effects",
    "ElementChange",
    "FieldChange",
    "See",
    "Sign",
    "align",
    "compare",
]  # fmt: skip
