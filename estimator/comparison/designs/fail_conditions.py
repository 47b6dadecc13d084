"""Conditions under which a comparison fails a pull request: higher cost, new findings, rewritten keys.

Used by the command line only, in English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from designer.document.texts import Text

from . import Comparison
from .change_messages import plan_text, signed_amount
from .stored_data import rewrite_messages

Gate = Literal["cost", "findings", "errors", "warnings", "notes", "keys", "scans"]
_ALL = ("error", "warning", "note")
GRAVER = {"errors": _ALL[:1], "warnings": _ALL[:2], "notes": _ALL, "findings": _ALL}


class InvalidFailConditionError(ValueError):
    """Invalid limit."""


@dataclass(frozen=True)
class FailCondition:
    """One reason to fail; of cost, so much more is still allowed."""

    of: Gate
    more: Decimal = Decimal(0)
    """Dollars, or what else the bill is in, a month; or per cent."""
    per_cent: bool = False


def parse_fail_condition(text: str) -> FailCondition:
    """`cost`, `cost:+5%`, `cost:+100`, `findings`, `errors`, `warnings`, `notes`, `keys` or `scans`.

    Raises
    ------
    InvalidFailConditionError
        For anything else, with what is possible.
    """
    if text in (*GRAVER, "keys", "scans", "cost"):
        return FailCondition(text)  # type: ignore[arg-type]
    match = re.fullmatch(r"cost:\+?([0-9.]+)(%?)", text)
    try:
        if match:
            return FailCondition("cost", Decimal(match[1]), bool(match[2]))
    except InvalidOperation:
        pass
    raise InvalidFailConditionError(
        f"{text!r} is none of cost, cost:+5%, cost:+100, findings, errors, warnings, notes, keys, scans"
    )


def violated_conditions(comparison: Comparison, limits: tuple[FailCondition, ...]) -> tuple[Text, ...]:
    """Return the violated limits as sentences."""
    return tuple(text for limit in limits for text in _violations(comparison, limit))


def _violations(comparison: Comparison, limit_: FailCondition) -> Iterator[Text]:
    match limit_.of:
        case "cost":
            yield from _cost(comparison, limit_)
        case "keys":
            yield from rewrite_messages(comparison.before.spec, comparison.after.spec).values()
        case "scans":
            for read in comparison.together.reads:
                before = read.before.access if read.before else ""
                if read.after is not None and read.after.access == "scan" and before != "scan":
                    params = {"read": read.name, "now": plan_text(read.after)}
                    yield Text("{read} scans the whole table: {now}", params)
        case _:
            came = [f for f in comparison.together.came if f.ignored is None and f.severity in GRAVER[limit_.of]]
            for finding in came:
                params = {"code": finding.rule, "finding": Text(finding.message, finding.params)}
                yield Text("new finding {code}: {finding}", params)


def _newly_unpriced(comparison: Comparison) -> tuple[Text, ...]:
    """Lines that have no price now and were not there before, or had one."""
    pairs = ((line.old, line.new) for line in comparison.bill.lines)
    new = (now for was, now in pairs if now and now.cost is None and (was is None or was.cost is not None))
    return tuple(Text(line.label, line.params) for line in new)


def _cost(comparison: Comparison, limit_: FailCondition) -> Iterator[Text]:
    more = comparison.bill.difference
    if more is None:
        if comparison.bill.state != "none":
            yield Text("the bills cannot be compared: {why}", {"why": comparison.bill.notes[0]})
        return
    gained = _newly_unpriced(comparison)
    if gained:
        yield Text("the bill gains lines without a price, so its rise is not known: {lines}", {"lines": gained})
    allowed = limit_.more
    if limit_.per_cent and comparison.bill.before is not None:
        allowed = comparison.bill.before.total * limit_.more / 100
    if more.amount > allowed and comparison.bill.after is not None:
        params = {
            "more": signed_amount(more),
            "limit_cost": comparison.bill.after.money(allowed.quantize(Decimal("0.01"))),
        }
        yield Text("the bill is {more} a month; {limit_cost} more would be allowed", params)
