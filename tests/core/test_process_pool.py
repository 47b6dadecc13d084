"""Processes beside a web process, for real: what they answer, in which order, and what is left when one ends."""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.utils import translation

from benchmarks.designs import wide_design
from config.processes import process_pool
from config.processes.process_pool import BusyError, NotComputedError, ProcessPool, StillComputingError
from designer.document.compact import dump_compact
from designer.document.edits import Set, apply
from designer.document.load import load
from designer.document.table import Table
from designer.document.texts import build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.examples import example
from designer.http.beside import MOST_HERE, read_beside
from designer.http.shares import Holders
from designer.memory import Cache
from estimator.advice.questions.assumed_range import assumed_range
from estimator.advice.questions.bill_questions import bill_questions
from estimator.comparison.cached import cached_comparison, unredacted_side
from estimator.contexts import set_processes
from estimator.estimates.context import ComputeStep, Context
from estimator.estimates.what_if import what_if
from estimator.observations import ObservationError
from estimator.presentation.advisor_page import advice_page
from estimator.presentation.design_page import TABLES_HERE, analyze
from estimator.traces import ReplayError, TraceFormError
from reviews.exports import ExportContent, format_named
from reviews.links.exclusions import Exclusions
from reviews.links.redaction import RedactedView
from reviews.pdf.pdf_request import PdfOptions
from reviews.presentation.export_files import make_export
from reviews.views.sides import Deadline
from tests import contexts

ENDS_SECONDS = 120
"""After so long a test fails; a busy machine takes its time to start a process of lower priority."""


class Changing:
    """Something in whose attributes more is kept while they are written, so many times."""

    def __init__(self, changes: int) -> None:
        self.changes, self.first, self.last = changes, Part(self), 1


class Part:
    """What keeps one value more in the whole when it is written."""

    def __init__(self, whole: Changing) -> None:
        self.whole = whole

    def __reduce__(self) -> tuple[Any, ...]:
        if self.whole.changes:
            self.whole.changes -= 1
            setattr(self.whole, f"kept_{self.whole.changes}", 1)
        return (int, (1,))


def test_what_another_thread_derives_of_a_design_on_its_way_ends_no_question() -> None:
    sent = pickle.loads(process_pool.pickled(Changing(2)))

    assert (sent.first, sent.last) == (1, 1)
    with pytest.raises(RuntimeError, match="changed size"):
        process_pool.pickled(Changing(process_pool.PICKLE_TRIES))


@pytest.fixture(scope="module")
def pool() -> Generator[ProcessPool, None, None]:
    made = ProcessPool(1, cache_bytes=16 << 20, patience_seconds=ENDS_SECONDS)
    yield made
    made.end()


@pytest.fixture
def here() -> Context:
    return replace(contexts.context(), cache=Cache(64 << 20))


# --- what the processes compute here; each takes the context of the process first


def own_id(context: Context, subject: None) -> int:
    return os.getpid()


def fail(context: Context, subject: None) -> None:
    raise ValueError("no such design")


def end_once(context: Context, subject: None, mark: Path) -> str:
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return "answered"


def end(context: Context, subject: None) -> None:
    os._exit(9)


def wait_for(context: Context, subject: None, gate: Path) -> None:
    until(gate.exists)


def nothing(context: Context, subject: None) -> None:
    pass


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + ENDS_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def answer(pool: ProcessPool, context: Context, function: Callable[..., Any], *args: Any) -> Any:
    kept: list[Any] = []
    pool.compute((function, args), context, None, [ComputeStep(function, args, lambda value, _: kept.append(value))])
    return kept[0]


class Gate:
    """A question that is answered when its gate opens; others wait for it."""

    def __init__(self, pool: ProcessPool, context: Context, path: Path) -> None:
        self.pool, self.path, self.order = pool, path, list[str]()
        self.threads: list[threading.Thread] = []
        self.context = context
        self.ask("gate", wait_for, path)
        until(lambda: any(question.is_under_way for question in list(pool._questions.values())))

    def ask(self, name: str, function: Callable[..., Any] = nothing, *args: Any) -> None:
        self.start(name, [ComputeStep(function, args, lambda *_: self.order.append(name))])

    def start(self, name: str, steps: list[ComputeStep]) -> None:
        self.threads.append(threading.Thread(target=self.pool.compute, args=(name, self.context, None, steps)))
        self.threads[-1].start()
        until(lambda: name in self.pool._questions)

    def open(self) -> list[str]:
        self.path.touch()
        for thread in self.threads:
            thread.join()
        return self.order


