"""What is added begins with what can be told from what is there; the outline holds what can be opened."""

from typing import Any

from designer.document import Spec
from designer.document.load import from_data
from designer.editing.element_defaults import initial_data
from designer.views.editor.outline import ALL_OPEN, MOST, OutlineGroup, outline, search


def spec(**more: Any) -> Spec:
    kind = {
        "id": "k", "name": "rows", "key": [{"id": "s", "kind": "field", "field": "d", "after": "#"}],
        "writes": [{"id": "w", "name": "put", "activity": "a"}],
    }  # fmt: skip
    table = {"id": "t", "name": "readings", "row_kinds": [kind], "families": [{"id": "f", "name": "a"}]}
    return from_data(
        {
            "fields": [{"id": "d", "name": "device"}], "tables": [table],
            "activities": [{"id": "a", "name": "reports"}, {"id": "b", "name": "alarms"}],
        } | more
    )  # fmt: skip


def begun(parent: str, name: str) -> dict[str, Any]:
    return initial_data(
        spec(), parent, name, id="new", format_message=lambda message, **params: message.format(**params)
    )


def test_a_family_begins_with_the_next_short_name() -> None:
    assert begun("t", "families") == {"id": "new", "name": "b"}
    assert begun("f", "columns") == {"id": "new", "qualifier": "a"}


def test_a_read_begins_with_the_field_that_the_key_leads_with() -> None:
    assert begun("k", "reads") == {"id": "new", "name": "By device", "binds": [{"field": "d"}]}


def test_a_write_begins_with_the_first_activity_that_does_not_write_here_yet() -> None:
    assert begun("k", "writes") == {"id": "new", "name": "alarms", "activity": "b"}


def test_a_field_begins_with_a_name_that_is_free() -> None:
    assert begun("", "fields") == {"id": "new", "name": "field_2"}


def groups(given: tuple[OutlineGroup, ...]) -> dict[str, OutlineGroup]:
    return {group.list: group for group in given}


def test_a_small_design_is_shown_whole_and_of_a_large_one_what_is_open() -> None:
    small = groups(outline(spec(), ""))["tables"].entries[0]
    assert [group.list for group in small.groups] == ["row_kinds", "families", "backups"]

    many = tuple({"id": f"t{n}", "name": f"t{n}", "families": [{"id": f"f{n}"}]} for n in range(ALL_OPEN))
    large = groups(outline(spec(tables=many), "f1"))["tables"]
    assert [entry.id for entry in large.entries if entry.groups] == ["t1"]
    assert large.left_out == ALL_OPEN - MOST


def test_what_is_open_within_a_key_is_its_row_kind() -> None:
    table = groups(outline(spec(), "s"))["tables"].entries[0]
    assert groups(table.groups)["row_kinds"].entries[0].open


def test_a_search_finds_names_and_those_first_that_begin_with_the_words() -> None:
    hits = search(spec(fields=[{"id": "d", "name": "device"}, {"id": "x", "name": "old reading"}]), "READ")
    assert [hit.name for hit in hits] == ["readings", "old reading"]
    assert search(spec(), " ") == ()
