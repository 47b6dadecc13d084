"""Comparisons in templates."""

from decimal import Decimal

from django import template

from designer.document.money import Money
from designer.document.texts import Text
from designer.templatetags.keywright import translate
from estimator.comparison.designs import SIGNS, Comparison, DescribedChange
from estimator.comparison.designs.change_messages import signed_amount
from estimator.results import Bill

register = template.Library()


@register.filter
def sign(of: str) -> str:
    """Return the sign of a kind of change."""
    return SIGNS[of]  # type: ignore[index]


@register.filter
def more(money: Money | None) -> str:
    """Return an amount with its sign."""
    return "–" if money is None else signed_amount(money).translate(translate)


@register.filter
def difference(amount: Decimal | None, bill: Bill) -> str:
    """Return the difference of a line with its sign, in the bill's currency."""
    return "?" if amount is None else signed_amount(bill.money(amount)).translate(translate)


@register.filter
def as_words(value: object) -> str:
    """Return a text of the core in words; a person's text remains unchanged."""
    return value.translate(translate) if isinstance(value, Text) else str(value)


@register.filter
def opens(described_change: DescribedChange, comparison: Comparison) -> str:
    """Return the id of a changed element in the second design, or "" if it has none there."""
    gone = described_change.change.sign == "removed" or not described_change.change.at
    return "" if gone else comparison.own_id(described_change.change.at)


@register.filter
def signed_count(count: float) -> str:
    """Return a number with its sign."""
    return ("+" if count > 0 else "") + translate("{count}", {"count": count})


@register.filter
def signed_share(share: float | None) -> str:
    """Return a share with its sign."""
    if share is None:
        return ""
    return ("+" if share > 0 else "−") + translate("{share_change}", {"share_change": share})
