"""Tables of HBase, as its shell creates and describes them → tables with these families.

`create 't', {NAME => 'cf', VERSIONS => 3}` and the output of `describe 't'` ("The Apache HBase Shell" and "Data Model",
https://hbase.apache.org/book.html, read 2026-11-29). HBase does not know what stands in a row key.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from designer.document.texts import N_

from .shared.build import build_import, refuse_count
from .shared.gcrules import InvalidRuleError, age_rule, versions_rule
from .shared.result import ImportRemark, ImportResult

TITLE = "HBase"
_QUOTED = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_START = re.compile(
    rf"^(?:[^\n'\"]{{0,80}}>)?[ \t]*(?P<verb>create|alter)[\s(]+(?P<created>{_QUOTED})"
    r"|^Table (?P<described>\S+) is (?:EN|DIS)ABLED\b",
    re.MULTILINE,
)
"""`create 't'` or `alter 't'`, also behind a prompt, or the first line of a description."""
_SETTING = re.compile(rf"(?P<key>[A-Z][A-Z_]*)\s*=>\s*(?P<value>\[(?:[^\[\]'\"]|{_QUOTED})*\]|{_QUOTED}|[\w.]+)")
_BRACES = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
_ARGUMENT = re.compile(rf"\s*,\s*(?:(?P<name>{_QUOTED})|(?P<braces>{_BRACES})|(?P<setting>{_SETTING.pattern}))")
_FAMILY = re.compile(rf"(?=\{{\s*NAME\s*=>){_BRACES}")
_DURATION = re.compile(r"(\d{1,12})\s*(DAY|HOUR|MINUTE|SECOND)S?", re.IGNORECASE)
_UNIT_SECONDS: Mapping[str, int] = {"DAY": 86_400, "HOUR": 3_600, "MINUTE": 60, "SECOND": 1}
_NO_END = 2**31 - 1
"""Seconds, and versions, that stand for all; the shell also writes FOREVER."""
_DEFAULT_VERSIONS = 1
"""Versions of a family that does not say how many, since HBase 0.96."""
_KNOWN = frozenset((
    "BLOCKCACHE", "BLOCKSIZE", "BLOOMFILTER", "CACHE_BLOOMS_ON_WRITE", "CACHE_DATA_IN_L1", "CACHE_DATA_ON_WRITE",
    "CACHE_INDEX_ON_WRITE", "COMPRESSION", "DATA_BLOCK_ENCODING", "DURABILITY", "EVICT_BLOCKS_ON_CLOSE",
    "INDEX_BLOCK_ENCODING", "IN_MEMORY", "KEEP_DELETED_CELLS", "MAX_FILESIZE", "MEMSTORE_FLUSHSIZE", "METADATA",
    "METHOD", "MIN_VERSIONS", "NAME", "NEW_VERSION_BEHAVIOR", "NORMALIZATION_ENABLED", "NUMREGIONS",
    "PREFETCH_BLOCKS_ON_OPEN", "REPLICATION_SCOPE", "SPLITALGO", "SPLITS", "SPLIT_POLICY", "TTL", "VERSIONS",
))  # fmt: skip
"""Settings that are read, or that say how servers store and cache, which Bigtable decides itself."""


class _Definition(NamedTuple):
    name: str
    families: tuple[dict[str, str], ...]
    settings: dict[str, str]
    is_change: bool = False
    """Of `alter`: what it does not name stays."""


def can_read(text: str, data: Any) -> bool:
    """Return whether the text creates a table by name, or describes one."""
    # A bounded part: every format is asked about each text, however long.
    return data is None and _START.search(text[:100_000]) is not None


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the tables that the text creates or describes."""
    remarks: list[ImportRemark] = []
    definitions: dict[str, _Definition] = {}
    for definition in _definitions(text):
        before = definitions.get(definition.name) if definition.is_change else None
        definitions[definition.name] = definition if before is None else _change_definition(before, definition)
    refuse_count(len(definitions))
    return build_import(
        "hbase", {"tables": [_table(definition, remarks) for definition in definitions.values()]}, remarks
    )


