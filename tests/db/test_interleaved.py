"""Edits of two people at once, as their browsers post them: what was accepted is in the history."""

import datetime
import json
import random
import threading
from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from designer.document import Spec, fingerprint
from designer.document.edits import Edit, Insert, Move, Set, apply, removal
from designer.document.load import from_data
from designer.models import Design, Document, Person, Revision, Team

EDITS = (100, pytest.param(500, marks=pytest.mark.slow))
"""Of each of the two; few find what goes wrong at all, many what seldom does."""
SPEC = {
    "name": "Balloons",
    "tables": [{"id": f"t{n}", "name": f"table {n}", "families": [{"id": f"f{n}", "name": "m"}]} for n in range(3)],
}


class Tab:
    """One person's browser: it knows the design as it last read it, so that some of what it posts comes too late."""

    def __init__(self, design: Design, person: Person, *, seed: int, edits: int) -> None:
        self.design, self.person, self.random, self.edits = design, person, random.Random(seed), edits
        self.client = Client(headers={"HX-Request": "true"})
        self.client.force_login(person)
        self.accepted: list[int] = []
        self.statuses: Counter[int] = Counter()

    def work(self) -> None:
        try:
            for step in range(self.edits):
                if step % 3 == 0:
                    self.seen = Design.objects.select_related("head").get(pk=self.design.pk).spec
                self.post(step)
        finally:
            connection.close()

    def post(self, step: int) -> None:
        way, data = "edit", {}
        match self.random.randrange(12):
            case 0:
                way = self.random.choice(["undo", "undo", "redo"])
            case 1 | 2 | 3:
                data = {"edit": self.built(step).model_dump_json()}
            case _:
                data = self.typed(step)
        response = self.client.post(f"/designs/{self.design.key}/{way}", data)
        self.statuses[response.status_code] += 1
        if response.status_code == 200:
            saved = json.loads(response["HX-Trigger"])["kw:saved"]
            self.accepted += [saved["sequence"]] if saved["changed"] else []

    def typed(self, step: int) -> dict[str, Any]:
        """A control's form."""
        at = self.random.choice(["", *(table.id for table in self.seen.tables)])
        name = self.random.choice(["name", "description"])
        was = getattr(self.seen.by_id[at] if at else self.seen, name)
        return {"at": at, "name": name, "was": json.dumps(was), "v": f"{name} {step} of {self.person}"}

    def built(self, step: int) -> Edit:
        """A button's edit."""
        tables = self.seen.tables
        if len(tables) < 3 or self.random.random() < 0.3:
            return Insert(parent="", list="tables", element={"id": f"{self.person.pk}x{step}", "name": f"new {step}"})
        if self.random.random() < 0.5:
            return removal(self.seen, self.random.choice(tables).id)
        moved = self.random.randrange(len(tables) - 1)
        return Move(at=tables[moved].id, before=tables[0].id, was_before=tables[moved + 1].id)


def replay(revisions: list[Revision]) -> Spec:
    """The head as it comes out of the first document and all edits after it; each step is the stored document."""
    spec = revisions[0].document.spec
    for revision in revisions[1:]:
        spec, _ = apply(spec, revision.applied_edit)
        assert fingerprint(spec) == revision.document_id
    return spec


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("edits", EDITS)
def test_interleaved_edits_of_two_people_are_all_in_the_history(settings: Any, edits: int) -> None:
    settings.KEYWRIGHT_MODE = "team"
    team = Team.objects.create(name="Platform")
    people = [Person.objects.create_user(f"{name}@example.com", name=name) for name in ("ana", "ben")]
    for person in people:
        team.add(person, "editor")
    design = Design.objects.start(from_data(SPEC), team=team, by=people[0])
    tabs = [Tab(design, person, seed=seed, edits=edits) for seed, person in enumerate(people)]

    threads = [threading.Thread(target=tab.work) for tab in tabs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    design.refresh_from_db()
    accepted = {sequence: tab.person for tab in tabs for sequence in tab.accepted}
    revisions = list(design.revisions.order_by("number").select_related("document"))
    assert sum((tab.statuses for tab in tabs), Counter()).keys() <= {
        200,
        409,
        422,
    }  # nothing failed, nobody was told to wait
    assert len(accepted) > edits
    assert sorted(accepted) == list(range(2, design.sequence + 1))  # each accepted edit once, none that nobody made
    assert [one.number for one in revisions] == list(range(1, design.number + 1))
    for sequence, person in accepted.items():
        stored = next(one for one in revisions if one.sequence >= sequence)
        assert stored.by == person
        if stored.sequence > sequence:  # typing that went on: the revision holds all of it
            assert isinstance(stored.applied_edit, Set)
    assert replay(revisions) == design.spec


@pytest.mark.django_db(transaction=True)
def test_a_document_that_is_stored_again_is_not_purged_before_its_design_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    team, ana = Team.objects.create(name="Platform"), Person.objects.create_user("ana@example.com", name="ana")
    spec = from_data(SPEC)
    Document.get_or_store(spec)
    Document.objects.update(first_seen=timezone.now() - datetime.timedelta(days=31))
    get_or_store = Document.get_or_store

    def purge() -> None:
        try:
            Design.objects.purge()
        finally:
            connection.close()

    thread = threading.Thread(target=purge)

    def slow(given: Spec) -> Document:
        found = get_or_store(given)
        thread.start()
        thread.join(0.5)
        return found

    monkeypatch.setattr(Document, "get_or_store", staticmethod(slow))
    design = Design.objects.start(spec, team=team, by=ana)
    thread.join()

    assert Design.objects.get(pk=design.pk).spec == design.spec
