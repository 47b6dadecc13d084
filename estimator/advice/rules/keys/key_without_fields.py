"""The key names its parts, but is the same text in every row.

**What** A row key has only fixed text, made of two or more words with delimiters between them, or in the notation of
another database.
**Why** Only names in braces are fields. A key of fixed text is one row, which every write changes.
**Instead** Write the names in braces: `{device_id}#{timestamp}`.
**Fine when** The table holds one row of that name on purpose.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

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


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per key of fixed text that reads like the names of fields."""
    for rows in row_kinds(spec, estimate):
        text = "".join(s.text + s.after for s in rows.kind.key if isinstance(s, LiteralSegment))
        meant = _meant_key(text) if all(isinstance(s, LiteralSegment) for s in rows.kind.key) else None
        if meant is not None:
            params = {"table": rows.table.label, "key": text, "meant": meant}
            fix = _fix(spec, rows.kind, meant)
            label = USE if fix is not None else ""
            about = (rows.kind.id, *(write.id for write in rows.kind.writes), *(read.id for read in rows.kind.reads))
            yield Violation(rows.kind.id, params, "key", fix=fix, fix_label=label, about=about)


def _meant_key(text: str) -> str | None:
    from designer.document.keytext.meant import meant_key

    return meant_key(text)


def _fix(spec: Spec, kind: RowKind, meant: str) -> Edit | None:
    """Return the edit that makes the key read as meant, with new fields for its names; None where it is no key text."""
    try:
        return key_edit(spec, kind, meant)
    except KeyTextError:
        return None


USE = N_("Use {meant}")


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
