"""Edits: they apply, are taken back, and never overwrite what somebody else changed."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.document import Element, Spec, dump, load, load_file
from designer.document.base import walk
from designer.document.design import path_of, paths
from designer.document.dump import compact_text, to_plain_data
from designer.document.edits import (
    NOTHING,
    Batch,
    Clear,
    Edit,
    EditConflictError,
    ElementInUseError,
    Insert,
    InvalidResultError,
    Move,
    Remove,
    ReplaceAll,
    Set,
    apply,
    current_value,
    hash_of,
    removal,
    removal_with_uses,
    rename_index_tables,
    rewrite_list,
)
from designer.document.key import LiteralSegment
from designer.document.references import references, targets
from tests.cases import cases

EXAMPLES = sorted((Path(__file__).parents[3] / "designer/examples").glob("*.json"))
SPECS = [load_file(path) for path in EXAMPLES]

DESIGN = load(
    """{"fields": [{"id": "tenant", "name": "tenant"}, {"id": "device", "name": "device", "belongs_to": "tenant"}],
    "activities": [{"id": "seen", "rate_per_second": 5, "draws": [{"field": "device"}]}],
    "tables": [{"id": "t", "name": "readings",
      "row_kinds": [{"id": "r",
        "key": [{"id": "k1", "kind": "field", "field": "tenant", "after": "#"},
                {"id": "k2", "kind": "field", "field": "device", "after": "#"},
                {"id": "k3", "kind": "time"}],
        "writes": [{"id": "w", "activity": "seen", "columns": ["c1"]}],
        "reads": [{"id": "q", "binds": [{"field": "tenant"}, {"field": "device"}], "columns": ["c1", "c2"]}]}],
      "families": [{"id": "f", "columns": [{"id": "c1", "qualifier": "a"}, {"id": "c2", "qualifier": "b"}]}]}],
    "instance": {"clusters": [{"id": "tokyo", "region": "asia-northeast1"}]}}"""
)


def test_a_field_is_set_and_the_rest_stays_the_very_same() -> None:
    after, inverse = apply(DESIGN, Set(at="seen", name="rate_per_second", value=7, was=5))

    assert after.find("seen").rate_per_second == 7
    assert after.tables[0] is DESIGN.tables[0]
    assert inverse == Set(at="seen", name="rate_per_second", value=5, was=7)
    assert apply(after, inverse)[0] == DESIGN


def test_who_comes_second_is_told_mine_and_theirs() -> None:
    with pytest.raises(EditConflictError, match="while you were editing: it is now 5, and you entered 9") as refused:
        apply(DESIGN, Set(at="seen", name="rate_per_second", value=9, was=4))
    assert (refused.value.at, refused.value.name) == ("seen", "rate_per_second")
    assert (refused.value.mine, refused.value.theirs) == (9, 5)


def test_what_is_already_so_needs_nothing() -> None:
    same = Set(at="seen", name="rate_per_second", value=5, was=4)
    again = Insert(parent="", list="fields", element={"id": "tenant", "name": "tenant"})

    assert apply(DESIGN, same) == (DESIGN, NOTHING)
    assert apply(DESIGN, again) == (DESIGN, NOTHING)
    assert apply(DESIGN, Remove(at="nothing")) == (DESIGN, NOTHING)
    assert apply(DESIGN, Move(at="k1", before="k2")) == (DESIGN, NOTHING)


def test_a_cleared_field_is_a_guess_again() -> None:
    after, inverse = apply(DESIGN, Clear(at="seen", name="rate_per_second", was=5))

    assert after.find("seen").rate_per_second is None
    assert "rate_per_second" not in dump(after)
    assert apply(after, inverse)[0] == DESIGN


def test_names_may_go_through_parts_that_are_always_there() -> None:
    after, _ = apply(DESIGN, Set(at="", name="instance.edition", value="enterprise_plus"))
    after, inverse = apply(after, Set(at="c1", name="value.kind", value="json"))

    assert after.instance.edition == "enterprise_plus"
    assert after.find("c1").value.kind == "json"
    assert after.find("c2").value.kind is None
    assert apply(after, inverse)[0].find("c1") == DESIGN.find("c1")


def test_a_was_may_spell_a_value_in_any_way() -> None:
    after, _ = apply(DESIGN, Set(at="f", name="gc", value={"kind": "max_age", "age_days": 30}))
    after, _ = apply(after, Set(at="f", name="gc", value=None, was={"age_days": 30.0, "kind": "max_age"}))
    assert after == DESIGN


def test_elements_are_inserted_moved_and_removed_in_their_lists() -> None:
    new = {"id": "k0", "kind": "salt", "modulo": 8, "after": "#"}
    after, back = apply(DESIGN, Insert(parent="r", list="key", element=new, before="k1"))
    assert [segment.id for segment in after.find("r").key] == ["k0", "k1", "k2", "k3"]
    assert apply(after, back)[0] == DESIGN

    after, back = apply(DESIGN, Move(at="k3", before="k1", was_before=None))
    assert [segment.id for segment in after.find("r").key] == ["k3", "k1", "k2"]
    assert apply(after, back)[0] == DESIGN

    after, back = apply(DESIGN, removal(DESIGN, "tokyo"))
    assert after.instance.clusters == ()
    assert back == Insert(parent="", list="instance.clusters", element=to_plain_data(DESIGN.find("tokyo")))


IN_COLUMNS = load(
    """{"engine": "tablestore", "fields": [{"id": "a"}, {"id": "b"}], "tables": [{"id": "t", "row_kinds": [{"id": "r",
    "key_columns": [{"id": "one", "segments": [{"id": "sa", "kind": "field", "field": "a"}]},
                    {"id": "two", "segments": [{"id": "sb", "kind": "field", "field": "b"}]}]}]}]}"""
)
ACROSS = Move(at="sa", before="sb", parent="two", was_parent="one")


def test_an_element_is_moved_into_the_same_list_of_another_element_and_back() -> None:
    after, back = apply(IN_COLUMNS, ACROSS)
    one, two = after.find("r").key_columns

    assert one.segments == ()
    assert [segment.id for segment in two.segments] == ["sa", "sb"]
    assert apply(after, ACROSS) == (after, NOTHING)
    assert apply(after, back)[0] == IN_COLUMNS


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"was_parent": "two"}, "was changed while you were editing"),
        ({"was_before": "sb"}, "was changed while you were editing"),
        ({"before": "sx"}, "was removed while you were editing"),
        ({"parent": "gone"}, "was removed while you were editing"),
        ({"parent": "r"}, "no field"),
        ({"parent": "t"}, "no field"),
    ],
)
def test_an_element_is_not_moved_where_it_does_not_belong_or_from_where_it_is_not(
    change: dict[str, str], sentence: str
) -> None:
    with pytest.raises(EditConflictError, match=sentence):
        apply(IN_COLUMNS, ACROSS.model_copy(update=change))


def test_what_was_changed_since_is_not_removed() -> None:
    after, _ = apply(DESIGN, Set(at="k1", name="after", value="/", was="#"))

    with pytest.raises(EditConflictError, match="changed since"):
        apply(after, removal(DESIGN, "k1"))


def test_removing_a_field_in_use_names_its_uses() -> None:
    with pytest.raises(ElementInUseError, match=r"tables\[0\]\.row_kinds\[0\]\.key\[1\]\.field") as refused:
        apply(DESIGN, removal(DESIGN, "device"))
    assert {use.holder for use in refused.value.uses} == {"seen", "k2", "q"}


def test_a_field_is_removed_with_its_uses_and_comes_back_with_them() -> None:
    after, inverse = apply(DESIGN, removal_with_uses(DESIGN, "tenant"))

    assert [field.id for field in after.fields] == ["device"]
    assert after.find("device").belongs_to is None
    assert [segment.id for segment in after.find("r").key] == ["k2", "k3"]
    assert [bind.field for bind in after.find("q").binds] == ["device"]
    assert apply(after, inverse)[0] == DESIGN


def test_a_write_goes_with_its_only_column() -> None:
    after, inverse = apply(DESIGN, removal_with_uses(DESIGN, "c1"))

    assert after.find("r").writes == ()
    assert after.find("q").columns == ("c2",)
    assert apply(after, inverse)[0] == DESIGN


@pytest.mark.parametrize("spec", SPECS, ids=[path.stem for path in EXAMPLES])
def test_everything_in_the_examples_can_be_removed_with_its_uses(spec: Spec) -> None:
    for element in list(spec.elements())[:60]:
        after, inverse = apply(spec, removal_with_uses(spec, element.id))

        assert element.id not in after.by_id
        assert apply(after, inverse)[0] == spec


@cases("edit, sentence", [
        (Set(at="gone", name="name", value="x"), "was removed while you were editing"),
        (Move(at="gone"), "was removed while you were editing"),
        (Set(at="t", name="nam", value="x"), 'this element has no field "nam"'),
        (Set(at="t", name="id", value="x", was="t"), 'no field "id"'),
        (Set(at="k1", name="kind", value="time", was="field"), 'no field "kind"'),
        (Set(at="r", name="key", value=[]), 'no field "key"'),
        (Set(at="", name="instance", value={}), 'no field "instance"'),
        (Set(at="", name="__class__", value="x"), "no field"),
        (Set(at="f", name="gc.kind", value="x"), "no field"),
        (Insert(parent="t", list="name", element={}), "no field"),
        (Insert(parent="r", list="key", element={"id": "t", "kind": "time"}),
         'an element with the id "t" already exists'),
        (Insert(parent="r", list="key", element={"id": "k9", "kind": "tme"}),
         r'kind: "tme" is not allowed here; did you mean "time"'),
        (Set(at="seen", name="rate_per_second", value=-1, was=5), "rate_per_second: -1 is too small"),
        (Set(at="k1", name="field", value="seen", was="tenant"), "is the id of an element of another kind"),
        (Set(at="tenant", name="belongs_to", value="device"), "belongs_to refers back to this field in a cycle"),
        (ReplaceAll(document={"format": 1}, was="0"), "the design has changed since"),
    ])  # fmt: skip
def test_what_cannot_be_done_is_a_conflict_with_a_sentence(edit: Edit, sentence: str) -> None:
    with pytest.raises(EditConflictError, match=sentence):
        apply(DESIGN, edit)


def test_an_invalid_value_lands_on_its_field() -> None:
    with pytest.raises(InvalidResultError) as refused:
        apply(DESIGN, Set(at="f", name="gc", value={"kind": "max_age", "age_days": -3}))
    assert refused.value.problems[0].path == ("gc", "age_days")
    assert (refused.value.at, refused.value.name) == ("f", "gc")


def test_what_no_file_could_hold_is_refused() -> None:
    endless: dict[str, Any] = {"kind": "never"}
    for _ in range(70):
        endless = {"kind": "union", "rules": [endless]}

    with pytest.raises(EditConflictError, match="too deep"):
        apply(DESIGN, Set(at="f", name="gc", value=endless))
    with pytest.raises(EditConflictError, match="a value that cannot be stored in a file"):
        apply(DESIGN, Set(at="t", name="name", value="\ud800", was="readings"))


def test_a_batch_is_all_or_nothing_and_may_be_invalid_on_the_way() -> None:
    good = Batch(
        edits=(
            Set(at="k1", name="field", value="owner", was="tenant"),
            Insert(parent="", list="fields", element={"id": "owner"}),
        )
    )
    after, inverse = apply(DESIGN, good)
    assert after.find("k1").field == "owner"
    assert apply(after, inverse)[0] == DESIGN

    with pytest.raises(EditConflictError):
        apply(DESIGN, Batch(edits=(*good.edits, Set(at="k1", name="after", value="/", was="?"))))


def test_a_document_is_replaced_and_comes_back() -> None:
    from designer.document import fingerprint

    after, inverse = apply(DESIGN, ReplaceAll(document={"format": 1, "name": "new"}, was=fingerprint(DESIGN)))

    assert after == Spec(name="new")
    assert apply(after, inverse)[0] == DESIGN


def test_a_list_is_rewritten_by_few_edits() -> None:
    k1, _, k3 = DESIGN.find("r").key
    wanted = (k3, LiteralSegment(id="k9", text="x"), k1.model_copy(update={"after": "/"}))

    batch = rewrite_list(DESIGN, "r", "key", wanted)
    after, inverse = apply(DESIGN, batch)

    assert after.find("r").key == wanted
    assert [type(edit).__name__ for edit in batch.edits] == ["Remove", "Move", "Insert", "Set"]
    assert apply(after, inverse)[0] == DESIGN


@given(
    st.permutations(["k1", "k2", "k3", "n1", "n2"]),
    st.integers(0, 5),
    st.sampled_from(["literal", "same", "changed"]),
)
def test_any_list_is_rewritten_into_any_other_and_back(order: list[str], length: int, how: str) -> None:
    made = {id_: LiteralSegment(id=id_, text=id_) for id_ in order}
    if how != "literal":
        made |= {segment.id: segment for segment in DESIGN.find("r").key}
    if how == "changed":
        made = {id_: segment.model_copy(update={"after": "|"}) for id_, segment in made.items()}
    wanted = tuple(made[id_] for id_ in order[:length])

    after, inverse = apply(DESIGN, rewrite_list(DESIGN, "r", "key", wanted))

    assert after.find("r").key == wanted
    assert apply(after, inverse)[0] == DESIGN


def test_an_edit_is_data() -> None:
    edit = Batch(
        edits=(Set(at="t", name="name", value="x", was="readings"), Remove(at="k1", was_hash="ab")), label="two"
    )
    assert Batch.model_validate_json(edit.model_dump_json()) == edit


@st.composite
def _edits(draw: st.DrawFn) -> tuple[Spec, Edit]:
    """A design and an edit of it that is well-formed: an element's field taken from elsewhere, a removal, a move."""
    spec = draw(st.sampled_from(SPECS))
    ways = [(path, element) for path, element in paths(spec)]
    path, element = draw(st.sampled_from(ways))
    kind = draw(st.sampled_from(["set", "remove", "remove with uses", "move", "insert"]))
    if kind == "set":
        name = draw(st.sampled_from([n for n in type(element).model_fields if n not in ("id", "kind")]))
        alike = [other for _, other in ways if type(other) is type(element)]
        value: Any = to_plain_data(getattr(draw(st.sampled_from(alike)), name))
        return spec, Set(at=element.id, name=name, value=value, was=current_value(spec, element.id, name))
    if kind == "remove":
        return spec, removal(spec, element.id)
    if kind == "remove with uses":
        return spec, removal_with_uses(spec, element.id)
    owner: Any = spec
    for step in path[:-1]:
        owner = owner[step] if isinstance(step, int) else getattr(owner, step)
    siblings = [sibling.id for sibling in owner]
    before = draw(st.none() | st.sampled_from(siblings))
    if kind == "move":
        return spec, Move(at=element.id, before=before, was_before=[*siblings, None][siblings.index(element.id) + 1])
    copy = {**to_plain_data(element), "id": "new-one"}
    inside = [part for part in walk(element) if isinstance(part, Element)]
    parent = next((e.id for way, e in reversed(ways) if path[: len(way)] == way and e is not element), "")
    name = "instance." + str(path[1]) if path[0] == "instance" else str(path[-2])
    return spec, Insert(
        parent=parent, list=name, element=copy if len(inside) == 1 else {"id": "new-one"}, before=before
    )


