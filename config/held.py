"""A question that a web server may hold until there is an answer; without Django, for servers load it before."""

from collections.abc import Callable
from typing import Any


class HeldError(Exception):
    """Nothing is new yet: whoever called keeps the connection, and answers when there is, or after some seconds."""

    def __init__(self, has_news: Callable[[], bool], seconds: float) -> None:
        super().__init__("the question is held")
        self.has_news, self.seconds = has_news, seconds
        self.request: Any = None
        """As the server read it."""
