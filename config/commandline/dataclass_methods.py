"""Methods of the program's dataclasses, compiled when one is first called.

A command of files makes some 300 dataclasses. Python 3.11 and 3.12 compile up to seven methods for each, one by one:
a sixth of the start, for methods that are hardly ever called. From 3.13 on a class's methods are compiled together.
"""

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

OWN = ("config", "designer", "estimator", "reviews")


def compile_when_called() -> None:
    """Have the methods of the program's dataclasses, and of no others, compiled when they are called."""
    if sys.version_info >= (3, 13):
        return
    compile_now: Callable[..., Any] = dataclasses._create_fn  # type: ignore[attr-defined]

    def method_of(name: str, *source: Any, **names: Any) -> Callable[..., Any]:
        if str((names.get("globals") or {}).get("__name__")).partition(".")[0] not in OWN:
            return compile_now(name, *source, **names)  # type: ignore[no-any-return]
        compiled: list[Callable[..., Any]] = []

        def method(self: Any, *arguments: Any, **named: Any) -> Any:
            if not compiled:
                compiled.append(compile_now(name, *source, **names))
                compiled[0].__qualname__ = method.__qualname__
                for owner in type(self).__mro__:
                    if vars(owner).get(name) is method:
                        setattr(owner, name, compiled[0])
            return compiled[0](self, *arguments, **named)

        method.__name__ = name
        return method

    dataclasses._create_fn = method_of  # type: ignore[attr-defined]
