"""Steps of a design's history."""

import datetime
from functools import cache
from typing import Any

from django.db import models
from django.utils import timezone
from pydantic import TypeAdapter

from designer.document import Spec
from designer.document.edits import NOTHING, Clear, Edit, Set
from designer.document.texts import Text
from designer.wording.edit_messages import describe_edit

from .documents import Document, find_spec
from .jsontext import JsonText
from .people import Person
from .texts import from_data, to_data

TYPING = datetime.timedelta(seconds=30)
"""One person's changes of one field that follow each other so closely are one revision."""


@cache
def _edits() -> TypeAdapter[Edit]:
    """Return the adapter that reads stored edits; it is built on first use because that takes a while."""
    return TypeAdapter(Edit)


class Revision(models.Model):
    """One step of a design's history: the document it led to, the edit, who made it and when."""

    design = models.ForeignKey("Design", on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    sequence = models.PositiveIntegerField()
    """The design's when this was last written; higher than the number, as typing joins."""
    document = models.ForeignKey(Document, on_delete=models.PROTECT, related_name="+")
    edit = JsonText(null=True)
    """None for the first."""
    inverse = JsonText(null=True)
    by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    words = JsonText()
    """What was done, as a message and its parameters."""
    name = models.CharField(max_length=100, blank=True)
    undoes = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    undone = models.BooleanField(default=False)
    kept = models.BooleanField(default=False)
    """Something points at it, a link or a verdict: nobody's typing goes on in it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["design", "number"], name="one_revision_of_a_number")]

    @property
    def spec(self) -> Spec:
        """The document it led to; the database is asked only for what is not remembered."""
        return find_spec(self.document_id) or self.document.spec

    @property
    def applied_edit(self) -> Edit:
        """The edit."""
        return _edits().validate_python(self.edit) if self.edit else NOTHING

    @property
    def inverse_edit(self) -> Edit:
        """The edit that takes it back."""
        return _edits().validate_python(self.inverse) if self.inverse else NOTHING

    @property
    def text(self) -> Text:
        """Description of the change in words."""
        return from_data(self.words)

    def is_continued_by(self, edit: Edit, by: Person, now: datetime.datetime) -> bool:
        """Return whether an edit continues the same person's input in the same field."""
        if (
            # `abs` below, because a clock that was set back gives a revision of the future.
            self.by_id != by.pk
            or self.undoes_id
            or self.undone
            or self.name
            or self.kept
            or abs(now - self.at) > TYPING
        ):
            return False
        mine = self.applied_edit
        return (
            isinstance(edit, Set | Clear)
            and isinstance(mine, Set | Clear)
            and (edit.at, edit.name) == (mine.at, mine.name)
        )

    def _merge_change(
        self,
        edit: Edit,
        inverse: Edit,
        document: Document,
        sequence: int,
        *,
        before: "Revision",
        now: datetime.datetime,
    ) -> None:
        """Make this revision and a further change of the same field one."""
        was, value = self.edit["was"], edit_data(edit).get("value")
        joined = Set(at=self.edit["at"], name=self.edit["name"], value=value, was=was)
        back = Set(at=joined.at, name=joined.name, value=was, was=edit_data(inverse)["was"])
        self.edit = edit_data(joined)
        self.inverse = edit_data(back)
        # Described from the document before both changes: "from 1 to 30", not "from 3 to 30".
        self.words = to_data(describe_edit(before.spec, document.spec, joined))
        self.document, self.at, self.sequence = document, now, sequence
        self.save()


def edit_data(edit: Edit) -> dict[str, Any]:
    """Return an edit in its stored form."""
    return edit.model_dump(mode="json")
