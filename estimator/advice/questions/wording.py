"""Questions in words: what is not known, what depends on it, and the answers as edits."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from designer.document import Spec, effective_value, owner_of
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.field import NOTHING, Field
from designer.document.guesses import SKEW
from designer.document.money import Money
from designer.document.new_ids import events_per_second
from designer.document.popularity import Uniform, Weights, Zipf
from designer.document.texts import N_
from designer.wording import element_label
from estimator.results import Choice, Estimate, Finding

from ..rules.shared.edits import all_of, change
from .open_guesses import OpenGuess

LEAST = Decimal(1)
LEAST_SHARE = Decimal("0.01")
"""Money below these, of which the second is a part of the bill, is not worth a word."""
DIGITS = 3
CELEBRITY = 30

MESSAGES: Mapping[str, tuple[str, str]] = {
    "G001": (
        N_("How busy is the busiest {field}? The answer decides {count_findings}."),
        N_("How busy is the busiest {field}? The answer decides {count_findings} and {rounded_cost} a month."),
    ),
    "G002": (
        N_("How many values does {field} have? The answer decides {count_findings}."),
        N_("How many values does {field} have? The answer decides {count_findings} and {rounded_cost} a month."),
    ),
    "G003": (
        N_("Does each event of “{write}” add a row? The answer decides {count_findings}."),
        N_("Does each event of “{write}” add a row? The answer decides {count_findings} and {rounded_cost} a month."),
    ),
    "G004": (
        N_("Are new values of {field} assigned in sequence? The answer decides {count_findings}."),
        N_(
            "Are new values of {field} assigned in sequence? The answer decides {count_findings} and {rounded_cost} a "
            "month."
        ),
    ),
    "G005": (
        N_("Does each {field} belong to one {owner}? The answer decides {count_findings}."),
        N_("Does each {field} belong to one {owner}? The answer decides {count_findings} and {rounded_cost} a month."),
    ),
}
"""By question: without an effect on the bill, and with one."""


def question(
    spec: Spec, guess: OpenGuess, findings: Sequence[Finding], swing: Decimal | None, estimate: Estimate
) -> Finding:
    """Build the question about an assumed value on which findings depend."""
    part = spec.find(guess.at)
    plain, billed = MESSAGES[guess.rule]
    total = estimate.bill.total if estimate.bill is not None else Decimal(0)
    moves = swing is not None and swing >= max(LEAST, total * LEAST_SHARE)
    params: dict[str, Any] = {_NAMES[guess.rule]: element_label(spec, guess.at), "count_findings": len(findings)}
    if guess.rule == "G005" and (owner := owner_of(spec, part)) is not None:
        params["owner"] = element_label(spec, owner.id)
    if moves and swing is not None:
        params["rounded_cost"] = Money(Decimal(f"{swing:.{DIGITS}g}"), estimate.currency)
    return Finding(
        rule=guess.rule,
        severity="question",
        at=guess.at,
        field=guess.name,
        message=billed if moves else plain,
        params=params,
        effect=float(len(findings)),
        fix=None,
        fix_safe=False,
        fix_label="",
        under=_as_questions(findings),
        choices=tuple(_CHOICES[guess.rule](spec, part, guess)),
    )


def as_asked(asking: Finding, findings: Sequence[Finding]) -> Finding:
    """Return a rule's own question with the findings that depend on its answer under it."""
    return replace(asking, under=_as_questions(findings)) if findings else asking


def _as_questions(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(
        replace(finding, severity="question", under=()) for head in findings for finding in (head, *head.under)
    )


_NAMES = {"G001": "field", "G002": "field", "G003": "write", "G004": "field", "G005": "field"}


def _choice(part: Any, name: str, value: Any, label: str, **params: Any) -> Choice:
    return Choice(label, params, change(part, name, value))


def _busiest(spec: Spec, field: Field, guess: OpenGuess) -> Iterator[Choice]:
    skew = effective_value(spec, field, "popularity")
    yield _choice(field, "popularity", Uniform(), N_("All are equally busy"))
    if isinstance(skew, Zipf) and skew.theta < SKEW:
        yield _choice(field, "popularity", skew, N_("As assumed: Zipf {theta}"), theta=skew.theta)
    yield _choice(field, "popularity", Zipf(theta=SKEW), N_("20 % receive about 80 % of the traffic"))
    celebrity = Weights(weights=(CELEBRITY,), rest=100 - CELEBRITY)
    yield _choice(
        field, "popularity", celebrity, N_("One receives {one_share} of the traffic"), one_share=CELEBRITY / 100
    )


def _number(spec: Spec, field: Field, guess: OpenGuess) -> Iterator[Choice]:
    count = int(effective_value(spec, field, "distinct"))
    for factor in (1, 10, 100):
        yield _choice(field, "distinct", count * factor, N_("{values_distinct}"), values_distinct=count * factor)
    if rate := events_per_second(spec, field):
        yield _choice(field, "growth_per_day", rate * DAY_SECONDS, N_("Each event has a new value"))


def _mode(spec: Spec, write: Write, guess: OpenGuess) -> Iterator[Choice]:
    changes = ((write.id, {"mode": "append_row"}),) if guess.other[0][1]["mode"] == "overwrite" else guess.other
    edits = [change(spec.find(at), name, value) for at, new in changes for name, value in new.items()]
    yield Choice(N_("Yes, each event adds a row"), {}, all_of(edits))
    yield _choice(write, "mode", "overwrite", N_("No, it replaces the values in the row"))
    yield _choice(write, "mode", "new_cell", N_("No, it adds a cell to the row"))


def _order(spec: Spec, field: Field, guess: OpenGuess) -> Iterator[Choice]:
    yield _choice(field, "assigned", "sequential", N_("Yes, each new value is larger than all earlier values"))
    yield _choice(field, "assigned", "arbitrary", N_("No, they have no order"))


def _owner(spec: Spec, field: Field, guess: OpenGuess) -> Iterator[Choice]:
    owner = effective_value(spec, field, "belongs_to")
    yield _choice(field, "belongs_to", owner, N_("Yes, to one"))
    yield _choice(field, "belongs_to", NOTHING, N_("No, to several"))


_CHOICES: Mapping[str, Callable[[Spec, Any, OpenGuess], Iterator[Choice]]] = {
    "G001": _busiest, "G002": _number, "G003": _mode, "G004": _order, "G005": _owner,
}  # fmt: skip
