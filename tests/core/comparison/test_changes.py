"""What is told of two designs: added, changed, moved and removed elements, and that nothing is left out."""

from itertools import pairwise

from designer.document import Element, Model, Spec, fingerprint
from designer.document.base import slots
from designer.document.edits import Clear, Insert, Move, Remove, Set, apply
from designer.document.load import from_data
from designer.examples import examples
from designer.wording.formatting import english
from estimator.comparison.designs import SIGNS, align
from estimator.comparison.designs.changes import ElementChange, _kind_of, batch, changes
from estimator.comparison.designs.steps import LAST, RANKS
from tests.cases import cases
from tests.core.comparison.made import data, design, edited


def describe(change: ElementChange) -> str:
    """A change in a line."""
    values = [
        f"{f.title}: {english(f.was.message, f.was.params)} → {english(f.now.message, f.now.params)}"
        for f in change.fields
    ]
    was, now = english(change.was.message, change.was.params), english(change.now.message, change.now.params)
    where = " / ".join(change.place)
    return f"{SIGNS[change.sign]} {change.what} {where}: {'; '.join(values) or f'{was} → {now}'}"


def between(*edits) -> list[str]:
    return [describe(change) for change in changes(design(), edited(design(), *edits))]


def element_classes(model: type[Model], seen: set[type[Model]]) -> set[type[Model]]:
    """Every class of elements that a document can hold."""
    for slot in slots(model).values():
        for each in set(slot.classes) - seen:
            seen.add(each)
            element_classes(each, seen)
    return {each for each in seen if issubclass(each, Element)}


def test_every_kind_of_element_has_its_turn_among_the_steps() -> None:
    made = {_kind_of(each.model_construct(id="x")) for each in element_classes(Spec, set())}
    assert made <= {*RANKS, *LAST}


def test_two_equal_designs_have_no_changes() -> None:
    assert changes(design(), design()) == ()


def test_values_are_told_old_and_new_in_words() -> None:
    gc = {"kind": "max_age", "age_days": 90}
    assert between(
        Set(at="a", name="rate_per_second", value=4000, was=5000),
        Set(at="f", name="gc", value={"kind": "max_versions", "versions": 1}, was=gc),
        Set(at="", name="horizon_months", value=24, was=None),
        Set(at="c", name="value.typical_bytes", value=2048, was=1000),
        Set(at="", name="instance.storage", value="hdd", was=None),
        Set(at="r", name="binds", value=[{"field": "d", "values": 3}], was=[{"field": "d"}]),
    ) == [
        "~ Design : Horizon: not specified (assumed: 12 months) → 24 months",
        "~ Activity reports: Rate: 5,000/s → 4,000/s",
        "~ Read readings / a device's day: Specified fields: device → device, Values per request: 3",
        "~ Column family readings / m: Garbage collection: Deletes cells older than 90 days. → "
        "Keeps only the newest cell of each column.",
        "~ Column readings / m / v: Typical size: 0.977 KiB → 2 KiB",
        "~ Instance : Storage: not specified (assumed: SSD) → HDD",
    ]  # fmt: skip


def test_a_value_that_is_taken_away_says_what_is_assumed_instead() -> None:
    (line,) = between(Clear(at="r", name="rate_per_second", was=5))
    assert line == "~ Read readings / a device's day: Rate: 5/s → not set"


def test_two_different_values_are_never_told_in_the_same_words() -> None:
    week = {"kind": "week", "hours": [1] * 168}
    other = {"kind": "week", "hours": [2] + [1] * 167}
    before = edited(design(), Set(at="a", name="profile", value=week, was=None))
    (change,) = changes(before, edited(before, Set(at="a", name="profile", value=other, was=week)))
    (field,) = change.fields
    assert field.was != field.now

    before = edited(before, Set(at="a", name="rate_per_second", value=4_000_000, was=5000))
    (change,) = changes(before, edited(before, Set(at="a", name="rate_per_second", value=4_000_001, was=4_000_000)))
    assert english("{now}", {"now": change.fields[0].now}) == "4M/s (exactly 4,000,001)"