@pytest.mark.parametrize("tables", [1, 9])
def test_a_design_is_computed_elsewhere_and_is_as_if_it_were_computed_here(
    pool: ProcessPool, here: Context, tables: int
) -> None:
    spec, there = wide_design(tables), replace(here, processes=pool, cache=Cache(64 << 20))
    with np.printoptions(threshold=sys.maxsize):
        assert repr(analyze(spec, there)) == repr(analyze(spec, here))


def test_the_next_edit_finds_the_parts_that_were_computed_elsewhere(pool: ProcessPool, here: Context) -> None:
    spec = wide_design(4)
    analyze(spec, replace(here, processes=pool))
    edited, _ = apply(spec, Set(at="a1", name="rate_per_second", value=7, was=spec.find("a1").rate_per_second))

    analyze(edited, here)
    assert sum(kind == "parts of tables" for kind, _ in here.cache._entries) == 5


def test_only_what_is_not_known_comes_back_and_the_answer_has_every_table(
    here: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []

    class Beside:
        def compute(self, key: object, context: Context, subject: Any, steps: Any, *, is_brief: bool) -> None:
            for step in steps:
                sent.append(step.function(replace(context, processes=None, cache=Cache(64 << 20)), subject, *step.args))
                step.keep(pickle.loads(pickle.dumps(sent[-1])), 1.0)

    spec, there = wide_design(3), replace(here, processes=Beside())
    analyze(spec, there)
    edited, _ = apply(spec, Set(at="a1", name="rate_per_second", value=7, was=spec.find("a1").rate_per_second))

    found = analyze(edited, there)
    analysis, parts = sent[-1]
    assert set(parts) == {"t1"}
    assert not analysis.estimate.tables
    with np.printoptions(threshold=sys.maxsize):
        assert repr(found) == repr(analyze(edited, replace(here, cache=Cache(64 << 20))))
    assert found.estimate.tables["t0"] is analyze(spec, there).estimate.tables["t0"]


class RefusingProcesses:
    def compute(self, *args: Any, **named: Any) -> None:
        raise StillComputingError


QUESTIONS: dict[str, Callable[[Any, Any, Context], Any]] = {
    "estimate": lambda spec, _, context: analyze(spec, replace(context, cache=Cache(64 << 20))),
    "what if": lambda spec, made, context: what_if(spec, made, context),
    "assumed values": lambda spec, made, context: assumed_range(spec, made, context),
    "questions": lambda spec, made, context: bill_questions(spec, made, context),
    "advice": lambda spec, _, context: advice_page(spec, "t0-rows", context),
    "comparison": lambda spec, _, context: cached_comparison(spec, spec.model_copy(update={"name": "B"}), context),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_of_no_design_however_small_a_web_thread_computes_what_takes_long(here: Context, name: str) -> None:
    spec = wide_design(1)
    made = analyze(spec, here).estimate
    with pytest.raises(StillComputingError):
        QUESTIONS[name](spec, made, replace(here, processes=RefusingProcesses()))


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_other_processes_answer_is_as_if_it_were_computed_here(
    pool: ProcessPool, here: Context, name: str
) -> None:
    spec = example("hash-only").spec
    kind = spec.tables[0].row_kinds[0].id
    ask = {**QUESTIONS, "advice": lambda spec, _, context: advice_page(spec, kind, context)}[name]
    made = analyze(spec, here).estimate
    there = replace(here, cache=Cache(64 << 20), processes=pool)
    with np.printoptions(threshold=sys.maxsize):
        assert repr(ask(spec, made, there)) == repr(ask(spec, made, here))


def test_a_design_whose_tables_are_known_is_answered_here_unless_it_is_large(here: Context) -> None:
    spec = wide_design(TABLES_HERE)
    analyze(spec, here)
    there = replace(here, processes=RefusingProcesses())
    analyze(spec.model_copy(update={"description": "known"}), there)
    more = spec.model_copy(update={"tables": (*spec.tables, Table(id="more"))})
    analyze(more, here)
    known = more.model_copy(update={"description": "known"})
    with pytest.raises(StillComputingError):
        analyze(known, there)


def test_what_is_brief_does_not_wait_for_what_takes_long(pool: ProcessPool, here: Context, tmp_path: Path) -> None:
    gate = Gate(pool, here, tmp_path / "gate")
    found: list[int] = []
    pool.compute("brief", here, None, [ComputeStep(own_id, (), lambda value, _: found.append(value))], is_brief=True)
    assert not gate.order
    assert gate.open() == ["gate"]
    assert found == [answer(pool, here, own_id)]  # of the same process, whose memory both use


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_pdf_is_typeset_elsewhere_in_the_reader_s_language(pool: ProcessPool, here: Context, language: str) -> None:
    content = ExportContent(
        wide_design(1), context=here, pdf_options=PdfOptions(None, ("keys",), language, translation.gettext)
    )
    with translation.override(language):
        made = make_export(format_named("pdf"), replace(content, context=replace(here, processes=pool)))
        assert made == format_named("pdf").make(content)
    assert sum(kind == "exports" for kind, _ in here.cache._entries) == 1


@pytest.mark.parametrize("hides", [Exclusions(), Exclusions(cost=True)])
def test_large_designs_are_compared_elsewhere_as_somebody_may_see_them(
    pool: ProcessPool, here: Context, hides: Exclusions
) -> None:
    before = wide_design(2)
    after, _ = apply(before, Set(at="a1", name="rate_per_second", value=7, was=before.find("a1").rate_per_second))
    see = RedactedView(hides) if hides else unredacted_side
    there = replace(here, cache=Cache(64 << 20), processes=pool)
    found, expected = (
        cached_comparison(before, after, context, see=see, seen_as=hides, is_late=Deadline(ENDS_SECONDS))
        for context in (there, here)
    )
    assert repr(found) == repr(expected)
    assert found.changes[0].step.effects
    assert (found.bill.lines == ()) == hides.cost


def test_a_deadline_counts_from_the_start_of_the_process_that_keeps_it() -> None:
    past = Deadline(0.0)
    until(past)
    assert pickle.loads(pickle.dumps(Deadline(ENDS_SECONDS)))() is False
    until(pickle.loads(pickle.dumps(past)))


def test_a_process_is_kept_for_the_next_question(pool: ProcessPool, here: Context) -> None:
    assert answer(pool, here, own_id) == answer(pool, here, own_id) != os.getpid()


def test_an_error_is_told_with_its_place_and_the_process_goes_on(pool: ProcessPool, here: Context) -> None:
    before = answer(pool, here, own_id)
    with pytest.raises(process_pool.TaskError, match=r"(?s)in fail.*no such design"):
        answer(pool, here, fail)
    assert answer(pool, here, own_id) == before


def test_a_question_whose_process_is_killed_is_answered_by_another(
    pool: ProcessPool, here: Context, tmp_path: Path
) -> None:
    assert answer(pool, here, end_once, tmp_path / "ended") == "answered"


@pytest.mark.slow
def test_a_question_that_kills_its_process_twice_is_refused_and_the_next_is_answered(
    pool: ProcessPool, here: Context
) -> None:
    with pytest.raises(NotComputedError):
        answer(pool, here, end)
    assert answer(pool, here, own_id)


def test_who_asks_the_same_waits_for_the_same_answer(pool: ProcessPool, here: Context, tmp_path: Path) -> None:
    gate = Gate(pool, here, tmp_path / "gate")
    gate.ask("gate", wait_for, tmp_path / "gate")
    assert gate.open() == ["gate"]


def test_the_next_is_of_who_was_served_longest_ago_and_of_theirs_the_newest(
    pool: ProcessPool, here: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holders: list[Holders] = [frozenset({("person", 1)})]
    monkeypatch.setattr(process_pool, "current_holders", lambda: holders[0])
    monkeypatch.setattr(process_pool, "WAITING_MAX", 5)
    gate = Gate(pool, here, tmp_path / "gate")
    for name in ("one's older", "one's newer", "one's newest"):
        gate.ask(name)
    holders[0] = frozenset({("link", 1)})
    gate.ask("the visitor's")
    assert gate.open() == ["gate", "the visitor's", "one's newest", "one's newer", "one's older"]


def test_between_two_steps_the_process_turns_to_who_waits_longer(
    pool: ProcessPool, here: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holders: list[Holders] = [frozenset({("person", 1)})]
    monkeypatch.setattr(process_pool, "current_holders", lambda: holders[0])
    gate = Gate(pool, here, tmp_path / "gate")
    steps = [
        ComputeStep(nothing, (), lambda *_, number=number: gate.order.append(f"part {number}")) for number in (1, 2)
    ]
    gate.start("large", steps)
    holders[0] = frozenset({("person", 2)})
    gate.ask("small")
    gate.ask("small, too")
    assert gate.open() == ["gate", "small, too", "part 1", "small", "part 2"]


def test_few_threads_wait_and_not_for_long_but_the_answer_is_kept(
    pool: ProcessPool, here: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(pool, here, tmp_path / "gate")
    monkeypatch.setattr(process_pool, "WAITING_MAX", 1)
    with pytest.raises(StillComputingError):
        pool.compute("second", here, None, [ComputeStep(nothing, (), lambda *_: gate.order.append("second"))])
    monkeypatch.setattr(process_pool, "WAITING_MAX", 2)
    monkeypatch.setattr(pool, "patience_seconds", 0.01)
    with pytest.raises(StillComputingError):
        pool.compute("third", here, None, [ComputeStep(nothing, (), lambda *_: gate.order.append("third"))])
    gate.open()
    until(lambda: not pool._questions)
    assert sorted(gate.order) == ["gate", "second", "third"]


def test_what_nobody_can_ask_for_again_is_not_computed_where_it_found_no_place(
    pool: ProcessPool, here: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(pool, here, tmp_path / "gate")
    steps = [ComputeStep(nothing, (), lambda *_: gate.order.append("sent"))]
    for full in ("WAITING_MAX", "QUESTIONS_MAX"):
        before = getattr(process_pool, full)
        monkeypatch.setattr(process_pool, full, 1)
        with pytest.raises(BusyError):
            pool.compute(None, here, None, steps)
        monkeypatch.setattr(process_pool, full, before)
    with pytest.raises(BusyError):
        pool.compute(None, here, None, steps, patience_seconds=0.01)
    assert (list(pool._questions), pool._waiting) == (["gate"], 1)
    gate.ask("next")
    assert gate.open() == ["gate", "next"]

    pool.compute(None, here, None, steps)
    assert gate.order == ["gate", "next", "sent"]


def test_what_nobody_asks_for_any_more_is_dropped(
    pool: ProcessPool, here: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(pool, here, tmp_path / "gate")
    monkeypatch.setattr(pool, "patience_seconds", 0.0)
    with pytest.raises(StillComputingError):
        pool.compute("left", here, None, [ComputeStep(nothing, (), lambda *_: gate.order.append("left"))])
    monkeypatch.setattr(process_pool, "ABANDONED_SECONDS", 0.0)
    gate.open()
    until(lambda: not pool._questions)
    assert gate.order == ["gate"]


STARTS = f"""
import os, sys
if __name__ == "__main__":
    import django
    django.setup()
    from config.processes.process_pool import ProcessPool
    from tests.contexts import context
    from tests.core.test_process_pool import answer, own_id
    print(answer(ProcessPool(1, cache_bytes=1 << 20, patience_seconds={ENDS_SECONDS}), context(), own_id), flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="processes are killed by signals")
def test_a_process_ends_with_the_server_however_that_ends(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(STARTS)
    environment = {**os.environ, "PYTHONPATH": os.getcwd(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    with subprocess.Popen(
        [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as server:
        assert server.stdout is not None
        number = int(server.stdout.readline())
        assert is_running(number)
        server.kill()
    until(lambda: not is_running(number))


def is_running(number: int) -> bool:
    try:
        return (
            " Z" not in Path(f"/proc/{number}/stat").read_text() if Path("/proc").exists() else not os.kill(number, 0)
        )
    except (FileNotFoundError, ProcessLookupError):
        return False


ERRORS: dict[str, Exception] = {
    "document": InvalidDocumentError([Problem(("tables", 0), build_text("{n} is wrong", n=1), line=3)], name="a.json"),
    "log": TraceFormError("no column {name}", name="key"),
    "replay": ReplayError("no requests of {table}", table="t"),
    "measurements": ObservationError("no {what}", what="series"),
}


def raise_error(context: Context, subject: None, name: str) -> None:
    raise ERRORS[name]


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_that_a_person_can_mend_comes_back_as_it_was_raised(
    pool: ProcessPool, here: Context, name: str
) -> None:
    with pytest.raises(type(ERRORS[name])) as raised:
        replace(here, processes=pool).beside(None, raise_error, name, raises=(ValueError,))
    assert str(raised.value) == str(ERRORS[name])
    assert vars(raised.value) == vars(ERRORS[name])


def test_only_long_input_is_read_by_another_process(pool: ProcessPool) -> None:
    set_processes(pool)
    try:
        assert read_beside(os.getpid, length=MOST_HERE) == os.getpid()
        assert read_beside(os.getpid, length=MOST_HERE + 1) == answer(pool, contexts.context(), own_id) != os.getpid()
        text = dump_compact(wide_design(40), with_ids=False)
        assert read_beside(load, text, length=len(text)) == load(text)
        with pytest.raises(InvalidDocumentError, match="64 levels"):
            read_beside(load, "{" * (MOST_HERE + 1), length=MOST_HERE + 1, raises=(InvalidDocumentError,))
    finally:
        set_processes(None)
