"""gunicorn's worker with threads, which also holds questions: a window that waits for news takes no thread.

The connection of a held question waits in the worker's own poller. After a read of the watches that brought something
it is answered in full; when its time is over, the window is told to ask again.
`--worker-class config.web_worker.WebWorker`.
"""

import atexit
import contextlib
import ctypes
import os
import selectors
import shutil
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from gunicorn.glogging import Logger
from gunicorn.http.wsgi import Response
from gunicorn.workers.gthread import TConn, ThreadWorker

from config.held import WAITED_SECONDS, ComputeLane, HeldError
from config.monitoring import metrics_access
from config.monitoring.logs import JsonLines, NoSecrets
from config.processes import peers

ASK_LATER = (
    b"HTTP/1.1 503 Service Unavailable\r\nCache-Control: private, no-store\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
)
HELD_THREADS = 11
"""One for each place of the lanes and for each that waits for a computing process, and one for known answers."""
OLDEST_OF_TURNS = 4
MOST_READING_SECONDS = 10
"""So long the line and the headers of a request may take; its body is read where it is used."""
MOST_SENDING_SECONDS = 10
"""So long a client may take to read what its socket did not take at once."""
M_ARENA_MAX, ARENAS = -8, 2
"""The parameter's number in glibc's malloc.h (2.36, read 2026-11-27), and how many heaps there may be."""
SWITCH_SECONDS = 0.001
"""So long a thread computes before another that is ready may: an edit waits for its turn after each query."""
ASK_AGAIN = b"HTTP/1.1 204 No Content\r\nCache-Control: private, no-store\r\n"
STAYS, ENDS = b"Connection: keep-alive\r\n\r\n", b"Connection: close\r\n\r\n"

Told = TypeVar("Told")


class WebLog(Logger):
    """Writes gunicorn's own lines as the site's are written. As JSON, the site has a line for each request."""

    is_json = os.environ.get("KEYWRIGHT_LOG", "").strip() == "json"

    def setup(self, cfg: Any) -> None:
        """Set the form of the lines."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(NoSecrets())  # it quotes lines that are no request
            if self.is_json:
                handler.setFormatter(JsonLines())

    def access(self, *arguments: Any, **options: Any) -> None:
        """Write the line of a request, unless the site does."""
        if not self.is_json:
            super().access(*arguments, **options)


def share_folder(variable: str, purpose: str) -> None:
    """Make a folder for the processes to come, in gunicorn's first process; once."""
    # The variable is inherited: further workers are forked from the same process, or come after one that ended, and use
    # its folder.
    if os.environ.get(variable):
        return
    folder, owner = tempfile.mkdtemp(prefix=f"keywright-{purpose}-"), os.getpid()
    os.environ[variable] = folder
    atexit.register(remove_folder, folder, owner)


def remove_folder(folder: str, owner: int) -> None:
    """Remove the folder at the end of the process that made it; those it started end here, too."""
    # Forked workers inherit the registration with `atexit`, and end earlier than the process that made the folder.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def limit_arenas() -> None:
    """Let the threads to come share few heaps: each of its own would keep what was free in it (glibc's malloc)."""
    with contextlib.suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def cut_off(connection: TConn) -> None:
    """End both sides of a connection, so that nobody waits for the other one's end."""
    # `shutdown` wakes the thread that reads, with an end of the stream; `close` would leave it blocked, and free the
    # number of the socket for another one.
    with contextlib.suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)


