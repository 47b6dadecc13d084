"""Questions that a web server holds until there is an answer or a turn; without Django, for servers load it before."""

import threading
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

AT_ONCE_BYTES = 16 << 10
"""Longer answers are sent by a thread: the empty buffer of a socket takes as much without waiting."""
YIELD_SECONDS = 0.5
"""While others wait that go first, a lane gives one turn in so long."""


class ComputeLane:
    """Computations by a few threads of a process at a time, so that its other threads answer at once.

    Whoever waits in the lane `before` it goes first.
    """

    def __init__(self, places: int = 1, before: "ComputeLane | None" = None) -> None:
        self.listeners: list[Callable[[str], None]] = []
        """Called when a place is free again, or something was made: with the design of which, or ""."""
        self.waiting_count = 0
        """So many questions are held for a turn in it."""
        self._free, self._before = places, before
        self._entered_seconds = 0.0
        self._changed = threading.Condition()

    @property
    def is_free(self) -> bool:
        """True if there is a place in it, and nobody goes first."""
        if self._free == 0:
            return False
        if self._before is None or self._before.waiting_count <= 0:
            return True
        return time.monotonic() >= self._entered_seconds + YIELD_SECONDS

    def enter(self, wait_seconds: float = 0.0) -> bool:
        """Take a place, if there is one, or is within some time; `leave_lane` gives it back."""
        until = time.monotonic() + wait_seconds
        with self._changed:
            while not self.is_free:
                remaining = until - time.monotonic()
                if remaining <= 0:
                    return False
                self.waiting_count += 1
                # That nobody goes first any more is not told, so it is looked at again soon.
                self._changed.wait(min(remaining, YIELD_SECONDS / 4))
                self.waiting_count -= 1
            self._free -= 1
            self._entered_seconds = time.monotonic()
        _LANE.set(self)
        return True

    def count_waiting(self, change: int) -> None:
        """Count a question that waits for a turn, or (-1) does no longer."""
        with self._changed:
            self.waiting_count += change

    def leave(self, design: str = "") -> None:
        """Give a place back; something of a design was made in it."""
        with self._changed:
            self._free += 1
            self._changed.notify()
        self.tell(design)

    def tell(self, design: str) -> None:
        """Tell the listeners that there may be an answer for those who wait for something of a design."""
        for listener in self.listeners:
            listener(design)


_LANE: ContextVar[ComputeLane | None] = ContextVar("lane", default=None)


WAITED_SECONDS: ContextVar[float] = ContextVar("waited", default=0.0)
"""How long the question that this thread answers was held for its turn."""


def leave_lane(design: str = "") -> bool:
    """Give back the lane that this thread has: something of a design is made, or it waits for another process.

    False if it has none.
    """
    # A context variable, so that code far below, which waits for another process, can give the place back without being
    # handed the lane.
    lane = _LANE.get()
    if lane is None:
        return False
    # Reset first: the same thread may come by here again in a `finally`, and a place is given back once.
    _LANE.set(None)
    lane.leave(design)
    return True


class KnownAnswer(NamedTuple):
    """An answer as WSGI has it, with nothing left to make."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class HeldError(Exception):
    """Nothing is new yet: whoever called keeps the connection, and answers when there is, or after some seconds.

    With a lane, the question waits for its turn in it. `is_of_page`: whoever waits in vain has no answer, which is no
    news to a window that asks for news. `answer` gives the answer if it is known by then and short, and is quick: the
    server may ask it in the thread in which it looks after all connections. `turn` gives what a question without a lane
    waits for once there is something new; None if it is to be answered at once. `is_made`: a thread makes the answer.
    `design`: the one of which something is made that a question with a lane waits for.
    """

    def __init__(
        self,
        has_news: Callable[[], bool],
        seconds: float,
        lane: ComputeLane | None = None,
        *,
        answer: Callable[[], KnownAnswer | None] = lambda: None,
        turn: Callable[[], "HeldError | None"] = lambda: None,
        is_made: Callable[[], bool] = lambda: False,
        environ: Mapping[str, Any] | None = None,
        is_of_page: bool = True,
        design: str = "",
    ) -> None:
        super().__init__("the question is held")
        self.has_news, self.seconds, self.lane = has_news, seconds, lane
        self.answer, self.turn, self.is_made = answer, turn, is_made
        # A question may be held several times, for one lane after the other; the log tells the sum.
        self._since, self._waited = time.monotonic(), WAITED_SECONDS.get()
        self.is_of_page, self.design = is_of_page and lane is not None, design
        self.request: Any = None
        """As the server read it."""
        self.environ = environ or {}
        """As the server gave it to the site, for its log."""

    @property
    def waited_seconds(self) -> float:
        """Time that the question has waited for turns so far, this time and before; for news it may wait for ever."""
        return self._waited if self.lane is None else self._waited + time.monotonic() - self._since
