"""A text becomes edits: as few as changed, on the elements that were meant, without those that others changed."""

import pytest

from benchmarks.designs import wide_design
from designer.document import InvalidDocumentError, Spec, dump
from designer.document.compact import dump_compact
from designer.document.edits import Batch, EditConflictError, Insert, Remove, Set, apply, hash_of
from designer.document.load import load_compact
from designer.examples import example
from designer.examples.index import GROUPS
from estimator.comparison.text_edits import as_one_edit, read_text, settle
from tests.cases import cases
from tests.designs import hostile

FLEET = example("iot-fleet").spec
TEXT = dump_compact(FLEET, with_ids=False)
READ = TEXT[TEXT.index("      One vehicle now:") : TEXT.index("      All vehicles of")]


def sets(text: str, spec: Spec = FLEET) -> list[tuple[str, str]]:
    """What a text sets, by element and field."""
    return [(edit.at, edit.name) for edit in read_text(spec, text).edits if isinstance(edit, Set)]


@cases("slug", [slug for slugs in GROUPS.values() for slug in slugs])
def test_the_text_of_a_design_without_ids_is_read_as_that_design(slug: str) -> None:
    spec = example(slug).spec
    read = read_text(spec, dump_compact(spec, with_ids=False))

    assert dump(read.spec) == dump(spec)
    assert read.edits == ()


def test_whatever_names_say_the_text_is_read_as_that_design() -> None:
    read = read_text(hostile(), dump_compact(hostile(), with_ids=False))

    assert read.spec == hostile()


def test_json_is_text_too() -> None:
    assert read_text(FLEET, dump(FLEET)).edits == ()


@pytest.mark.parametrize(
    ("was", "now", "changed"),
    [
        (": 15/s by", ": 16/s by", [("read-track", "rate_per_second")]),
        ("  telemetry:", "  positions:", [("telemetry", "name")]),
        ("k: enumeration(10B, 30B)", "kind: enumeration(10B, 30B)", [("alert-kind", "qualifier")]),
        ("row_kind: One vehicle, one day", "row_kind: A day of a vehicle", [("vehicle-day", "name")]),
        (
            "k: enumeration(10B, 30B)", "k: json(12B)",
            [("alert-kind", f"value.{name}") for name in ("kind", "typical_bytes", "max_bytes")],
        ),
    ],
)  # fmt: skip
def test_what_keeps_its_name_or_its_place_is_the_same_element(
    was: str, now: str, changed: list[tuple[str, str]]
) -> None:
    text = TEXT.replace(was, now, 1)
    if was == "  telemetry:":
        text = text.replace("derived_from: telemetry", "derived_from: positions")

    assert text != TEXT
    assert sets(text) == changed
    assert len(read_text(FLEET, text).edits) == len(changed)


def test_a_field_is_renamed_in_every_key_at_once() -> None:
    spec = example("karte").spec

    assert sets(dump_compact(spec, with_ids=False).replace("user_id", "visitor"), spec)[-1:] == [("user-id", "name")]


def test_a_read_that_stands_in_another_table_has_moved() -> None:
    place = "      A fleet's newest 100 alerts:"
    text = TEXT.replace(READ, "").replace(place, READ + place)
    removal, insertion = read_text(FLEET, text).edits

    assert isinstance(removal, Remove)
    assert isinstance(insertion, Insert)
    assert (removal.at, insertion.parent, insertion.element["id"]) == ("read-vehicle", "alert-row", "read-vehicle")


def test_a_new_element_never_takes_the_id_of_another() -> None:
    renamed = apply(FLEET, Set(at="vehicle", name="name", value="car", was="vehicle"))[0]
    text = dump_compact(renamed, with_ids=False).replace("activities:", "  vehicle: distinct=5\nactivities:", 1)
    (edit,) = read_text(renamed, text).edits

    assert isinstance(edit, Insert)
    assert edit.element["id"] not in renamed.by_id
    assert edit.element["name"] == "vehicle"


