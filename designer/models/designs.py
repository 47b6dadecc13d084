"""Designs and their history. Whatever changes a document goes through `saving.save`."""

import datetime
import secrets
from typing import Any, ClassVar

from django.db import models, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import Clear, Edit, ReplaceAll, Set, insertion
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.wording import element_label

from .documents import Document
from .people import Person, Team
from .persistence import Head, PendingChange, SaveResult, save, title_of
from .revisions import Revision
from .texts import to_data

KEPT_AFTER_DELETION = datetime.timedelta(days=30)


class NothingToUndoError(DesignError):
    """There is no change of one's own left to take back."""

    status = 409


def new_key() -> str:
    """Return a random, meaningless name for addresses, which cannot be guessed."""
    return secrets.token_hex(6)


class Designs(models.Manager["Design"]):
    """Finds and starts designs."""

    def visible_to(self, person: Person) -> models.QuerySet["Design"]:
        """Return the designs of a person's teams that are not deleted."""
        return self.filter(team__members__person=person, deleted=None)

    def start(
        self, spec: Spec, *, team: Team, by: Person, description: Text | None = None, variant_of: "Design | None" = None
    ) -> "Design":
        """Create a design whose first revision is this document."""
        first = description or Text(N_("created"))
        with transaction.atomic():
            document = Document.get_or_store(spec)
            design = self.create(
                team=team, title=title_of(spec), head=document, sequence=1, number=1, made_by=by, edited_by=by,
                variant_of=variant_of, variant_number=variant_of.number if variant_of else None,
            )  # fmt: skip
            Revision.objects.create(design=design, number=1, sequence=1, document=document, by=by, words=to_data(first))
        return design

    def purge(self, now: datetime.datetime | None = None) -> int:
        """Remove for good what was deleted long ago, and documents that nothing points to; how many designs went."""
        before = (now or timezone.now()) - KEPT_AFTER_DELETION
        gone = self.filter(deleted__lt=before)
        count = gone.count()
        gone.delete()
        # Found by the models' own relations, so that a new table that points at documents is not forgotten here, and
        # its documents are not lost.
        used = Q()
        for points in Document._meta.get_fields(include_hidden=True):  # heads, revisions, and what others keep of one
            if isinstance(points, models.ManyToOneRel):
                used |= Q(sha256__in=points.related_model._base_manager.values(points.field.attname))
        # Only those that were first seen long ago: a document is stored a moment before the revision that points at it.
        unused = Document.objects.filter(~used, first_seen__lt=before)
        with transaction.atomic():
            # An old one may be stored again now: who does so holds it until the revision points at it. Locked first and
            # asked again then, as the answer is of the moment before.
            list(unused.select_for_update().values_list("pk", flat=True))
            unused.delete()
        return count


