"""Several elements are removed, duplicated and moved in one step."""

from itertools import count

import pytest

from designer.document import Spec
from designer.document.base import walk
from designer.document.dump import to_plain_data
from designer.document.edits import EditConflictError, apply
from designer.document.load import from_data
from designer.editing import selection
from designer.examples import example
from designer.examples.index import GROUPS
from tests.cases import cases

FLEET = example("iot-fleet").spec


def ids() -> selection.NewId:
    numbers = count()
    return lambda: f"new{next(numbers)}"


def test_what_is_inside_another_chosen_element_goes_with_it() -> None:
    assert selection.outermost(FLEET, {"latest", "read-fleet", "alerts"}) == ("latest", "alerts")


def test_elements_are_removed_with_what_is_nothing_without_them_and_come_back_at_once() -> None:
    edit = selection.remove(FLEET, ("vehicle", "read-day"))
    after, back = apply(FLEET, edit)

    assert {"vehicle", "read-day", "latest-vehicle"}.isdisjoint(after.by_id)
    assert apply(after, back)[0] == FLEET
    assert "latest-vehicle" in selection.users_outside(FLEET, ("vehicle",))
    assert selection.users_outside(FLEET, ("read-day",)) == ()


@cases("slug", [slug for slugs in GROUPS.values() for slug in slugs[:2]])
def test_a_copy_of_each_table_says_the_same_under_ids_and_a_name_of_its_own(slug: str) -> None:
    spec = example(slug).spec
    edit, made = selection.duplicate(spec, tuple(table.id for table in spec.tables), new_id=ids())
    after = apply(spec, edit)[0]

    assert len(after.tables) == 2 * len(spec.tables) == 2 * len(made)
    assert len({table.name for table in after.tables}) == len(after.tables)
    assert len([*walk(after.tables[0])]) == len([*walk(after.tables[1])])
    assert after.tables[0] == spec.tables[0]


def test_a_copy_refers_to_its_own_parts() -> None:
    kind = {"id": "k", "key": [{"id": "s", "kind": "literal", "text": "c"}], "reads": [{"id": "r", "columns": ["c"]}]}
    families = [{"id": "f", "columns": [{"id": "c", "qualifier": "v"}]}]
    spec = from_data({"tables": [{"id": "t", "name": "t", "row_kinds": [kind], "families": families}]})
    copy = apply(spec, selection.duplicate(spec, ("t",), new_id=ids())[0])[0].tables[1]

    assert copy.row_kinds[0].reads[0].columns == (copy.families[0].columns[0].id,)
    assert copy.row_kinds[0].key[0].text == "c"  # type: ignore[union-attr] # a text that is an id by chance
    assert copy.name == "t_2"


def test_reads_and_families_move_to_a_table() -> None:
    after = apply(FLEET, selection.move(FLEET, ("read-vehicle", "latest-family"), "alerts"))[0]

    assert "read-vehicle" in {read.id for read in after.find("alert-row").reads}
    assert [family.id for family in after.find("alerts").families] == ["alert-family", "latest-family"]


def test_a_family_gets_a_free_name_in_a_table_that_has_its_own_and_goes_back_as_it_was() -> None:
    tables = [{"id": id_, "families": [{"id": f"{id_}-d", "name": "d"}]} for id_ in ("a", "b", "c")]
    spec = from_data({"tables": tables})
    after, back = apply(spec, selection.move(spec, ("b-d", "c-d"), "a"))

    assert [(family.id, family.name) for family in after.find("a").families] == [
        ("a-d", "d"), ("b-d", "d_2"), ("c-d", "d_3")
    ]  # fmt: skip
    assert apply(after, back)[0] == spec


COLUMNS = from_data({
    "tables": [
        {"id": "t", "name": "t", "families": [
            {"id": "d", "name": "d", "columns": [{"id": "a", "qualifier": "v"}, {"id": "b", "qualifier": "w"}]},
            {"id": "e", "name": "e", "columns": [{"id": "c", "qualifier": "v"}]},
        ]},
        {"id": "u", "name": "u", "families": [{"id": "f", "name": "f"}, {"id": "g", "name": "g"}]},
        {"id": "bare", "name": "bare"},
    ],
})  # fmt: skip


def columns_by_family(spec: Spec) -> dict[str, list[tuple[str, str]]]:
    families = [family for table in spec.tables for family in table.families]
    return {family.id: [(column.id, column.qualifier) for column in family.columns] for family in families}


def test_columns_move_to_a_family_under_a_free_name_and_back_as_they_were() -> None:
    after, back = apply(COLUMNS, selection.move(COLUMNS, ("a", "b"), "e"))

    assert columns_by_family(after)["d"] == []
    assert columns_by_family(after)["e"] == [("c", "v"), ("a", "v_2"), ("b", "w")]
    assert apply(after, back)[0] == COLUMNS


def test_columns_that_are_dropped_on_a_table_go_to_its_first_family_and_stay_in_their_own_table() -> None:
    after, _ = apply(COLUMNS, selection.move(COLUMNS, ("c",), "u"))

    assert columns_by_family(after)["f"] == [("c", "v")]
    assert selection.move(COLUMNS, ("c",), "t").edits == ()
    with pytest.raises(EditConflictError):
        selection.move(COLUMNS, ("c",), "bare")


def test_columns_that_leave_a_table_leave_the_lists_of_its_rows_writes_and_reads() -> None:
    kind = {
        "id": "k", "columns": ["a", "b", "c"],
        "writes": [{"id": "w", "columns": ["a", "c"]}, {"id": "x", "columns": ["a"]}],
        "reads": [{"id": "r", "columns": ["b", "c"], "families": ["d", "e"]}],
    }  # fmt: skip
    data = to_plain_data(COLUMNS)
    data["tables"][0]["row_kinds"] = [kind]
    spec = from_data(data)

    within, _ = apply(spec, selection.move(spec, ("a",), "e"))
    assert within.find("k") == spec.find("k")

    after, back = apply(spec, selection.move(spec, ("d",), "u"))
    assert after.find("k").columns == after.find("w").columns == after.find("r").columns == ("c",)
    assert after.find("r").families == ("e",)
    assert after.find("x").columns == ("a",)  # an empty list would be all columns
    assert apply(after, back)[0] == spec


def test_nothing_moves_where_it_cannot_be() -> None:
    with pytest.raises(EditConflictError):
        selection.move(FLEET, ("read-vehicle",), "fleet")
    assert selection.move(FLEET, ("read-day",), "alerts").edits == ()
    assert selection.outermost(Spec(), {"x"}) == ()


@cases(
    "name, copy_name",
    [("t", "t_2"), ("t_2", "t_3"), ("Read 2", "Read 3"), ("events_2024", "events_2024_2"), ("day-01", "day-01_2")],
)
def test_a_copy_counts_on_as_its_name_is_counted(name: str, copy_name: str) -> None:
    spec = from_data({"tables": [{"id": "t", "name": name}]})
    after = apply(spec, selection.duplicate(spec, ("t",), new_id=ids())[0])[0]

    assert after.tables[1].name == copy_name


def test_a_copy_of_a_cluster_has_a_name_that_bigtable_takes() -> None:
    names = ("cluster-1", "tokyo")
    clusters = [{"id": f"c{place}", "name": name} for place, name in enumerate(names)]
    spec = from_data({"instance": {"clusters": clusters}})
    after = apply(spec, selection.duplicate(spec, ("c0", "c1"), new_id=ids())[0])[0]

    assert [cluster.name for cluster in after.instance.clusters] == ["cluster-1", "cluster-2", "tokyo", "tokyo-2"]
