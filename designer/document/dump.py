"""A design document as JSON text: what is not set is absent, and equal documents have equal texts."""

import datetime
import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Any

from .base import Element, Model, SharedPart, tag
from .design import Spec

WIDTH = 110
"""A list or object that fits into so many characters stands on one line."""


def dump(spec: Spec) -> str:
    """Return the document as canonical JSON text, from which `load` restores exactly this document."""
    return _format_json(to_plain_data(spec), 0) + "\n"


def fingerprint(spec: Spec, text: str = "") -> str:
    """SHA-256 of the document's content, as 64 hexadecimal digits. Computed once per document.

    Parameters
    ----------
    text
        Its `compact_text`, if the caller has it.
    """
    digest: str | None = spec.result_cache.get("fingerprint")
    if digest is None:
        digest = spec.result_cache["fingerprint"] = _hash_of(text or compact_text(spec))
    return digest


def element_hash(element: Element) -> str:
    """SHA-256 of an element and its contents, as 64 hexadecimal digits."""
    return _hash_of(_text_of(element))


def digest(data: Any) -> str:
    """SHA-256 of plain data, as 64 hexadecimal digits."""
    return _hash_of(_compact_json(data))


def _hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _compact_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def compact_text(spec: Spec) -> str:
    """Return the document as JSON on one line. What is as it was in an earlier document is not written again."""
    members = (f'"{name}":{_text_of(value)}' for name, value in _set_fields(spec))
    return f"{{{','.join(members)}}}"


def _text_of(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], SharedPart):
        return f"[{','.join(map(_text_of, value))}]"
    if isinstance(value, SharedPart):
        text: str | None = value.derived.get("text")
        return text or value.derived.setdefault("text", _compact_json(to_plain_data(value)))
    return _compact_json(to_plain_data(value))


def to_plain_data(value: Any) -> Any:
    """Return the JSON data of a part of a document, without unset fields and default values."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is tuple:
        return [to_plain_data(item) for item in value]
    if issubclass(kind, Model):
        return {
            n: content if type(content) in _AS_IT_IS else to_plain_data(content) for n, content in _set_fields(value)
        }
    return _plain_value(value)


def _set_fields(model: Model) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a part that are written, with their values."""
    fields = vars(model)
    for name, default in _defaults(type(model)):
        value = fields[name]
        if value is None or value is default:
            continue
        if default is None or default is _ALWAYS or value != default:
            yield name, value


def _plain_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [to_plain_data(item) for item in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    # Beyond, whole numbers have gaps as floats.
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


_ALWAYS = object()
_AS_IT_IS = frozenset((str, bool, int, type(None)))


@cache
def _defaults(model: type[Model]) -> tuple[tuple[str, Any], ...]:
    """Every field with its default; what is required, the format and a union's `kind` are always written."""
    always = {"format"} | ({"kind"} if tag(model) else set())
    return tuple(
        (name, _ALWAYS if field.is_required() or name in always else field.get_default(call_default_factory=False))
        for name, field in model.model_fields.items()
    )


def _format_json(data: Any, depth: int) -> str:
    line = json.dumps(data, ensure_ascii=False)
    if not isinstance(data, dict | list) or not data or (depth > 0 and len(line) + 2 * depth <= WIDTH):
        return line
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(data, dict):
        rows = [
            f"{json.dumps(key, ensure_ascii=False)}: {_format_json(content, depth + 1)}"
            for key, content in data.items()
        ]
        return f"{{\n{inner}" + f",\n{inner}".join(rows) + f"\n{outer}}}"
    if not isinstance(data[0], dict | list):
        return _wrap_items([json.dumps(item, ensure_ascii=False) for item in data], inner, outer)
    return f"[\n{inner}" + f",\n{inner}".join(_format_json(item, depth + 1) for item in data) + f"\n{outer}]"


def _wrap_items(items: list[str], inner: str, outer: str) -> str:
    """Return a long list of plain values as text, with as many values on a line as fit."""
    lines = [items[0]]
    for item in items[1:]:
        if len(inner) + len(lines[-1]) + len(item) + 2 <= WIDTH:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return f"[\n{inner}" + f",\n{inner}".join(lines) + f"\n{outer}]"
