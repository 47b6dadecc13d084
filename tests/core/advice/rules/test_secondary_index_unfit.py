"""T005: what the service refuses of secondary indexes."""

from designer.document.dump import to_plain_data
from designer.document.load import from_data
from estimator.advice.rules import findings
from estimator.advice.rules.tables.secondary_index_unfit import RULE
from tests.core.advice.rules.made import TODAY, estimate


def said(change):
    data = to_plain_data(RULE.good())
    change(*data["tables"])
    spec = from_data(data)
    return [str(f.params["problem"].message) for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def test_each_reason_is_said():
    assert "one version" in said(lambda table, _: table["tablestore"].update(max_versions=2))[0]
    assert "partition key" in said(lambda _, index: index["row_kinds"][0]["key_columns"].reverse())[0]
    assert "by its name" in said(lambda _, index: index["row_kinds"][0]["key_columns"][1].update(name="other"))[0]


def test_a_table_with_a_time_to_live_has_indexes_as_long_as_its_rows_are_not_updated():
    def change(table, _, mode="append_row"):
        table["tablestore"]["ttl_seconds"] = 86_400
        table["row_kinds"][0]["writes"][0]["mode"] = mode

    assert said(change) == []
    assert "cannot be updated" in said(lambda table, index: change(table, index, "overwrite"))[0]


def test_a_global_index_begins_with_any_column():
    def change(_, index):
        index["row_kinds"][0]["key_columns"].reverse()
        index["derived_from"]["how"] = "global_index"

    assert said(change) == []


def test_other_tables_and_unfinished_indexes_are_left_alone():
    assert said(lambda table, index: (table["tablestore"].update(max_versions=2), index["derived_from"].update(
        how="index_table"))) == []  # fmt: skip
    assert said(lambda _, index: index["row_kinds"].clear()) == []


def test_a_table_has_five_indexes_that_share_32_of_its_columns():
    def change(table, index, indexes, attributes):
        names = [f"c{number}" for number in range(attributes)]
        columns = [{"id": name, "qualifier": name, "value": {"kind": "integer"}} for name in names]
        table["families"][0]["columns"] += columns
        data["tables"] += [
            {**index, "id": f"other{number}", "row_kinds": [], "families": []} for number in range(indexes - 1)
        ]
        own = [{**column, "id": f"own_{column['id']}"} for column in columns]
        index["families"] = [{"id": "own", "name": "own", "columns": own}]

    for indexes, attributes, problems in ((5, 31, []), (6, 0, ["at most five"]), (1, 32, ["at most 32"])):
        data = to_plain_data(RULE.good())
        change(*data["tables"], indexes, attributes)
        spec = from_data(data)
        # The amount is in the key of the first index: with 31 attributes the indexes have 32 columns of the table.
        messages = [f.params["problem"].message for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]
        assert len(messages) == len(problems)
        assert all(problem in message for problem, message in zip(problems, messages, strict=True))
