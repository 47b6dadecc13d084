"""The open questions of a sheet: one is shown at a time, with its answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.results import Choice

MOST_QUESTIONS = 5
"""Questions of a page; further ones come when these are answered."""
TYPED = {"G002": "distinct", "G001": "busiest_share"}
"""Questions that a number answers, and the field that holds it."""
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

    remark: FindingView
    answers: tuple[Answer, ...]

    @property
    def key(self) -> str:
        """What identifies the question while the design changes."""
        finding = self.remark.finding
        return f"{finding.rule}-{finding.at}-{finding.field}"

    @property
    def number_field(self) -> str:
        """The field that a typed number answers it by; empty if none does."""
        return TYPED.get(self.remark.finding.rule, "")

    @property
    def number_hint(self) -> str:
        """What is typed, as a message."""
        return N_("a share, as 3%") if self.number_field == "busiest_share" else N_("another number")


def questions(shown: DesignPage) -> Iterator[Question]:
    """Yield the open questions, the most important first."""
    for remark in shown.open_questions[:MOST_QUESTIONS]:
        yield Question(remark, tuple(Answer(each, bars_of(each.edit)) for each in remark.finding.choices))


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
