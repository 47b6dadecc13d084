"""CREATE TABLE of Cassandra's CQL (and of SQL, where it names a primary key) → a table with this key and these columns.

The partition key and the clustering columns make the row key in their order; all other columns go to one family, with
the table's default time to live ("CREATE TABLE", https://cassandra.apache.org/doc/latest/cassandra/developing/cql/ddl.html,
read 2026-11-27).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment
from designer.document.keytext import KeyTextError, parse_key
from designer.document.texts import N_, Text, TextList, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .shared.build import build_import, refuse_count
from .shared.key_texts import KeyReader
from .shared.result import ImportRemark, ImportResult, line_place

TITLE = "CQL"
_NAME = r'(?:[A-Za-z]\w*|"[^"]+"|`[^`]+`)'
_CREATE = re.compile(
    rf"create\s+(?:table|columnfamily)\s+(?:if\s+not\s+exists\s+)?(?:{_NAME}\s*\.\s*)?(?P<name>{_NAME})\s*\(",
    re.IGNORECASE,
)
_OTHER = re.compile(r"^[ \t]*create\s+(?:\w+\s+)?(?:index|materialized\s+view|type|function|trigger)\b.*", re.I | re.M)
_NAME_OR_BLANK = re.compile(
    r"""(?P<name>"[^"\n]*"|`[^`\n]*`)"""
    r"""|=\s*'(?:[^']|'')*'|'(?:[^'\n]|'')*'|\$\$.*?\$\$|(?:--|//)[^\n]*|/\*.*?(?:\*/|\Z)""",
    re.DOTALL,
)
"""A quoted name, or what says nothing of the tables: a quoted text (only a setting's goes over lines, as prose has
apostrophes), the body of a function, a comment."""
_KEY = rf"(?:constraint\s+{_NAME}\s+)?primary\s+key\b[^()]*"
_PRIMARY = re.compile(rf"{_KEY}\((?P<names>.*)\)[^()]*", re.IGNORECASE | re.DOTALL)
_PRIMARY_BEHIND = re.compile(r"\s*primary\s+key\s*\((?P<names>[^()]*)\)", re.IGNORECASE)
"""Behind the columns, as Spanner has it."""
_PRIMARY_ADDED = re.compile(
    rf"\balter\s+table\s+(?:only\s+)?(?:if\s+exists\s+)?(?:{_NAME}\s*\.\s*)?(?P<table>{_NAME})\s+add\s+{_KEY}"
    r"\((?P<names>[^()]*)\)",
    re.IGNORECASE,
)
"""In a statement of its own, as pg_dump writes it."""
_KEY_COLUMN = re.compile(rf"(?P<name>{_NAME})(?:\s*\(\s*\d+\s*\))?(?:\s+(?:asc|(?P<newest>desc))\b)?", re.IGNORECASE)
_CONSTRAINT = re.compile(
    rf"(?:constraint\s+{_NAME}\s+)?(?:foreign\s+key|unique|check|exclude|(?:unique\s+|fulltext\s+)?(?:index|key))\b\s*"
    rf"(?:{_NAME}\s*)?\((?!\s*\d).*",
    re.IGNORECASE | re.DOTALL,
)
"""Of SQL, between its columns: a column may have such a name too, and then has no parentheses behind it."""
_COLUMN = re.compile(rf"(?P<name>{_NAME})\s+(?P<type>\w+(?:\s*<.*>)?)(?P<rest>.*)", re.DOTALL)
_ORDER = re.compile(r"clustering\s+order\s+by\s*\((?P<order>[^()]*)\)", re.IGNORECASE)
_LIFE = re.compile(r"default_time_to_live\s*=\s*(?P<seconds>\d{1,18})", re.IGNORECASE)
_NEWEST = re.compile(rf"(?<!\w)({_NAME})\s+desc", re.IGNORECASE)
_TIMES = frozenset(("timestamp", "timeuuid", "datetime", "timestamptz"))
_FIELD_KINDS: Mapping[str, str] = {
    "uuid": "uuid", "timeuuid": "uuid", "timestamp": "timestamp", "datetime": "timestamp", "timestamptz": "timestamp",
    "int": "integer", "integer": "integer", "bigint": "integer", "smallint": "integer", "tinyint": "integer",
    "varint": "integer", "counter": "integer", "boolean": "boolean", "float": "float", "double": "float",
    "blob": "bytes", "text": "string", "ascii": "string", "varchar": "string", "inet": "string",
}  # fmt: skip
_VALUE_KINDS: Mapping[str, str] = {
    "integer": "integer", "float": "float", "boolean": "enumeration", "bytes": "random", "uuid": "random",
    "timestamp": "integer",
}  # fmt: skip
"""Kinds of values by kinds of fields; collections are JSON, and all else is text."""
_COLLECTIONS = ("map", "list", "set", "frozen", "tuple", "vector")


