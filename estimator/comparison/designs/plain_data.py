"""A comparison as plain data for JSON."""

from typing import Any

from designer.document import fingerprint
from designer.document.money import Money
from designer.wording.formatting import english
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.json_schema import COUNT, NUMBER, TEXT, document, list_of, object_of, or_null
from estimator.presentation.plain_data import to_plain
from estimator.results import Finding, ReadPlan

from . import SIGNS, Comparison, DescribedChange, DesignWithEstimate, Effects
from .change_messages import consequences

FORMAT = "keywright-diff/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""


def as_data(comparison: Comparison) -> dict[str, Any]:
    """Everything that is otherwise, as dicts, lists, texts and numbers; money is text with its cents."""
    return {
        "format": FORMAT,
        "before": _side(comparison.before, fingerprint(comparison.before.spec)),
        "after": _side(comparison.after, comparison.sha256_after),
        "matched_by": comparison.matched_by,
        "counts": dict(comparison.counts),
        "changes": [_change(comparison, change) for change in comparison.changes],
        "bill": _bill(comparison),
        **_effects(comparison.together),
    }


def _side(side: DesignWithEstimate, sha256: str) -> dict[str, Any]:
    bill = side.estimate.bill
    return {
        "name": side.spec.name,
        "sha256": sha256,
        "price_book": side.estimate.price_book,
        "a_month": None if bill is None else {"total": str(bill.total), "currency": bill.currency,
                                              "open_lines": len(bill.open_lines)},
    }  # fmt: skip


def _change(comparison: Comparison, described: DescribedChange) -> dict[str, Any]:
    change = described.change
    return {
        "number": described.number,
        "sign": change.sign,
        "what": change.what,
        "at": change.at if change.sign == "removed" else comparison.own_id(change.at),
        "place": list(change.place),
        "was": english(change.was.message, change.was.params),
        "now": english(change.now.message, change.now.params),
        "fields": [
            {"name": f.name, "title": f.title, "was": english(f.was.message, f.was.params),
             "now": english(f.now.message, f.now.params)} for f in change.fields
        ],
        "inside": change.inside,
        "with": list(described.companions),
        "consequences": [
            {"kind": consequence.kind, "text": english(consequence.text.message, consequence.text.params)}
            for consequence in consequences(described.stored, described.step.effects)
        ],
        "effects": _effects(described.step.effects),
    }  # fmt: skip


def _effects(effects: Effects) -> dict[str, Any]:
    return {
        "money_a_month": _money(effects.money),
        "findings": {"came": [_finding(f) for f in effects.came], "gone": [_finding(f) for f in effects.gone]},
        "reads": [
            {"read": r.read, "name": r.name, "before": _plan(r.before), "after": _plan(r.after)} for r in effects.reads
        ],
        "hottest_range": [
            {
                "table": h.table,
                "name": h.name,
                "before_share": to_plain(h.before),
                "after_share": to_plain(h.after),
                "load_factor": to_plain(h.load_factor),
            }
            for h in effects.heat
        ],
    }


def _money(money: Money | None) -> dict[str, str] | None:
    return None if money is None else {"amount": str(money.amount), "currency": money.currency}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule, "severity": finding.severity, "at": finding.at, "accepted": finding.ignored is not None,
        "message": english(finding.message, finding.params),
    }  # fmt: skip


def _plan(plan: ReadPlan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    rows, scanned_bytes = (plan.rows_scanned, plan.bytes_scanned) if plan.has_actual_rows else (None, None)
    return {
        "access": plan.access, "ranges": to_plain(plan.ranges), "rows_scanned": to_plain(rows),
        "bytes_scanned": to_plain(scanned_bytes),
    }  # fmt: skip


def _bill(comparison: Comparison) -> dict[str, Any]:
    bill = comparison.bill
    return {
        "state": bill.state,
        "difference": _money(bill.difference),
        "difference_share": to_plain(bill.share),
        "price_books": list(bill.books),
        "notes": [english(note.message, note.params) for note in bill.notes],
        "lines": [_line(line) for line in bill.changed_lines],
    }


def _line(line: LineChange) -> dict[str, Any]:
    return {
        "item": line.line.item, "at": line.line.at, "label": english(line.line.label, line.line.params),
        "before": None if line.old is None or line.old.cost is None else str(line.old.cost),
        "after": None if line.new is None or line.new.cost is None else str(line.new.cost),
        "difference": None if line.difference is None else str(line.difference),
    }  # fmt: skip


def schema() -> dict[str, Any]:
    """Return the JSON Schema of what `diff --json` prints: this data, and the limits that failed."""
    money = or_null(object_of(amount=TEXT, currency=TEXT))
    bill = or_null(object_of(total=TEXT, currency=TEXT, open_lines=COUNT))
    side = object_of(name=TEXT, sha256=TEXT, price_book=TEXT, a_month=bill)
    flag = {"type": "boolean"}
    finding = object_of(rule=TEXT, severity=TEXT, at=TEXT, accepted=flag, message=TEXT)
    plan = or_null(object_of(access=TEXT, ranges=NUMBER, rows_scanned=NUMBER, bytes_scanned=NUMBER))
    findings = object_of(came=list_of(finding), gone=list_of(finding))
    read = object_of(read=TEXT, name=TEXT, before=plan, after=plan)
    heat = object_of(table=TEXT, name=TEXT, before_share=NUMBER, after_share=NUMBER, load_factor=NUMBER)
    effects = {
        "money_a_month": money,
        "findings": findings,
        "reads": list_of(read),
        "hottest_range": list_of(heat),
    }
    field = object_of(name=TEXT, title=TEXT, was=TEXT, now=TEXT)
    change = object_of(
        number=COUNT,
        sign={"enum": list(SIGNS)},
        what=TEXT,
        at=TEXT,
        place=list_of(TEXT),
        was=TEXT,
        now=TEXT,
        fields=list_of(field),
        inside=COUNT,
        **{"with": list_of(COUNT)},
        consequences=list_of(object_of(kind=TEXT, text=TEXT)),
        effects=object_of(**effects),
    )
    cost = {"type": ["string", "null"]}
    line = object_of(item=TEXT, at=TEXT, label=TEXT, before=cost, after=cost, difference=cost)
    bills = object_of(
        state=TEXT,
        difference=money,
        difference_share=NUMBER,
        price_books=list_of({"type": ["string", "null"]}),
        notes=list_of(TEXT),
        lines=list_of(line),
    )
    counts = {"type": "object", "additionalProperties": COUNT}
    whole = object_of(
        before=side,
        after=side,
        matched_by=TEXT,
        counts=counts,
        changes=list_of(change),
        bill=bills,
        **effects,
        failed=list_of(TEXT),
    )
    return document(FORMAT, "Output of `keywright diff --json`", whole, {})
