"""Texts that would be read for minutes by their length: each is read or refused as fast as another of its size."""

import pytest

from designer.document import InvalidDocumentError
from designer.imports import read

TABLE = "create table a (b int primary key)"


@pytest.mark.parametrize(
    "text",
    [
        "/* " * 100_000,
        f"{TABLE} with clustering order by ({'b' * 300_000})",
        f"{TABLE} with {'clustering order by (' * 15_000}",
        f"{TABLE};\n" + "create index i\n" * 5_000,
        f"create table a (b int primary key, c int check {'(' * 60_000}{')' * 60_000})",
        f"create table a (b int primary key, c {'<' * 60_000}{')' * 1_000})",
    ],
)
def test_definitions_of_tables_are_read_in_one_pass(text: str) -> None:
    try:
        found = read(text, "cql")
    except InvalidDocumentError as refused:
        assert "no tables found" in str(refused)  # noqa: PT017 - one of both
    else:
        assert [table.name for table in found.spec.tables] == ["a"]


def test_a_lifetime_of_thousands_of_digits_is_too_long() -> None:
    found = read(f"{TABLE} with default_time_to_live = {'9' * 5000}", "cql")

    assert [table.name for table in found.spec.tables] == []
    assert found.remarks


def test_a_comment_that_is_not_closed_goes_on_to_the_end() -> None:
    with pytest.raises(InvalidDocumentError, match="no tables found"):
        read(f"/* {TABLE}", "cql")
