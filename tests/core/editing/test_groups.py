"""Which fields of an element a form shows at once, and which below "more"."""

from designer.document import Model, Spec
from designer.document.access import Read
from designer.document.engines import DESCRIPTIONS
from designer.document.family import Column, Family
from designer.document.groups import RARE, USUAL, has_meaning, split_fields, title
from designer.document.instance import Instance
from designer.document.load import from_data
from designer.document.table import Table
from designer.editing.forms.controls import control
from tests.cases import cases


def test_the_usual_fields_come_first_and_nothing_is_lost() -> None:
    first, more = split_fields(Read(id="r"), ("id_", "rate_per_second", "latency", "name"))

    assert first == ("name", "rate_per_second")
    assert more == ("id_", "latency")


@cases("model, fields", [*USUAL.items(), *RARE.items()])
def test_every_named_field_exists(model: type[Model], fields: tuple[str, ...]) -> None:
    assert set(fields) <= set(model.model_fields)


def test_what_is_set_is_shown_at_once() -> None:
    assert split_fields(Read(id="r"), ("name", "latency")) == (("name",), ("latency",))
    assert split_fields(Read(id="r", latency="batch"), ("name", "latency")) == (("name", "latency"), ())


def test_what_the_engine_does_not_have_is_left_out_unless_it_is_set() -> None:
    bigtable, tablestore = Spec(), from_data({"engine": "tablestore"})

    assert has_meaning(bigtable, Instance(), "edition")
    assert not has_meaning(bigtable, Instance(), "tablestore_type")
    assert not has_meaning(tablestore, Instance(), "edition")
    assert has_meaning(tablestore, Instance(edition="enterprise"), "edition")
    assert not has_meaning(tablestore, Family(id="f"), "gc")  # the table's versions and time to live say it all
    assert not has_meaning(tablestore, Read(id="r"), "families")
    assert title(tablestore, Column, "qualifier") == "Column name"
    assert has_meaning(tablestore, Family.model_validate({"id": "f", "gc": {"kind": "never"}}), "gc")
    assert (title(bigtable, Table, "families"), title(tablestore, Table, "families")) == (
        "Column families",
        "Attribute columns",
    )


def test_regions_know_where_they_stand_and_suggest_zones() -> None:
    assert DESCRIPTIONS["bigtable"].regions["us-central1"] == "Iowa"
    assert DESCRIPTIONS["bigtable"].zones("europe-west1") == ("europe-west1-b", "europe-west1-c", "europe-west1-d")
    assert DESCRIPTIONS["bigtable"].zones("nowhere") == DESCRIPTIONS["tablestore"].zones("cn-hangzhou") == ()


def test_a_read_chooses_among_the_other_row_kinds_of_its_table() -> None:
    spec = from_data(
        {
            "tables": [
                {"id": "t", "row_kinds": [{"id": "a", "reads": [{"id": "r"}]}, {"id": "b"}, {"id": "c"}]},
                {"id": "u", "row_kinds": [{"id": "d"}]},
            ]
        }
    )

    assert [option.value for option in control(spec, "r", "row_kinds").options] == ["b", "c"]
