"""A design's history: every change is a revision, one's own are undone, typing joins, nothing is overwritten."""

import datetime
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from designer.document import Spec, fingerprint
from designer.document.edits import Batch, Clear, EditConflictError, Insert, Move, Remove, Set, apply
from designer.document.load import from_data
from designer.memory import Cache
from designer.models import Design, Document, NothingToUndoError, Person, Revision, Team, documents
from designer.wording import formatting as formats
from tests.designs import many_tables

NOON = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.UTC)


def later(seconds: float) -> datetime.datetime:
    return NOON + datetime.timedelta(seconds=seconds)


@pytest.fixture
def ben() -> Person:
    return Person.objects.create_user("ben@example.com", name="Ben")


@pytest.fixture
def design(ana: Person, team: Team) -> Design:
    spec = from_data({"name": "Balloons", "tables": [{"id": "t", "name": "readings", "families": [{"id": "f"}]}]})
    return Design.objects.start(spec, team=team, by=ana)


def named(value: str, was: str) -> Set:
    return Set(at="t", name="name", value=value, was=was)


def months(value: int | None, was: int | None) -> Set:
    return Set(at="", name="horizon_months", value=value, was=was)


def words(design: Design) -> list[str]:
    told = (revision.text for revision in design.revisions.order_by("number"))
    return [formats.format_message(text.message, text.params, "en", str) for text in told]


def replayed(design: Design) -> Spec:
    """The head as it comes out of the first document and all edits after it."""
    first, *rest = design.revisions.order_by("number").select_related("document")
    spec = first.document.spec
    for revision in rest:
        spec, _ = apply(spec, revision.applied_edit)
        assert fingerprint(spec) == revision.document_id
    return spec


def test_a_new_design_has_one_revision(design: Design, ana: Person) -> None:
    assert (design.number, design.sequence, design.title) == (1, 1, "Balloons")
    assert design.revisions.get().by == ana


def test_a_change_is_a_revision_in_words(design: Design, ana: Person, ben: Person) -> None:
    design.apply(named("cells", "readings"), by=ana)
    design.apply(months(24, None), by=ben)
    design.apply(Insert(parent="t", list="families", element={"id": "g", "name": "meta"}), by=ana)
    design.apply(Move(at="g", before="f"), by=ana)
    design.apply(Clear(at="", name="horizon_months", was=24), by=ben)
    design.apply(Remove(at="g"), by=ana)

    assert words(design)[1:] == [
        "renamed readings to cells",
        "Horizon set to 24 months",
        "Column families: added meta",
        "moved meta from position 2 to 1",
        "Horizon cleared",
        "removed meta",
    ]
    assert replayed(design) == design.spec


def test_an_edit_that_changes_nothing_leaves_no_revision(design: Design, ana: Person) -> None:
    saved = design.apply(named("readings", "something else"), by=ana)

    assert (saved.has_changed, design.number, design.sequence) == (False, 1, 1)


def test_an_edit_of_something_changed_meanwhile_is_refused_and_nothing_is_stored(
    design: Design, ana: Person, ben: Person
) -> None:
    design.apply(named("cells", "readings"), by=ben)

    with pytest.raises(EditConflictError) as conflict:
        design.apply(named("rows", "readings"), by=ana)

    assert (conflict.value.mine, conflict.value.theirs) == ("rows", "cells")
    assert design.number == 2
    assert design.spec.find("t").name == "cells"


def test_an_edit_applies_to_the_head_however_old_the_page_is(design: Design, ana: Person, ben: Person) -> None:
    old = Design.objects.get(pk=design.pk)
    design.apply(named("cells", "readings"), by=ben)

    saved = old.apply(months(24, None), by=ana)

    assert saved.spec.find("t").name == "cells"
    assert saved.spec.horizon_months == 24


def test_one_persons_typing_in_one_field_is_one_revision(design: Design, ana: Person) -> None:
    for second, (value, was) in enumerate([("c", "readings"), ("ce", "c"), ("cells", "ce")]):
        design.apply(named(value, was), by=ana, now=later(second * 10))

    assert words(design) == ["created", "renamed readings to cells"]
    assert design.sequence == 4
    assert replayed(design) == design.spec
    design.undo(by=ana)
    assert design.spec.find("t").name == "readings"


def test_typing_does_not_join_after_half_a_minute_or_by_another_or_elsewhere_or_once_named(
    design: Design, ana: Person, ben: Person
) -> None:
    design.apply(named("a", "readings"), by=ana, now=NOON)
    design.apply(named("ab", "a"), by=ana, now=later(31))
    design.apply(named("abc", "ab"), by=ben, now=later(32))
    design.apply(months(24, None), by=ben, now=later(33))
    design.apply(named("abcd", "abc"), by=ben, now=later(34))
    Revision.objects.filter(design=design, number=6).update(name="agreed")
    design.apply(named("abcde", "abcd"), by=ben, now=later(35))

    assert design.number == 7


def test_undo_takes_back_ones_own_last_change_and_nobody_elses(design: Design, ana: Person, ben: Person) -> None:
    design.apply(months(24, None), by=ana)
    design.apply(named("cells", "readings"), by=ben)

    design.undo(by=ana)

    assert design.spec.horizon_months is None
    assert design.spec.find("t").name == "cells"
    assert words(design)[-1] == "undid: Horizon set to 24 months"
    with pytest.raises(NothingToUndoError):
        design.undo(by=ana)


def test_undo_and_redo_go_through_ones_changes_in_order(design: Design, ana: Person) -> None:
    for value, was in [(24, None), (36, 24), (48, 36)]:
        design.apply(months(value, was), by=ana, now=later(value * 60))
    seen = []

    for step in (
        design.undo,
        design.undo,
        design.redo,
        design.undo,
        design.undo,
        design.redo,
        design.redo,
        design.redo,
    ):
        step(by=ana)
        seen.append(design.spec.horizon_months)

    assert seen == [36, 24, 36, 24, None, 24, 36, 48]
    assert replayed(design) == design.spec


