"""The open questions of a sheet: one is shown at a time, with its answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from designer.document.texts import N_, Text
from estimator.presentation.design_page import DesignPage
from estimator.results import Choice

MOST_QUESTIONS = 5
"""Questions of a page; further ones come when these are answered."""
TYPED = {"G002": "distinct", "G001": "busiest_share"}
"""Questions that a number answers, and the field that holds it."""
SHARES = ("busiest_share", "compressed_share")
"""Fields of which a share is typed."""
BARS = 6
"""Bars in the picture of a distribution."""
LEAST_HEIGHT = 0.12
"""Height of the lowest bar, so that it is seen."""


@dataclass(frozen=True)
class Answer:
    """One answer that can be chosen."""

    choice: Choice
    bars: tuple[float, ...]
    """Traffic of the busiest values, 1 at the highest; empty where the answer is no distribution."""


@dataclass(frozen=True)
class Question:
    """One question with its answers."""

    key: str
    """What identifies the question while the design changes."""
    at: str
    message: Text
    answers: tuple[Answer, ...]
    number_field: str
    """The field that a typed number answers it by; empty if none does."""
    finding_number: int | None = None
    """The number of the finding whose details are shown; None where no finding depends on the answer."""

    @property
    def number_hint(self) -> str:
        """Kind of value that is typed, as a message."""
        return N_("a share, as 3%") if self.number_field in SHARES else N_("another number")


@dataclass(frozen=True)
class BillSpan:
    """One question about the bill with its range, on an axis from the lowest to the highest bill of all questions."""

    message: Text
    low_share: float
    """Where the lowest bill is. [0 to 1]"""
    high_share: float
    """Where the highest one is."""
    total_share: float
    """Where the bill with the assumed value is."""


def bill_spans(page: DesignPage) -> tuple[BillSpan, ...]:
    """Return the questions about the bill on one axis of money, the widest range first."""
    bill, asked = page.estimate.bill, page.bill_questions
    if bill is None or not asked:
        return ()
    least, most = min(question.low for question in asked), max(question.high for question in asked)

    def share(money: Decimal) -> float:
        return float((money - least) / (most - least))

    return tuple(
        BillSpan(question.message, share(question.low), share(question.high), share(bill.total)) for question in asked
    )


def questions(page: DesignPage) -> Iterator[Question]:
    """Yield the open questions, the most important first: those that decide findings before those about money."""
    for remark in page.open_questions[:MOST_QUESTIONS]:
        finding = remark.finding
        key, text = f"{finding.rule}-{finding.at}-{finding.field}", Text(finding.message, finding.params)
        typed = TYPED.get(finding.rule, "")
        yield Question(key, finding.at, text, _answers(finding.choices), typed, remark.number)
    for question in page.bill_questions[: max(MOST_QUESTIONS - len(page.open_questions), 0)]:
        typed = question.field if question.field in SHARES else ""
        yield Question(
            f"bill-{question.at}-{question.field}", question.at, question.message, _answers(question.choices), typed
        )


def _answers(choices: Sequence[Choice]) -> tuple[Answer, ...]:
    return tuple(Answer(choice, bars_of(choice.edit)) for choice in choices)


def bars_of(edit: Any) -> tuple[float, ...]:
    """Return the traffic of the busiest values that an answer means, 1 at the highest.

    Zipf's law is drawn as 1/rank^theta, whatever the number of values.
    """
    match getattr(edit, "value", None):
        case {"kind": "uniform"}:
            heights = [0.5] * BARS
        case {"kind": "zipf", "theta": theta}:
            heights = [1 / rank**theta for rank in range(1, BARS + 1)]
        case {"kind": "weights"}:
            heights = [1.0] + [0.0] * (BARS - 1)
        case _:
            heights = []
    return tuple(max(height, LEAST_HEIGHT) for height in heights)
