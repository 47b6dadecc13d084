"""A comparison as plain data for JSON."""

from typing import Any

from designer.document import fingerprint
from designer.document.money import Money
from designer.wording.formatting import english
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.plain_data import plain
from estimator.results import Finding, ReadPlan

from . import Comparison, Effects, Side, Told
from .change_messages import consequences


def as_data(found: Comparison) -> dict[str, Any]:
    """Everything that is otherwise, as dicts, lists, texts and numbers; money is text with its cents."""
    return {
        "before": _side(found.before),
        "after": _side(found.after),
        "matched_by": found.matched_by,
        "counts": dict(found.counts),
        "changes": [_change(found, told) for told in found.changes],
        "bill": _bill(found),
        **_effects(found.together),
    }


def _side(side: Side) -> dict[str, Any]:
    bill = side.estimate.bill
    return {
        "name": side.spec.name,
        "sha256": fingerprint(side.spec),
        "price_book": side.estimate.price_book,
        "a_month": None if bill is None else {"total": str(bill.total), "currency": bill.currency,
                                              "open_lines": len(bill.open_lines)},
    }  # fmt: skip


def _change(found: Comparison, told: Told) -> dict[str, Any]:
    change = told.change
    return {
        "number": told.number,
        "sign": change.sign,
        "what": change.what,
        "at": change.at if change.sign == "removed" else found.own_id(change.at),
        "place": list(change.place),
        "was": english(change.was.message, change.was.params),
        "now": english(change.now.message, change.now.params),
        "fields": [
            {"name": f.name, "title": f.title, "was": english(f.was.message, f.was.params),
             "now": english(f.now.message, f.now.params)} for f in change.fields
        ],
        "inside": change.inside,
        "with": list(told.along),
        "consequences": [
            {"kind": one.kind, "text": english(one.text.message, one.text.params)}
            for one in consequences(told.stored, told.step.effects)
        ],
        "effects": _effects(told.step.effects),
    }  # fmt: skip


def _effects(made: Effects) -> dict[str, Any]:
    return {
        "money_a_month": _money(made.money),
        "findings": {"came": [_finding(f) for f in made.came], "gone": [_finding(f) for f in made.gone]},
        "reads": [
            {"read": r.read, "name": r.name, "before": _plan(r.before), "after": _plan(r.after)} for r in made.reads
        ],
        "hottest_range": [
            {
                "table": h.table,
                "name": h.name,
                "before_share": plain(h.before),
                "after_share": plain(h.after),
                "load_factor": plain(h.load_factor),
            }
            for h in made.heat
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
    rows, scanned_bytes = (plan.rows_scanned, plan.bytes_scanned) if plan.counted else (None, None)
    return {
        "access": plan.access, "ranges": plain(plan.ranges), "rows_scanned": plain(rows),
        "bytes_scanned": plain(scanned_bytes),
    }  # fmt: skip


def _bill(found: Comparison) -> dict[str, Any]:
    bill = found.bill
    return {
        "state": bill.state,
        "difference": _money(bill.difference),
        "difference_share": plain(bill.share),
        "price_books": list(bill.books),
        "notes": [english(note.message, note.params) for note in bill.notes],
        "lines": [_line(line) for line in bill.changed],
    }


def _line(line: LineChange) -> dict[str, Any]:
    return {
        "item": line.line.item, "at": line.line.at, "label": english(line.line.label, line.line.params),
        "before": None if line.old is None or line.old.cost is None else str(line.old.cost),
        "after": None if line.new is None or line.new.cost is None else str(line.new.cost),
        "difference": None if line.difference is None else str(line.difference),
    }  # fmt: skip
