"""A design written as text → the edits that make it of the design that the text was made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec
from designer.document.base import Path
from designer.document.compact import CompactText
from designer.document.design import path_of, paths
from designer.document.edits import Batch, Edit, Insert, Remove, Set, current_value, hash_of
from designer.document.load import load, load_compact
from designer.document.texts import N_

from .designs.changes import ElementChange, batch, changes
from .designs.identity import identify

LABEL = N_("edited the design as text")


@dataclass(frozen=True)
class TextEdit:
    """Edits that a changed text stands for, in the design that it was made from."""

    before: Spec
    spec: Spec
    """The design that the text says, with the ids of the first."""
    places: CompactText | None
    """Where its parts stand; None for JSON."""

    @cached_property
    def changes(self) -> tuple[ElementChange, ...]:
        """Every change, in the document's order."""
        return changes(self.before, self.spec)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """Edits that keep what others changed, or conflict with it."""
        return tuple(_guard_removals(self.before, batch(self.before, self.spec, self.changes).edits))

    @property
    def removed_count(self) -> int:
        """Number of elements that are taken away, without what is in them."""
        return sum(1 for change in self.changes if change.sign == "removed")

    def place(self, at: str, name: str = "") -> tuple[int, int] | None:
        """Return the line and column of a field of an element, or of the nearest part around it."""
        path = path_of(self.spec, at)
        return self.places.place((*path, *name.split("."))) if self.places else None


def read_text(before: Spec, text: str) -> TextEdit:
    """Return what a text, compact or JSON, changes in a design.

    Raises
    ------
    InvalidDocumentError
        If the text is no design; its problems have lines and columns.
    """
    if text.lstrip().startswith("{"):
        spec = load(text, name="design.json")
        return TextEdit(before, identify(before, spec, spec.by_id), None)
    spec, places = load_compact(text)
    return TextEdit(before, identify(before, spec, places.written_ids), places)


def as_one_edit(edits: Sequence[Edit]) -> Edit:
    """Return edits as one step of the history; one alone stays what it is, so that typing goes on in it."""
    return edits[0] if len(edits) == 1 else Batch(edits=tuple(edits), label=LABEL if len(edits) > 1 else "")


def settle(head: Spec, edits: Sequence[Edit], *, keep_mine: bool) -> tuple[Edit, ...]:
    """Return the edits without their conflicts: over what others changed, or without what they changed too.

    What is about an element that others removed is left out either way.
    """
    retained: list[Edit] = []
    put_in: set[str] = set()
    left_out: set[str] = set()
    for edit in edits:
        if isinstance(edit, Set) and (edit.at == "" or edit.at in head.by_id):
            # Others may have changed the value since the text was made; `was` is set to theirs, or the edit would
            # conflict.
            now = current_value(head, edit.at, edit.name)
            if keep_mine or now == edit.was:
                retained.append(edit.model_copy(update={"was": now}))
        elif isinstance(edit, Remove) and edit.at in head.by_id:
            if keep_mine or edit.was_hash in (None, hash_of(head.by_id[edit.at])):
                retained.append(edit.model_copy(update={"was_hash": None}))
            else:
                left_out.add(edit.at)
        elif isinstance(edit, Insert):
            is_wanted = edit.element["id"] not in left_out
            if is_wanted and (not edit.parent or edit.parent in head.by_id or edit.parent in put_in):
                retained.append(edit)
                put_in.add(edit.element["id"])
    return tuple(retained)


def _guard_removals(before: Spec, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits with removals that hold only for what was there."""
    gone = {edit.at for edit in edits if isinstance(edit, Remove)}
    ways: list[Path] = [way for way, element in paths(before) if element.id in gone]
    # An element that loses parts by earlier removals of the batch has another hash by the time it is removed itself.
    around = {way[:length] for way in ways for length in range(1, len(way))}
    emptied = {element.id for way, element in paths(before) if way in around}
    return [
        edit.model_copy(update={"was_hash": hash_of(before.find(edit.at))})
        if isinstance(edit, Remove) and edit.at not in emptied
        else edit
        for edit in edits
    ]
