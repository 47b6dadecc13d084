"""The key names its parts, but is the same text in every row.

**What** A row key has only fixed text, made of two or more words with delimiters between them, or in the notation of
another database.
**Why** Only names in braces are fields. A key of fixed text is one row, which every write changes.
**Instead** Write the names in braces: `{device_id}#{timestamp}`.
**Fine when** The table holds one row of that name on purpose.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

import re
from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.edits import Edit
from designer.document.key import LiteralSegment
from designer.document.keytext import KeyTextError
from designer.document.table import RowKind
from designer.document.texts import N_
from designer.editing.new_design import key_edit
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import design, field_part, read_part, time_part

_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_CALL = re.compile(r"(?:primary\s+key|Bytes\.add|concat)\s*\((.*)\)\s*;?", re.IGNORECASE)
_PART = r"[^,;\s()=:]+(?::[^,;\s()=:]+)*"
_LABELLED = re.compile(
    rf"(?:partition[ _]?key|hash[ _]?key|pk)\s*[:=]?\s*({_PART})[,;\s]+"
    rf"(?:sort[ _]?key|range[ _]?key|sk)\s*[:=]?\s*({_PART})",
    re.IGNORECASE,
)
"""As DynamoDB's keys are told: `PK=user_id, SK=created_at`."""
_MARKED = re.compile(
    rf"({_PART})\s*\((?:hash|pk|partition(?: key)?)\)[,;\s]*({_PART})\s*\((?:range|sk|sort(?: key)?)\)", re.IGNORECASE
)
"""`user_id (HASH), created_at (RANGE)`."""
_PLACEHOLDER = re.compile(r"<[^<>]+>|\[[^\[\]]+\]|\$\{[^{}]+\}|\$[A-Za-z]\w*")
_BRACKETED = re.compile(r"(?:\[[\w.-]+\]){2,}|(?:<[\w.-]+>){2,}")
"""One name beside the other, as HBase's documentation writes keys: `[hostname][log-event][timestamp]`."""
_QUOTED = r"""'[^']*'|"[^"]*\""""
_HASHED = rf"(?:md5|sha1|sha256|hash)\({_NAME}\)"
_TERM = rf"(?:{_QUOTED}|{_HASHED}|{_NAME})"
_SUM = re.compile(rf"{_TERM}(?:\s*(?:\+|\|\|)\s*{_TERM})+", re.IGNORECASE)
"""An expression of a program: `user_id + "#" + timestamp`."""
_JOINED = re.compile(rf"[<$\[(]*{_NAME}[>\])]*(?:[#:|/~+,;][<$\[(]*{_NAME}[>\])]*)+")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per key of fixed text that reads like the names of fields."""
    for rows in row_kinds(spec, estimate):
        text = "".join(s.text + s.after for s in rows.kind.key if isinstance(s, LiteralSegment))
        meant = suggested_key(text) if all(isinstance(s, LiteralSegment) for s in rows.kind.key) else None
        if meant is not None:
            params = {"table": rows.table.label, "key": text, "meant": meant}
            fix = _fix(spec, rows.kind, meant)
            label = USE if fix is not None else ""
            yield Violation(at=rows.kind.id, field="key", params=params, fix=fix, fix_label=label)


def _fix(spec: Spec, kind: RowKind, meant: str) -> Edit | None:
    """Return the edit that makes the key read as meant, with new fields for its names; None where it is no key text."""
    try:
        return key_edit(spec, kind, meant)
    except KeyTextError:
        return None


USE = N_("Use {meant}")


def suggested_key(text: str) -> str | None:
    """Return the key text that was probably meant by a text without braces; None where it names no fields.

    >>> suggested_key("device_id#timestamp"), suggested_key("PRIMARY KEY ((a, b), c)"), suggested_key("settings")
    ('{device_id}#{timestamp}', '{a}#{b}#{c}', None)
    >>> suggested_key("PK=USER#<user_id>, SK=created_at")
    'USER#{user_id}#{created_at}'
    >>> suggested_key("[host][time]"), suggested_key('md5(user) + "_" + user + day')
    ('{host}#{time}', '{hash(user):md5}_{user}#{day}')
    """
    keys = _LABELLED.fullmatch(text.strip()) or _MARKED.fullmatch(text.strip())
    if keys is not None:
        return "#".join(map(_part_with_braces, keys.groups()))
    call = _CALL.fullmatch(text.strip())
    if call is not None:
        names = re.findall(_NAME, call[1])
        return "#".join(f"{{{name}}}" for name in names) or None
    if _BRACKETED.fullmatch(text.strip()) is not None:
        return "#".join(f"{{{name}}}" for name in re.findall(r"[\w.-]+", text))
    if _SUM.fullmatch(text.strip()) is not None:
        return _sum_with_braces(re.findall(_TERM, text, re.IGNORECASE))
    if _JOINED.fullmatch(text) is None:
        return None
    return re.sub(_NAME, lambda name: f"{{{name[0]}}}", re.sub(r"[<>$\[\]()]", "", text))


def _sum_with_braces(terms: Sequence[str]) -> str | None:
    """Return the key text of the terms of a sum, `#` between values that stand beside each other."""
    found, after_value = "", False
    for term in terms:
        if term[0] in "'\"":
            found, after_value = found + term[1:-1].replace("{", "{{").replace("}", "}}"), False
            continue
        name, _, argument = term.partition("(")
        algorithm = "" if name.lower() == "hash" else f":{name.lower()}"
        value = f"{{hash({argument.rstrip(')')}){algorithm}}}" if argument else f"{{{term}}}"
        found, after_value = found + ("#" if after_value else "") + value, True
    return found if "{" in found.replace("{{", "") else None


def _part_with_braces(part: str) -> str:
    """Return one attribute with its field in braces: `USER#<user_id>` keeps its text, a name alone is a field."""
    if _PLACEHOLDER.search(part):
        return _PLACEHOLDER.sub(lambda found: f"{{{found[0].strip('<>[]${}')}}}", part)
    text, _, name = part.rpartition("#")
    return f"{text}#{{{name}}}" if text else f"{{{name}}}"


def _table(*key: str) -> Spec:
    """Build a design whose key is fixed text."""
    parts = [{"id": f"literal{place}", "kind": "literal", "text": text} for place, text in enumerate(key)]
    return design(*parts, per_second=0.1, write={"mode": "overwrite"}, reads=(read_part(),))


RULE = Rule(
    code="K030",
    severity="warning",
    message=N_(
        "Every row of {table} has the same key, the text {key}. Names in braces are fields. Did you mean {meant}?"
    ),
    check=check,
    bad=lambda: _table("device_id#timestamp"),
    good=lambda: design(
        field_part("device", "#"), time_part(), per_second=20, reads=(read_part(binds=("device",), exact_time=True),)
    ),
    near_miss=lambda: _table("settings"),
    engines=BIGTABLE,
)
