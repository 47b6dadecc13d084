"""A design as a PDF, chosen on its page, taken, and its pages drawn."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdf
import pytest
from playwright.sync_api import Page

from designer.examples import example
from designer.models import Design, Person
from tests.browser.soon import expect
from tests.conftest import CI

DRAWS = shutil.which("pdftoppm")
MISSING = "no pdftoppm on this machine, so no page was drawn: apt-get install poppler-utils"


def test_a_pdf_is_chosen_taken_and_its_pages_can_be_seen(
    page: Page, accessible: Callable[[], None], tmp_path: Path
) -> None:
    local = Person.objects.local()
    design = Design.objects.start(example("timestamp-first").spec, team=local.teams.get(), by=local)
    page.goto(f"/designs/{design.key}/export/?to=pdf")
    expect(page.get_by_role("heading", name="PDF")).to_be_visible()
    accessible()
    page.get_by_label("Growth").uncheck()
    page.get_by_label("Language").select_option("ja")

    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download PDF").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)

    texts = ["".join(one.extract_text().split()) for one in pypdf.PdfReader(file).pages]
    assert file.name == "timestamp-first.pdf"
    assert design.head_id in texts[0]
    assert "目次" in texts[1]
    assert "キー範囲ごとの負荷" in texts[1]
    assert "増加" not in texts[1]
    assert all(0.002 < ink < 0.6 for ink in inks(file)), "every page has something on it, and is not black"
    assert len(inks(file)) == len(texts)


def inks(file: Path) -> list[float]:
    """How much of each page is not white, as it is drawn."""
    if DRAWS is None:
        if CI:
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    subprocess.run([DRAWS, "-r", "40", "-gray", str(file), str(file.with_suffix(""))], check=True)
    found = []
    for drawn in sorted(file.parent.glob("*.pgm")):
        pixels = np.frombuffer(drawn.read_bytes().split(b"\n", 3)[3], dtype=np.uint8)
        found.append(float((pixels < 200).mean()))
    return found
