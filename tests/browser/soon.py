"""Playwright's `expect`, looking again every tenth of a second at first, and patient on a busy machine.

How often Playwright looks hangs on how long it may: after 20, 50 and then every 100 ms where it has two seconds, at
last only twice a second where it has long, and without any pause where it has less than 0.1 s. A look that finds
something else costs the page more than one that is content, as Playwright then tells all that is on it.
"""

import time
from contextlib import suppress
from typing import Any

from playwright.sync_api import expect as playwright_expect

OFTEN_MS, LOOK_MS, PATIENCE_MS = 2_000, 100, 120_000


class Soon:
    """What `expect(thing)` gives, each question of it asked again and again until `timeout` milliseconds are over."""

    def __init__(self, thing: Any) -> None:
        self.asked = playwright_expect(thing)

    def __getattr__(self, name: str) -> Any:
        ask = getattr(self.asked, name)

        def soon(*args: Any, timeout: float = PATIENCE_MS, **kwargs: Any) -> None:
            started = time.monotonic()
            if timeout > OFTEN_MS:
                with suppress(AssertionError):
                    return ask(*args, timeout=OFTEN_MS, **kwargs)
            spent_ms = (time.monotonic() - started) * 1000
            return ask(*args, timeout=max(LOOK_MS, timeout - spent_ms), **kwargs)

        return soon


def expect(thing: Any) -> Any:
    return Soon(thing)
