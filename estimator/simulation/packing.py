"""A simulation as named parts of bytes, each readable alone: a head, the ranges of each table, its grids."""

import base64
import datetime
import json
import types
import zlib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import BaseModel

from designer.document.key import KeyDisplay, as_text
from designer.document.money import Money
from designer.document.texts import Text
from estimator.results.arrays import Ints

from .results import METRICS, Metric, Simulation, TableRun

HEAD = "head"

LEVEL = 3
"""Of zlib: grids are mostly zeros or small numbers, more effort gains little."""

MAGIC = b"KWG1"


def pack(simulation: Simulation, beat: Callable[[], None] = lambda: None) -> dict[str, bytes]:
    """Everything: `unpack_head`, `ranges/TABLE`, and `grid/TABLE/METRIC`; `beat` is called before each grid."""
    parts = {HEAD: _compress_json(_to_plain(_without_arrays(simulation)))}
    for name, table in simulation.tables.items():
        texts = [bound.text for bound in table.bounds if isinstance(bound, KeyDisplay)]
        parts[ranges_part(name)] = _compress_json(
            {"bounds": _to_plain(table.bounds), "labels": list(table.labels), "texts": texts}
        )
        for metric in METRICS:
            beat()
            parts[grid_part(name, metric)] = pack_grid(table.grid(metric))
    return parts


def unpack(parts: Mapping[str, bytes]) -> Simulation:
    """Return the unpacked simulation; data that is not among the parts stays empty."""
    simulation = unpack_head(parts[HEAD])
    tables = {}
    for name, table in simulation.tables.items():
        changed: dict[str, Any] = {}
        if ranges_part(name) in parts:
            changed["bounds"], changed["labels"] = unpack_ranges(parts[ranges_part(name)])
        for metric in METRICS:
            if grid_part(name, metric) in parts:
                changed[metric] = unpack_grid(parts[grid_part(name, metric)])
        tables[name] = replace(table, **changed)
    return replace(simulation, tables=tables)


def grid_part(table: str, metric: Metric) -> str:
    """Return the name of the part with a table's grid."""
    return f"grid/{table}/{metric}"


def ranges_part(table: str) -> str:
    """Return the name of the part with a table's ranges."""
    return f"ranges/{table}"


def unpack_head(data: bytes) -> Simulation:
    """Return the simulation without bounds, labels and grids: those are empty."""
    simulation: Simulation = _from_plain(Simulation, json.loads(zlib.decompress(data)))
    return simulation


def unpack_ranges(data: bytes) -> tuple[tuple[bytes, ...], tuple[str, ...]]:
    """Bounds and labels of a table's ranges."""
    content = json.loads(zlib.decompress(data))
    bounds: tuple[bytes, ...] = _from_plain(tuple[bytes, ...], content["bounds"])
    if content["texts"]:
        bounds = tuple(LabelledKey.from_text(raw, text) for raw, text in zip(bounds, content["texts"], strict=True))
    return bounds, tuple(content["labels"])


class LabelledKey(KeyDisplay):
    """A key of columns, with the form in which people read it."""

    _text: str

    @staticmethod
    def from_text(raw: bytes, text: str) -> "LabelledKey":
        """Return the bytes with their text form."""
        key = LabelledKey(raw)
        key._text = text
        return key

    @property
    def text(self) -> str:
        """That form."""
        return self._text


def pack_grid(values: Ints) -> bytes:
    """Return a grid in as few bytes as hold its numbers, compressed."""
    most = int(values.max(initial=0))
    kind = next((k for k in ("<u1", "<u2", "<u4") if most <= np.iinfo(k).max), "<i8")
    rows, columns = values.shape
    start = MAGIC + kind.encode().ljust(4) + rows.to_bytes(4, "little") + columns.to_bytes(4, "little")
    return bytes(start + zlib.compress(np.ascontiguousarray(values.astype(kind)).tobytes(), LEVEL))


def unpack_grid(data: bytes) -> Ints:
    """Return the grid: int64 (ranges, windows)."""
    if data[:4] != MAGIC:
        raise ValueError("this is no grid of a simulation")
    kind = data[4:8].strip().decode()
    shape = int.from_bytes(data[8:12], "little"), int.from_bytes(data[12:16], "little")
    return np.frombuffer(zlib.decompress(data[16:]), kind).reshape(shape).astype(np.int64)


