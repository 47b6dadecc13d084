"""From the last keystroke to the new insight, in a real Chromium over loopback: fifty tables, a thousand elements."""

import os
import shutil
import statistics
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

from .measure import Figure
from .pages import COLUMNS, TABLES, Editor, prepared

KEYS = 20
BATCHES = 3
ASK = """() => { window.seen = []; let last = 0;
  document.addEventListener("keydown", () => { last = performance.now(); }, true);
  const insight = document.getElementById("insight");
  insight.addEventListener("kw:after", () => window.seen.push(performance.now() - last)); }"""


def figures() -> Iterator[Figure]:
    """Nothing where there is no Chromium: `CHROME` names one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        client = prepared(folder)
        from benchmarks.designs import wide_design

        editor = Editor(client, wide_design(TABLES, columns=COLUMNS))
        editor.insight()
        seen = _typed(chromium, f"{_served()}/designs/{editor.design.key}/at/{editor.at}", editor)
    batches = [seen[n : n + KEYS] for n in range(0, KEYS * BATCHES, KEYS)]
    p95 = tuple(statistics.quantiles(batch, n=20, method="inclusive")[-1] for batch in batches)
    yield Figure(f"keystroke to insight, p95, {TABLES} tables", p95, "ms", 450, note="200 of them are the pause")


def _served() -> str:
    """The address of the site, served by a thread of this process."""
    from waitress.server import create_server

    from config.wsgi import application

    server: Any = create_server(application, host="127.0.0.1", port=0, threads=4)
    threading.Thread(target=server.run, daemon=True).start()
    return f"http://localhost:{server.effective_port}"


def _typed(chromium: str, address: str, editor: Editor) -> list[float]:
    """Milliseconds from each of many single keystrokes to the insight that follows from it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#insight .ticker")
        page.evaluate(ASK)
        page.focus(f"#c-{editor.at}-{editor.field}-in")
        page.keyboard.press("End")
        for n in range(BATCHES * KEYS):
            page.keyboard.press("Backspace" if n % 2 else "7")
            while len(page.evaluate("window.seen")) <= n:
                page.wait_for_timeout(20)
            page.wait_for_timeout(50)
        seen: list[float] = page.evaluate("window.seen")
        browser.close()
    return seen
