"""A row key made ready to compute with: its segments, and the table or arithmetic that decides each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from designer.document.columnkey import ColumnKey
from designer.document.durations import DAY_SECONDS
from designer.document.key import Segment, as_text

from ..values.shape import ValueShape
from .cells import TimeSpans
from .distributions import EventDistribution, TimeDistribution
from .inputs import KeyInputs
from .table import ValueTable
from .times import EventTime, TimeSteps
from .uniform import CountedValues, UniformText


class Splitter(Protocol):
    """One segment's order within its component: which part of an interval sorts below a byte string."""

    @property
    def prefix_free(self) -> bool:
        """No text is the beginning of another."""

    def split(self, low: Any, high: Any, rest: bytes) -> tuple[Sequence[Any], Sequence[Any]]:
        """(intervals below, intervals whose text `rest` begins with and the bytes of it)."""


@dataclass(frozen=True)
class Constant:
    """A literal: one text."""

    text: bytes
    prefix_free: bool = True

    def split(self, low: int, high: int, rest: bytes) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
        """All of it below `rest`, or begun by it, or neither."""
        if rest.startswith(self.text):
            return [], [(low, high, len(self.text))]
        return ([(low, high)] if self.text < rest else []), []


Component = ValueTable | TimeSpans | EventTime | CountedValues | UniformText | Constant


@dataclass(frozen=True)
class Level:
    """One segment of the key: the component that decides it, and its order in there."""

    segment: Segment
    component: int
    """Place among the pattern's components; -1 is a literal."""
    order: Splitter


@dataclass(frozen=True, eq=False)
class KeyPattern:
    """A compiled row key."""

    counts_once: ClassVar[bool] = True

    inputs: KeyInputs
    levels: tuple[Level, ...]
    components: tuple[Component, ...]
    has_exact_ids: bool
    ids_error_share: float
    row_kind: str = ""
    cache: dict[object, object] = field(default_factory=dict, repr=False)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of the key."""
        return self.inputs.segments

    @property
    def shapes(self) -> Mapping[str, ValueShape]:
        """The fields that the key is made from, by id."""
        return self.inputs.fields

    @property
    def prefix_free(self) -> bool:
        """Codes and bytes sort alike: no text but the last segment's is the beginning of another of its segment."""
        return all(level.order.prefix_free for level in self.levels[:-1])

    @property
    def has_exact_quantiles(self) -> bool:
        """The order of the segments is the order of the keys, also of counted ones."""
        orders = (level.order for level in self.levels if isinstance(level.order, CountedValues | TimeSteps))
        return self.prefix_free and all(
            # Walks of counted values ascend by number, which is the order of the keys only for bytes or digits padded
            # widely enough: "10" sorts before "9".
            order.digits.raw_bytes or order.digits.width > 9 or isinstance(order, TimeSteps)
            for order in orders
        )

    def readable_key(self, key: bytes) -> bytes:
        """Return a key, or the beginning of one, in readable form."""
        if not self.inputs.columns:
            return key
        return ColumnKey.from_bytes(key, [column.form for column in self.inputs.columns])

    def value_text(self, segment: str, text: bytes) -> str:
        """Return the text of a segment, its delimiter included, in readable form."""
        column = next((c for c in self.inputs.columns if segment in c.segments), None)
        if column is not None:
            text = (
                ColumnKey.from_bytes(text, [column.form, column.form] if column.has_end_mark else [column.form])
                .texts[0]
                .encode()
            )
        return as_text(text)

    def remember(self, key: object, value: object, *, most: int) -> None:
        """Store a result, in place of the oldest of its type where there are as many as may be."""
        # Per type, because results differ in size: boxes of bounds must not push out the one codec. The list is a
        # copy, as other threads can change the cache meanwhile.
        stored = [place for place, entry in list(self.cache.items()) if type(entry) is type(value)]
        if len(stored) >= most:
            self.cache.pop(stored[0], None)
        self.cache[key] = value

    def clear_cache(self) -> None:
        """Drop what was computed along the way."""
        self.cache.clear()

    def steady_distribution(self) -> EventDistribution:
        """Return the distribution of the horizon's last month, with each field's own popularity."""
        return EventDistribution(TimeDistribution.windows(self.inputs.end_s - 30 * DAY_SECONDS, self.inputs.end_s))
