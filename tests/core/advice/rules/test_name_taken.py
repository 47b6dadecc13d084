"""T007: names that two elements of one place have."""

from typing import Any

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import from_data
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.tables.name_taken import RULE
from estimator.results import Finding
from tests.core.advice.rules.made import TODAY, estimate


def name_findings(spec: Spec) -> list[Finding]:
    return [finding for finding in findings(spec, estimate(spec), TODAY) if finding.rule == RULE.code]


def spec_of(**parts: Any) -> Spec:
    return from_data({"engine": "bigtable", "tables": [{"id": "only", "name": "only"}], **parts})


def table(id_: str, name: str, *families: dict[str, Any], **settings: Any) -> dict[str, Any]:
    kinds = settings.get("row_kinds", [{"id": f"{id_}-rows", "name": "rows"}])
    return {"id": id_, "name": name, "row_kinds": kinds, "families": families}


def family(id_: str, name: str, **columns: str) -> dict[str, Any]:
    return {"id": id_, "name": name, "columns": [{"id": key, "qualifier": text} for key, text in columns.items()]}


@pytest.mark.parametrize(
    ("spec", "at", "renamed"),
    [
        (spec_of(tables=[table("a", "d"), table("b", "e"), table("c", "d")]), "c", "d_2"),
        (spec_of(tables=[table("a", "d"), table("b", "d_2"), table("c", "d")]), "c", "d_3"),
        (spec_of(tables=[table("a", "t", family("f", "d"), family("g", "d"))]), "g", "d_2"),
        (spec_of(tables=[table("a", "t", family("f", "d", x="v", y="v"))]), "y", "v_2"),
        (spec_of(fields=[{"id": "x", "name": "user"}, {"id": "y", "name": "user"}]), "y", "user_2"),
        (spec_of(instance={"clusters": [{"id": "x", "name": "main"}, {"id": "y", "name": "main"}]}), "y", "main-2"),
        (spec_of(instance={"app_profiles": [{"id": "x", "name": "web"}, {"id": "y", "name": "web"}]}), "y", "web-2"),
    ],
)
def test_a_name_that_is_taken_is_an_error_at_the_later_element_which_the_fix_renames(
    spec: Spec, at: str, renamed: str
) -> None:
    (finding,) = name_findings(spec)

    assert (finding.at, finding.severity) == (at, "error")
    after, _ = apply(spec, finding.fix)
    assert renamed in (getattr(after.find(at), "name", ""), getattr(after.find(at), "qualifier", ""))
    assert name_findings(after) == []


@pytest.mark.parametrize(
    "spec",
    [
        spec_of(tables=[table("a", "d"), table("b", "D")]),  # names have a case
        spec_of(tables=[table("a", ""), table("b", "")]),  # a name that is missing is not taken
        spec_of(tables=[table("a", "t", family("f", "d")), table("b", "u", family("g", "d"))]),
        spec_of(tables=[table("a", "t", family("f", "d", x="v"), family("g", "e", y="v"))]),
        spec_of(fields=[{"id": "x", "name": "user"}], tables=[table("a", "user")]),
    ],
)
def test_equal_names_in_different_places_and_missing_names_are_no_finding(spec: Spec) -> None:
    assert name_findings(spec) == []


def test_rows_of_two_kinds_can_each_have_a_column_of_one_name_and_rows_of_one_cannot() -> None:
    kinds = [{"id": "k", "name": "k", "columns": ["x"]}, {"id": "l", "name": "l", "columns": ["y"]}]
    apart = spec_of(tables=[table("a", "t", family("f", "d", x="v", y="v"), row_kinds=kinds)])
    assert name_findings(apart) == []

    both = [{**kind, "columns": ["x", "y"]} for kind in kinds]
    (finding,) = name_findings(spec_of(tables=[table("a", "t", family("f", "d", x="v", y="v"), row_kinds=both)]))
    assert finding.at == "y"


def test_on_tablestore_a_row_has_one_column_of_a_name_whatever_its_family_and_its_part_of_the_key() -> None:
    kind = {"id": "k", "name": "k", "key_columns": [{"id": "p", "name": "id"}, {"id": "q", "name": "id"}]}
    spec = spec_of(
        engine="tablestore",
        tables=[table("a", "t", family("f", "d", x="v", z="id"), family("g", "d", y="v"), row_kinds=[kind])],
    )

    texts = {finding.at: english(finding.message, finding.params) for finding in name_findings(spec)}
    assert list(texts) == ["q", "z", "y"]
    assert texts["q"] == "Another column of t has the name id. The service rejects a row with both."
    assert texts["y"].startswith("Another column of t has the name v. In one row both are the same cells")
