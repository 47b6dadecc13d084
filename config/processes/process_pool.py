"""Processes beside a web process: they compute what would hold a thread, and with it the interpreter, for long.

Each question has a key; whoever asks the same waits for the same answer. After each step of a question the next is
chosen: of the person, link or token that was served longest ago, and of theirs the newest question. A question that
nobody asked for lately is dropped; what was computed of it is kept. A process has a thread for what is brief and one
for all else, so an edit's figures do not wait for somebody's PDF.
"""

import contextlib
import gc
import logging
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import django

from config.held import leave_lane
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.shares import Holders, charge_seconds, current_holders
from designer.memory import Cache
from estimator.estimates.context import ComputeStep, Context

PATIENCE_SECONDS = 8.0
"""So long a thread waits for an answer; then the browser asks again."""
WAITING_MAX = 4
"""Threads of a web process that wait at a time for what is not brief: half of them, so that the others answer everybody
else."""
RETRY_SECONDS = 2
ABANDONED_SECONDS = 30.0
IDLE_SECONDS = 600.0
"""A process that had no question for so long ends, and what it kept with it."""
NICENESS = 5
"""Of the thread that computes what is not brief."""
LANES = (True, False)
"""Threads of a process, by whether they compute what is brief."""
TRIES = 2
HOLDERS_MAX = 1000
QUESTIONS_MAX = 50
PICKLE_TRIES = 5
NAME = "keywright-processes"

log = logging.getLogger("keywright.processes")


class StillComputingError(DesignError):
    """An answer that is still being computed."""

    status = 503
    retry_seconds = RETRY_SECONDS
    is_under_way = True

    def __init__(self) -> None:
        super().__init__(N_("This page is being computed. It opens automatically in a few seconds."))


class BusyError(DesignError):
    """A question that nobody can ask again by itself, as it was sent with a form, and that found no place."""

    status = 503
    retry_seconds = RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__(N_("The server is busy. Try again in a few seconds."))


class NotComputedError(DesignError):
    """An answer that could not be computed, because the process ended on it, and on a second try again."""

    status = 503

    def __init__(self) -> None:
        super().__init__(N_("This design could not be computed: it may be too large for this server's memory."))


class TaskError(Exception):
    """Traceback of a task, as text."""


@dataclass(eq=False)
class _Question:
    key: Hashable
    subject: bytes
    steps: deque[ComputeStep]
    holders: Holders
    number: int
    asked: float
    is_brief: bool
    waiting: int = 0
    is_under_way: bool = False
    is_done: bool = False
    problem: Exception | None = None


class _Process:
    """A process that is started when it is needed, with a connection for each of its threads."""

    def __init__(self, cache_bytes: int) -> None:
        self.cache_bytes = cache_bytes
        self._process: BaseProcess | None = None
        self._connections: Mapping[bool, Connection] = {}
        self._busy = 0
        self._used = 0.0
        self._lock = threading.Lock()

    def begin(self) -> Mapping[bool, Connection]:
        """Start the process if it does not run; return its connections."""
        with self._lock:
            if self._process is None or not self._process.is_alive():
                self._end()
                spawn = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
                pipes = {lane: spawn.Pipe() for lane in LANES}
                theirs = {lane: pipe[1] for lane, pipe in pipes.items()}
                self._process = spawn.Process(target=_run, args=(theirs, self.cache_bytes), daemon=True, name=NAME)
                self._process.start()
                # While this process holds that end open too, the end of the other one would not be seen as EOFError.
                for connection in theirs.values():
                    connection.close()
                self._connections = {lane: pipe[0] for lane, pipe in pipes.items()}
            self._used = time.monotonic()
            return self._connections

    def answer(self, subject: bytes, task: bytes, *, is_brief: bool) -> bytes:
        """Return the answer of one of the threads to a task about a subject.

        Raises
        ------
        EOFError, OSError
            If the process ended meanwhile.
        """
        with self._lock:
            self._busy += 1
        connections = self._connections
        try:
            connections = self.begin()
            connections[is_brief].send_bytes(subject)
            connections[is_brief].send_bytes(task)
            return connections[is_brief].recv_bytes()
        except (EOFError, OSError):
            with self._lock:
                if self._connections is connections:  # the other thread may have another process already
                    self._end()
            raise
        finally:
            with self._lock:
                self._busy -= 1
                self._used = time.monotonic()

    def end(self) -> None:
        """End the process; the next task starts another."""
        with self._lock:
            self._end()

    def end_idle(self, seconds: float) -> None:
        """End the process if it had nothing to do for so long."""
        with self._lock:
            if not self._busy and time.monotonic() - self._used >= seconds:
                self._end()

    def _end(self) -> None:
        if self._process is not None:
            # Killed, not terminated: it may be in a long computation of C code, which handles no signal, and holds
            # nothing that has to be saved.
            self._process.kill()
            self._process.join()
        self._process, self._connections = None, {}


