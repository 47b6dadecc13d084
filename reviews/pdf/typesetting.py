"""Sets the PDF: a summary of one page, then the chosen sections; by typst, without browser or system package.

Text is text, pictures have words for who does not see them (PDF/UA-1, which typst enforces), and everything is dated by
the revision, so that one revision has one file, to the last byte.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import typst

from designer.document import Spec
from designer.document.dump import fingerprint
from designer.document.texts import N_
from designer.wording import CHOICES, shorten
from estimator.estimates.context import Context
from estimator.presentation.design_page import DesignAnalysis, DesignPage
from estimator.results import Estimate, Finding

from . import summary
from .glyphs import FOLDERS, make_legible
from .pdf_request import DesignState, PdfOptions
from .render_context import RenderContext
from .sections import SECTIONS, sections

TEMPLATE = Path(__file__).with_name("page.typ")
KEPT, FORGOTTEN_AFTER = 4, 11
"""typst remembers what it computed until it was not needed in ten documents, and a document can be 50 MB of that: so
after every few, it is given eleven empty ones."""
_SET = count(1)
LISTED_TABLES = 6
"""In a design of more tables the contents name sections alone; the bookmarks always name all."""


def pdf(
    spec: Spec, estimate: Estimate, findings: Sequence[Finding], context: Context, *, stand: DesignState,
    sections: Sequence[str] = tuple(SECTIONS), options: PdfOptions | None = None,
) -> bytes:  # fmt: skip
    """Build the PDF file.

    `findings` are those of the day of `stand`, so that the bytes are reproducible; `sections` are names of
    `SECTIONS`, printed in the order of the file; `options` say the language, and what of the design is left out.
    """
    page = DesignPage(spec, DesignAnalysis(estimate, tuple(findings)), replace(context, today=stand.when.date()))
    try:
        return _typeset(RenderContext(page, stand, options or PdfOptions()), sections)
    except typst.TypstError as problem:
        # PDF/UA refuses characters that no font has. Checking every character costs time, and few designs need it.
        if "could not be displayed" not in str(problem):
            raise
        return _typeset(RenderContext(page, stand, options or PdfOptions(), certain=True), sections)


def _typeset(context: RenderContext, sections: Sequence[str]) -> bytes:
    # As data and not as template text: what a design says can never be code of typst.
    data = json.dumps(_make_legible(_data(context, sections), certain=context.certain), ensure_ascii=False)
    files = {"main": TEMPLATE.read_bytes(), "data.json": data.encode(), **context.files}
    # Files in memory and no system fonts: the same bytes come out on every machine.
    compiled: Any = typst.compile  # its types do not name files in memory
    document: bytes = compiled(files, font_paths=_fonts(), format="pdf", pdf_standards=["ua-1"])
    # Otherwise the server's memory grows with each PDF; typst's cache has no other way to be emptied from Python.
    if next(_SET) % KEPT == 0:
        for _ in range(FORGOTTEN_AFTER):
            compiled(b"#let a = 1", font_paths=_fonts(), format="pdf")
    return document


@cache
def _fonts() -> typst.Fonts:
    """Return the fonts of this package's requirements: looked up once, as that is a quarter of a document's time."""
    return typst.Fonts(include_system_fonts=False, font_paths=list(FOLDERS))


def _data(context: RenderContext, sections: Sequence[str]) -> dict[str, Any]:
    """Everything that the template shows."""
    spec, stand = context.spec, context.state
    name = context.translate_text(spec.name) or context(N_("Untitled design"))
    # Possible prices could be tried until their design has this hash.
    sha256 = "" if context.options.hides_something else fingerprint(spec)
    when = stand.when
    state = context.number(when, "moment") + " UTC"
    if stand.revision is not None:
        state = context(N_("revision {number}"), number=stand.revision) + f" · {state}"
    return {
        "language": context.language,
        "title": name,
        "author": stand.by or "Keywright",
        "description": context(N_("Wide-column schema design: summary, findings, keys, workload, instance and cost")),
        "keywords": [context(CHOICES[spec.engine]), *([f"sha256:{sha256}"] if sha256 else [])],
        "date": [when.year, when.month, when.day, when.hour, when.minute, when.second],
        "running": shorten(name, 90),
        "stand": state,
        "about": " · ".join(part for part in (context(CHOICES[spec.engine]), state, shorten(stand.by, 60)) if part),
        "hash": f"SHA-256 {sha256[:16]}…" if sha256 else "",
        "sha256": sha256,
        "hashed": context(
            N_("SHA-256 of the design's JSON without white space. A different value means a different design")
        )
        if sha256
        else context(summary.left_out(context.options)),
        "page": context(N_("page {page} of {pages}"), page="{page}", pages="{pages}"),
        "contents": context(N_("Contents")),
        "depth": 2 if len(spec.tables) <= LISTED_TABLES else 1,
        "summary": list(summary.blocks(context)),
        "decision": summary.sign_off(context),
        "sections": list(_sections(context, sections)),
    }


def _sections(context: RenderContext, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    story = list(summary.story(context)) if names else ()
    if story:
        yield {"title": context(N_("Purpose")), "blocks": story}
    for key, section in sections(context.spec.engine).items():
        if key == "cost" and context.options.hides_cost:
            continue
        if key in names and (blocks := list(section.blocks(context))):
            yield {"title": context(section.title), "blocks": blocks}


def _make_legible(value: Any, *, certain: bool) -> Any:
    """Plain data whose texts can be shown."""
    if isinstance(value, str):
        return make_legible(value, certain=certain)
    if isinstance(value, dict):
        return {key: _make_legible(child, certain=certain) for key, child in value.items()}
    return [_make_legible(child, certain=certain) for child in value] if isinstance(value, list) else value
