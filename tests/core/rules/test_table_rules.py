"""Tables: how many, how alike, how small, and what is deleted from them, on figures made by hand."""

import pytest

from designer.spec.table import Table
from estimator.rules import findings
from estimator.rules.base.examples import design, of, time

from .made import TODAY, estimate


def found(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


# --- T001 too-many-tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "tables", "at"),
    [
        ("bigtable", 1_000, []),
        ("bigtable", 1_001, ["t999"]),
        ("tablestore", 64, []),
        ("tablestore", 65, ["t63"]),
        ("tablestore", 70, ["t63"]),
    ],
)
def test_more_tables_than_an_instance_holds_are_an_error_at_the_first_too_many(engine, tables, at):
    spec = design(of("device", "#"), time(), engine=engine)
    spec = spec.model_copy(update={"tables": (*spec.tables, *(Table(id=f"t{n}") for n in range(tables - 1)))})

    assert [(f.at, f.severity) for f in found("T001", spec)] == [(one, "error") for one in at]
