"""Storage of a design's changes: a short loop around one conditional UPDATE (decision 15)."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

from designer.document import Spec
from designer.document.dump import compact_text
from designer.document.edits import Edit, EditConflictError, apply
from designer.document.load import MAX_BYTES
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.wording.edit_messages import describe_edit

from .documents import Document
from .people import Person
from .revisions import Revision, edit_data
from .texts import to_data

TRIES = 50
"""Saving starts over when somebody else saved in between; so many in a row do not happen in practice."""


class Head(models.Model):
    """The newest document of a design, and where it stands in the design's history."""

    title = models.CharField(max_length=500, blank=True)
    """The head's name, for lists and searching."""
    head = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    sequence = models.PositiveIntegerField(default=0)
    """Goes up with every stored change: what was read at one sequence number holds while it stays."""
    number = models.PositiveIntegerField(default=0)
    """Of the newest revision."""
    edited = models.DateTimeField(default=timezone.now)
    edited_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        abstract = True

    @property
    def spec(self) -> Spec:
        """The head document."""
        return self.head.spec


HeadT = TypeVar("HeadT", bound=Head)


class WriteContentionError(DesignError):
    """Too many people save at once."""

    status = 503


class DesignTooLargeError(DesignError):
    """A design would hold more than a file may."""

    status = 422


class DesignDeletedError(DesignError):
    """The design was removed for good while somebody saved."""

    status = 404


@dataclass(frozen=True)
class SaveResult:
    """Result of saving an edit."""

    spec: Spec
    sequence: int
    has_changed: bool
    """False: the head was so already."""


@dataclass(frozen=True)
class PendingChange:
    """An edit to be saved, with what is known of it beforehand."""

    edit: Edit
    undone_revision: Revision | None = None
    words: Text | None = None


def save(
    design: HeadT, change_of: Callable[[HeadT], PendingChange], *, by: Person, now: datetime.datetime
) -> SaveResult:
    """Store a change of the head, whatever the head is by now; `design` becomes what was stored.

    Parameters
    ----------
    change_of
        What is to be changed in a design; asked again for each newer head.

    Raises
    ------
    EditConflictError
        If the change does not apply to the head; nothing is stored then.
    DesignTooLargeError
        If it would make the design larger than a file may be.
    DesignDeletedError
        If the design was removed for good meanwhile.
    WriteContentionError
        If others were quicker every time.
    """
    current = design
    for _ in range(TRIES):
        # Asked anew for each head: an undo or a restore of an older head would take back what came in between.
        change = change_of(current)
        try:
            following, inverse = apply(current.spec, change.edit)
        except EditConflictError:
            if current is not design:
                raise
            current = _reload(design)  # what was read a moment ago may be older than the edit
            continue
        # The edit is there already, perhaps because it was sent twice after a lost answer. The newest head has the last
        # word on that.
        if following is current.spec and change.undone_revision is None:
            if current is not design:
                return SaveResult(current.spec, current.sequence, has_changed=False)
            current = _reload(design)
            continue
        text = _checked_text(current.spec, following)
        last, before = _newest_two(current)
        typed = change.undone_revision is None and last.is_continued_by(change.edit, by, now)
        with transaction.atomic():
            # First, as the head points at it. If the UPDATE below finds another sequence, the transaction stores
            # nothing else, and the document stays for nobody until it is purged.
            document = Document.get_or_store(following, text)
            # This UPDATE is the only lock: it succeeds for one of those who read the same sequence, on both databases
            # (decision 15).
            if _advance(current, document, following, 0 if typed else 1, by=by, now=now):
                if typed and before is not None:
                    last._merge_change(change.edit, inverse, document, current.sequence + 1, before=before, now=now)
                else:
                    words = change.words or describe_edit(current.spec, following, change.edit)
                    _record(current, change, inverse, document, words, by=by, now=now)
                _update_in_memory(design, current, document, following, typed=typed, by=by, now=now)
                return SaveResult(following, design.sequence, has_changed=True)
        current = _reload(design)
    raise WriteContentionError(N_("Too many changes are being saved; try again."))


def _checked_text(before: Spec, following: Spec) -> str:
    """Return the text of a design; raise DesignTooLargeError where an edit makes it too large to be loaded again."""
    text = compact_text(following)
    size_bytes = len(text.encode())
    # A design that is too large already, from an earlier version, may still be made smaller.
    if size_bytes > MAX_BYTES and size_bytes > len(compact_text(before).encode()):
        raise DesignTooLargeError(
            N_("This change would make the design larger than {most} MB."), most=MAX_BYTES // 1_000_000
        )
    return text


def _reload(design: HeadT) -> HeadT:
    """Read the design in its stored state."""
    row = type(design)._default_manager.select_related("head").filter(pk=design.pk).first()
    if row is None:
        raise DesignDeletedError(N_("This design no longer exists."))
    return row


def _newest_two(design: Head) -> tuple[Revision, Revision | None]:
    """Return the newest revision and the one before it."""
    newest = Revision.objects.filter(
        design=design.pk, number__gte=design.number - 1, number__lte=design.number
    ).order_by("-number")
    # There may be one revision, or none if the design was purged since it was read.
    last, before, *_ = *newest, None, None
    if last is None:
        raise DesignDeletedError(N_("This design no longer exists."))
    return last, before


def _advance(design: Head, document: Document, spec: Spec, steps: int, *, by: Person, now: datetime.datetime) -> bool:
    """Move the head on, unless somebody was quicker."""
    return bool(
        type(design)._default_manager.filter(pk=design.pk, sequence=design.sequence).update(
            sequence=F("sequence") + 1, number=F("number") + steps, head=document, title=title_of(spec),
            edited=now, edited_by=by,
        )
    )  # fmt: skip


def _record(
    design: Head, change: PendingChange, inverse: Edit, document: Document, description: Text, *, by: Person,
    now: datetime.datetime,
) -> None:  # fmt: skip
    """Store a new revision, and mark the revision that it undoes."""
    undone = change.undone_revision
    if undone is not None:
        Revision.objects.filter(pk=undone.pk).update(undone=True)
    if undone is not None and undone.undoes_id is not None:  # a redo: the change stands again
        Revision.objects.filter(pk=undone.undoes_id).update(undone=False)
    Revision.objects.create(
        design_id=design.pk, number=design.number + 1, sequence=design.sequence + 1, document=document, by=by, at=now,
        edit=edit_data(change.edit), inverse=edit_data(inverse), words=to_data(description), undoes=undone,
    )  # fmt: skip


def _update_in_memory(
    design: Head, stored: Head, document: Document, spec: Spec, *, typed: bool, by: Person,
    now: datetime.datetime,
) -> None:  # fmt: skip
    """Update a design in memory to the state that was just stored."""
    design.sequence, design.number = stored.sequence + 1, stored.number + (0 if typed else 1)
    design.head, design.title, design.edited, design.edited_by = document, title_of(spec), now, by


def title_of(spec: Spec) -> str:
    """Return a name in the form for lists, without NUL, which databases do not accept."""
    return spec.name.replace("\0", "")[:500]