def pickled(value: object) -> bytes:
    """Return a value as it is sent to another process.

    Raises
    ------
    RuntimeError
        If other threads change it again and again meanwhile.
    """
    for _ in range(PICKLE_TRIES - 1):
        # Another thread may keep a derived value (`cached_property`) in an object whose attributes are being written.
        with contextlib.suppress(RuntimeError):
            return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


@dataclass
class ProcessPool:
    """Processes that answer the questions of one web process; started with the first question."""

    process_count: int
    cache_bytes: int
    patience_seconds: float = PATIENCE_SECONDS
    _questions: dict[Hashable, _Question] = field(default_factory=dict)
    _served: dict[Holders, float] = field(default_factory=dict)
    _waiting: int = 0
    _number: int = 0
    _runners: list[threading.Thread] = field(default_factory=list)
    _has_ended: bool = False
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def begin(self) -> None:
        """Start the processes before anybody asks."""
        with self._changed:
            self._start_runners()

    def compute(
        self, key: Hashable | None, context: Context, subject: Any, steps: Sequence[ComputeStep], *,
        is_brief: bool = False, patience_seconds: float | None = None,
    ) -> None:  # fmt: skip
        """Compute all steps in order; return when that is done.

        Functions, arguments and the subject are pickled; their context has the cache of the process.

        Raises
        ------
        StillComputingError
            If it takes longer than a thread waits, or if enough threads wait already; it goes on meanwhile. Or if too
            many questions wait.
        BusyError
            The same of a question without a key, which nobody can ask again: it does not begin any more.
        NotComputedError
            If the process that computed a step ended twice.
        """
        is_asked_once = key is None
        key = object() if key is None else key
        with self._changed:
            if is_asked_once and (self._waiting >= WAITING_MAX or len(self._questions) >= QUESTIONS_MAX):
                raise BusyError
            question = self._questions.get(key)
            if question is None:
                # Each question holds a pickled design; browsers that ask again every two seconds must not pile them up.
                if len(self._questions) >= QUESTIONS_MAX:
                    raise StillComputingError
                # Pickled here, once for all steps: the answer is of the design as it is now, whatever this process
                # edits meanwhile.
                about = pickled((context.today, context.price_books, context.measurements, subject))
                self._number += 1
                holders, now = current_holders(), time.monotonic()
                question = _Question(key, about, deque(steps), holders, self._number, now, is_brief)
                self._questions[key] = question
                self._start_runners()
                self._changed.notify_all()
            question.asked = time.monotonic()
            if not question.is_brief:
                # The question stays in the queue and is computed; only this thread does not wait for it, and the
                # browser asks again.
                if self._waiting >= WAITING_MAX:
                    raise StillComputingError
                self._waiting += 1
                # Computing is the other process's from here on; the lane is free for what this process computes itself.
                leave_lane()
            question.waiting += 1
            try:
                self._changed.wait_for(lambda: question.is_done, patience_seconds or self.patience_seconds)
            finally:
                self._waiting -= not question.is_brief
                question.waiting -= 1
                question.asked = time.monotonic()
                if is_asked_once and not question.is_done and not question.is_under_way:
                    del self._questions[key]
        if not question.is_done:
            raise BusyError if is_asked_once else StillComputingError
        if question.problem is not None:
            raise question.problem

    def end(self) -> None:
        """End the processes, and answer nothing more."""
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()
        for runner in self._runners:
            runner.join()

    # --- a thread for each of theirs ---

    def _start_runners(self) -> None:
        while len(self._runners) < self.process_count * len(LANES):
            process = _Process(self.cache_bytes)
            for lane in LANES:
                runner = threading.Thread(target=self._serve, args=(process, lane), daemon=True, name="processes")
                self._runners.append(runner)
                runner.start()

    def _serve(self, process: _Process, is_brief: bool) -> None:
        with contextlib.suppress(OSError):  # without memory for it, the first question tries again
            process.begin()
        while not self._has_ended:
            question = self._await_next(IDLE_SECONDS, is_brief=is_brief)
            if question is None:
                process.end_idle(IDLE_SECONDS)
                continue
            step = question.steps.popleft()
            try:
                self._compute(question, step, process)
            except Exception as problem:  # whatever it is, those who wait have to know, and this thread goes on
                question.problem = problem
            with self._changed:
                question.is_under_way = False
                if not question.steps or question.problem is not None:
                    question.is_done = True
                    del self._questions[question.key]
                self._changed.notify_all()
        process.end()

    def _compute(self, question: _Question, step: ComputeStep, process: _Process) -> None:
        task = pickled((step.function, step.args, step.raises))
        # The process may have been killed for memory that an earlier question took; another end is taken as this
        # question's own fault.
        for _ in range(TRIES + question.is_brief):  # what is not brief may end the process under what is, too
            try:
                answer = process.answer(question.subject, task, is_brief=question.is_brief)
            except (EOFError, OSError):
                log.warning("A process ended while it computed.")
                continue
            has_failed, result, seconds = pickle.loads(answer)
            # The time counts for whoever asked first: fair shares (`designer/http/shares.py`) measure the threads of
            # this process only.
            charge_seconds(question.holders, seconds)
            if has_failed:
                raise result if isinstance(result, Exception) else TaskError(result)
            # Kept before those who wait are woken: they look for it in the memory.
            step.keep(result, seconds)
            return
        raise NotComputedError

    def _await_next(self, seconds: float, *, is_brief: bool) -> _Question | None:
        """Return the next question, which nobody else computes from now on; None if there was none for so long."""
        with self._changed:
            question = None

            def is_there() -> bool:
                nonlocal question
                question = self._next(is_brief=is_brief)
                return question is not None or self._has_ended

            self._changed.wait_for(is_there, seconds)
            return question

    def _next(self, *, is_brief: bool) -> _Question | None:
        now = time.monotonic()
        for question in list(self._questions.values()):
            # The tab was closed, or shows something else by now. Asked again, the question begins with what is kept of
            # its steps.
            if not question.is_under_way and not question.waiting and now - question.asked > ABANDONED_SECONDS:
                del self._questions[question.key]
        every = (question for question in self._questions.values() if question.is_brief == is_brief)
        waiting = [question for question in every if not question.is_under_way]
        if not waiting:
            return None
        # Turns by holder, not by question: whoever opens ten large designs waits behind whoever opens one.
        next_question = min(
            waiting, key=lambda candidate: (self._served.get(candidate.holders, 0.0), -candidate.number)
        )
        next_question.is_under_way = True
        if len(self._served) >= HOLDERS_MAX:
            # Forgetting who was served costs somebody a turn, and nothing else; the map must not grow with every
            # visitor of a link.
            self._served.clear()
        self._served[next_question.holders] = now
        return next_question


