"""Input of every section: the design with its analysis, and the texts of one language."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from designer.document import Spec
from designer.document.engines import EngineDescription, description_of
from designer.document.money import Currency, Money
from designer.document.texts import N_
from designer.wording import formatting as formats
from estimator.comparison.preview import Preview, recommended_change
from estimator.engines import engine_of
from estimator.presentation.charts import Chart, LineChart
from estimator.presentation.charts.thumbnail import busiest_table, node_shares, picture_address
from estimator.presentation.charts.to_svg import MONO, to_svg
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.results import Estimate

from . import blocks
from .blocks import Block, Run
from .glyphs import make_legible
from .pdf_request import DesignState, PdfOptions, Translate

MANY_TABLES = 8
"""From so many tables on, each is given less room."""


@dataclass(frozen=True)
class RenderContext:
    """One file that is being made."""

    page: DesignPage
    state: DesignState
    options: PdfOptions
    certain: bool = False
    """Whether every character is checked against the font."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Pictures, by name."""

    @property
    def language(self) -> str:
        """Language of the file."""
        return self.options.language

    @property
    def translate(self) -> Translate:
        """Function that gives a message in the language."""
        return self.options.translate

    @property
    def spec(self) -> Spec:
        """The design."""
        return self.page.spec

    @property
    def estimate(self) -> Estimate:
        """Estimate of the design."""
        return self.page.estimate

    @cached_property
    def has_many_tables(self) -> bool:
        """True if the number of tables is large, so that each gets less room."""
        return len(self.spec.tables) > MANY_TABLES

    @property
    def engine(self) -> EngineDescription:
        """Features of the design's engine, and the engine's words for them."""
        return description_of(self.spec)

    def format_message(self, message: str, params: Mapping[str, Any]) -> str:
        """Return a message with its parameters in words."""
        return formats.format_message(message, params, self.language, self.translate)

    def translate_text(self, text: str) -> str:
        """Return a translated text without parameters."""
        return self.translate(text) if text else ""

    def __call__(self, message: str, params: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """Return a message in words."""
        return self.format_message(message, {**(params or {}), **more}) if message else ""

    def format_text(self, text: Any) -> str:
        """Return a text with a message and parameters in words."""
        return self.format_message(text.message, text.params)

    def join(self, texts: Iterable[str]) -> str:
        """Return texts as a list in one line."""
        return formats.comma(self.language).join(texts)

    def number(self, value: Any, unit: str = "count") -> str:
        """Return a figure with its unit, or an en dash if there is none."""
        return formats.format_value(unit, value, self.language)

    def money(self, value: Decimal | None, currency: Currency | None = None) -> str:
        """Return an amount in the currency of the bill."""
        if value is None:
            return "?"
        return formats.format_value("cost", Money(value, currency or self.estimate.currency), self.language)

    def unknown(self) -> Run:
        """Return the text for an unknown value."""
        return blocks.quiet(self(N_("unknown")))

    def total(self) -> str:
        """Return the total bill of the last month, with "≥" if lines have no price."""
        bill = self.estimate.bill
        return formats.at_least(self.money(bill.total), bill.open_lines) if bill else ""

    def sign(self, severity: str) -> Run:
        """Return the severity in a word."""
        return blocks.sign(severity, self(GRAVITY[severity]))

    def place(self, remark: FindingView) -> str:
        """Return the place of a finding in the design."""
        return " › ".join(remark.place)

    def picture(self, chart: Chart, *, width: int = 380, height: int = 0, heat: str = "") -> Run:
        """Return a chart as a picture with its title and alternative text."""
        name = f"picture-{len(self.files)}.svg"
        svg = to_svg(chart, self.format_message, width=width, height=height)
        # On a page, the chart takes the page's font; typst has none to inherit within a picture.
        svg = svg.replace('font-family="inherit"', f'font-family="{FONT}"', 1).replace(MONO, f'font-family="{CODE}"')
        self.files[name] = make_legible(svg, certain=self.certain).encode()
        title = chart.title.translate(self.format_message)
        what = chart.what.translate(self.format_message)
        return {"file": name, "title": f"{heat}{title}", "alt": f"{title}. {what}"}

    def charts(
        self, charts: Iterable[Chart], columns: int = 1, *, width: int = 380, height: int = 0
    ) -> Iterator[Block]:
        """Yield charts beside each other; of one that changes nothing, its title, which says it all."""
        pictures: list[Run] = []
        for chart in charts:
            if isinstance(chart, LineChart) and chart.is_flat:
                yield blocks.text(chart.title.translate(self.format_message))
            else:
                pictures.append(self.picture(chart, width=width, height=height))
        if pictures:
            yield blocks.pictures(pictures, columns)

    @cached_property
    def recommendation(self) -> tuple[FindingView, Preview] | None:
        """The recommended change, with its finding; None where contents are hidden, which its effect could tell."""
        return None if self.options.hides_something else recommended_change(self.page)

    def thumbnail(self, page: DesignPage, title: str, table: str | None = None) -> Run | None:
        """Return a table's load by key and time of day as a small picture; None while it has no load."""
        cells = node_shares(page.spec, page.estimate, table or busiest_table(page.estimate))
        if cells is None:
            return None
        # Each cell is several pixels: viewers of PDF smooth an image that they enlarge, whatever its file asks for.
        address = picture_address(cells.repeat(CELL_PIXELS, axis=0).repeat(CELL_PIXELS, axis=1))
        name = f"picture-{len(self.files)}.svg"  # files in memory must be text
        self.files[name] = PICTURE.format(address=address).encode()
        return {"file": name, "title": title, "alt": f"{title}. {self.load_picture}", "height": THUMBNAIL_MM}

    @property
    def load_picture(self) -> str:
        """Text that says what such a picture shows."""
        return self(LOAD_PICTURE if engine_of(self.spec).HAS_NODES else LOAD_PICTURE_OF_PARTITIONS)

    def day(self, stored_date: str) -> str:
        """Return a date that is stored as text as every other date; empty if there is none."""
        return self.number(datetime.date.fromisoformat(stored_date), "date") if stored_date else ""


LOAD_PICTURE = N_("Load by row key, from top to bottom, over 24 hours, as a share of what a node can do.")
LOAD_PICTURE_OF_PARTITIONS = N_(
    "Load by primary key, from top to bottom, over 24 hours, as a share of what one partition-key value can do."
)
CELL_PIXELS = 6
"""Width of a cell in a picture: what is enlarged in print is not blurred."""
THUMBNAIL_MM = 32
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32">'
    '<image width="96" height="32" preserveAspectRatio="none" image-rendering="pixelated" href="{address}"/></svg>'
)
FONT, CODE = "Noto Sans CJK JP", "DejaVu Sans Mono"
GRAVITY = {
    "error": N_("Error"), "warning": N_("Warning"), "question": N_("Question"), "note": N_("Note"),
    "accepted": N_("accepted"),
}  # fmt: skip
