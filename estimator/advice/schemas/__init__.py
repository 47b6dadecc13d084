"""Schemas for what an application does: sets of tables are searched, and the best are estimated in full.

Each candidate table is measured once, coarsely; the best set is exact for these figures (`choice.py`), and the
project's own estimate decides between the best sets. Nothing here is random, and nothing is remembered.
"""

from dataclasses import replace

from designer.application import Application
from designer.document import Spec
from designer.wording.formatting import english_text
from estimator.estimates.context import Context

from .explanations import assumed_counts, difference, nearest_rows, recommendation, rejected_sentences
from .proposals import propose_schema
from .results import ProposedSchema, ProposedTable, QuestionService, SchemaAdvice
from .schema_designs import Translate, design_parts, empty_design, read_name
from .table_sets import measure_records, schema_sets

__all__ = [
    "ProposedSchema",
    "ProposedTable",
    "QuestionService",
    "SchemaAdvice",
    "empty_design",
    "nearest_rows",
    "search_schemas",
]

BUCKETS_WORTH = 1.1
"""Rows that hold many records are recommended if a row for each costs so many times as much."""
SHOWN = 3
"""Schemas that are estimated in full and shown."""


def search_schemas(
    application: Application,
    context: Context,
    *,
    name: str = "",
    base: Spec | None = None,
    translate: Translate = english_text,
) -> SchemaAdvice:
    """Return the two or three schemas that serve an application best, the recommended one first."""
    parts = design_parts(application, name=name, base=base or Spec(), translate=translate)
    records, prices = measure_records(parts, context)
    names = {pattern.sentence: translate(read_name(application, pattern)) for pattern in application.patterns}
    if len(records) < len(application.records) or not records:
        return SchemaAdvice((), (), 0, application.assumptions, names)
    proposed = [propose_schema(parts, plans, context) for plans in schema_sets(records, SHOWN)]
    best, *others = sorted(proposed, key=_rank)
    # One other schema is shown in any case, for comparison.
    others = [schema for schema in others if not _is_beaten(schema, best)] or others[:1]
    schemas = (
        replace(best, why=recommendation(best, others)),
        *(replace(other, why=difference(other, best)) for other in others),
    )
    measured = sum(len(record.tables) for record in records)
    assumptions = (*application.assumptions, *assumed_counts(parts, best.spec))
    return SchemaAdvice(schemas, rejected_sentences(parts, records, prices), measured, assumptions, names)


def _is_beaten(other: ProposedSchema, best: ProposedSchema) -> bool:
    """Return whether a schema serves less than the recommended one, for no less money and with no fewer tables."""
    if other.is_served or len(other.tables) < len(best.tables):
        return False
    return other.cost is None or best.cost is None or other.cost.amount >= best.cost.amount


def _rank(schema: ProposedSchema) -> tuple[int, float, float]:
    """Return the order of schemas: reads in time, then what nodes can take, then money, with a row for each record.

    Where prices are missing, nodes stand for money.
    """
    late = sum(not question.is_in_time for question in schema.questions)
    reachable = min((place.reachable_factor for place in schema.estimate.placements), default=1.0)
    nodes = sum(float(cluster.needed_by_month[-1]) for cluster in schema.estimate.nodes)
    cost = float(schema.cost.amount) if schema.cost is not None else nodes or float("inf")
    return late, float(reachable < 1), cost * (BUCKETS_WORTH if schema.bucket else 1.0)