# --- in the other process ---


def _run(connections: Mapping[bool, Connection], cache_bytes: int) -> None:
    """Answer questions until the web process ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    django.setup()  # for texts in the reader's language
    cache = Cache(cache_bytes)
    gc.collect()
    gc.freeze()
    threads = [threading.Thread(target=_answer, args=(connections[lane], cache, lane)) for lane in LANES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _answer(connection: Connection, cache: Cache, is_brief: bool) -> None:
    """Answer the questions of one connection."""
    if not is_brief:
        with contextlib.suppress(AttributeError, OSError):  # Linux alone knows the niceness of a thread
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    last_subject, about = b"", tuple[Any, ...]()
    while True:
        try:
            subject, task = connection.recv_bytes(), connection.recv_bytes()
        except (EOFError, OSError):
            return
        start = time.thread_time()
        try:
            if subject != last_subject:  # the next step is often about the same design
                last_subject, about = subject, _read(subject, cache)
            function, args, raises = pickle.loads(task)
            answer = pickled((*_outcome(function, (*about, *args), raises), time.thread_time() - start))
        except Exception:  # the web process tells it, also of what cannot be sent
            answer = pickled((True, traceback.format_exc(), time.thread_time() - start))
        connection.send_bytes(answer)


def _outcome(
    function: Callable[..., Any], args: tuple[Any, ...], raises: tuple[type[Exception], ...]
) -> tuple[bool, Any]:  # fmt: skip
    """Return whether it failed, and the value or the error."""
    try:
        return False, function(*args)
    except raises as error:
        error.__context__ = error.__cause__ = None
        return True, error.with_traceback(None)


def _read(subject: bytes, cache: Cache) -> tuple[Any, ...]:
    today, price_books, measurements, about = pickle.loads(subject)
    return Context(today, price_books, measurements, cache), about


def _end_with(parent: Any) -> None:
    # A process that computes does not look at its pipe. This thread ends it when the web process is gone, however that
    # ended.
    parent.join()
    os._exit(0)
