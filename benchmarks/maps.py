"""The map of a simulated day, 1,024 × 96: what it weighs, how soon it is on screen, how long a zoom takes."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

from .browser import _serve
from .context import fresh_context
from .measure import BenchmarkFigure
from .pages import prepare_client

RELOADS = 7
EXAMPLE = "continents-cities"
"""Of the built-in designs the one whose maps compress least."""

SEEN = """() => performance.now() - performance.getEntriesByType("navigation")[0].responseEnd"""
ZOOMS = """async () => {
  const stage = document.querySelector(".map-stage"), frame = () => new Promise(requestAnimationFrame), took = [];
  const press = (key) => stage.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("h");
  for (const key of ["z", "z", "Backspace", "Backspace", "+", "-", "z", "r"]) {
    await frame();
    const start = performance.now();
    press(key);
    await frame();
    took.push(performance.now() - start);
  }
  return took; }"""


def figures() -> Iterator[BenchmarkFigure]:
    """Payloads always; pictures where there is a Chromium: `CHROME` names one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    with tempfile.TemporaryDirectory() as folder:
        client = prepare_client(folder)
        address, table = _run_simulation()
        base = f"{address}map/{table}/"
        weights = tuple(len(client.get(f"{base}{name}.bin").content) / 1000 for name in METRICS)
        yield BenchmarkFigure("largest metric of a map, 1,024 × 96", (max(weights),), "kB", 250)
        if chromium is not None:
            display_times, zoom_times = _measure_pictures(chromium, f"{_serve()}{address}")
            yield BenchmarkFigure("  on screen after the result's page", tuple(display_times), "ms", 500)
            yield BenchmarkFigure("  a zoom, to the frame that shows it", tuple(zoom_times), "ms", 50)


METRICS = ("writes", "reads", "bytes", "node_time", "row_size")


def _run_simulation() -> tuple[str, str]:
    """The address of a simulation that is done, and its table."""
    from django.utils import timezone

    from designer.examples import example
    from designer.models import Design, Person
    from estimator.models import Part, Run
    from estimator.runs import delivery
    from estimator.simulation import simulate
    from estimator.simulation.packing import pack

    delivery.send = lambda count=1: False
    spec, local = example(EXAMPLE).spec, Person.objects.get_or_create_local()
    design = Design.objects.start(spec, team=local.teams.get(), by=local)
    run = Run.objects.find_or_start(design, "simulate", {}, local)[0]
    Part.objects.bulk_create(
        Part(run=run, name=name, data=data) for name, data in pack(simulate(spec, fresh_context())).items()
    )
    Run.objects.filter(pk=run.pk).update(state="done", ended=timezone.now())
    return f"/designs/{design.key}/runs/{run.pk}/", spec.tables[0].id


def _measure_pictures(chromium: str, address: str) -> tuple[list[float], list[float]]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page: Any = browser.new_page()
        display_times = []
        for _ in range(RELOADS):
            page.goto(address)
            page.wait_for_selector("[data-explorer][data-ready]", state="attached")
            display_times.append(page.evaluate(SEEN))
        zoom_times: list[float] = page.evaluate(ZOOMS)
        browser.close()
    return display_times[1:], zoom_times
