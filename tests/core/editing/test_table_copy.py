"""Tables of another document, added to a design as one edit."""

from itertools import count

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import from_data
from designer.editing.table_copy import copy_tables
from designer.examples import example
from tests.designs import forty_tables


def ids() -> object:
    numbers = count()
    return lambda: f"new{next(numbers)}"


def test_every_example_can_be_added_to_every_other_design_whole() -> None:
    for slug in ("iot-fleet", "multi-tenant-devices", "campus-cards"):
        other = example(slug).spec

        spec, back = apply(
            forty_tables(), copy_tables(forty_tables(), other, [t.id for t in other.tables], new_id=ids())
        )

        assert [table.name for table in spec.tables[40:]] == [table.name for table in other.tables]
        assert len(spec.tables[40].row_kinds[0].segments) == len(other.tables[0].row_kinds[0].segments)
        assert apply(spec, back)[0] == forty_tables()


def test_a_field_of_the_same_name_is_the_same_field() -> None:
    other = from_data({"fields": [{"id": "x", "name": "tenant"}, {"id": "y", "name": "shop", "belongs_to": "x"}],
                       "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "r", "key": [
                           {"id": "k", "kind": "field", "field": "y"}]}]}]})  # fmt: skip

    spec, _ = apply(forty_tables(), copy_tables(forty_tables(), other, ["t"], new_id=ids()))

    shop = next(field for field in spec.fields if field.name == "shop")
    assert shop.belongs_to == "tenant"
    assert [field.name for field in spec.fields].count("tenant") == 1


def test_only_chosen_tables_come_and_what_points_elsewhere_is_left_out() -> None:
    other = from_data(
        {"activities": [{"id": "a", "name": "a"}],
         "instance": {"app_profiles": [{"id": "p", "name": "p"}]},
         "tables": [{"id": "t", "name": "t"},
                    {"id": "u", "name": "u", "derived_from": {"table": "t", "how": "index_table"},
                     "row_kinds": [{"id": "r", "writes": [{"id": "w", "activity": "a", "app_profile": "p"}]}]}]}
    )  # fmt: skip

    spec, _ = apply(Spec(), copy_tables(Spec(), other, ["u"], new_id=ids()))

    (table,) = spec.tables
    assert table.derived_from is None
    assert table.row_kinds[0].writes[0].app_profile is None
    assert spec.find(table.row_kinds[0].writes[0].activity).name == "a"


def test_fields_that_refer_to_each_other_come_together() -> None:
    other = from_data({"fields": [{"id": "x", "name": "shop", "belongs_to": "y"},
                                  {"id": "y", "name": "owner", "unique_within": "x"}],
                       "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "r", "key": [
                           {"id": "k", "kind": "field", "field": "x"}]}]}]})  # fmt: skip

    spec, back = apply(Spec(), copy_tables(Spec(), other, ["t"], new_id=ids()))

    fields = {field.name: field for field in spec.fields}
    assert fields["shop"].belongs_to == fields["owner"].id
    assert fields["owner"].unique_within == fields["shop"].id
    assert not apply(spec, back)[0].fields