@given(_edits())
def test_an_edit_and_its_inverse_leave_things_as_they_were(made: tuple[Spec, Edit]) -> None:
    spec, edit = made
    try:
        after, inverse = apply(spec, edit)
    except EditConflictError:
        return

    again_read = load(dump(after))
    assert again_read == after
    assert compact_text(after) == json.dumps(to_plain_data(again_read), ensure_ascii=False, separators=(",", ":"))
    assert [element.id for element in after.elements()] == [element.id for _, element in paths(again_read)]
    assert set(targets(after)) == {(each.to, each.target) for each in references(again_read)}
    back, again = apply(after, inverse)
    assert back == spec
    assert dump(back) == dump(spec)
    assert apply(back, again)[0] == after
    assert apply(after, edit) == (after, NOTHING) or isinstance(edit, Batch)


def test_what_is_kept_with_a_part_stays_with_that_part() -> None:
    table = DESIGN.tables[0]
    first = compact_text(DESIGN), hash_of(table)

    changed = DESIGN.model_copy(update={"tables": (table.model_copy(update={"name": "other"}),)})
    loaded = pickle.loads(pickle.dumps(table))

    assert compact_text(changed) == first[0].replace('"readings"', '"other"')
    assert hash_of(changed.tables[0]) != first[1] == hash_of(loaded)
    assert loaded == table
    assert Spec.model_validate({"fields": DESIGN.fields, "activities": DESIGN.activities, "tables": (table,)})