def _without_arrays(simulation: Simulation) -> Simulation:
    empty = np.zeros((0, 0), dtype=np.int64)

    def bare(table: TableRun) -> TableRun:
        grids: dict[str, Any] = dict.fromkeys(METRICS, empty)
        return replace(table, bounds=(), labels=(), **grids)

    return replace(simulation, tables={name: bare(table) for name, table in simulation.tables.items()})


# --- values as JSON, and back by their types ---------------------------------------------------------------------


def _compress_json(data: Any) -> bytes:
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def _to_plain(value: Any) -> Any:
    match value:
        case None | bool() | int() | str() | float():
            return value
        # `json` refuses NumPy's integers.
        case np.floating() | np.integer():
            return value.item()
        case np.ndarray():
            return [
                value.dtype.str,
                list(value.shape),
                base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(),
            ]
        case bytes():
            return base64.b64encode(value).decode()
        case Decimal() | datetime.date():
            return str(value) if isinstance(value, Decimal) else value.isoformat()
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {name: _to_plain(item) for name, item in value.items()}
        case tuple() | list():
            return [_to_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        hints = _hints(type(value))
        return {f.name: _field(getattr(value, f.name), hints[f.name]) for f in fields(value)}
    raise TypeError(f"{type(value).__name__} has no packed form")


def _field(value: Any, hint: Any) -> Any:
    if hint == _PARAMS:
        return _params(value)
    # A whole number in a field of floats would come back as an integer, and the unpacked run would differ.
    return float(value) if hint is float else _to_plain(value)


_PARAMS = Mapping[str, Any]


def _params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a message: dates and money keep their kind, keys become text."""
    return {name: _tag(value) for name, value in params.items()}


def _tag(value: Any) -> Any:
    match value:
        case Money():
            return {"money": str(value.amount), "currency": value.currency}
        case bytes():
            return as_text(value)
        case Text():
            return {"text": value.message, "params": _params(value.params)}
        case datetime.datetime():
            return {"time": value.isoformat()}
        case datetime.date():
            return {"date": value.isoformat()}
        case Decimal():
            return {"decimal": str(value)}
        case tuple() | list():
            return [_tag(item) for item in value]
    return _to_plain(value)


def _untag(value: Any) -> Any:
    match value:
        case {"money": amount, "currency": currency}:
            return Money(Decimal(amount), currency)
        case {"time": text}:
            return datetime.datetime.fromisoformat(text)
        case {"date": text}:
            return datetime.date.fromisoformat(text)
        case {"text": message, "params": params}:
            return Text(message, {name: _untag(param) for name, param in params.items()})
        case {"decimal": text}:
            return Decimal(text)
        case list():
            return tuple(_untag(item) for item in value)
    return value


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _from_plain(kind: Any, data: Any) -> Any:
    """Return a value of a type from its plain form."""
    origin, args = get_origin(kind), get_args(kind)
    if data is None or kind in (str, int, bool, Any) or origin is Literal:
        return data
    if kind is float:
        return float(data)
    if kind == _PARAMS:
        return {name: _untag(value) for name, value in data.items()}
    if origin in (Union, types.UnionType):
        return _from_plain(next(a for a in args if a is not type(None)), data)
    if origin is np.ndarray:
        dtype, shape, text = data
        # `frombuffer` gives a read-only view of the text; results may be changed in place.
        return np.frombuffer(base64.b64decode(text), dtype).reshape(shape).copy()
    if origin is tuple:
        return tuple(_from_plain(args[0], item) for item in data)
    if origin is not None and issubclass(origin, Mapping):
        return {name: _from_plain(args[1], item) for name, item in data.items()}
    if kind is bytes:
        return base64.b64decode(data)
    if kind is Decimal:
        return Decimal(data)
    if kind in (datetime.date, datetime.datetime):
        return kind.fromisoformat(data)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_validate(data)
    hints = _hints(kind)
    return kind(**{name: _from_plain(hints[name], item) for name, item in data.items()})