class WebWorker(ThreadWorker):
    """Serves requests with threads, and holds questions without any."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        share_folder(peers.FOLDER, "peers")
        if os.environ.get(metrics_access.VARIABLE, "").strip():
            share_folder(metrics_access.FOLDER, "metrics")  # in which they count requests
        self.turns = 0
        self.held: dict[TConn, tuple[HeldError, float]] = {}
        self.waiting: dict[TConn, tuple[HeldError, float]] = {}
        """Those that wait for a turn; `held` are those that wait for news, of which there may be a thousand."""
        self.is_woken = False
        """True while a look through those that wait for a turn is to come."""
        self.changed_designs: deque[str] = deque()
        """Of which something was made since the last look."""
        self.reading: dict[TConn, float] = {}

    def load_wsgi(self) -> None:
        """Load the site; its questions are held from now on."""
        # Before the site is loaded and any thread runs: glibc gives each thread an arena when it first allocates
        # (decision 69).
        limit_arenas()
        os.makedirs(os.environ[peers.FOLDER], mode=0o700, exist_ok=True)  # it may have been tidied up
        super().load_wsgi()
        # Imported here and not at the top: models may be imported only once Django is set up, which loading the site
        # does.
        watches = import_module("designer.models.watches").WATCHES
        watches.holds = True
        watches.listeners.append(self.wake)
        if hasattr(self.wsgi, "join_peers"):
            self.wsgi.join_peers(os.environ[peers.FOLDER])
            for lane in self.wsgi.lanes:
                lane.listeners.append(self.wake_waiting)
        sys.setswitchinterval(SWITCH_SECONDS)

    def get_thread_pool(self) -> ThreadPoolExecutor:
        """Return gunicorn's pool for requests as they come; questions that were held have one of their own.

        So an edit waits for none of the many windows that are told of another.
        """
        self.held_pool = ThreadPoolExecutor(HELD_THREADS, thread_name_prefix="held")
        pool: ThreadPoolExecutor = super().get_thread_pool()
        return pool

    def wake(self) -> None:
        """Look through the held questions, in the thread of the poller."""
        if self.held or self.waiting:
            # The poller and its connections belong to gunicorn's own thread; this is called by the reader of the
            # watches or by a request's thread.
            self.method_queue.defer(self.answer_due)

    def wake_waiting(self, design: str) -> None:
        """Look through those that wait for a turn, in the thread of the poller; of a design, something was made."""
        if not self.waiting:
            return
        if design:
            self.changed_designs.append(design)
        # Whoever finds it woken already has changed what the look to come will see.
        if not self.is_woken:
            self.is_woken = True
            self.method_queue.defer(self.answer_waiting)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop, and answer those who are held: they wait neither for a read of the watches nor for a turn."""
        is_first = self.alive
        super().handle_exit(sig, frame)
        if is_first:  # the queue may be closed at a second one
            self.method_queue.defer(self.answer_due)

    # --- who sends a request line by line may not keep threads waiting for the next ---

    def handle(self, connection: TConn) -> Any:
        """Read a request and handle it; note since when it is read."""
        # gunicorn 27 limits the wait for the first byte and between requests, not the time that a client takes for the
        # headers of one: a few slow clients could hold all threads.
        self.reading[connection] = time.monotonic()
        try:
            return super().handle(connection)
        finally:
            self.reading.pop(connection, None)

    def murder_keepalived(self, force: bool = False) -> None:
        """Close what has been open for too long without a request, also where one is begun."""
        super().murder_keepalived(force)
        latest = time.monotonic() - MOST_READING_SECONDS
        for connection in [candidate for candidate, since in list(self.reading.items()) if since < latest]:
            # The thread may have read the request to its end since the list was made; then nothing is cut off.
            if self.reading.pop(connection, None) is not None:
                cut_off(connection)

    # --- a request ends in a question that is held ---

    def handle_request(self, request: Any, connection: TConn) -> Any:
        self.reading.pop(connection, None)
        try:
            return super().handle_request(request, connection)
        except HeldError as question:
            question.request = request
            # Its frames hold the question itself: such a ring would keep every request until the collector comes by.
            question.__traceback__ = None
            return question

    def _keepalive_after(self, connection: TConn, keepalive: Any) -> Any:
        stays = super()._keepalive_after(connection, keepalive)
        # gunicorn asks here whether the connection stays open, and hands the answer on as the future's result: the held
        # question travels in its place.
        return keepalive if stays and isinstance(keepalive, HeldError) else stays

    def finish_request(self, connection: TConn, future: Any) -> None:
        """Hold what is to be held; everything else ends as in gunicorn."""
        question = None if future.cancelled() or future.exception() else future.result()
        if not isinstance(question, HeldError):
            super().finish_request(connection, future)
        elif not self.alive:
            # A worker that stops answers at once; otherwise its graceful end would wait for all of the held questions.
            self.answer(connection, question)
        else:
            self.hold(connection, question)
            held, _ = self.waiting.get(connection, (None, 0.0))
            if held is not None and held.lane is not None and held.lane.is_free and not self.ask(held.is_made, True):
                # It was left between the question and this line, and told nobody of it.
                self.give_turns()
        if not self.alive and (self.held or self.waiting):
            # It stops after so many requests: of that, unlike of a signal, nothing else tells.
            self.answer_due()

    def hold(self, connection: TConn, question: HeldError) -> None:
        """Keep a question until there is an answer or a turn."""
        if self.ask(question.has_news, True):
            # What became known between the question and this line would otherwise be told at the next read of the
            # watches, or never.
            self.answer_news(connection, question)
            return
        connection.sock.setblocking(False)
        store = self.held if question.lane is None else self.waiting
        if question.lane is not None:
            question.lane.count_waiting(1)
        store[connection] = (question, time.monotonic() + question.seconds)
        # Nothing is expected on a held connection but its end, which makes it readable.
        self.poller.register(connection.sock, selectors.EVENT_READ, partial(self.end_connection, connection))

    # --- held questions ---

    def end_connection(self, connection: TConn, _socket: Any) -> None:
        """Forget a window that has gone, or has moved and asks on another connection."""
        if connection not in self.held and connection not in self.waiting:
            return  # answered a moment ago: what else comes on it is the next request
        self.release(connection)
        # gunicorn stops accepting at a number of connections, so each one that ends has to be counted down once.
        self.nr_conns -= 1
        connection.close()

    def answer_due(self) -> None:
        """Answer each question that has news, or has waited long enough; all of them when this worker stops."""
        now = time.monotonic()
        for connection, (question, until) in [*self.held.items(), *self.waiting.items()]:
            if self.alive and self.ask(question.has_news, True):
                self.release(connection)
                self.answer_news(connection, question)
            elif not self.alive or now >= until:
                self.release(connection)
                self.answer(connection, question)
        self.give_turns()

    def answer_waiting(self) -> None:
        """Answer what waited for something that was made; the next have their turns."""
        self.is_woken = False  # first, so that what changes from here on has a look of its own
        changed = {self.changed_designs.popleft() for _ in range(len(self.changed_designs))}
        # Only those of these designs: with hundreds that wait, a look at each for each answer that is made took this
        # thread a tenth of its time. What else they may wait for is looked at after each read of the watches.
        for connection, (question, _) in list(self.waiting.items()):
            if question.design in changed and self.alive and self.ask(question.has_news, True):
                self.release(connection)
                self.answer_news(connection, question)
        self.give_turns()

    def give_turns(self) -> None:
        """Let one of the questions that wait for each lane have it: the newest, and of every few the oldest.

        What another thread makes already needs none: it would find that out in a thread, and be held again.
        """
        for lane in {question.lane for question, _ in self.waiting.values()}:
            while lane is not None and lane.is_free and (connection := self.next_in(lane)) is not None:
                question, _ = self.waiting[connection]
                self.release(connection)
                if not self.ask(question.has_news, True):
                    self.turns += 1
                    self.answer_in_full(connection, question)
                    break
                self.answer_news(connection, question)  # which needs no turn

    def next_in(self, lane: ComputeLane) -> TConn | None:
        """Return the connection that is next to have a lane; None if all wait for what is being made."""
        is_for_oldest = (self.turns + 1) % OLDEST_OF_TURNS == 0
        for connection in self.waiting if is_for_oldest else reversed(self.waiting):
            question, _ = self.waiting[connection]
            if question.lane is lane and not self.ask(question.is_made, False):
                return connection
        return None

    def release(self, connection: TConn) -> None:
        """Watch a connection no longer."""
        self.held.pop(connection, None)
        waited, _ = self.waiting.pop(connection, (None, 0.0))
        if waited is not None and waited.lane is not None:
            waited.lane.count_waiting(-1)
        self.poller.unregister(connection.sock)

    def ask(self, question: Callable[[], Told], otherwise: Told) -> Told:
        """Return what a question gives, or after an error something else: one in the poller's thread ends all."""
        try:
            return question()
        except Exception:
            self.log.exception("A held question failed.")
            return otherwise

    def answer_news(self, connection: TConn, question: HeldError) -> None:
        """Answer a question for which there is something new: at once where it is known, else in its turn."""
        before = WAITED_SECONDS.set(question.waited_seconds)  # which the record of the answer tells
        try:
            self.answer_in_turn(connection, question)
        finally:
            WAITED_SECONDS.reset(before)

    def answer_in_turn(self, connection: TConn, question: HeldError) -> None:
        """Hold a question for its turn, or answer it if it needs none."""
        turn = self.ask(question.turn, None)
        if turn is not None:
            # Of many windows that have to be told the same, one makes it; the others wait here, and take no thread to
            # find that out.
            turn.request = question.request
            self.hold(connection, turn)
        elif not self.answer_known(connection, question):
            self.answer_in_full(connection, question)

    def answer_known(self, connection: TConn, question: HeldError) -> bool:
        """Send an answer that is known, from this thread; False if there is none, or it is too long for that."""
        ready = self.ask(partial(self.known_response, connection, question), None)
        if ready is None:
            return False
        response, answer = ready
        self.send(connection, question, answer, stays=not response.should_close())
        self.ask(partial(self.log.access, response, question.request, question.environ, timedelta()), None)
        return True

    def known_response(self, connection: TConn, question: HeldError) -> tuple[Response, bytes] | None:
        """Return an answer that is known and all that is to be sent of it; None if there is none."""
        # Ten windows wait for each part that is made: a thread for each, which reads the same request once more, took
        # as long as it takes to make a part.
        answer = question.answer()
        if answer is None:
            return None
        response = Response(question.request, connection.sock, self.cfg)
        response.start_response(answer.status, list(answer.headers))
        lines = [*response.default_headers(), *(f"{name}: {value}\r\n" for name, value in response.headers), "\r\n"]
        response.sent = len(answer.body)
        return response, "".join(lines).encode("latin-1") + answer.body

    def answer_in_full(self, connection: TConn, question: HeldError) -> None:
        """Answer a question as if it was asked now: there is something new."""
        done = self.held_pool.submit(self.repeat, connection, question)
        done.add_done_callback(lambda future: self.method_queue.defer(self.finish_request, connection, future))

    def repeat(self, connection: TConn, question: HeldError) -> Any:
        """Handle a request once more, in a thread; return whether its connection stays."""
        before = WAITED_SECONDS.set(question.waited_seconds)
        try:
            connection.sock.setblocking(True)
            return self._keepalive_after(connection, self.handle_request(question.request, connection))
        except (OSError, StopIteration):
            # As gunicorn's own `handle`: the client went away, or closed the connection between two requests.
            return False
        except Exception as problem:
            self.handle_error(question.request, connection.sock, connection.client, problem)
            return False
        finally:
            WAITED_SECONDS.reset(before)

    def answer(self, connection: TConn, question: HeldError) -> None:
        """Tell a window to ask again: on this connection, unless this worker stops or the client wants it closed."""
        # A window that went on asking a worker that stops would be answered by it until its time for that is over.
        stays = self.alive and not question.request.should_close()
        answer = (ASK_LATER if question.is_of_page else ASK_AGAIN) + (STAYS if stays else ENDS)
        # A socket that takes less than these hundred bytes belongs to nobody who reads.
        self.send(connection, question, answer, stays=stays, is_awaited=False)

    def send(
        self, connection: TConn, question: HeldError, answer: bytes, *, stays: bool, is_awaited: bool = True
    ) -> None:
        """Send a whole answer from the poller's thread, which must not be blocked."""
        try:
            connection.sock.setblocking(False)
            sent_bytes = connection.sock.send(answer)
        except BlockingIOError:
            sent_bytes = 0
        except OSError:
            sent_bytes, is_awaited = 0, False
        if sent_bytes == len(answer):
            self.end_request(connection, is_sent=self.end_sending(connection, question, stays=stays))
        elif is_awaited:
            # Whoever waited for an answer has read the one before, so this is a client that reads slowly.
            done = self.held_pool.submit(self.send_rest, connection, question, answer[sent_bytes:], stays=stays)
            done.add_done_callback(lambda future: self.method_queue.defer(self.finish_request, connection, future))
        else:
            cut_off(connection)
            self.end_request(connection, is_sent=False)

    def send_rest(self, connection: TConn, question: HeldError, rest: bytes, *, stays: bool) -> bool:
        """Send what a socket did not take at once, in a thread; return whether its connection is in order."""
        try:
            # For all of it: who reads nothing would have the thread for ever.
            connection.sock.settimeout(MOST_SENDING_SECONDS)
            connection.sock.sendall(rest)
        except OSError:
            cut_off(connection)
            return False
        return self.end_sending(connection, question, stays=stays)

    @staticmethod
    def end_sending(connection: TConn, question: HeldError, *, stays: bool) -> bool:
        """End the side of a connection on which an answer said that it was the last; True."""
        if not stays:
            # gunicorn waits for the end of the other side as for a next request, and reads none. Were it told to close
            # the connection, its poller would wait for that end.
            question.request.must_close = True
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_WR)
        return True

    def end_request(self, connection: TConn, *, is_sent: bool) -> None:
        """Wait for the next request of a connection, or close one that broke."""
        done: Future[bool] = Future()
        done.set_result(is_sent)
        super().finish_request(connection, done)
