"""Sets of tables as whole designs with their full estimates."""

from collections.abc import Sequence

from designer.document.money import Money
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.estimates.table_costs import table_costs
from estimator.results import Estimate

from .results import ProposedSchema, ProposedTable, QuestionService
from .schema_designs import DesignParts, TablePlan, build_design, read_name
from .screening import is_in_time, service_of


def propose_schema(parts: DesignParts, plans: Sequence[TablePlan], context: Context) -> ProposedSchema:
    """Return the design of a set of tables, estimated in full, with how it serves each question."""
    spec = build_design(parts, plans)
    full_estimate = estimate(spec, context)
    bill = full_estimate.bill
    is_priced = bill is not None and (bill.total > 0 or not bill.open_lines)
    costs = table_costs(spec, full_estimate) if is_priced else None
    names = {table.id: table.name for table in spec.tables}
    tables = []
    for table in spec.tables:
        amount = costs.by_table.get(table.id) if costs else None
        traffic = full_estimate.tables[table.id].traffic
        tables.append(
            ProposedTable(
                table.id,
                names[table.derived_from.table] if table.derived_from else "",
                sum(write.rows_per_second for write in traffic.writes) if traffic else None,
                None if amount is None else Money(amount, full_estimate.currency),
            )
        )
    return ProposedSchema(
        spec, full_estimate, tuple(tables), tuple(_questions(parts, plans, full_estimate, names)),
        bill.money(bill.total) if bill is not None and is_priced else None, bill is not None and bool(bill.open_lines),
        next((p.key.bucket for p in plans if p.key.bucket), None),
    )  # fmt: skip


def _questions(
    parts: DesignParts, plans: Sequence[TablePlan], estimate: Estimate, names: dict[str, str]
) -> list[QuestionService]:
    """Return the questions in the order of their sentences."""
    services = {plan.read: (plan, table) for table, part in estimate.tables.items() for plan in part.reads}
    questions = []
    for place, pattern in enumerate(parts.application.patterns):
        plan, table = services[f"r-{place + 1}"]
        questions.append(
            QuestionService(
                pattern.sentence,
                parts.translate(read_name(parts.application, pattern)),
                names[table],
                service_of(plan),
                plan,
                is_in_time(plan, pattern.within_seconds),
            )
        )
    return questions
