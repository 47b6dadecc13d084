"""From the last keystroke to the insight and to another's screen: fifty tables, in a real Chromium over loopback."""

import os
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from .measure import BenchmarkFigure
from .pages import COLUMNS, TABLES, Editor, prepare_client

KEYS = 20
BATCHES = 3
ASK = """() => { window.seen = []; let last = 0;
  document.addEventListener("keydown", () => { last = performance.now(); }, true);
  const insight = document.getElementById("insight");
  insight.addEventListener("kw:after", () => window.seen.push(performance.now() - last)); }"""


def figures() -> Iterator[BenchmarkFigure]:
    """Nothing where there is no Chromium: `CHROME` names one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        client = prepare_client(folder)
        from benchmarks.designs import wide_design

        editor = Editor(client, wide_design(TABLES, columns=COLUMNS))
        editor.insight()
        delays, elsewhere = _measure_updates(chromium, f"{_serve()}/designs/{editor.design.key}/at/{editor.at}", editor)
    batches = tuple(_percentile_95(delays[n : n + KEYS]) for n in range(0, KEYS * BATCHES, KEYS))
    yield BenchmarkFigure(
        f"keystroke to insight, p95, {TABLES} tables", batches, "ms", 450, note="200 of them are the pause"
    )
    yield BenchmarkFigure("  to another's screen, p95", (_percentile_95(elsewhere),), "ms", 2000)


def _percentile_95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def _serve() -> str:
    """The address of the site, served by a thread of this process."""
    from waitress.server import create_server

    from config.wsgi import application

    server: Any = create_server(application, host="127.0.0.1", port=0, threads=4)
    threading.Thread(target=server.run, daemon=True).start()
    return f"http://localhost:{server.effective_port}"


def _measure_updates(chromium: str, address: str, editor: Editor) -> tuple[list[float], list[float]]:
    """Milliseconds from each keystroke to the insight here, and to what somebody else with the same open sees."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector("#insight .ticker")
        field = page.locator(f"#c-{editor.at}-{editor.field}-in")
        delays = _until_insight(page, field)
        other = browser.new_context().new_page()
        other.goto(address)
        other.wait_for_selector("#insight .ticker")
        elsewhere = [_until_shown(field, other, f"#c-{editor.at}-{editor.field}-in") for _ in range(KEYS)]
        browser.close()
    return delays, elsewhere


def _until_insight(page: Any, field: Any) -> list[float]:
    page.evaluate(ASK)
    field.focus()
    page.keyboard.press("End")
    for n in range(BATCHES * KEYS):
        page.keyboard.press("Backspace" if n % 2 else "7")
        while len(page.evaluate("window.seen")) <= n:
            page.wait_for_timeout(20)
        page.wait_for_timeout(50)
    delays: list[float] = page.evaluate("window.seen")
    return delays


def _until_shown(field: Any, other: Any, selector: str) -> float:
    """From a key in one window to its value in another's."""
    field.press("Backspace" if field.input_value().endswith("7") else "7")
    started = time.perf_counter()
    shows = "([selector, value]) => document.querySelector(selector).value === value"
    other.wait_for_function(shows, arg=[selector, field.input_value()], polling=20, timeout=20_000)
    return 1e3 * (time.perf_counter() - started)
