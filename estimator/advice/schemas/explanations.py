"""Reasons for a recommended schema, differences of the others, and rejected ones: each in one sentence."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial

from designer.application import plural
from designer.document import Spec, effective_value
from designer.document.engines import description_of
from designer.document.key import segment_fields
from designer.document.money import Money
from designer.document.texts import N_, Text
from designer.wording import resolution_name
from estimator.facts.scans import is_wasteful

from .choice import TableSet
from .results import ProposedSchema, QuestionService
from .schema_designs import DesignParts, read_name
from .screening import ScreenedTable, UnitPrices
from .table_keys import TIME, TableKey
from .table_sets import RecordTables

MOST_REJECTED = 5
NOTICED, FEW_ROWS = 2.0, 1_000.0
"""Rows scanned that are fewer, or not so many times as many, are not worth a sentence."""
SCANS = N_("“{read}” scans {rows} rows to return {returned_rows}")


def recommendation(best: ProposedSchema, others: Sequence[ProposedSchema]) -> Text:
    """Return why the first of the schemas is recommended."""
    if best.estimate.bill is None:
        return Text(N_("No instance can serve this load. Enter smaller figures."))
    late = [question for question in best.questions if not question.is_in_time]
    if late:
        message = N_("No set of tables serves every read in time; this one comes closest: {reason}.")
        return Text(message, {"reason": _lateness(best.spec, late[0])})
    failing = [other for other in others if not other.is_served and _is_cheaper(other, best)]
    if failing:
        late = [question for question in failing[0].questions if not question.is_in_time]
        message = N_("The cheapest schema that serves every read in time. In a cheaper one, {reason}.")
        return Text(message, {"reason": _lateness(best.spec, late[0])})
    if not best.questions:
        return Text(N_("Stores every record once. Add a read to compare keys."))
    cheaper = next((other for other in others if other.is_served and _is_cheaper(other, best)), None)
    if cheaper is not None and cheaper.bucket is not None:
        message = N_("The simplest that serves every read in time. One row per {bucket} saves {saved_cost} a month.")
        return Text(message, {"bucket": resolution_name(cheaper.bucket), "saved_cost": _saving(best, cheaper)})
    if best.cost is None:
        return Text(N_("Serves every read in time. Its cost is unknown: a price is missing."))
    return Text(N_("Serves every read in time at the lowest cost."))


def difference(other: ProposedSchema, best: ProposedSchema) -> Text:
    """Return how a schema differs from the recommended one."""
    late = [question for question in other.questions if not question.is_in_time]
    tables = len(other.tables) - len(best.tables)
    params = {"reason": _lateness(best.spec, late[0])} if late else {}
    if not late and other.bucket is not None and best.bucket is None:
        if _is_cheaper(best, other):
            message = N_("One row per {bucket}, a column for each record: reads return whole rows, which costs more.")
            return Text(message, {"bucket": resolution_name(other.bucket)})
        message = N_("One row per {bucket}, a column for each record: less storage, and reads return whole rows.")
        return Text(message, {"bucket": resolution_name(other.bucket)})
    if late and tables < 0:
        return Text(N_("Fewer tables, but {reason}."), params)
    if late:
        return Text(N_("In this schema, {reason}."), params)
    if tables < 0:
        return Text(N_("Fewer tables and writes; reads scan more rows."), params)
    if tables > 0:
        return Text(N_("A table for each read: the shortest scans, for more writes and storage."), params)
    return Text(N_("Other keys that serve every read in time."), params)


def _lateness(spec: Spec, question: QuestionService) -> Text:
    params = {
        "read": question.name,
        "rows": question.plan.rows_to_scan,
        "returned_rows": nearest_rows(question.plan.rows_to_return),
    }
    if question.served_by == "scan" or is_wasteful(question.plan):
        return Text(SCANS, params)
    if question.served_by == "refused":
        return Text(N_("“{read}” cannot be served"), params)
    return Text(description_of(spec).terms["slow read"], params | {"node_seconds": question.plan.node_seconds})


def nearest_rows(rows: float) -> float:
    """Return few rows as a whole number: the one row that nearly every request finds is one row."""
    return round(rows) if 0.5 <= rows < 10 else rows


def _is_cheaper(schema: ProposedSchema, other: ProposedSchema) -> bool:
    return schema.cost is not None and other.cost is not None and schema.cost.amount < other.cost.amount


def _saving(schema: ProposedSchema, other: ProposedSchema) -> Money | None:
    if schema.cost is None or other.cost is None:
        return None
    return Money(schema.cost.amount - other.cost.amount, schema.cost.currency, is_modelled=True)


def assumed_counts(parts: DesignParts, spec: Spec) -> Iterator[Text]:
    """Yield how many values are assumed of each field of a key that no sentence counts, and how to say it."""
    records = parts.application.records
    shared = {name for record in records for name in (record.thing, *record.fields) if name not in record.unique_fields}
    used = {field for _, rows in spec.row_kinds() for segment in rows.segments for field in segment_fields(segment)}
    for name, field_id in parts.fields.items():
        field = spec.find(field_id)
        is_open = field.distinct is None and field.growth_per_day is None
        # Of ids that only tell records apart there is a new one for each record.
        if field_id in used and is_open and (name in shared or name in parts.application.owners.values()):
            message = N_("{count} {names}, as no sentence counts them. To say how many, write “one of 5M {names}”.")
            names = plural(name.replace("_", " "))
            yield Text(message, {"count": effective_value(spec, field, "distinct"), "names": names})


# --- what was rejected ------------------------------------------------------------------------------------------


def rejected_sentences(
    parts: DesignParts, records: Sequence[RecordTables], prices: UnitPrices | None
) -> tuple[Text, ...]:
    """Return what was measured and rejected, each in one sentence.

    That is the best set without each of its tables, and keys that one range could not take.
    """
    sentences = [
        text for record in records for text in (*_hot_keys(parts, record), *_without_each(parts, record, prices))
    ]
    return tuple(sorted(sentences, key=lambda text: "more_cost" in text.params)[:MOST_REJECTED])


def _without_each(parts: DesignParts, record: RecordTables, prices: UnitPrices | None) -> Iterator[Text]:
    """Yield what the best set without each of its tables, and the best single table, would be."""
    best = record.choose()
    if best is None:
        return
    says = partial(key_text, parts)
    single, visited = record.choose_one(), [best.tables]
    others = [record.choose(without=table) for table in best.tables]
    for number, other in enumerate([*others, single if len(best.tables) > 1 else None]):
        if other is None or other.tables in visited:
            continue
        visited.append(other.tables)
        table = best.tables[number] if number < len(best.tables) else None
        worst = max(
            range(len(record.patterns)),
            key=lambda n: float((record.read_costs + record.lateness)[other.assignment[n], n]),
            default=None,
        )
        if worst is None:
            continue
        before, after = (record.tables[table_set.assignment[worst]].plans[worst] for table_set in (best, other))
        params = {
            "read": read_name(parts.application, parts.application.patterns[record.patterns[worst]]),
            "rows": after.rows_scanned, "returned_rows": nearest_rows(after.rows_returned),
            "old_rows": before.rows_scanned,
            "key": says(record.tables[other.tables[0] if table is None else table].key),
            "instead": tuple(says(record.tables[table].key) for table in other.tables if table not in best.tables),
        }  # fmt: skip
        is_slower = after.rows_scanned > NOTICED * max(before.rows_scanned, FEW_ROWS)
        if table is None and is_slower:
            yield Text(N_("One table keyed by {key}: “{read}” scans {rows} rows to return {returned_rows}."), params)
        elif is_slower and not params["instead"]:
            yield Text(N_("Without {key}, “{read}” scans {rows} rows to return {returned_rows}."), params)
        elif is_slower and table is not None:
            yield Text(
                N_("With {instead} in place of {key}, “{read}” scans {rows} rows to return {returned_rows}."), params
            )
        elif any(record.tables[other_table].burden >= 1 for other_table in other.tables):
            continue  # it cannot take the writes, so that its money says nothing
        elif table is not None and prices is not None and params["instead"]:
            more = Decimal(repr(_money(record, other) - _money(record, best)))
            if more >= 1:
                message = N_("{instead} in place of {key} costs {more_cost} more a month.")
                yield Text(message, params | {"more_cost": Money(more, prices.currency, is_modelled=True)})


def _money(record: RecordTables, chosen: TableSet) -> float:
    reads = sum(float(record.read_costs[table, n]) for n, table in enumerate(chosen.assignment))
    return reads + sum(record.table_costs[table] for table in chosen.tables)


def _hot_keys(parts: DesignParts, record: RecordTables) -> Iterator[Text]:
    hot = [table for table in record.tables if table.burden >= 1 and not table.key.salt_modulo]
    if hot:
        worst: ScreenedTable = max(hot, key=lambda table: table.burden)
        message = N_("Keyed by {key}, all new {records} go to one range, at {limit_factor} the recommended load.")
        yield Text(
            message,
            {
                "key": key_text(parts, worst.key),
                "records": plural(record.record.name),
                "limit_factor": worst.burden,
            },
        )


def key_text(parts: DesignParts, key: TableKey) -> str:
    """Return a key in its short form: `tenant#time#device`, or `tenant | time | device` as primary-key columns."""
    time = [f"salt:{key.salt_modulo}", "time"] if key.salt_modulo else ["time"]
    names = ([parts.application.name_in_design(part)] if part != TIME else time for part in key.parts)
    delimiter = " | " if description_of(parts.base).has_key_columns else "#"
    return delimiter.join(name for group in names for name in group)