@dataclass(frozen=True)
class _Definition:
    """One table as CQL defines it: types by column, the columns of its key, which of them descend."""

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]
    newest: frozenset[str]
    kept_seconds: int
    once: tuple[str, ...]
    """Static columns, which a partition stores once."""


def can_read(text: str, data: Any) -> bool:
    """Return whether the text creates a table."""
    # A bounded part: every format is asked about each text, however long.
    return data is None and _CREATE.search(_blank_texts(text[:100_000])) is not None


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the definitions of tables."""
    text = _blank_texts(text)
    remarks, line, before = list[ImportRemark](), 1, 0
    for match in _OTHER.finditer(text):
        line, before = line + text.count("\n", before, match.start()), match.start()
        remarks.append(ImportRemark(line_place(line), N_("only CREATE TABLE is imported")))
    reader = KeyReader()
    tables = [_table(definition, reader, remarks) for definition in _definitions(text)]
    return build_import("cql", {"fields": reader.fields_data(), "tables": tables}, remarks)


def _blank_texts(text: str) -> str:
    """Return the text with blanks for comments and quoted texts, so that lines keep their numbers."""
    return _NAME_OR_BLANK.sub(lambda match: match["name"] or re.sub(r"[^\n]", " ", match[0]), text)


def _definitions(text: str) -> Iterator[_Definition]:
    matches = list(_CREATE.finditer(text))
    refuse_count(len(matches))
    added = {_identity(match["table"]): match["names"] for match in _PRIMARY_ADDED.finditer(text)}
    for number, create in enumerate(matches):
        until = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        inside, rest = _split_at_close(text[create.end() : until])
        columns, spelled, once = dict[str, str](), dict[str, str](), list[str]()
        behind = _PRIMARY_BEHIND.match(rest)
        keys = [behind["names"] if behind is not None else added.get(_identity(create["name"]), "")]
        for part in _split(inside):
            if (primary := _PRIMARY.fullmatch(part)) is not None:
                # The inner parentheses around a partition key of several columns only say how Cassandra hashes: their
                # order is the key's.
                keys.append(primary["names"])
            elif _CONSTRAINT.fullmatch(part) is None and (column := _COLUMN.fullmatch(part)) is not None:
                name = spelled[_identity(column["name"])] = _bare(column["name"])
                columns[name] = column["type"].lower()
                if re.search(r"primary\s+key", column["rest"], re.IGNORECASE):
                    keys.append(column["name"])
                once += [name] if "static" in column["rest"].lower().split() else []
        order, life = _ORDER.search(rest), _LIFE.search(rest)
        key = [*_KEY_COLUMN.finditer(keys[-1])]
        newest = [match["name"] for match in key if match["newest"]]
        newest += _NEWEST.findall(order["order"] if order else "")
        names, newest_names = (
            [spelled.get(_identity(name), _bare(name)) for name in written]
            for written in ([match["name"] for match in key], newest)
        )
        yield _Definition(
            _bare(create["name"]), columns, tuple(names), frozenset(newest_names),
            int(life["seconds"]) if life else 0, tuple(once),
        )  # fmt: skip


def _split_at_close(text: str) -> tuple[str, str]:
    """Return what stands before the parenthesis that closes a definition, and what stands behind it."""
    depth = 1
    for at, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return text[:at], text[at + 1 :]
    raise InvalidDocumentError([Problem((), build_text(N_("the parenthesis of a CREATE TABLE is not closed")))])


def _split(text: str) -> Iterator[str]:
    """Yield the parts between commas outside of brackets; a sign that compares is none."""
    angles, start = [0], 0  # open angle brackets within each open parenthesis, the outermost level first
    for at, sign in enumerate(text):
        if sign == "(":
            angles.append(0)
        elif sign == ")" and len(angles) > 1:
            angles.pop()
        elif sign in "<>":
            angles[-1] = max(angles[-1] + (1 if sign == "<" else -1), 0)
        elif sign == "," and angles == [0]:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def _bare(name: str) -> str:
    return name.strip('"`')


def _identity(name: str) -> str:
    """Return a name by which it is compared: without quotes, its case says nothing."""
    return _bare(name) if name[:1] in ('"', "`") else name.lower()


def _table(definition: _Definition, reader: KeyReader, remarks: list[ImportRemark]) -> dict[str, Any]:
    where = Text("{name}", {"name": definition.name})
    kind: dict[str, Any] = {"name": definition.name}
    if not definition.key:
        remarks.append(ImportRemark(where, N_("no primary key found: specify the row key")))
    remarks += [
        ImportRemark(where, N_("{field} ascends: only times are stored newest first"), {"field": name})
        for name in definition.key if name in definition.newest and definition.columns.get(name) not in _TIMES
    ]  # fmt: skip
    try:
        kinds = {name: _FIELD_KINDS[type_] for name, type_ in definition.columns.items() if type_ in _FIELD_KINDS}
        texts = [_segment_text(name, definition) for name in definition.key]
        kind["key"] = reader.read(texts, kinds)
    except KeyTextError as wrong:
        remarks.append(ImportRemark(where, wrong.message, wrong.params))
    if definition.once:
        message = N_("static columns are stored in each row: {names}")
        remarks.append(ImportRemark(where, message, {"names": TextList(definition.once)}))
    family: dict[str, Any] = {"name": "d", "columns": [
        {"qualifier": name, "value": {"kind": _value_kind(type_)}}
        for name, type_ in definition.columns.items() if name not in definition.key
    ]}  # fmt: skip
    if definition.kept_seconds:
        family["gc"] = {"kind": "max_age", "age_days": definition.kept_seconds / DAY_SECONDS}
    return {"name": definition.name, "row_kinds": [kind], "families": [family]}


def _segment_text(name: str, definition: _Definition) -> str:
    segment = _ordered_text(name, definition)
    if definition.columns.get(name) != "timeuuid" or "#" in segment:
        return segment
    # A timeuuid also tells apart rows of one moment, which the time alone does not.
    is_time = isinstance(parse_key(Spec(), segment, new_fields=True).segments[0], TimeSegment)
    return f"{segment}#{{{name}_id}}" if is_time else segment


def _ordered_text(name: str, definition: _Definition) -> str:
    if name not in definition.newest or (type_ := definition.columns.get(name)) not in _TIMES:
        return f"{{{name}}}"
    segment = f"{{{name}:rev}}"
    try:
        parse_key(Spec(), segment, new_fields=True)
    except KeyTextError:  # its name does not say that it is a time
        return "{time:rev}" + (f"#{{{name}}}" if type_ == "timeuuid" else "")
    return segment


def _value_kind(type_: str) -> str:
    if type_.startswith(_COLLECTIONS):
        return "json"
    return _VALUE_KINDS.get(_FIELD_KINDS.get(type_, ""), "text")
