"""Sections: a change makes the verdicts on its own section stale, and on no other."""

import random
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from designer.document import Element, Spec
from designer.document.base import walk
from designer.document.dump import to_plain_data
from designer.document.edits import Clear, Edit, Insert, Move, Remove, Set, apply
from designer.document.load import from_data
from designer.document.table import RowKind, Table
from designer.examples import examples
from reviews.pdf.sections import sections
from reviews.verdicts.authorship import RevisionStep, last_change_by, section_marks
from reviews.verdicts.section_contents import settings
from reviews.verdicts.sections import SECTIONS, contents, cost, hashes, parts_hashes, section_of, titles
from tests.cases import cases
from tests.estimates import bill, bill_line, estimate_of

KEY = [
    {"id": "s1", "kind": "field", "field": "d", "after": "#"},
    {"id": "s2", "kind": "time"},
]
DATA: dict[str, Any] = {
    "name": "Balloons", "description": "for the weather",
    "fields": [
        {"id": "o", "name": "owner", "kind": "string"},
        {"id": "d", "name": "device", "kind": "string", "belongs_to": "o"},
        {"id": "q", "name": "metric", "kind": "string"},
        {"id": "e", "name": "extra", "kind": "string"},
    ],
    "activities": [{"id": "a", "name": "reports", "rate_per_second": 5000}],
    "tables": [{
        "id": "t", "name": "readings",
        "row_kinds": [{
            "id": "k", "key": KEY, "writes": [{"id": "w", "name": "put", "activity": "a"}],
            "reads": [{"id": "r", "name": "one day", "rate_per_second": 10}],
        }],
        "families": [
            {"id": "f", "name": "m", "columns": [
                {"id": "c", "qualifier": "v"},
                {"id": "c2", "qualifier_from": [{"id": "qs", "kind": "field", "field": "q"}]},
            ]},
            {"id": "g", "name": "n"},
        ],
        "backups": [{"id": "b"}],
    }],
    "instance": {"clusters": [{"id": "cl", "name": "main", "region": "us-west2"}]},
    "ignores": [{"id": "i", "rule": "K004", "at": "s2", "reason": "known", "owner": "Ana"}],
}  # fmt: skip


IGNORE = {"id": "j", "rule": "C001", "at": "cl", "reason": "x", "owner": "y"}


def spec() -> Spec:
    return from_data(DATA)


def stale(*edits: Edit, of: Spec | None = None) -> set[str]:
    """The sections whose verdicts the edits make stale; the cost is not computed here."""
    before = after = of or spec()
    for edit in edits:
        after, _ = apply(after, edit)
    was, now = parts_hashes(to_plain_data(before)), parts_hashes(to_plain_data(after))
    return {name for name in was if was[name] != now[name]}


