"""Limits of rows in the exported code: the newest rows and the first ones, in every language."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from designer.document import Spec
from reviews.exports.code import make
from tests.cases import cases
from tests.contexts import Content
from tests.tablestore_designs import design

from .code_calls import Call, go_answers, module_of, node_answers, python_answer
from .java_calls import java_answers
from .test_code import keyed

USER = {"kind": "field", "field": "n", "after": "#"}
NEWEST_FIRST = {"kind": "time", "reversed": True}
OLDEST_FIRST = {"kind": "time", "unit": "ms"}
LAST = {"kind": "field", "field": "s"}
OF_USER = [{"field": "n"}]


def spec_of(read: dict[str, Any], *segments: dict[str, Any]) -> Spec:
    return keyed(*segments, reads=({"id": "r", "name": "some", "binds": OF_USER, **read},))


@cases("segments, read, limit", [
        ((USER, NEWEST_FIRST), {"newest_rows": 50}, 50),
        ((USER, OLDEST_FIRST), {"newest_rows": 50, "reverse": True}, 50),
        ((USER, OLDEST_FIRST), {"row_limit": 20}, 20),
        ((USER, LAST), {"row_limit": 20, "reverse": True}, 20),
        ((USER, {**NEWEST_FIRST, "after": "#"}, LAST), {"newest_rows": 3, "time": {"days": 1}}, 3),
        (({"kind": "salt", "modulo": 4, "after": "#"}, USER, NEWEST_FIRST), {"newest_rows": 7}, 7),
    ])  # fmt: skip
def test_the_code_returns_the_limit_of_a_read_whose_rows_come_first(
    segments: tuple[dict[str, Any], ...], read: dict[str, Any], limit: int
) -> None:
    made = make(Content(spec_of(read, *segments)))

    assert module_of(made).t_some_limit() == limit
    assert not [remark for remark in made.notes if remark.at == "r"]


NOT_FIRST = "no limit of rows: the newest 50 are not the first ones in the ranges"
FILTERED = "no limit of rows: the caller filters the rows of the ranges, until there are 50"


@cases("segments, read, note", [
        ((USER, OLDEST_FIRST), {"newest_rows": 50}, NOT_FIRST),
        ((USER, NEWEST_FIRST), {"newest_rows": 50, "reverse": True}, NOT_FIRST),
        ((USER, {**LAST, "after": "#"}, NEWEST_FIRST), {"newest_rows": 50}, NOT_FIRST),
        (({**NEWEST_FIRST, "after": "#"}, USER), {"newest_rows": 50}, FILTERED),
        ((USER, NEWEST_FIRST), {"newest_rows": 50, "match_share": 0.1}, FILTERED),
        ((USER, {**LAST, "after": "#"}, OLDEST_FIRST), {"row_limit": 50, "time": {"days": 1}}, FILTERED),
    ])  # fmt: skip
def test_a_read_whose_rows_no_limit_returns_says_so(
    segments: tuple[dict[str, Any], ...], read: dict[str, Any], note: str
) -> None:
    made = make(Content(spec_of(read, *segments)))

    assert not hasattr(module_of(made), "t_some_limit")
    assert [str(remark) for remark in made.notes if remark.at == "r"] == [note]


def test_a_single_row_has_no_limit() -> None:
    made = make(Content(spec_of({"newest_rows": 1, "exact_time": True}, USER, NEWEST_FIRST)))

    assert not hasattr(module_of(made), "t_some_limit")
    assert not [remark for remark in made.notes if remark.at == "r"]


def test_rows_of_several_ranges_are_merged_by_the_caller() -> None:
    spec = spec_of({"newest_rows": 7}, {"kind": "salt", "modulo": 4, "after": "#"}, USER, NEWEST_FIRST)

    text = make(Content(spec)).files[0].text

    assert "# Send a request for each range; of all rows that are returned, keep the newest 7." in text


LIMITED = {"events_newest": 2, "orders_newest_orders": 2}


@pytest.mark.parametrize("answers_of", [node_answers, java_answers, go_answers], ids=["typescript", "java", "go"])
def test_other_languages_return_the_limits_that_python_returns(
    answers_of: Callable[..., dict[str, list[Any]]], tmp_path: Path
) -> None:
    by_bytes = spec_of({"newest_rows": 50}, USER, NEWEST_FIRST)
    calls: dict[str, tuple[Spec, list[Call]]] = {
        "bytes": (by_bytes, [("limit", "t_some", ())]),
        "columns": (design(), [("limit", name, ()) for name in LIMITED]),
    }

    answers = answers_of(tmp_path, calls)

    assert answers["bytes"][:-1] == [50]
    assert answers["columns"][:-1] == list(LIMITED.values())
    module = module_of(make(Content(design())))
    assert [python_answer(module, call) for call in calls["columns"][1]] == list(LIMITED.values())
