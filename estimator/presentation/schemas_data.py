"""Schemas for an application as plain data for programs."""

from typing import Any

from designer.document import Spec
from designer.document.compact import dump_compact
from designer.document.dump import to_plain_data
from designer.document.load import load
from designer.document.money import Money
from designer.wording import key_of
from designer.wording.formatting import english
from estimator.advice.schemas import ProposedSchema, QuestionService, SchemaAdvice

from .json_schema import BOOLEAN, COUNT, NUMBER, TEXT, document, list_of, object_of, or_null

FORMAT = "keywright-schemas/1"


def schemas_data(advice: SchemaAdvice) -> dict[str, Any]:
    """Return the schemas, the recommended one first, each with its whole design."""
    return {
        "format": FORMAT,
        "schemas": [_schema(each) for each in advice.schemas],
        "assumptions": [english(text.message, text.params) for text in advice.assumptions],
        "rejected": [english(text.message, text.params) for text in advice.rejected],
        "measured_keys": advice.measured_keys,
    }


def design_text(spec: Spec) -> str:
    """Return a proposed design as people write it: compact, with the ids that its names give."""
    return dump_compact(load(dump_compact(spec, with_ids=False), name="design.yaml"))


def _schema(schema: ProposedSchema) -> dict[str, Any]:
    return {
        "why": english(schema.why.message, schema.why.params) if schema.why else "",
        "monthly_cost": _amount(schema.cost),
        "currency": schema.estimate.currency,
        "complete": not schema.has_open_lines,
        "serves_all": schema.is_served,
        "tables": [
            {
                "name": table.name,
                "key": key_of(schema.spec, table.row_kinds[0]),
                "index_of": proposed.index_of,
                "writes_per_second": proposed.writes_per_second,
                "monthly_cost": _amount(proposed.cost),
            }
            for table, proposed in zip(schema.spec.tables, schema.tables, strict=True)
        ],
        "reads": [_read(each) for each in schema.questions],
        "design": to_plain_data(schema.spec),
    }


def _read(question: QuestionService) -> dict[str, Any]:
    return {
        "sentence": question.sentence + 1,
        "name": question.name,
        "table": question.table,
        "served_by": question.served_by,
        "rows_returned": question.plan.rows_to_return,
        "rows_scanned": question.plan.rows_to_scan,
        "in_time": question.is_in_time,
    }


def _amount(cost: Money | None) -> str | None:
    return None if cost is None else f"{cost.amount:.2f}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of that data; a design is as `keywright spec_schema` says."""
    amount = or_null({"type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$"})
    table = object_of(
        name=TEXT, key=TEXT, index_of=TEXT, writes_per_second=NUMBER, monthly_cost=amount,
    )  # fmt: skip
    ways = {"enum": ["point", "short_range", "range", "scan", "refused"]}
    read = object_of(
        sentence=COUNT, name=TEXT, table=TEXT, served_by=ways, rows_returned=NUMBER, rows_scanned=NUMBER,
        in_time=BOOLEAN,
    )  # fmt: skip
    each = object_of(
        why=TEXT, monthly_cost=amount, currency=TEXT, complete=BOOLEAN, serves_all=BOOLEAN, tables=list_of(table),
        reads=list_of(read), design={"type": "object"},
    )  # fmt: skip
    whole = object_of(schemas=list_of(each), assumptions=list_of(TEXT), rejected=list_of(TEXT), measured_keys=COUNT)
    return document(FORMAT, "Output of `keywright propose --json`", whole, {})
