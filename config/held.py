"""Questions that a web server holds until there is an answer or a turn; without Django, for servers load it before."""

import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any


class ComputeLane:
    """Computations by a few threads of a process at a time, so that its other threads answer at once."""

    def __init__(self, places: int = 1) -> None:
        self.listeners: list[Callable[[], None]] = []
        """Called when a place is free again."""
        self._free = places
        self._lock = threading.Lock()

    @property
    def is_free(self) -> bool:
        """True if there is a place in it."""
        return self._free > 0

    def enter(self) -> bool:
        """Take a place, if there is one; `leave_lane` gives it back."""
        with self._lock:
            if self._free == 0:
                return False
            self._free -= 1
        _LANE.set(self)
        return True

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self._free += 1
        self.tell()

    def tell(self) -> None:
        """Tell the listeners that there may be an answer for those who wait."""
        for listener in self.listeners:
            listener()


_LANE: ContextVar[ComputeLane | None] = ContextVar("lane", default=None)


WAITED_SECONDS: ContextVar[float] = ContextVar("waited", default=0.0)
"""How long the question that this thread answers was held for its turn."""


def leave_lane() -> None:
    """Give back the lane that this thread has, if it has one: it is done, or waits for another process."""
    # A context variable, so that code far below, which waits for another process, can give the place back without being
    # handed the lane.
    lane = _LANE.get()
    if lane is not None:
        # Reset first: the same thread may come by here again in a `finally`, and a place is given back once.
        _LANE.set(None)
        lane.leave()


class HeldError(Exception):
    """Nothing is new yet: whoever called keeps the connection, and answers when there is, or after some seconds.

    With a lane, the question waits for its turn in it. `is_of_page`: whoever waits in vain has no answer, which is no
    news to a window that asks for news.
    """

    def __init__(
        self, has_news: Callable[[], bool], seconds: float, lane: ComputeLane | None = None, *, is_of_page: bool = True
    ) -> None:
        super().__init__("the question is held")
        self.has_news, self.seconds, self.lane = has_news, seconds, lane
        # A question may be held several times, for one lane after the other; the log tells the sum.
        self._since, self._waited = time.monotonic(), WAITED_SECONDS.get()
        self.is_of_page = is_of_page and lane is not None
        self.request: Any = None
        """As the server read it."""

    @property
    def waited_seconds(self) -> float:
        """Time that the question has waited for turns so far, this time and before; for news it may wait for ever."""
        return self._waited if self.lane is None else self._waited + time.monotonic() - self._since
