"""Questions that a web server holds until there is an answer or a turn; without Django, for servers load it before."""

import threading
import time
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any

MOST_YIELD_SECONDS = 1.0
"""After so long without a turn, a lane has one although somebody waits for the lane before it."""


class ComputeLane:
    """What a few threads of a process compute at a time, so that the others answer at once."""

    def __init__(self, places: int = 1, *, after: "ComputeLane | None" = None) -> None:
        self.listeners: list[Callable[[], None]] = []
        """Called when a place is free again."""
        self.waiting = 0
        """So many questions are held for a place: whoever comes anew is behind them."""
        self._free = places
        self._after, self._turn = after, 0.0
        self._lock = threading.Lock()

    @property
    def is_free(self) -> bool:
        """Whether there is a place in it, and nobody waits for the lane that goes before it; but not for too long."""
        has_way = self._after is None or not self._after.waiting or time.monotonic() > self._turn + MOST_YIELD_SECONDS
        return self._free > 0 and has_way

    def enter(self) -> bool:
        """Take a place for this thread, if there is one that nobody waits for; `leave_lane` gives it back."""
        if _IS_GIVEN.get() and _LANE.get() is self:
            _IS_GIVEN.set(False)
            return True
        if self.waiting or not self.reserve():
            return False
        _LANE.set(self)
        return True

    def reserve(self) -> bool:
        """Take a place, if there is one, for a question that was held; its thread calls `have_lane`."""
        with self._lock:
            if not self.is_free:
                return False
            self._free -= 1
            self._turn = time.monotonic()
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
_IS_GIVEN: ContextVar[bool] = ContextVar("is_given", default=False)
"""Whether the place of this thread was reserved for its question, which has not asked for it yet."""
WAITED_SECONDS: ContextVar[float] = ContextVar("waited", default=0.0)
"""How long the question that this thread answers was held for its turn."""


def have_lane(lane: ComputeLane | None) -> None:
    """Give this thread a place that was reserved for its question."""
    _LANE.set(lane)
    _IS_GIVEN.set(lane is not None)


def leave_lane() -> None:
    """Give back the lane that this thread has, if it has one: it is done, or waits for another process."""
    lane = _LANE.get()
    _IS_GIVEN.set(False)
    if lane is not None:
        _LANE.set(None)
        lane.leave()


class HeldError(Exception):
    """Nothing is new yet: whoever called keeps the connection, and answers when there is, or after some seconds.

    With a lane, the question waits for its turn in it. Of those with one `place` one is answered for all.
    `is_of_page`: whoever waits in vain has no answer, which is no news to a window that asks for news.
    """

    def __init__(
        self, has_news: Callable[[], bool], seconds: float, lane: ComputeLane | None = None, *,
        place: Hashable = None, is_begun: Callable[[], bool] = lambda: False, is_of_page: bool = True,
    ) -> None:  # fmt: skip
        super().__init__("the question is held")
        self.has_news, self.seconds, self.lane = has_news, seconds, lane
        self.place, self.is_begun = place, is_begun
        self._since, self._waited = time.monotonic(), WAITED_SECONDS.get()
        self.is_of_page = is_of_page and lane is not None
        self.request: Any = None
        """As the server read it."""

    @property
    def asked(self) -> float:
        """When the question began to wait for its first turn. [s]"""
        return self._since - self._waited

    @property
    def waited_seconds(self) -> float:
        """How long the question has waited for turns so far, this time and before; for news it may wait for ever."""
        return self._waited if self.lane is None else self._waited + time.monotonic() - self._since
