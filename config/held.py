"""Questions that a web server holds until there is an answer or a turn; without Django, for servers load it before."""

import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any


class ComputeLane:
    """What one thread of a process computes at a time, so that the others answer at once."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[], None]] = []
        """Called when it is free again."""
        self._lock = threading.Lock()

    @property
    def is_free(self) -> bool:
        """Whether nobody is in it."""
        return not self._lock.locked()

    def enter(self) -> bool:
        """Take it, if nobody has; `leave_lane` gives it back."""
        if not self._lock.acquire(blocking=False):
            return False
        _LANE.set(self)
        return True

    def leave(self) -> None:
        """Give it back."""
        self._lock.release()
        for listener in self.listeners:
            listener()


_LANE: ContextVar[ComputeLane | None] = ContextVar("lane", default=None)


def leave_lane() -> None:
    """Give back the lane that this thread has, if it has one: it is done, or waits for another process."""
    lane = _LANE.get()
    if lane is not None:
        _LANE.set(None)
        lane.leave()


class HeldError(Exception):
    """Nothing is new yet: whoever called keeps the connection, and answers when there is, or after some seconds.

    With a lane, the question waits for its turn in it.
    """

    def __init__(self, has_news: Callable[[], bool], seconds: float, lane: ComputeLane | None = None) -> None:
        super().__init__("the question is held")
        self.has_news, self.seconds, self.lane = has_news, seconds, lane
        self.request: Any = None
        """As the server read it."""