class Design(Head):
    """A design of a team: a head document and the history that led to it."""

    key = models.CharField(max_length=12, unique=True, default=new_key)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="designs")
    made = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    archived = models.DateTimeField(null=True)
    deleted = models.DateTimeField(null=True)
    variant_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="variants")
    variant_number = models.PositiveIntegerField(null=True)
    """The revision that the variant left from."""

    objects: ClassVar[Designs] = Designs()

    class Meta:
        indexes = [models.Index(fields=["team", "deleted", "-edited"], name="designs_by_last_edit")]

    def set_archived(self, is_archived: bool) -> None:
        """Put it away, or take it out again."""
        self.archived = timezone.now() if is_archived else None
        Design.objects.filter(pk=self.pk).update(archived=self.archived)

    def set_deleted(self, is_deleted: bool) -> None:
        """Delete it, or bring it back within a month."""
        self.deleted = timezone.now() if is_deleted else None
        Design.objects.filter(pk=self.pk).update(deleted=self.deleted)

    def apply(self, edit: Edit, *, by: Person, now: datetime.datetime | None = None) -> SaveResult:
        """Apply an edit to the head, whatever it is by now, and store it with its inverse.

        Raises
        ------
        EditConflictError
            If the edit does not apply to the head; nothing is stored then.
        """
        return save(self, lambda _: PendingChange(edit), by=by, now=now or timezone.now())

    def last_undoable_revision(self, by: Person, *, before: int | None = None) -> Revision | None:
        """Return the person's last change that is not undone yet (before a given revision, if any)."""
        # Undos are no changes of one's own here; otherwise a second undo would take back the first.
        own = self.revisions.filter(by=by, undone=False, undoes=None, number__gt=1)
        return (own if before is None else own.filter(number__lt=before)).order_by("-number").first()

    def undo(self, *, by: Person, before: int | None = None) -> SaveResult:
        """Take back the last change of one's own that is not taken back yet; `before` skips what cannot be."""

        def last(design: "Design") -> PendingChange:
            own = design.last_undoable_revision(by, before=before)
            if own is None:
                raise NothingToUndoError(N_("You have no changes to undo."))
            return PendingChange(
                own.inverse_edit, undone_revision=own, words=Text(N_("undid: {what}"), {"what": own.text})
            )

        return save(self, last, by=by, now=timezone.now())

    def redo(self, *, by: Person) -> SaveResult:
        """Bring back what one's last undo took, if nothing else was changed by oneself since."""

        def last(design: "Design") -> PendingChange:
            mine = design.revisions.filter(by=by, number__gt=1)
            edited = mine.filter(undoes=None).aggregate(last=Max("number"))["last"] or 0
            # Only undos that came after the last real change: redoing an older one would mix it with what was typed
            # since.
            undone = mine.filter(undone=False, undoes__undone=True, undoes__undoes=None, number__gt=edited)
            undo = undone.order_by("-number").first()
            if undo is None or undo.undoes is None:
                raise NothingToUndoError(N_("There is no change to redo."))
            words = Text(N_("redid: {what}"), {"what": undo.undoes.text})
            return PendingChange(undo.inverse_edit, undone_revision=undo, words=words)

        return save(self, last, by=by, now=timezone.now())

    def restore(self, number: int, *, by: Person) -> SaveResult:
        """Make the document of an earlier revision the head again, as a revision of its own."""

        def earlier(design: "Design") -> PendingChange:
            revision = design.revisions.select_related("document").get(number=number)
            # `was` is the head's hash, so that a restore never covers an edit that arrived meanwhile: the loop asks
            # again.
            edit = ReplaceAll(document=to_plain_data(revision.document.spec), was=design.head.sha256)
            if revision.name:
                words = Text(N_("restored revision {number}, “{name}”"), {"number": number, "name": revision.name})
                return PendingChange(edit, words=words)
            return PendingChange(edit, words=Text(N_("restored revision {number}"), {"number": number}))

        return save(self, earlier, by=by, now=timezone.now())

    def protect_revision(self, number: int) -> Revision | None:
        """Protect a revision from later changes, so that others can refer to it; return None if it is missing."""
        revision = self.revisions.select_related("document").filter(number=number).first()
        if revision is None or revision.kept:
            return revision
        with transaction.atomic():
            Design.objects.filter(pk=self.pk).update(sequence=F("sequence") + 1)  # who is saving looks again
            self.revisions.filter(number=number).update(kept=True)
            return self.revisions.select_related("document").get(number=number)

    def name_revision(self, number: int, name: str) -> bool:
        """Give a revision a name, or none; False if it is missing. What is typed from now on is another revision."""
        with transaction.atomic():
            is_named = bool(self.revisions.filter(number=number).update(name=name))
            if is_named:
                # Who saves looks again: typing would go on in the revision, and write its row back without the name.
                Design.objects.filter(pk=self.pk).update(sequence=F("sequence") + 1)
        return is_named

    def replace(self, spec: Spec, *, expected_sha256: str, by: Person, description: Text) -> SaveResult:
        """Make a whole document the head, as a revision of its own, if the head's hash is `expected_sha256`.

        Raises
        ------
        EditConflictError
            If it is not.
        """
        edit = ReplaceAll(document=to_plain_data(spec), was=expected_sha256)
        return save(self, lambda _: PendingChange(edit, words=description), by=by, now=timezone.now())

    def adopt(self, variant: "Design", *, expected_sha256: str, by: Person) -> SaveResult:
        """Make what a variant is now this design, in one edit that can be undone; it keeps its name.

        Raises
        ------
        EditConflictError
            If the head is not `expected_sha256` any more.
        """
        renamed_spec = variant.spec.model_copy(update={"name": self.spec.name})
        return self.apply(ReplaceAll(document=to_plain_data(renamed_spec), was=expected_sha256), by=by)

    def find_removal(self, at: str) -> Revision | None:
        """Return the revision that removed a missing element, or None if there was no such element."""
        newest = self.revisions.filter(number__gt=1).order_by("-number").select_related("by")
        # Inverses can be large and there may be thousands: they are read in portions until one has the element.
        return next((revision for revision in newest.iterator(100) if _contains_element(revision.inverse, at)), None)

    def restore_element(self, at: str, *, by: Person) -> SaveResult:
        """Put back what was removed, with what was removed along with it."""

        def removal(design: "Design") -> PendingChange:
            revision = None if at in design.spec.by_id else design.find_removal(at)
            if revision is None:
                raise NothingToUndoError(N_("This element already exists: nothing was restored."))
            # The inverse brings back more than the element's name: where it stood, and what referred to it, are in the
            # document before.
            before = design.revisions.select_related("document").get(number=revision.number - 1).document.spec
            edit = revision.inverse_edit
            if isinstance(edit, ReplaceAll):  # the whole design was replaced: only this comes back
                edit = insertion(before, at)
            return PendingChange(edit, words=Text(N_("restored {element}"), {"element": element_label(before, at)}))

        return save(self, removal, by=by, now=timezone.now())

    def last_editor(self, at: str, name: str) -> Person | None:
        """Return the person who set a field to its current value.

        Return None if that was long ago or part of a larger change.
        """
        # Asked while somebody waits for the text of a conflict, so only recent revisions are read.
        for revision in self.revisions.select_related("by").order_by("-number")[:50]:
            if isinstance(revision.applied_edit, Set | Clear) and (
                revision.applied_edit.at,
                revision.applied_edit.name,
            ) == (at, name):
                return revision.by
        return None

    def revisions_since(self, sequence: int) -> models.QuerySet[Revision]:
        """Return the revisions stored after this sequence number, oldest first."""
        return self.revisions.filter(sequence__gt=sequence).select_related("by").order_by("sequence")


def _contains_element(data: Any, at: str) -> bool:
    """Return whether stored data contains the element with this id."""
    if isinstance(data, dict):
        return data.get("id") == at or any(_contains_element(child, at) for child in data.values())
    return isinstance(data, list) and any(_contains_element(child, at) for child in data)