def test_a_change_of_ones_own_ends_what_redo_could_bring_back(design: Design, ana: Person) -> None:
    design.apply(months(24, None), by=ana)
    design.undo(by=ana)
    design.apply(named("cells", "readings"), by=ana)

    with pytest.raises(NothingToUndoError):
        design.redo(by=ana)


def test_undo_of_what_another_changed_since_is_a_conflict_and_stays_possible(
    design: Design, ana: Person, ben: Person
) -> None:
    design.apply(named("cells", "readings"), by=ana)
    design.apply(named("rows", "cells"), by=ben)

    with pytest.raises(EditConflictError):
        design.undo(by=ana)

    design.undo(by=ben)
    design.undo(by=ana)
    assert design.spec.find("t").name == "readings"


def test_an_earlier_revision_is_restored_as_a_revision_that_can_be_undone(design: Design, ana: Person) -> None:
    design.apply(named("cells", "readings"), by=ana)
    design.apply(Batch(edits=(months(24, None), Remove(at="f")), label="tidy up"), by=ana)

    design.revisions.filter(number=1).update(name="sent out")
    design.restore(1, by=ana)
    assert fingerprint(design.spec) == design.revisions.get(number=1).document_id
    assert words(design)[-2:] == ["tidy up: Horizon set to 24 months, removed f", "restored revision 1, “sent out”"]

    design.undo(by=ana)
    assert design.spec.horizon_months == 24


def test_one_content_is_stored_once(design: Design, ana: Person) -> None:
    design.apply(months(24, None), by=ana)
    design.undo(by=ana)

    assert Document.objects.count() == 2
    assert design.number == 3


def test_what_no_database_can_hold_as_text_is_stored_all_the_same(design: Design, ana: Person) -> None:
    design.apply(Set(at="", name="name", value="a\0b", was="Balloons"), by=ana)

    found = Design.objects.get(pk=design.pk)
    assert found.title == "ab"
    assert from_data(found.head.data).name == "a\0b"


def test_what_was_deleted_long_ago_is_removed_with_its_documents(design: Design, ana: Person) -> None:
    design.apply(months(24, None), by=ana, now=later(0))
    other = Design.objects.start(Spec(name="Other"), team=design.team, by=ana)
    Document.objects.update(first_seen=later(0))
    Design.objects.filter(pk=design.pk).update(deleted=later(0))

    assert Design.objects.purge(later(30 * 86_400)) == 0
    assert Design.objects.purge(later(30 * 86_400 + 1)) == 1

    assert list(Design.objects.all()) == [other]
    assert Document.objects.count() == 1


def test_saving_asks_the_database_the_same_few_questions_however_large_the_design(ana: Person) -> None:
    team = Team.objects.create()

    def questions(tables: int) -> int:
        spec = from_data({"tables": [{"id": f"t{n}", "families": [{"id": f"f{n}"}]} for n in range(tables)]})
        design = Design.objects.start(spec, team=team, by=ana)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            design.apply(months(24, None), by=ana)
        return len(queries)

    assert questions(1) == questions(50) <= 8


@pytest.mark.django_db(transaction=True)
def test_two_who_save_at_once_both_stand(design: Design, ana: Person, ben: Person) -> None:
    def work(person: Person, name: str, number: int) -> None:
        for step in range(10):
            Design.objects.get(pk=design.pk).apply(
                Set(
                    at="t",
                    name=name,
                    value=f"{name} {step}",
                    was=(f"{name} {step - 1}" if step else ["readings", ""][number]),
                ),
                by=person,
            )
        connection.close()

    threads = [threading.Thread(target=work, args=each) for each in ((ana, "name", 0), (ben, "description", 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    design.refresh_from_db()
    assert (design.spec.find("t").name, design.spec.find("t").description) == ("name 9", "description 9")
    assert design.sequence == 21
    assert replayed(design) == design.spec


def test_what_was_read_before_somebody_else_saved_is_no_reason_to_lose_an_edit(design: Design, ana: Person) -> None:
    stale = Design.objects.get(pk=design.pk)
    Design.objects.get(pk=design.pk).apply(Set(at="", name="name", value="Second", was="Balloons"), by=ana)

    stale.apply(Set(at="", name="name", value="Balloons", was="Second"), by=ana)

    assert Design.objects.get(pk=design.pk).spec.name == "Balloons"
    assert stale.sequence == Design.objects.get(pk=design.pk).sequence


def test_garbage_collection_is_told_as_sentences(design: Design, ana: Person) -> None:
    month = {"kind": "max_age", "age_days": 30}
    design.apply(Set(at="f", name="gc", value=month), by=ana, now=NOON)
    design.apply(Set(at="f", name="gc", value={**month, "age_days": 7}, was=month), by=ana, now=later(60))

    assert words(design)[1:] == [
        "f: Deletes cells older than 30 days.",
        "f: Deletes cells older than 7 days. Before: Deletes cells older than 30 days.",
    ]


def test_a_large_document_stays_in_a_full_memory_before_many_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A design of many tables takes long to read again: figures of small designs do not push it out at once."""
    memory = Cache(8 << 20)
    monkeypatch.setattr(documents, "MEMORY", memory)
    large = many_tables(100)
    documents.cache_spec("large", large)
    held = memory.used_bytes
    memory.limit_bytes = held + (1 << 20)
    for number in range(20):  # more than there is room for, each worth 50 ms of reading for as many bytes
        memory.put("answers", number, bytes(60_000), seconds=0.05 * 60_000 / held)
    assert documents.find_spec("large") is large