@cases("edit, sections", [
        (Set(at="s2", name="resolution", value="day"), {"keys"}),
        (Set(at="s1", name="after", value="/", was="#"), {"keys"}),
        (Set(at="t", name="name", value="data", was="readings"), {"keys"}),
        (Set(at="d", name="distinct", value=40), {"keys"}),
        (Set(at="o", name="distinct", value=40), {"keys"}),
        (Move(at="s1", before=None, was_before="s2"), {"keys"}),
        (Set(at="q", name="distinct", value=40), {"families"}),
        (Set(at="f", name="gc", value={"kind": "max_versions", "versions": 1}), {"families"}),
        (Set(at="c", name="presence", value=0.5), {"families"}),
        (Set(at="t", name="deletion_protection", value=True), {"families"}),
        (Set(at="b", name="kept_days", value=30), {"families"}),
        (Set(at="k", name="columns", value=["c"], was=[]), {"families"}),
        (Set(at="e", name="distinct", value=40), {"workload"}),
        (Set(at="a", name="rate_per_second", value=1, was=5000), {"workload"}),
        (Set(at="w", name="mode", value="overwrite", was=None), {"workload"}),
        (Set(at="r", name="rate_per_second", value=1, was=10), {"workload"}),
        (Set(at="t", name="history_months", value=3), {"workload"}),
        (Set(at="", name="horizon_months", value=36), {"workload"}),
        (Set(at="cl", name="region", value="us-east1", was="us-west2"), {"instance"}),
        (Set(at="", name="instance.storage", value="hdd"), {"instance"}),
        (Set(at="", name="instance.price_book", value="bigtable-2026-01-01"), set()),
        (Set(at="", name="name", value="x", was="Balloons"), set()),
        (Set(at="", name="description", value="x", was="for the weather"), set()),
        (Set(at="t", name="description", value="x", was=""), set()),
        (Move(at="f", before=None, was_before="g"), set()),
        (Move(at="o", before=None, was_before="d"), set()),
        (Set(at="i", name="reason", value="because", was="known"), {"keys"}),
        (Set(at="", name="engine", value="tablestore", was="bigtable"), {"keys", "families", "workload", "instance"}),
        (Insert(parent="", list="ignores", element=IGNORE), {"instance"}),
        (Remove(at="b"), {"families"}),
        (Insert(parent="t", list="families", element={"id": "h", "name": "x"}), {"families"}),
    ])  # fmt: skip
def test_a_change_touches_its_own_section_alone(edit: Edit, sections: set[str]) -> None:
    assert stale(edit) == sections


def test_a_field_that_joins_the_key_moves_to_the_keys() -> None:
    segment = {"id": "s3", "kind": "field", "field": "e"}

    assert stale(Insert(parent="k", list="key", element=segment)) == {"keys", "workload"}


def test_taking_a_change_back_makes_the_verdict_hold_again() -> None:
    edit = Set(at="d", name="distinct", value=40)

    assert stale(edit, Clear(at="d", name="distinct", was=40)) == set()


@pytest.mark.parametrize("slug", [one.slug for one in examples()[:3]])
def test_no_part_of_a_design_is_in_no_section(slug: str) -> None:
    """Whatever a person can change of an element shows in some section, except names and prices, whatever it is."""
    design = next(one.spec for one in examples() if one.slug == slug)
    data, was = to_plain_data(design), parts_hashes(to_plain_data(design))
    rng = random.Random(slug)
    ids = [element.id for element in walk(design) if isinstance(element, Element)]
    for at in rng.sample(ids, min(25, len(ids))):
        changed, touched = _changed(data, at), section_of(design, at)
        now = parts_hashes(changed)

        stale_now = {name for name in was if was[name] != now[name]}
        divided = isinstance(design.by_id[at], Table | RowKind)  # their parts are in several sections
        assert len(stale_now) == 1, at
        assert divided or stale_now == {touched}, at


def _changed(held: Any, at: str, field: str = "otherwise") -> Any:
    """The same data with one element that is otherwise: in a field, or in a way that no section knows."""
    if isinstance(held, dict):
        more = {field: "otherwise"} if held.get("id") == at else {}
        return {**{name: _changed(inner, at, field) for name, inner in held.items()}, **more}
    if isinstance(held, list):
        return [_changed(inner, at, field) for inner in held]
    return held


def test_every_section_has_a_hash_and_the_cost_is_its_lines_to_the_cent() -> None:
    made = estimate_of(spec())
    was = hashes(spec(), made)
    half_a_cent = replace(bill_line("node", "474.504"), low=Decimal(1))
    a_cent = bill_line("node", "474.51")

    assert sorted(was) == sorted(SECTIONS)
    for line, same in ((half_a_cent, True), (a_cent, False), (replace(half_a_cent, where="us-west2"), False)):
        changed = replace(made, bills=(replace(bill(open_line=True), lines=(line, *made.bills[0].lines[1:])),))
        now = hashes(spec(), changed)
        assert (now["cost"] == was["cost"]) is same
        assert all(now[name] == was[name] for name in was if name != "cost")


