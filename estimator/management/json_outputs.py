"""Outputs of commands as JSON whose schemas stand nowhere else: each names its format, and has a JSON Schema."""

from collections.abc import Callable, Mapping

from estimator.management.commandline import format_of
from estimator.presentation import advice_data as advise
from estimator.presentation.json_schema import (
    COUNT,
    NUMBER,
    TEXT,
    Data,
    document,
    list_of,
    object_of,
    or_null,
    schema_of,
)
from estimator.presentation.trace_schemas import replay_schema, summary_schema
from estimator.results import Measurement
from estimator.results.traffic import TableTraffic
from estimator.simulation.results import Simulation


def _document(output: str, whole: Data, definitions: Data | None = None, command: str = "") -> Data:
    title = f"Output of `keywright {command or output} --json`"
    whole["properties"].pop("format", None)
    return document(format_of(output), title, whole, definitions or {})


def _advise() -> Data:
    inner = advise.schema()
    definitions = inner.pop("$defs")
    whole = object_of(row_kinds=list_of({"$ref": "#/$defs/RowKindAdvice"}))
    return _document("advise", whole, {**definitions, "RowKindAdvice": inner})


def _compression() -> Data:
    definitions: Data = {}
    measured = schema_of(Measurement, definitions)
    table = {"allOf": [object_of(table=TEXT, seconds=NUMBER), measured]}
    open_ = object_of(table=TEXT, because=TEXT)
    whole = object_of(tables=list_of({"anyOf": [open_, table]}))
    return _document("compression", whole, definitions, "measure_compression")


def _of_type(output: str, kind: type, command: str = "") -> Data:
    definitions: Data = {}
    schema_of(kind, definitions)
    whole = definitions.pop(kind.__name__)
    return _document(output, whole, definitions, command)


def _keys() -> Data:
    column = {"type": ["string", "integer"]}
    key = {"anyOf": [TEXT, list_of(column)]}
    return _document(
        "keys", object_of(table=TEXT, row_kind=TEXT, order=TEXT, seed={"type": "integer"}, keys=list_of(key))
    )


def _trace() -> Data:
    summary, replay = summary_schema(), replay_schema()
    definitions = {**summary.pop("$defs"), **replay.pop("$defs")}
    full_replay = {**replay, "properties": {"design": TEXT, **replay["properties"]}}
    assumed = object_of(at=TEXT, field=TEXT, why=TEXT)
    extra = {
        "replay": {"$ref": "#/$defs/Replay"}, "replays": list_of({"$ref": "#/$defs/Replay"}),
        "correction": list_of(TEXT), "assumed": list_of(assumed),
    }  # fmt: skip
    schema = _document("trace", summary, {**definitions, "Replay": full_replay})
    schema["properties"] |= extra
    return schema


_DAY = {**TEXT, "format": "date"}
_MONEY = or_null({"type": "string"})


def _prices_list() -> Data:
    book = {"type": "object", "required": ["book", "from", "said"],
            "properties": {"book": TEXT, "engine": TEXT, "date": _DAY, "currency": TEXT, "prices": COUNT, "from": TEXT,
                           "said": or_null(TEXT)}}  # fmt: skip
    return _document("prices-list", object_of(books=list_of(book)), command="prices list")


def _prices_show() -> Data:
    price = object_of(sku=TEXT, where=TEXT, unit=TEXT, amount=TEXT, currency=TEXT, source=TEXT)
    head = object_of(book=TEXT, engine=TEXT, date=_DAY, currency=TEXT, note=TEXT, prices=list_of(price))
    return _document("prices-show", head, command="prices show")


def _prices_diff() -> Data:
    change = object_of(sku=TEXT, where=TEXT, unit=TEXT, from_gb=TEXT, old=_MONEY, new=_MONEY, share=_MONEY)
    changes = dict.fromkeys(("added", "removed", "changed"), list_of(change))
    return _document("prices-diff", object_of(old=TEXT, new=TEXT, currency=TEXT, **changes), command="prices diff")


def _prices_import() -> Data:
    skipped_sku = object_of(sku=TEXT, description=TEXT, where=TEXT, why=TEXT)
    whole = object_of(book=TEXT, file=TEXT, prices=COUNT, left_out=list_of(skipped_sku))
    return _document("prices-import", whole, command="prices import")


def _prices_reprice() -> Data:
    line = object_of(item=TEXT, at=TEXT, where=TEXT, old=_MONEY, new=_MONEY, difference=_MONEY)
    texts = dict.fromkeys(("old_book", "new_book", "old_currency", "new_currency"), TEXT)
    totals = dict.fromkeys(("old_total", "new_total", "difference"), _MONEY)
    counts = dict.fromkeys(("gained_prices", "lost_prices"), COUNT)
    whole = object_of(**texts, **totals, **counts, lines=list_of(line), edit={"type": "object"})
    return _document("prices-reprice", whole, command="prices reprice")


def _doctor() -> Data:
    state = {"enum": ["ok", "warning", "error"]}
    return _document("doctor", object_of(subject=TEXT, state=state, text=TEXT, hint=TEXT))


SCHEMAS: Mapping[str, Callable[[], Data]] = {
    "advise": _advise,
    "compression": _compression,
    "doctor": _doctor,
    "heatmap": lambda: _of_type("heatmap", TableTraffic),
    "keys": _keys,
    "prices-diff": _prices_diff,
    "prices-import": _prices_import,
    "prices-list": _prices_list,
    "prices-reprice": _prices_reprice,
    "prices-show": _prices_show,
    "simulate": lambda: _of_type("simulate", Simulation),
    "trace": _trace,
}