def test_a_text_leaves_alone_what_others_changed_elsewhere() -> None:
    theirs = apply(FLEET, Set(at="alert", name="rate_per_second", value=50, was=40))[0]
    mine = read_text(FLEET, TEXT.replace(": 15/s by", ": 16/s by"))
    both = apply(theirs, as_one_edit(mine.edits))[0]

    assert both.by_id["alert"].rate_per_second == 50
    assert both.by_id["read-track"].rate_per_second == 16


@pytest.mark.parametrize(("keep_mine", "rate"), [(True, 16), (False, 20)])
def test_a_conflict_is_told_with_its_place_and_settled_for_either_side(keep_mine: bool, rate: int) -> None:
    theirs = apply(FLEET, Set(at="read-track", name="rate_per_second", value=20, was=15))[0]
    mine = read_text(FLEET, TEXT.replace(": 15/s by", ": 16/s by").replace("horizon: 1y", "horizon: 2y"))

    with pytest.raises(EditConflictError) as conflict:
        apply(theirs, as_one_edit(mine.edits))
    line, _ = mine.place(conflict.value.at, conflict.value.name) or (0, 0)
    settled = apply(theirs, as_one_edit(settle(theirs, mine.edits, keep_mine=keep_mine)))[0]

    assert ": 15/s by" in TEXT.splitlines()[line - 1]
    assert settled.by_id["read-track"].rate_per_second == rate
    assert settled.horizon_months == 24


def test_what_others_changed_is_not_removed_unless_that_is_chosen() -> None:
    start, end = TEXT.index("  latest:"), TEXT.index("  alerts:")
    mine = read_text(FLEET, TEXT[:start] + TEXT[end:])
    theirs = apply(FLEET, Set(at="read-fleet", name="rate_per_second", value=41, was=40))[0]

    assert mine.removed_count == 1
    with pytest.raises(EditConflictError):
        apply(theirs, as_one_edit(mine.edits))
    assert "latest" in apply(theirs, as_one_edit(settle(theirs, mine.edits, keep_mine=False)))[0].by_id
    assert "latest" not in apply(theirs, as_one_edit(settle(theirs, mine.edits, keep_mine=True)))[0].by_id


def test_the_same_text_twice_changes_nothing_more() -> None:
    mine = read_text(FLEET, TEXT.replace("b: json(500B, 8kB)", "b: json(500B, 8kB)\n          c: json(5B)"))
    once = apply(FLEET, as_one_edit(mine.edits))[0]

    assert apply(once, as_one_edit(mine.edits))[1] == Batch()


def test_an_accepted_risk_stays_on_its_element() -> None:
    ignore = {"id": "i1", "rule": "K026", "at": "alert-time", "reason": "few", "owner": "Ana"}
    spec = apply(FLEET, Insert(parent="", list="ignores", element=ignore))[0]
    text = dump_compact(spec, with_ids=False)

    assert "alert-time" in text
    assert read_text(spec, text).spec == spec
    assert read_text(spec, text.replace("  alerts:", "  alarms:", 1)).spec.ignores[0].at == "alert-time"


def test_a_text_that_is_no_design_says_where() -> None:
    with pytest.raises(InvalidDocumentError) as wrong:
        read_text(FLEET, TEXT.replace(": 15/s by", ": fast by"))

    (problem,) = wrong.value.problems
    assert problem.line
    assert ": 15/s by" in TEXT.splitlines()[problem.line - 1]


def test_ids_that_a_text_gives_are_known() -> None:
    _, places = load_compact("format: 1\nfields:\n  a: id=x1\n  b: {}\n")

    assert places.written_ids == {"x1"}


def test_a_large_design_is_emptied_at_once_and_what_others_changed_is_guarded() -> None:
    before = wide_design(200, columns=1)

    edits = read_text(before, '{"name": "x"}').edits

    gone = {edit.at: edit for edit in edits if isinstance(edit, Remove)}
    assert {table.id for table in before.tables} <= gone.keys()
    assert all(edit.was_hash == hash_of(before.find(at)) for at, edit in gone.items())
    assert not apply(before, as_one_edit(edits))[0].by_id
