"""Conflicts between an edit and the head revision, as a sentence and as data."""

from ..design import Spec
from ..references import Reference
from ..texts import N_, Text, TextList, build_text
from ..validation_errors import Problem
from .kinds import Json


class EditConflictError(ValueError):
    """An edit that does not apply to the head: what it is about and, for a field, what mine and theirs are."""

    def __init__(self, text: Text, *, at: str, name: str = "", mine: Json = None, theirs: Json = None) -> None:
        super().__init__(str(text))
        self.text = text
        self.at = at
        self.name = name
        self.mine = mine
        self.theirs = theirs


class InvalidResultError(EditConflictError):
    """An edit whose result would be no valid document; `problems` say why.

    Their paths begin at the document, or (`inside`) at the element that the edit is about.
    """

    def __init__(
        self, problems: tuple[Problem, ...], *, at: str, name: str = "", mine: Json = None, inside: bool = False
    ) -> None:
        super().__init__(build_text("{problems}", problems="; ".join(map(str, problems))), at=at, name=name, mine=mine)
        self.problems = problems
        self.inside = inside


class ElementInUseError(EditConflictError):
    """A removal of what others point to; `uses` are the pointers. `removal_with_uses` removes those too."""

    def __init__(self, spec: Spec, at: str, uses: tuple[Reference, ...]) -> None:
        message = N_("{uses} use this: change them first, or remove this with its references")
        super().__init__(build_text(message, uses=TextList(dict.fromkeys(_place(spec, use) for use in uses))), at=at)
        self.uses = uses


def _place(spec: Spec, use: Reference) -> str:
    """Place of a pointer, with the name of its holder."""
    holder = spec.by_id.get(use.holder or "")
    return f"{holder.given_name} ({use.place})" if holder and holder.given_name else use.place


def removed_conflict(at: str) -> EditConflictError:
    return EditConflictError(build_text(N_("this item was removed while you were editing")), at=at)


def changed_conflict(at: str, name: str, mine: Json, theirs: Json) -> EditConflictError:
    text = build_text(
        N_("this was changed while you were editing: it is now {theirs}, and you entered {mine}"),
        theirs=theirs,
        mine=mine,
    )
    return EditConflictError(text, at=at, name=name, mine=mine, theirs=theirs)


def unknown_field_conflict(at: str, name: str) -> EditConflictError:
    return EditConflictError(build_text(N_('this element has no field "{name}"'), name=name), at=at, name=name)
