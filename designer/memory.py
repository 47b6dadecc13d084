"""One memory for all results that a process keeps, bounded by what they hold on to; the least useful go first."""

import datetime
import enum
import gc
import heapq
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from decimal import Decimal
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

Value = TypeVar("Value")
Key = tuple[str, Hashable]

MARK = "counts_once"
"""Classes with this attribute are parts that several results hold: each is weighed once, as long as one holds it."""
INDEX = "is_index"
"""Classes with this attribute refer only to what whoever holds them keeps alive: they are not looked through."""
ARRAY_BYTES = 1024
"""Arrays of at least this size are such parts as well."""
MANY = 16
"""Longer tuples and lists of texts and numbers are weighed in one go: what is in them twice is counted twice."""
LATER = 16
"""What was computed is weighed again after so many others: by then what needed it has used it, and it has grown."""
LEAST_SECONDS = 1e-4
"""What was computed in less counts as this much: its bookkeeping costs the same."""


@dataclass(eq=False)
class _Part:
    """A part that several results hold, and the parts inside of it."""

    value: Any
    size_bytes: int = 0
    inner: list[int] = field(default_factory=list)
    with_inner_bytes: int = 0
    holders: int = 0


@dataclass(eq=False)
class _Entry:
    """A result, what it holds on to, and how useful it is."""

    value: Any
    seconds: float
    size_bytes: int = 0
    parts: list[int] = field(default_factory=list)
    hits: int = 0
    next_weighing: int = 1
    priority: float = 0.0


