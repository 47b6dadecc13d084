"""Options of a PDF: state of the design, language and sections, as plain values from the caller."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass

Translate = Callable[[str], str]


@dataclass(frozen=True)
class SectionVerdict:
    """Verdict of a person on one section, as stored by the reviews."""

    section: str
    """Its title."""
    approved: bool
    by: str
    when: datetime.datetime
    note: str = ""
    stale: bool = False
    """The section has changed since."""
    from_link: bool = False
    """Somebody without an account, by a link."""
    self_checked: bool = False
    """By who made it: a check, and no approval."""


@dataclass(frozen=True)
class DesignState:
    """A state of the design. Everything in the file is dated by it, so that its bytes repeat."""

    when: datetime.datetime
    revision: int | None = None
    by: str = ""
    verdicts: tuple[SectionVerdict, ...] = ()


@dataclass(frozen=True)
class PdfOptions:
    """Options of a PDF."""

    state: DesignState | None = None
    """None: a file without a history, of the day on which it is judged."""
    sections: tuple[str, ...] | None = None
    """Names of sections beside the first page; None is all."""
    language: str = "en"
    translate: Translate = str
    hides_cost: bool = False
    hides_samples: bool = False
    """What the reader may not see; the design and its results come without it."""

    @property
    def hides_something(self) -> bool:
        """True if the file is of a part of the design."""
        return self.hides_cost or self.hides_samples
