"""Figures about the editor's pages on the server: fifty tables, a thousand elements, one local person."""

import gzip
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

from .designs import wide_design
from .measure import BenchmarkFigure

TABLES = 50
LARGE_TABLES = 200
COLUMNS = 8
EDITS = 20
BATCHES = 3
AFTER_THE_PAUSE_MS = 250
"""Of the 450 ms after a keystroke 200 are the pause."""


def figures() -> Iterator[BenchmarkFigure]:
    """Page, edit, insight after an edit, queries and sizes."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _figures(prepare_client(folder))


def prepare_client(folder: str) -> Any:
    """A client of the site with a database of its own in this folder."""
    os.environ |= {"KEYWRIGHT_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    connection.close()
    connection.settings_dict["NAME"] = os.path.join(folder, "keywright.sqlite3")
    for command in ("prepare", "migrate"):
        call_command(command, verbosity=0, stdout=StringIO())
    import config.wsgi  # noqa: F401 - collects garbage as the server does

    return Client(SERVER_NAME="localhost")


def _figures(client: Any) -> Iterator[BenchmarkFigure]:
    from designer.document import Spec

    browser = Editor(client, wide_design(TABLES, columns=COLUMNS))
    page = browser.page()
    times = [_milliseconds(browser.page) for _ in range(7)]
    yield BenchmarkFigure(f"editor's page, {TABLES} tables, {browser.elements} elements", tuple(times), "ms", 300)
    yield BenchmarkFigure("  compressed", (len(gzip.compress(page)) / 1024,), "KiB", 60)
    browser.edit()
    browser.insight()
    edits, both = [], []
    for _ in range(BATCHES * EDITS):
        edits.append(_milliseconds(browser.edit))
        both.append(edits[-1] + _milliseconds(browser.insight))
    yield BenchmarkFigure("edit's answer, p95", _percentile_95(edits), "ms", 100)
    yield BenchmarkFigure(
        "edit and insight, p95", _percentile_95(both), "ms", AFTER_THE_PAUSE_MS, note="after the pause"
    )
    yield BenchmarkFigure("  insight, compressed", (len(gzip.compress(browser.insight())) / 1024,), "KiB", 60)
    yield BenchmarkFigure("  queries of an edit", (_count_queries(browser.edit),), "", 10)
    yield BenchmarkFigure("  queries of an insight", (_count_queries(browser.insight),), "", 10)
    yield from _large_pages(Editor(client, wide_design(LARGE_TABLES, columns=COLUMNS)))
    small = Editor(client, Spec(name="One"), at="", field="horizon_months")
    small.edit()
    yield BenchmarkFigure("  queries of an edit, one element", (_count_queries(small.edit),), "", 10)


def _large_pages(browser: "Editor") -> Iterator[BenchmarkFigure]:
    """Pages of a large design, of which everything is computed already."""
    design = f"/designs/{browser.design.key}"
    content = f"{design}/of/{browser.sha256}/"
    for name, address in (
        ("editor", f"{design}/"), ("sheet", f"{content}sheet"), ("estimate", content), ("review", f"{design}/review/"),
        ("rows", f"{content}rows"), ("trial", f"{design}/try/"), ("card", f"{design}/summary"),
    ):  # fmt: skip
        size_kib = len(browser.get(address)) / 1024
        times = [_milliseconds(lambda address=address: browser.get(address)) for _ in range(5)]
        yield BenchmarkFigure(f"{name}, {LARGE_TABLES} tables", tuple(times), "ms", 300)
        yield BenchmarkFigure("  size", (size_kib,), "KiB", 300)


class Editor:
    """Somebody's browser with a design open."""

    def __init__(self, client: Any, spec: Any, *, at: str = "a7", field: str = "rate_per_second") -> None:
        from designer.models import Design, Person

        me = Person.objects.get_or_create_local()
        team = me.memberships.select_related("team")[0].team
        self.design = Design.objects.start(spec, team=team, by=me)
        self.client, self.at, self.field = client, at, field
        self.elements, self.value = len(spec.by_id), 12
        self.was = getattr(spec.by_id[at] if at else spec, field)
        self.sha256 = self.design.head_id

    def page(self) -> bytes:
        """The whole page, with one table's key open."""
        return self.get(f"/designs/{self.design.key}/at/t3-rows")

    def edit(self) -> bytes:
        """Another value in one field, as its form posts it."""
        self.value += 1
        data = {"at": self.at, "name": self.field, "was": json.dumps(self.was), "v": str(self.value)}
        answer = self.client.post(f"/designs/{self.design.key}/edit", data, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.content[:500]
        self.sha256, self.was = json.loads(answer["HX-Trigger"])["kw:saved"]["sha256"], self.value
        return bytes(answer.content)

    def insight(self) -> bytes:
        """What stands beside the editor, of the content after the last edit."""
        return self.get(f"/designs/{self.design.key}/of/{self.sha256}/insight?at=t7-rows")

    def get(self, address: str) -> bytes:
        """Return what is at an address; what is still computed is asked for again, as browsers do."""
        answer = self.client.get(address)
        while answer.status_code == 503 and "Retry-After" in answer:
            answer = self.client.get(address)
        assert answer.status_code == 200, answer.content[:500]
        return bytes(answer.content)


def _milliseconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return 1e3 * (time.perf_counter() - start)


def _percentile_95(values: list[float]) -> tuple[float, ...]:
    """The 95th percentile of each batch."""
    batches = (values[n : n + EDITS] for n in range(0, len(values), EDITS))
    return tuple(statistics.quantiles(batch, n=20, method="inclusive")[-1] for batch in batches)


def _count_queries(function: Callable[[], object]) -> float:
    """How often the database is asked, transactions' begin and end included."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        function()
    return len(queries)
