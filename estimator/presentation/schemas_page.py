"""Schemas beside each other: tables with their keys and heat, how each sentence is served, money."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.application import Application
from designer.document import Spec
from designer.document.money import Money
from designer.document.texts import N_, Text
from designer.wording import Chip, key_chips, key_of
from designer.wording.formatting import at_least
from estimator.advice.schemas import ProposedSchema, QuestionService, SchemaAdvice, search_schemas
from estimator.advice.schemas.schema_designs import Translate
from estimator.estimates.context import Context
from estimator.facts.scans import is_wasteful

from .sheet.cards import Service, kept_words, whole_rows
from .sheet.strips import LINE_RANGES, BusiestHour, Strip, busiest_hour, strip_of

SCHEMAS = "schemas of applications"
"""What the cache holds, by the sentences and the day."""
WAYS: Mapping[str, str] = {
    "point": N_("point read"), "short_range": N_("short range, {rows} rows"), "range": N_("long range, {rows} rows"),
    "scan": N_("scan, {scanned} rows for {rows}"), "refused": N_("cannot be served"),
}  # fmt: skip
"""How a read is served."""


@dataclass(frozen=True)
class SchemaTable:
    """One table of a schema."""

    name: str
    key: str
    chips: tuple[Chip, ...]
    strip: Strip | None
    index_of: str
    writes_per_second: float | None
    families: tuple[str, ...]
    kept: Text
    cost: Money | None


@dataclass(frozen=True)
class SchemaQuestion:
    """One read as a schema serves it."""

    name: str
    table: str
    service: Service
    way: Text


@dataclass(frozen=True)
class SchemaView:
    """One whole schema."""

    spec: Spec
    why: Text | None
    cost: Text | None
    peak_share: float | None
    tables: tuple[SchemaTable, ...]
    questions: tuple[SchemaQuestion, ...]
    is_served: bool


@dataclass(frozen=True)
class SchemasPage:
    """Everything that the answer shows."""

    schemas: tuple[SchemaView, ...]
    rejected: tuple[Text, ...]
    assumptions: tuple[Text, ...]
    measured_keys: int


def schemas_page(
    application: Application, base: Spec, context: Context, *, name: str, translate: Translate
) -> SchemasPage:
    """Return the schemas of an application."""
    advice: SchemaAdvice = search_schemas(application, context, name=name, base=base, translate=translate)
    return SchemasPage(
        tuple(_view(schema) for schema in advice.schemas), advice.rejected, advice.assumptions, advice.measured_keys
    )


def _view(schema: ProposedSchema) -> SchemaView:
    hour = busiest_hour(schema.spec, schema.estimate)
    tables = tuple(_table(schema, number, hour) for number in range(len(schema.tables)))
    return SchemaView(
        schema.spec,
        schema.why,
        None
        if schema.cost is None
        else Text(at_least("{rounded_cost}", schema.has_open_lines), {"rounded_cost": schema.cost}),
        max((table.strip.peak_share for table in tables if table.strip), default=None),
        tables,
        tuple(_question(question) for question in schema.questions),
        schema.is_served,
    )


def _table(schema: ProposedSchema, number: int, hour: BusiestHour | None) -> SchemaTable:
    table, proposed = schema.spec.tables[number], schema.tables[number]
    (kind,), (family,) = table.row_kinds, table.families
    return SchemaTable(
        table.name,
        key_of(schema.spec, kind),
        key_chips(schema.spec, kind.segments),
        strip_of(schema.spec, schema.estimate.tables[table.id], hour, LINE_RANGES),
        proposed.index_of,
        proposed.writes_per_second,
        tuple(family.name for family in table.families),
        kept_words(schema.spec, table, family),
        proposed.cost,
    )


def _question(question: QuestionService) -> SchemaQuestion:
    service: Service = "error" if not question.is_in_time else "warning" if is_wasteful(question.plan) else "good"
    amounts = {"rows": question.plan.rows_to_return, "scanned": question.plan.rows_to_scan}
    params = {name: whole_rows(amount) for name, amount in amounts.items()}
    return SchemaQuestion(question.name, question.table, service, Text(WAYS[question.served_by], params))