class Cache:
    """Results by kind and key. When they hold more than `limit_bytes`, those go whose loss costs least per byte.

    A result is weighed by walking what it keeps alive, when it is stored, again after some others if it was computed
    here, and when its uses are four to six times as many, because results grow: they remember what is derived from
    them. The order of eviction is
    GreedyDual-Size-Frequency: seconds to compute × uses ÷ bytes, above what was evicted last.
    """

    def __init__(self, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.used_bytes = 0
        self._entries: dict[Key, _Entry] = {}
        self._parts: dict[int, _Part] = {}
        self._order: list[tuple[float, int, Key]] = []
        self._number = 0
        self._weighings = 0
        self._young: deque[Key] = deque()
        self._floor = 0.0
        self._computing: dict[Key, threading.Lock] = {}
        self._traits: dict[type, _Traits] = {}
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, kind: str, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the stored result, or compute and store it. Of several threads that ask at once, one computes."""
        place = (kind, key)
        entry = self._use(place)
        if entry is None:
            with self._lock:
                # A lock for each key: others wait only for a result that they need, and never hold the cache's own lock
                # while computing.
                computing = self._computing.setdefault(place, threading.Lock())
            try:
                with computing:
                    # Asked again under the key's lock: another thread may have computed it meanwhile.
                    entry = self._use(place)
                    if entry is None:
                        start = time.perf_counter()
                        value = compute()
                        self._store(place, value, time.perf_counter() - start)
                        self._weigh_later(place)
                        return value
            finally:
                with self._lock:
                    # Also after an error: whoever waits tries by itself, and the dictionary does not grow.
                    self._computing.pop(place, None)
        stored: Value = entry.value
        return stored

    def find(self, kind: str, key: Hashable) -> Any:
        """Return the stored result; None if there is none."""
        entry = self._use((kind, key))
        return None if entry is None else entry.value

    def peek(self, kind: str, key: Hashable) -> Any:
        """Return the stored result, or None; this is no use of it."""
        entry = self._entries.get((kind, key))
        return None if entry is None else entry.value

    def has(self, kind: str, key: Hashable) -> bool:
        """Return True if there is a stored result; this does not count as a use of it."""
        return (kind, key) in self._entries

    def put(self, kind: str, key: Hashable, value: Any, *, seconds: float) -> None:
        """Store a result that took so long to compute, in place of an earlier one."""
        self._store((kind, key), value, seconds)

    def clear(self, kind: str | None = None) -> None:
        """Drop all results, or those of one kind."""
        with self._lock:
            for place in [place for place in self._entries if kind in (None, place[0])]:
                self._drop(place)

    # --- what is stored ---

    def _use(self, place: Key) -> _Entry | None:
        with self._lock:
            entry = self._entries.get(place)
            if entry is None:
                return None
            entry.hits += 1
            if entry.hits >= entry.next_weighing:
                self._release(entry)
                self._weigh(place, entry)
            self._rank(place, entry)
            self._evict()
            return entry

    def _store(self, place: Key, value: Any, seconds: float) -> None:
        with self._lock:
            if place in self._entries:
                self._drop(place)
            entry = self._entries[place] = _Entry(value, max(seconds, LEAST_SECONDS))
            self._weigh(place, entry)
            self._rank(place, entry)
            self._evict()

    def _weigh_later(self, place: Key) -> None:
        """Have a result weighed again; now it is the turn of an earlier one."""
        with self._lock:
            self._young.append(place)
            if len(self._young) <= LATER:
                return
            place = self._young.popleft()
            entry = self._entries.get(place)
            if entry is not None:
                self._release(entry)
                self._weigh(place, entry)
                self._rank(place, entry)
                self._evict()

    def _drop(self, place: Key) -> None:
        self._release(self._entries.pop(place))

    def _rank(self, place: Key, entry: _Entry) -> None:
        parts = (self._parts[part] for part in entry.parts)
        total_bytes = entry.size_bytes + sum(part.with_inner_bytes / part.holders for part in parts)
        # A part held by several is divided among them. The floor rises with each eviction, so that results that were
        # useful long ago go at last.
        entry.priority = self._floor + entry.seconds * (1 + entry.hits) / max(total_bytes, 1)
        self._number += 1
        heapq.heappush(self._order, (entry.priority, self._number, place))
        # Old ranks stay in the heap, as none can be taken out of its middle; it is rebuilt when most of it is old.
        if len(self._order) > 64 + 4 * len(self._entries):
            self._order = [(other_entry.priority, n, at) for n, (at, other_entry) in enumerate(self._entries.items())]
            self._number = len(self._order)
            heapq.heapify(self._order)

    def _evict(self) -> None:
        while self.used_bytes > self.limit_bytes and self._order:
            priority, _, place = heapq.heappop(self._order)
            entry = self._entries.get(place)
            # Otherwise it is the old rank of a result that has a newer one, or is gone.
            if entry is not None and entry.priority == priority:
                self._floor = priority
                self._drop(place)

    # --- what it weighs ---

    def _weigh(self, place: Key, entry: _Entry) -> None:
        entry.size_bytes, entry.parts = self._walk((place, entry.value))
        self.used_bytes += entry.size_bytes
        self._retain_parts(entry.parts)
        self._weighings += 1  # spread, so that results which are always used together are not weighed together
        entry.next_weighing = 4 * entry.hits + 1 + self._weighings % (2 * entry.hits + 1)

    def _release(self, entry: _Entry) -> None:
        self.used_bytes -= entry.size_bytes
        self._release_parts(entry.parts)

    def _retain_parts(self, parts: list[int]) -> None:
        for part in parts:
            self._parts[part].holders += 1

    def _release_parts(self, parts: list[int]) -> None:
        # A list and no recursion: parts can be nested as deeply as a document.
        remaining = list(parts)
        while remaining:
            place = remaining.pop()
            part = self._parts[place]
            part.holders -= 1
            if part.holders == 0:
                del self._parts[place]
                self.used_bytes -= part.size_bytes
                remaining += part.inner

    def _walk(self, root: Any) -> tuple[int, list[int]]:
        """Return the bytes that only this object keeps alive, and the parts it holds; new parts are weighed, too."""
        size_bytes, parts, visited, stack = 0, [], set[int](), [root]
        while stack:
            value = stack.pop()
            place, kind = id(value), type(value)
            # Modules, classes and patterns lead to the whole program and are there in any case.
            if place in visited or kind in _SHARED:
                continue
            visited.add(place)
            if kind in _LEAVES:
                size_bytes += sys.getsizeof(value)
                continue
            traits = self._traits.get(kind)
            if traits is None:
                traits = self._traits[kind] = _traits_of(kind)
            if traits.is_shared:
                continue
            if value is not root and (traits.counts_once or (traits.is_array and value.nbytes >= ARRAY_BYTES)):
                if place not in self._parts:
                    self._add_part(place, value)
                parts.append(place)
            elif kind in (tuple, list) and len(value) > MANY and _LEAVES.issuperset(map(type, value)):
                size_bytes += sys.getsizeof(value) + sum(map(sys.getsizeof, value))
            elif traits.is_index:
                size_bytes += sys.getsizeof(value)
            else:
                size_bytes += sys.getsizeof(value)
                stack += gc.get_referents(value) if traits.is_plain else _referents(value)
        return size_bytes, parts

    def _add_part(self, place: int, value: Any) -> None:
        # The part keeps the value alive, so that its id() cannot be given to another object.
        part = self._parts[place] = _Part(value)
        part.size_bytes, part.inner = self._walk(value)
        part.with_inner_bytes = part.size_bytes + sum(self._parts[inner].with_inner_bytes for inner in part.inner)
        self.used_bytes += part.size_bytes
        self._retain_parts(part.inner)


@dataclass(frozen=True, slots=True)
class _Traits:
    """A way to weigh the values of a class."""

    is_shared: bool
    counts_once: bool
    is_array: bool
    is_index: bool
    is_plain: bool
    """All that it keeps alive is what the collector sees."""


def _traits_of(kind: type) -> _Traits:
    is_array = hasattr(kind, "nbytes")
    is_plain = not issubclass(kind, FunctionType) and not (is_array and hasattr(kind, "base"))
    return _Traits(issubclass(kind, _SHARED_KINDS), hasattr(kind, MARK), is_array, hasattr(kind, INDEX), is_plain)


def _referents(value: Any) -> list[Any]:
    """Return what an object keeps alive directly."""
    if isinstance(value, FunctionType):
        # Not its globals: they are the whole module.
        return [value.__closure__, value.__defaults__]
    if hasattr(type(value), "nbytes") and hasattr(type(value), "base"):  # an array does not show what it is a view of
        return [value.base]
    return gc.get_referents(value)


def get_or_compute(cache: Cache | None, kind: str, key: Hashable, compute: Callable[[], Value]) -> Value:
    """Return a result from the cache; without a cache, compute it."""
    return compute() if cache is None else cache.get(kind, key, compute)


_LEAVES = frozenset((str, bytes, int, float, complex, Decimal, datetime.date, datetime.datetime, datetime.timedelta))
_SHARED = frozenset((bool, type(None), type, ModuleType, BuiltinFunctionType, CodeType, re.Pattern))
_SHARED_KINDS = (type, enum.Enum, threading.local, type(threading.Lock()), type(threading.RLock()))
"""Shared by the whole program."""