def test_a_line_that_gets_a_price_changes_the_cost_and_a_design_without_bill_has_none() -> None:
    made = estimate_of(spec())
    lines = tuple(bill_line("in_memory", "0") if one.cost is None else one for one in made.bills[0].lines)

    assert cost(replace(made, bills=(replace(made.bills[0], lines=lines),))) != cost(made)
    assert cost(replace(made, bills=())) is None


@pytest.mark.parametrize("slug", [one.slug for one in examples()[:3]])
def test_all_that_is_set_is_told_in_the_section_whose_verdict_hangs_on_it(slug: str) -> None:
    design = next(one.spec for one in examples() if one.slug == slug)
    told = {(one.at, one.title): name for name in SECTIONS for one in settings(design, name)}
    data = to_plain_data(design)
    for at, element in design.by_id.items():
        for field in to_plain_data(element):
            info = type(element).model_fields[field]
            if (at, info.title) in told and told[at, info.title] != "cost":
                now = parts_hashes(_changed(data, at, field))
                was = parts_hashes(data)
                assert now[told[at, info.title]] != was[told[at, info.title]], (at, field)
    assert len(told) > 20


def test_names_are_told_as_they_are_and_choices_in_words() -> None:
    told = {one.title: str(one.value) for one in settings(from_data({
        "tables": [{"id": "t", "families": [{"id": "f", "name": "s", "columns": [{"id": "c", "qualifier": "day"}]}]}],
        "instance": {"storage": "hdd", "edition": "enterprise_plus"},
    }), "families")}  # fmt: skip

    assert (told["Name"], told["Qualifier"]) == ("s", "day")


# --- whose work it is ---------------------------------------------------------------------------------------------


def history(*steps: tuple[str, Edit | None]) -> tuple[list[RevisionStep], dict[str, dict[Any, str]]]:
    """A history of who changed what, newest first, and the marks of its documents."""
    seen, held, now = [], {}, spec()
    for number, (who, edit) in enumerate(steps, 1):
        now = apply(now, edit)[0] if edit else now
        held[str(number)] = section_marks(to_plain_data(now))
        seen.append(RevisionStep(number, who, str(number)))
    return seen[::-1], held


def test_who_changed_a_section_is_its_author_and_of_no_other() -> None:
    steps, held = history(
        ("ana", None),
        ("ben", Set(at="s2", name="resolution", value="day")),
        ("cy", Set(at="f", name="gc", value={"kind": "max_age", "age_days": 1})),
        ("ben", Set(at="", name="name", value="x", was="Balloons")),
    )
    numbers = {
        (who, name): last_change_by(who, name, steps, read=held.__getitem__)
        for who in ("ben", "cy")
        for name in SECTIONS
    }

    assert {pair: number for pair, number in numbers.items() if number} == {
        ("ben", "keys"): 2, ("cy", "families"): 3, ("ben", "cost"): 2, ("cy", "cost"): 3,
    }  # fmt: skip


def test_who_began_a_design_is_author_of_all_that_was_in_it() -> None:
    steps, held = history(("ana", None))

    assert [last_change_by("ana", name, steps, read=held.__getitem__) for name in SECTIONS] == [1] * 5


def test_entering_a_price_is_work_on_the_cost() -> None:
    price = {"sku": "node", "usd": "0.5"}
    steps, held = history(("ana", None), ("ben", Set(at="", name="instance.prices", value=[price], was=[])))

    assert [name for name in SECTIONS if last_change_by("ben", name, steps, read=held.__getitem__)] == ["cost"]


def test_no_section_of_a_tablestore_design_is_called_in_words_of_bigtable() -> None:
    told = (*titles("tablestore").values(), *contents("tablestore").values())
    told += tuple(f"{one.title} {one.holds}" for one in sections("tablestore").values())

    assert set(titles("tablestore")) == set(contents("tablestore")) == set(SECTIONS)
    assert [one for one in told if re.search("famil|row key|cluster|node|profile|garbage|backup", one, re.I)] == []
