"""Sets the PDF: a summary of one page, then the chosen sections; by typst, without browser or system package.

Text is text, pictures have words for who does not see them (PDF/UA-1, which typst enforces), and everything is dated by
the revision, so that one revision has one file, to the last byte.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import typst

from designer.document import Spec
from designer.document.dump import fingerprint
from designer.document.texts import N_
from designer.wording import CHOICES, shorten
from estimator.estimates.context import Context
from estimator.presentation.design_page import Answer, DesignPage
from estimator.results import Estimate, Finding

from . import summary
from .glyphs import FOLDERS, legible
from .pdf_request import Stand, Translate
from .render_context import Sheet
from .sections import SECTIONS, sections

TEMPLATE = Path(__file__).with_name("page.typ")
KEPT, FORGOTTEN_AFTER = 4, 11
"""typst remembers what it computed until it was not needed in ten documents, and a document can be 50 MB of that: so
after every few, it is given eleven empty ones."""
_SET = count(1)
LISTED_TABLES = 6
"""In a design of more tables the contents name sections alone; the bookmarks always name all."""


def pdf(
    spec: Spec, estimate: Estimate, findings: Sequence[Finding], context: Context, *, stand: Stand,
    sections: Sequence[str] = tuple(SECTIONS), language: str = "en", translate: Translate = str,
) -> bytes:  # fmt: skip
    """Build the PDF file.

    `findings` are those of the day of `stand`, so that the bytes are reproducible; `sections` are names of
    `SECTIONS`, printed in the order of the file; `translate` gives a message in `language`.
    """
    shown = DesignPage(spec, Answer(estimate, tuple(findings)), replace(context, today=stand.when.date()))
    try:
        return _set(Sheet(shown, stand, language, translate), sections)
    except typst.TypstError as problem:
        if "could not be displayed" not in str(problem):
            raise
        return _set(Sheet(shown, stand, language, translate, certain=True), sections)


def _set(sheet: Sheet, sections: Sequence[str]) -> bytes:
    data = json.dumps(_legible(_data(sheet, sections), certain=sheet.certain), ensure_ascii=False)
    files = {"main": TEMPLATE.read_bytes(), "data.json": data.encode(), **sheet.files}
    compiled: Any = typst.compile  # its types do not name files in memory
    made: bytes = compiled(
        files, font_paths=list(FOLDERS), ignore_system_fonts=True, format="pdf", pdf_standards=["ua-1"]
    )
    if next(_SET) % KEPT == 0:
        for _ in range(FORGOTTEN_AFTER):
            compiled(b"#let a = 1", ignore_system_fonts=True, format="pdf")
    return made


def _data(sheet: Sheet, sections: Sequence[str]) -> dict[str, Any]:
    """Everything that the template shows."""
    spec, stand = sheet.spec, sheet.stand
    name = sheet.told(spec.name) or sheet(N_("Untitled design"))
    sha256 = fingerprint(spec)
    when = stand.when
    state = sheet.number(when, "moment") + " UTC"
    if stand.revision is not None:
        state = sheet(N_("revision {number}"), number=stand.revision) + f" · {state}"
    return {
        "language": sheet.language,
        "title": name,
        "author": stand.by or "Keywright",
        "description": sheet(N_("Wide-column schema design: summary, findings, keys, workload, instance and cost")),
        "keywords": [sheet(CHOICES[spec.engine]), f"sha256:{sha256}"],
        "date": [when.year, when.month, when.day, when.hour, when.minute, when.second],
        "running": shorten(name, 90),
        "stand": state,
        "about": " · ".join(part for part in (sheet(CHOICES[spec.engine]), state, shorten(stand.by, 60)) if part),
        "hash": f"SHA-256 {sha256[:16]}…",
        "sha256": sha256,
        "hashed": sheet(
            N_("SHA-256 of the design's JSON without white space. A different value means a different design")
        ),
        "page": sheet(N_("page {page} of {pages}"), page="{page}", pages="{pages}"),
        "contents": sheet(N_("Contents")),
        "depth": 2 if len(spec.tables) <= LISTED_TABLES else 1,
        "summary": list(summary.blocks(sheet)),
        "sections": list(_sections(sheet, sections)),
    }


def _sections(sheet: Sheet, chosen: Sequence[str]) -> Iterator[dict[str, Any]]:
    story = list(summary.story(sheet)) if chosen else ()
    if story:
        yield {"title": sheet(N_("Purpose")), "blocks": story}
    for key, section in sections(sheet.spec.engine).items():
        if key in chosen:
            yield {"title": sheet(section.title), "blocks": list(section.blocks(sheet))}


def _legible(value: Any, *, certain: bool) -> Any:
    """Plain data whose texts can be shown."""
    if isinstance(value, str):
        return legible(value, certain=certain)
    if isinstance(value, dict):
        return {key: _legible(held, certain=certain) for key, held in value.items()}
    return [_legible(held, certain=certain) for held in value] if isinstance(value, list) else value