def test_a_segment_is_told_as_the_key_writes_it() -> None:
    other = Set(at="s1", name="after", value="|", was="#")
    assert between(Set(at="s2", name="reversed", value=True, was=False), other) == [
        "~ Key segment readings / device: {device}# → {device}|",
        "~ Key segment readings / time: {time} → {time:rev}",
    ]  # fmt: skip


def test_what_is_added_and_removed_stands_where_it_is() -> None:
    family = {"id": "g", "name": "x", "columns": [{"id": "gx", "qualifier": "y"}]}
    assert between(Insert(parent="t", list="families", element=family, before="f"), Remove(at="r")) == [
        "− Read readings / a device's day: device, the last day → ",
        "+ Column family readings / x:  → No garbage collection is specified: all cells are kept.",
    ]
    inside = [change.inside for change in changes(design(), edited(design(), Remove(at="t")))]
    assert inside == [7]


def test_the_fewest_are_said_to_have_moved() -> None:
    more = [
        Insert(parent="k", list="key", element={"id": f"x{n}", "kind": "literal", "text": str(n)}) for n in range(4)
    ]
    before = edited(design(), *more)
    after = edited(before, Move(at="x3", before="s1", was_before=None))
    assert [describe(change) for change in changes(before, after)] == ["→ Key segment readings / 3: after 2 → first"]


def test_a_column_that_goes_to_another_family_has_moved() -> None:
    given = data()
    given["tables"][0]["families"].append(
        {"id": "g", "name": "x", "columns": given["tables"][0]["families"][0].pop("columns")}
    )
    before = edited(design(), Insert(parent="t", list="families", element={"id": "g", "name": "x"}))
    assert [describe(change) for change in changes(before, from_data(given))] == [
        "→ Column readings / x / v: in readings › m → in readings › x"
    ]


def test_designs_without_common_ids_are_matched_by_name_and_kind() -> None:
    def with_ids(part):
        if isinstance(part, list):
            return [with_ids(one) for one in part]
        if not isinstance(part, dict):
            return names.get(part, part) if isinstance(part, str) else part
        return {name: with_ids(held) for name, held in part.items()}

    names = {old: f"{old}-other" for old in ("d", "a", "t", "k", "s1", "s2", "w", "r", "f", "c", "main")}
    given = with_ids(data())
    given["instance"]["clusters"][0]["name"] = "main"
    given["activities"][0]["rate_per_second"] = 3000
    found = align(design(), from_data(given))
    assert found.by == "name"
    assert found.own_ids["t"] == "t-other"
    assert [describe(change) for change in changes(design(), found.spec)] == [
        "~ Activity reports: Rate: 5,000/s → 3,000/s"
    ]


def test_a_file_without_ids_may_get_a_segment_in_front() -> None:
    def without(part):
        if isinstance(part, list):
            return [without(one) for one in part]
        return (
            {k: without(v) for k, v in part.items() if k != "id" or part.get("name")}
            if isinstance(part, dict)
            else part
        )

    given = without(data())
    before = from_data(given)
    given["tables"][0]["row_kinds"][0]["key"].insert(0, {"kind": "salt", "modulo": 8, "after": "#"})
    found = align(before, from_data(given))
    (line,) = [describe(change) for change in changes(before, found.spec)]
    assert line.startswith("+ Key segment readings / ")
    assert line.endswith(" → {salt():8}#")


@cases("one, other", list(pairwise(examples()))[::3])
def test_the_edits_of_all_changes_make_one_design_of_the_other(one, other) -> None:
    found = align(one.spec, other.spec)
    following, _ = apply(one.spec, batch(one.spec, found.spec, changes(one.spec, found.spec)))
    assert fingerprint(following) == fingerprint(found.spec)
