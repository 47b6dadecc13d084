"""Import of `cbt ls` output: an instance's tables, or a table's families with their rules.

Tables are listed one per line. The output for a table does not contain its name; a line with the command
above it does (`cbt -instance i ls readings`).
"""

import json
import re
from dataclasses import replace
from typing import Any

from designer.document.texts import N_, Text, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .shared import gcrules
from .shared.build import build_import
from .shared.result import ImportRemark, ImportResult, line_place
from .shared.stated_parts import TABLES, StatedParts, stated_families

TITLE = "cbt ls"
_COMMAND = re.compile(r"(?:[^|$#>]{0,200}[$#>]\s*)?cbt\b.*\sls(?:\s+(?P<table>[\w.-]+))?\s*$")
"""After any shell's prompt."""
_NOTICE = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d -\w+ flag unset.*")
"""What cbt says of itself whenever it is not told who asks."""
_PROMPT = re.compile(r"\S{0,100}[@:]\S.{0,200}[$#]")
"""A prompt with no command."""
_INSTANCE = re.compile(r"\s-instance[= ](?P<name>[\w-]+)")
_NAME = re.compile(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,49}")
_FAMILY = re.compile(r"(\S+)(\s+)?(.*)", re.DOTALL)
_HEAD = re.compile(r"Family Name\s+GC Policy")
STRAY = N_("not a table or a column family, and cbt ls prints nothing else")
MOST_LISTED = 1_000
"""Tables that an instance can have."""


def can_read(text: str, data: Any) -> bool:
    """Return whether a text looks like output of `cbt ls`.

    It contains the head of a table's output, the command, a notice of cbt, or a short list of names that resemble
    tables more than keys.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if _HEAD.search(text) or any(_COMMAND.match(line) or _NOTICE.fullmatch(line) for line in lines):
        return True
    words = len(lines) <= 30 and all(_NAME.fullmatch(line) for line in lines)
    # A few lines with digits in most of them are more likely sample keys than names of tables.
    return words and bool(lines) and sum(any(c.isdigit() for c in line) for line in lines) * 2 <= len(lines)


def read(text: str, data: Any, *, table_name: str = "") -> ImportResult:
    """Build a design with the tables; families without the command above them are of the named table."""
    remarks: list[ImportRemark] = []
    tables: dict[str, dict[str, Any]] = {}
    instance, name, table, is_listing = "", table_name, None, False
    unknown: dict[str, dict[str, set[str]]] = {}
    strays = list[int]()
    is_assumed = True
    for number, line in enumerate(text.splitlines(), start=1):
        where = line_place(number)
        # cbt draws a line of dashes below the head of a table's families.
        if not line.strip() or set(line.strip()) <= set("- \t") or _is_noise(line.strip()):
            continue
        if command := _COMMAND.match(line.strip()):
            is_assumed = False
            name, table = command["table"] or "", None
            match = _INSTANCE.search(line)
            instance = match["name"] if match else instance
        elif _HEAD.search(line):
            is_assumed = False
            if not name:
                remarks.append(
                    ImportRemark(where, N_("the output does not contain the table name: add the command above it"))
                )
            called = name or f"table{len(tables) + 1}"
            table = tables.setdefault(called, {"name": called, "families": []})
            unknown.setdefault(name, {})
        elif table is not None:
            if not _family(line, table, where, remarks, unknown[name]):
                strays.append(number)
        elif _NAME.fullmatch(line.strip()):
            tables.setdefault(line.strip(), {"name": line.strip(), "families": []})
            is_listing = True
        else:
            strays.append(number)
        if len(tables) > MOST_LISTED:
            message = N_("more than {most} tables, the maximum for an instance")
            raise InvalidDocumentError([Problem((), build_text(message, most=MOST_LISTED), number)])
    # A text with more lines that are not understood than lines that are is something else: saying so is better than a
    # design of scraps.
    if not tables or len(strays) > len(tables) + sum(len(table["families"]) for table in tables.values()):
        raise InvalidDocumentError(
            [Problem((), build_text(STRAY), strays[0])] if strays else [Problem((), build_text(N_("no tables found")))]
        )
    remarks += [ImportRemark(line_place(number), STRAY) for number in strays]
    document = {"name": instance, "tables": list(tables.values()), "instance": _instance_data(instance)}
    result = build_import("cbt", document, remarks, _told_parts(document, unknown, listed=is_listing))
    return replace(result, is_assumed=is_assumed)


def lists_nameless_families(result: ImportResult) -> bool:
    """Return whether a text is what `cbt ls TABLE` prints of one table, which does not name it."""
    tables = result.spec.tables
    return result.format == "cbt" and result.told.is_empty and len(tables) == 1 and bool(tables[0].families)


def is_table_name(text: str) -> bool:
    """Return whether a table can have this name."""
    return _NAME.fullmatch(text) is not None


def _is_noise(line: str) -> bool:
    return _NOTICE.fullmatch(line) is not None or _PROMPT.fullmatch(line) is not None


def _told_parts(document: dict[str, Any], unknown: dict[str, dict[str, set[str]]], *, listed: bool) -> StatedParts:
    """Return what is told: names of tables; of those that were asked for, families with their rules."""
    tables = {
        table["name"]: {"families": stated_families(table["families"], unknown[table["name"]])}
        if table["name"] in unknown
        else {}
        for table in document["tables"]
        if listed or table["name"] in unknown
    }
    # Only the list of an instance shows that a table is not there; output about one table says nothing of others.
    whole = frozenset((TABLES,)) if listed else frozenset[str]()
    return StatedParts(instance=document["instance"], tables=tables, whole=whole)


def _instance_data(instance: str) -> dict[str, Any]:
    return {"name": instance} if instance else {}


def _family(
    line: str, table: dict[str, Any], where: Text, remarks: list[ImportRemark], unknown: dict[str, set[str]]
) -> bool:
    """Add the family of a line; return whether it is one: a name, and a rule in a column of its own."""
    name, gap, rest = _FAMILY.fullmatch(line.strip()).groups(default="")  # type: ignore[union-attr]
    if not re.fullmatch(r"[-_.a-zA-Z0-9]{1,64}", name):
        return False
    policy, brace, type_ = rest.partition("{")
    family: dict[str, Any] = {"name": name}
    try:
        rule = gcrules.from_cbt(policy)
        if rule is not None:
            family["gc"] = rule
    except (gcrules.InvalidRuleError, ValueError):
        # cbt prints the rule in a column of its own, behind a tab or several spaces; one space is a sentence.
        if gap == " ":
            return False
        remarks.append(ImportRemark(where, N_("rule {rule} not recognised"), {"rule": policy.strip()[:80]}))
        unknown.setdefault(name, set()).add("gc")
    kind = gcrules.family_kind(_parse_type(brace + type_))
    if kind is None:
        remarks.append(ImportRemark(where, N_("value type not recognised; imported as an ordinary family")))
    if kind is None or not brace:  # older versions of cbt do not print types
        unknown.setdefault(name, set()).add("kind")
    family["kind"] = kind or "ordinary"
    table["families"].append(family)
    return True


def _parse_type(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return "?"
