"""A memory of results, bounded by bytes: the oldest used goes first. One per process, outside the pure functions."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import numpy as np

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """Results by key, the least recently used dropped when their sizes pass `limit_bytes`."""

    def __init__(self, limit_bytes: int, weigh: Callable[[Value], int] | None = None) -> None:
        self.limit_bytes = limit_bytes
        self._weigh = weigh or weight
        self.used_bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The remembered value, or a new one. Who asks for what another thread is just making waits for it."""
        held = self.found(key)
        if held is not None:
            return held
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                held = self.found(key)
                if held is None:
                    held = make()
                    self._keep(key, held)
                return held
        finally:
            with self._lock:
                self._making.pop(key, None)

    def _keep(self, key: Hashable, value: Value) -> None:
        size_bytes = self._weigh(value)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (value, size_bytes)
                self.used_bytes += size_bytes
            while self.used_bytes > self.limit_bytes and len(self._kept) > 1:
                self.used_bytes -= self._kept.popitem(last=False)[1][1]

    def found(self, key: Hashable) -> Value | None:
        """The remembered value, if there is one."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """The keys of what is remembered."""
        with self._lock:
            return tuple(self._kept)

    def forget(self) -> None:
        """Drops everything."""
        with self._lock:
            self._kept.clear()
            self.used_bytes = 0


def weight(value: Any) -> int:
    """Bytes that a result holds on to, about: its arrays counted exactly, all else by rule of thumb."""
    if isinstance(value, _TEXTS):
        return 50 + len(value)
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, _LISTS):
        return 60 + sum(map(weight, value))
    if isinstance(value, dict):
        return 100 + sum(map(weight, value.keys())) + sum(map(weight, value.values()))
    names = _parts(type(value))  # type: ignore[arg-type]  # a class is hashable
    return 50 if names is None else 100 + sum(weight(getattr(value, name)) for name in names)


_TEXTS, _LISTS = (bytes, str), (tuple, list)


@cache
def _parts(kind: type[object]) -> tuple[str, ...] | None:
    """The fields of a dataclass; None of any other type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