def _definitions(text: str) -> Iterator[_Definition]:
    starts = list(_START.finditer(text))
    for number, start in enumerate(starts):
        until = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        if start["described"]:
            families = tuple(_settings(family[0]) for family in _FAMILY.finditer(text, start.end(), until))
            yield _Definition(start["described"].rstrip(","), families, {})
        else:
            definition = _read_arguments(_unquote(start["created"]), text, start.end(), until)
            yield definition._replace(is_change=start["verb"] == "alter")


def _change_definition(before: _Definition, change: _Definition) -> _Definition:
    """Return a table after an `alter`."""
    families = {family["NAME"]: family for family in before.families}
    for family in change.families:
        families[family["NAME"]] = families.get(family["NAME"], {}) | family
        if family.get("METHOD") == "delete":
            del families[family["NAME"]]
    return _Definition(before.name, tuple(families.values()), before.settings | change.settings)


def _read_arguments(name: str, text: str, at: int, until: int) -> _Definition:
    """Return the table of a command whose arguments begin there; what follows them are other commands."""
    families, settings = list[dict[str, str]](), dict[str, str]()
    bare: dict[str, str] | None = None  # the family that settings without braces are of
    while (argument := _ARGUMENT.match(text, at, until)) is not None:
        at = argument.end()
        stated = {"NAME": _unquote(argument["name"])} if argument["name"] else _settings(argument[0])
        if "NAME" in stated:
            families.append(stated)
            bare = stated if argument["setting"] else None
        elif bare is not None and argument["setting"] and "SPLITS" not in stated:
            bare.update(stated)
        else:
            settings |= stated
    return _Definition(name, tuple(families), settings)


def _settings(text: str) -> dict[str, str]:
    return {match["key"]: _unquote(match["value"]) for match in _SETTING.finditer(text)}


def _unquote(text: str) -> str:
    return text[1:-1] if text[:1] in ("'", '"') else text


def _table(definition: _Definition, remarks: list[ImportRemark]) -> dict[str, Any]:
    name = definition.name.replace(":", "_")
    if name != definition.name:
        message = N_("a table's name cannot contain a colon: imported as {name}")
        remarks.append(ImportRemark(definition.name, message, {"name": name}))
    families: list[dict[str, Any]] = []
    for family in definition.families:
        families.append({"name": family["NAME"]})
        try:
            families[-1] |= {"gc": rule} if (rule := _rule(family)) else {}
        except InvalidRuleError as error:
            message = N_("rule {rule} not recognised")
            remarks.append(ImportRemark(f"{name}.{family['NAME']}", message, {"rule": str(error)[:80]}))
    for key in sorted({key for settings in (definition.settings, *definition.families) for key in settings}):
        if key not in _KNOWN:
            remarks.append(ImportRemark(name, N_("{key} is not part of a design"), {"key": key}))
    splits = [_unquote(split) for split in re.findall(_QUOTED, definition.settings.get("SPLITS", ""))]
    return {"name": name, "families": families, **({"split_keys": splits} if splits else {})}


def _rule(family: dict[str, str]) -> dict[str, Any] | None:
    """Return by what cells of a family are collected: older than its time to live, but for the least it keeps."""
    most, least = (
        _whole_number(family.get(key, str(default)))
        for key, default in (("VERSIONS", _DEFAULT_VERSIONS), ("MIN_VERSIONS", 0))
    )
    seconds = _seconds(family.get("TTL", "FOREVER"))
    rules = [versions_rule(most)] if most < _NO_END else []
    if seconds < _NO_END:
        age = age_rule(seconds * 1_000)
        rules.append({"kind": "intersection", "rules": [age, versions_rule(least)]} if least else age)
    return {"kind": "union", "rules": rules} if len(rules) > 1 else next(iter(rules), None)


def _seconds(text: str) -> int:
    """Return a time to live: `86400`, `86400 SECONDS (1 DAY)`, `1 DAY 12 HOURS` or `FOREVER`. [s]"""
    if text.upper() == "FOREVER":
        return _NO_END
    stated = text.partition("(")[0].strip()
    parts = _DURATION.findall(stated)
    if not parts:
        return _whole_number(stated)
    return sum(int(number) * _UNIT_SECONDS[unit.upper()] for number, unit in parts)


def _whole_number(text: str) -> int:
    if re.fullmatch(r"\d{1,12}", text) is None:
        raise InvalidRuleError(text)
    return int(text)
