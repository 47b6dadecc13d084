"""Playwright's `expect`, looking again every few hundredths of a second at first, and patient on a busy machine.

Its own looks again after 100, 250, 500 and then every 1000 ms: what comes after 0.4 s it sees after 0.9.
"""

import time
from typing import Any

from playwright.sync_api import expect as playwright_expect

DROPPED = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx says on the console of a request that another took the place of, or that a closed page gave up."""

OFTEN_SECONDS, LOOK_MS, PATIENCE_MS = 2.0, 60, 40_000


class Soon:
    """What `expect(thing)` gives, each question of it asked again and again until `timeout` milliseconds are over."""

    def __init__(self, thing: Any) -> None:
        self.asked = playwright_expect(thing)

    def __getattr__(self, name: str) -> Any:
        ask = getattr(self.asked, name)

        def soon(*args: Any, timeout: float = PATIENCE_MS, **kwargs: Any) -> None:
            started = time.monotonic()
            while (spent := time.monotonic() - started) < min(OFTEN_SECONDS, timeout / 1000):
                try:
                    return ask(*args, timeout=LOOK_MS, **kwargs)
                except AssertionError:
                    continue
            return ask(*args, timeout=max(LOOK_MS, timeout - spent * 1000), **kwargs)

        return soon


def expect(thing: Any) -> Any:
    return Soon(thing)