def test_the_way_to_every_element_is_found_and_to_others_none() -> None:
    assert all(path_of(DESIGN, element.id) == path for path, element in paths(DESIGN))
    assert path_of(DESIGN, "nowhere") == path_of(DESIGN, "") == ()


def test_hashes_follow_the_content() -> None:
    assert hash_of(DESIGN.find("k1")) != hash_of(DESIGN.find("k2"))
    assert hash_of(DESIGN.find("t")) == hash_of(load(dump(DESIGN)).find("t"))


def test_an_index_table_follows_the_name_of_its_source() -> None:
    names = {"t": "orders", "by-user": "orders_by_user", "own": "lookups", "other": "orders_old"}
    derived = {"derived_from": {"table": "t", "how": "index_table"}}
    tables = [{"id": id, "name": name, **(derived if id in ("by-user", "own") else {})} for id, name in names.items()]  # noqa: A001
    spec = Spec.model_validate({"tables": tables})
    edit = Set(at="t", name="name", value="purchases", was="orders")

    after, back = apply(spec, rename_index_tables(spec, edit))
    assert [table.name for table in after.tables] == ["purchases", "purchases_by_user", "lookups", "orders_old"]
    assert apply(after, back)[0] == spec
    for other in (Set(at="by-user", name="name", value="x", was="orders_by_user"), replace_value(edit, "")):
        assert rename_index_tables(spec, other) is other


def replace_value(edit: Set, value: str) -> Set:
    return edit.model_copy(update={"value": value})
