"""Web threads compute nothing long, at no address: every one is asked for with another process in a stand-in's place.

The functions that take long note where they are called. Every design counts as large, and every input as long.
"""

import dataclasses
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from designer.document.compact import dump_compact
from designer.document.dump import dump
from designer.document.texts import Text
from designer.examples import examples
from designer.http import beside
from designer.memory import Cache
from designer.models.memory import MEMORY
from estimator import contexts
from estimator.estimates import context as estimate_contexts
from estimator.estimates.context import ComputeStep, Context
from estimator.presentation import design_page
from tests.db.reviews.test_api import OPERATIONS, make_scene
from tests.db.test_permissions import NOBODY, SITE, Scene, scene, spec  # noqa: F401

LOG = b"time,key\n1790000000,1790000000000#a\n"
LONG = (
    "estimator.estimates.estimate._served_part", "estimator.estimates.what_if._what_if_of",
    "estimator.advice.questions.assumed_range._range_of", "estimator.advice.questions.bill_questions._questions_of",
    "estimator.comparison.cached._build_comparison", "estimator.observations.designed._state_of",
    "estimator.presentation.advisor_page._page_of", "estimator.views.schemas._search",
    "reviews.api.operations.advice._search", "reviews.views.trials._plan_of", "designer.document.load.load",
    "designer.imports.read", "estimator.comparison.text_edits.read_text", "estimator.views.observations._read_files",
    "reviews.views.drift._read_and_compare", "reviews.views.replay._read_under",
    "reviews.api.operations.replay._read_under", "reviews.api.operations.traces._read_log",
)  # fmt: skip
"""Functions that take long."""


class Beside:
    """Stands for the process beside: what it is asked crosses as if by a pipe, and its memory is its own."""

    def __init__(self) -> None:
        self.cache = Cache(64 << 20)
        self.place = threading.local()

    @property
    def is_here(self) -> bool:
        """True while it computes."""
        return getattr(self.place, "is_here", False)

    @contextmanager
    def _there(self) -> Iterator[None]:
        before, self.place.is_here = self.is_here, True
        memory, contexts.MEMORY = contexts.MEMORY, self.cache  # type: ignore[misc]
        processes, contexts._PROCESS.processes = contexts._PROCESS.processes, None
        reader, beside._PROCESS.reader = beside._PROCESS.reader, None
        try:
            yield
        finally:
            contexts.MEMORY, self.place.is_here = memory, before  # type: ignore[misc]
            contexts._PROCESS.processes, beside._PROCESS.reader = processes, reader

    def compute(self, key: object, context: Context, subject: Any, steps: Sequence[ComputeStep], **_: Any) -> None:
        subject = pickle.loads(pickle.dumps(subject))
        for step in steps:
            pickle.dumps((step.function, step.args, step.raises))
            with self._there():
                there = dataclasses.replace(context, cache=self.cache, processes=None)
                found = step.function(there, subject, *step.args)
            step.keep(pickle.loads(pickle.dumps(found)), 0.1)


@dataclasses.dataclass
class Watched:
    """The process beside, what was computed there, and what was in a web thread."""

    beside: Beside
    there: set[str] = dataclasses.field(default_factory=set)
    here: list[str] = dataclasses.field(default_factory=list)

    def note(self, name: str) -> None:
        self.there.add(name) if self.beside.is_here else self.here.append(name)


def note_calls(function: Callable[..., Any], name: str, watched: Watched) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        watched.note(name)
        return function(*args, **named)

    return call


def watch(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Note what is computed where; every input is long, and every design large."""
    found = Watched(Beside())
    modules = [each for each in sys.modules.values() if getattr(each, "__file__", None) and each.__name__ != __name__]
    for name in LONG:
        module, _, function = name.rpartition(".")
        original = getattr(import_module(module), function)
        replaced = note_calls(original, name, found)
        for each in modules:
            for attribute in [attribute for attribute, value in vars(each).items() if value is original]:
                monkeypatch.setattr(each, attribute, replaced)
    for module in (estimate_contexts, design_page):
        monkeypatch.setattr(module, "TABLES_HERE", 0)
    monkeypatch.setattr(beside, "MOST_HERE", -1)
    return found


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """What is computed of designs that all count as large, and where."""
    assert all(each.spec for each in examples())  # read once in a process
    found = watch(monkeypatch)
    yield found
    contexts.set_processes(None)
    MEMORY.clear()


def ask(watched: Watched, name: str, asked: Callable[[], Any]) -> str:
    """Ask when nothing is known yet, and take back what that changed; return what was computed in the web thread."""
    MEMORY.clear()
    watched.here.clear()
    contexts.set_processes(watched.beside)
    try:
        with transaction.atomic():
            answer = asked()
            transaction.set_rollback(True)
    finally:
        contexts.set_processes(None)
    assert answer.status_code < 500, name
    return f"{name}: {', '.join(sorted(set(watched.here)))}" if watched.here else ""


def file(name: str, content: bytes) -> dict[str, Any]:
    return {"file": SimpleUploadedFile(name, content)}


def posted_data(scene: Scene, name: str) -> dict[str, Any]:  # noqa: F811
    """Return what is posted: what can be read, where that is long."""
    match name:
        case "create":
            return {"json": dump(scene.design.spec)}
        case "write_text":
            return {"text": dump_compact(scene.design.spec, with_ids=False), "was": f'"{scene.design.head_id}"'}
        case "replay":
            return file("log.csv", LOG)
        case "measured":
            return file("keys.csv", b"key,offset\na,1")
        case "drift":
            return file("table.json", b'{"name": "projects/p/instances/i/tables/readings"}')
    return scene.data(name)


def test_no_page_is_computed_in_a_web_thread(watched: Watched, scene: Scene) -> None:  # noqa: F811
    client = scene.client("owner")
    cookies, wrong = client.cookies.copy(), []
    for name, page in SITE.items():
        for method, action in (("get", page.get), ("post", page.post)):
            if action != NOBODY:
                path, data = scene.path(name), posted_data(scene, name) if method == "post" else None
                wrong.append(ask(watched, f"{method} {name}", lambda: getattr(client, method)(path, data)))  # noqa: B023
                client.cookies = cookies.copy()

    assert not list(filter(None, wrong))
    assert {name for name in LONG if not name.startswith("reviews.api.")} - watched.there == set()


def test_no_operation_of_the_api_is_computed_in_a_web_thread(
    watched: Watched, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, wrong = make_scene(settings, monkeypatch), []
    site.design.replace(
        spec(), expected_sha256=site.design.head_id, by=site.design.team.people.get(name="ana"), description=Text("x")
    )
    names: dict[str, Any] = {
        "run": "0" * 64,
        "id": site.link.pk,
        "row_kind": "k",
        "name": "json",
        "key": site.design.key,
    }
    names |= {"hook": site.hook.pk, "delivery": site.hook.deliveries.get().pk}
    for operation, (_, body) in OPERATIONS.items():
        method, path = operation.split()
        path = path.format(number=site.run.pk if "runs" in path else 1, **names)
        headers = {"If_Match": f'"{site.design.head_id}"'} if method == "put" else {}
        wrong.append(ask(watched, operation, lambda: site.ask(method, path, "writing", body, **headers)))  # noqa: B023

    assert not list(filter(None, wrong))
    assert {name for name in LONG if name.startswith("reviews.api.")} - watched.there == set()
