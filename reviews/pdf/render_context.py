"""What every section is made from: the design with its answer, and the words of one language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from designer.document import Spec
from designer.document.engines import EngineDescription, description_of
from designer.document.money import Currency, Money
from designer.document.texts import N_
from designer.wording import formatting as formats
from estimator.presentation.charts import Chart
from estimator.presentation.charts.to_svg import MONO, to_svg
from estimator.presentation.design_page import DesignPage, Remark
from estimator.results import Estimate

from . import blocks
from .blocks import Run
from .glyphs import legible
from .pdf_request import Stand, Translate

MANY_TABLES = 8
"""From so many tables on, each is given less room."""


@dataclass(frozen=True)
class Sheet:
    """One file that is being made."""

    shown: DesignPage
    stand: Stand
    language: str
    translate: Translate
    certain: bool = False
    """Whether every character is checked against the font."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Pictures, by name."""

    @property
    def spec(self) -> Spec:
        """The design."""
        return self.shown.spec

    @property
    def estimate(self) -> Estimate:
        """What was computed from it."""
        return self.shown.estimate

    @cached_property
    def many(self) -> bool:
        """Whether there are so many tables that each is given less room."""
        return len(self.spec.tables) > MANY_TABLES

    @property
    def engine(self) -> EngineDescription:
        """What the design can say on its engine, and in which words."""
        return description_of(self.spec)

    def say(self, message: str, params: Mapping[str, Any]) -> str:
        """A message and its parameters in words."""
        return formats.said(message, params, self.language, self.translate)

    def told(self, text: str) -> str:
        """A text that is no message: nothing in it is filled in."""
        return self.translate(text) if text else ""

    def __call__(self, message: str, params: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """A message in words."""
        return self.say(message, {**(params or {}), **more}) if message else ""

    def said(self, text: Any) -> str:
        """What has a message and parameters, in words."""
        return self.say(text.message, text.params)

    def number(self, value: Any, unit: str = "count") -> str:
        """A figure with its unit; an en dash where there is none."""
        return formats.formatted(unit, value, self.language)

    def money(self, value: Decimal | None, currency: Currency | None = None) -> str:
        """An amount in the currency of the bill."""
        if value is None:
            return "?"
        return formats.formatted("cost", Money(value, currency or self.estimate.currency), self.language)

    def unknown(self) -> Run:
        """What stands where nothing is known."""
        return blocks.quiet(self(N_("unknown")))

    def total(self) -> str:
        """The bill of the last month in one figure; "≥" where lines have no price."""
        bill = self.estimate.bill
        return f"{'≥ ' if bill and bill.open_lines else ''}{self.money(bill.total)}" if bill else ""

    def sign(self, severity: str) -> Run:
        """How grave, in a word."""
        return blocks.sign(severity, self(GRAVITY[severity]))

    def place(self, remark: Remark) -> str:
        """Where in the design a finding is."""
        return " › ".join(remark.place)

    def picture(self, chart: Chart, *, width: int = 380, height: int = 0, heat: str = "") -> Run:
        """A chart of the page as a picture with its title, and its words for who does not see it."""
        name = f"picture-{len(self.files)}.svg"
        drawn = to_svg(chart, self.say, width=width, height=height)
        drawn = drawn.replace('font-family="inherit"', f'font-family="{FONT}"', 1).replace(
            MONO, f'font-family="{CODE}"'
        )
        self.files[name] = legible(drawn, certain=self.certain).encode()
        title = chart.title.said(self.say)
        what = chart.what.said(self.say)
        return {"file": name, "title": f"{heat}{title}", "alt": f"{title}. {what}"}


FONT, CODE = "Noto Sans CJK JP", "DejaVu Sans Mono"
GRAVITY = {"error": N_("Error"), "warning": N_("Warning"), "note": N_("Note"), "accepted": N_("accepted")}
