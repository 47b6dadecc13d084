"""Schemas for an application, and the advice on a row kind, as plain data for programs."""

from typing import Any

from designer.document import Spec
from designer.document.compact import dump_compact
from designer.document.dump import to_plain_data
from designer.document.load import load
from designer.document.money import Money
from designer.wording import key_of
from designer.wording.formatting import english
from estimator.advice.advisor import Advice, Measures
from estimator.advice.schemas import ProposedSchema, QuestionService, SchemaAdvice

from .json_schema import BOOLEAN, COUNT, NUMBER, TEXT, document, list_of, object_of, or_null, schema_of, single_numbers
from .plain_data import to_plain

SCHEMAS_FORMAT = "keywright-schemas/1"


def advice_data(advice: Advice) -> dict[str, Any]:
    """Return advice without the load of every range and window, and the row kind, which the edit makes."""
    every = [*([advice.present] if advice.present else []), *advice.candidates]
    keys = [
        {
            "key": candidate.text,
            "better": candidate.better,
            "only_the_key_changes": candidate.is_safe if candidate.edit else None,
            "why": [english(text.message, text.params) for text in candidate.why],
            "unsafe": [english(text.message, text.params) for text in candidate.unsafe],
            "measures": to_plain(candidate.measures),
            "edit": to_plain(candidate.edit),
        }
        for candidate in every
    ]
    missing = [english(because.message, because.params) for because in advice.missing]
    return {
        "row_kind": advice.kind,
        "tried": advice.tried,
        "currency": advice.currency,
        "present": keys[0] if advice.present else None,
        "candidates": keys[1:] if advice.present else keys,
        "missing": missing,
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema of that data; an edit is any object."""
    definitions: dict[str, Any] = {}
    measures = schema_of(Measures, definitions)
    texts, boolean = list_of(TEXT), {"type": "boolean"}
    definitions["Candidate"] = object_of(
        key=TEXT, better=boolean, only_the_key_changes=or_null(boolean), why=texts, unsafe=texts, measures=measures,
        edit=or_null({"type": "object"}),
    )  # fmt: skip
    candidate = {"$ref": "#/$defs/Candidate"}
    whole = object_of(
        row_kind=TEXT, tried=COUNT, currency=TEXT, present=or_null(candidate), candidates=list_of(candidate),
        missing=texts,
    )  # fmt: skip
    return {**whole, "$defs": single_numbers(definitions)}


def schemas_data(advice: SchemaAdvice) -> dict[str, Any]:
    """Return the schemas, the recommended one first, each with its whole design."""
    return {
        "format": SCHEMAS_FORMAT,
        "schemas": [_schema_data(schema) for schema in advice.schemas],
        "assumptions": [english(text.message, text.params) for text in advice.assumptions],
        "rejected": [english(text.message, text.params) for text in advice.rejected],
        "measured_keys": advice.measured_keys,
    }


def named_design(spec: Spec) -> Spec:
    """Return a proposed design with the ids that its names give, so that a file of it needs none."""
    return load(dump_compact(spec, with_ids=False), name="design.yaml")


def design_text(spec: Spec) -> str:
    """Return a proposed design as people write it."""
    return dump_compact(named_design(spec))


def _schema_data(schema: ProposedSchema) -> dict[str, Any]:
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
        "reads": [_read(question) for question in schema.questions],
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


def schemas_schema() -> dict[str, Any]:
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
    schema = object_of(
        why=TEXT, monthly_cost=amount, currency=TEXT, complete=BOOLEAN, serves_all=BOOLEAN, tables=list_of(table),
        reads=list_of(read), design={"type": "object"},
    )  # fmt: skip
    whole = object_of(schemas=list_of(schema), assumptions=list_of(TEXT), rejected=list_of(TEXT), measured_keys=COUNT)
    return document(SCHEMAS_FORMAT, "Output of `keywright propose --json`", whole, {})
