"""Fair shares: the processor time that a person, a team, a link or a token may take in a minute.

Requests are measured, not counted: each adds the processor time of its thread to everybody it was made for. Whoever
took their share while others work, too, is refused what needs an estimate until some of the minute has passed; what is
saved never is, and a server that nobody else uses is free to whoever uses it. Counts
are in the memory of each web process, so no request writes for them and several processes give several shares.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_

from .errors import DesignError

Holder = Literal["person", "team", "link", "token", "process"]
Holders = frozenset[tuple[Holder, int]]
WINDOW_SECONDS = 60
LEAST_WAIT_SECONDS = 5
"""Sooner it is not worth to ask again."""
OTHERS_SECONDS = 2.0
"""Processor time of all others in the window from which on they have to be left some."""
PROCESS: tuple[Holder, int] = ("process", 0)
"""Holds the time of all requests."""
SAFE_METHODS = ("GET", "HEAD")
SPENT: dict[Holder, str] = {
    "person": N_("You used your share of processor time for this minute. Try again in {seconds}."),
    "team": N_("Your team used its share of processor time for this minute. Try again in {seconds}."),
    "link": N_("Visitors used this link's share of processor time for this minute. Try again in {seconds}."),
    "token": N_("This token used its share of processor time for this minute. Try again in {seconds}."),
}


class ShareSpentError(DesignError):
    """A holder took its share of processor time and has to wait."""

    status = 429

    def __init__(self, holder: Holder, seconds: int) -> None:
        super().__init__(SPENT[holder], seconds=seconds)
        self.retry_seconds = seconds


class ProcessorTime:
    """Processor time of each holder in the last minute, in slots of a second; of counted requests, their number."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._slots: dict[tuple[Holder, int], deque[tuple[int, float]]] = {}
        self._pruned = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._slots)

    def add(self, holder: tuple[Holder, int], seconds: float) -> None:
        """Count processor time that a holder took until now."""
        with self._lock:
            now = int(self.clock())
            if now != self._pruned:
                self._prune(now)
            slots = self._slots.setdefault(holder, deque())
            # One entry for each second, so that a holder takes at most sixty places however many requests there are.
            before = slots.pop()[1] if slots and slots[-1][0] == now else 0.0
            slots.append((now, before + seconds))

    def wait_seconds(self, holder: tuple[Holder, int], limit_seconds: float) -> int:
        """Return after how many seconds a holder is below a limit; 0 is now."""
        with self._lock:
            now = self.clock()
            slots = [pair for pair in self._slots.get(holder, ()) if pair[0] > now - WINDOW_SECONDS]
        remaining = sum(seconds for _, seconds in slots)
        for slot, seconds in slots:
            if remaining < limit_seconds:
                break
            remaining -= seconds
            wait = slot + WINDOW_SECONDS - now
            if remaining < limit_seconds:
                return max(math.ceil(wait), LEAST_WAIT_SECONDS)
        return 0

    def taken_seconds(self, holder: tuple[Holder, int]) -> float:
        """Return what a holder took in the last minute."""
        with self._lock:
            now = self.clock()
            return sum(seconds for slot, seconds in self._slots.get(holder, ()) if slot > now - WINDOW_SECONDS)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._slots.clear()

    def _prune(self, now: int) -> None:
        """Drop what no window reaches any more, so that only holders of the last minute are kept."""
        self._pruned = now
        for holder, slots in list(self._slots.items()):
            while slots and slots[0][0] <= now - WINDOW_SECONDS:
                slots.popleft()
            if not slots:
                del self._slots[holder]


TAKEN = ProcessorTime(time.monotonic)
REQUESTS = ProcessorTime(time.monotonic)
"""Requests of each token in the last minute, in the same way: of programs, also their number is bounded."""


@dataclass
class _Asking:
    """A request while it is answered: for whom, and whether it may be refused."""

    can_wait: bool
    holders: set[tuple[Holder, int]] = field(default_factory=set)


_ASKING: ContextVar[_Asking | None] = ContextVar("asking", default=None)


def charge(holder: Holder, number: int) -> None:
    """Count the processor time of this request for a holder, too; outside of requests nothing is counted."""
    asking = _ASKING.get()
    if asking is not None:
        asking.holders.add((holder, number))
        asking.can_wait |= holder == "token"  # programs try again, whatever the method; forms might lose what was typed


def current_holders() -> Holders:
    """Return for whom the current request is; nobody outside of requests, and where nobody has to be fair."""
    asking = _ASKING.get()
    return frozenset(asking.holders) if asking is not None else frozenset()


def charge_seconds(holders: Holders, seconds: float) -> None:
    """Count processor time that another process took for them."""
    if settings.KEYWRIGHT_MODE == "team":
        for holder in (*holders, PROCESS):
            TAKEN.add(holder, seconds)


def allow_refusal() -> None:
    """Let this request be refused whatever its method: it computes something, and what was typed stays on the page."""
    asking = _ASKING.get()
    if asking is not None:
        asking.can_wait = True


def require_share() -> None:
    """Refuse to compute for holders who took their share while others work.

    Raises
    ------
    ShareSpentError
        If one of the request's holders has to wait.
    """
    asking = _ASKING.get()
    if asking is None or not asking.can_wait:
        return
    total_seconds = TAKEN.taken_seconds(PROCESS)
    # Time of the others is what is left of the process's after the holder's own.
    crowded = (holder for holder in asking.holders if total_seconds - TAKEN.taken_seconds(holder) >= OTHERS_SECONDS)
    waits = (
        (TAKEN.wait_seconds(candidate, settings.KEYWRIGHT_SHARES[candidate[0]]), candidate[0]) for candidate in crowded
    )
    seconds, holder = max(waits, default=(0, "person"))
    if seconds:
        raise ShareSpentError(holder, seconds)


class FairShares:
    """Measures requests where people share a server; alone, nobody has to be fair."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.KEYWRIGHT_MODE != "team":
            return self.get_response(request)
        asking = _Asking(request.method in SAFE_METHODS)
        # Processor time of this thread: waiting for the database or for a slow client takes nothing from anybody.
        reset, start = _ASKING.set(asking), time.thread_time()
        try:
            return self.get_response(request)
        finally:
            _ASKING.reset(reset)
            taken_seconds = time.thread_time() - start
            for holder in (*asking.holders, PROCESS):
                TAKEN.add(holder, taken_seconds)
