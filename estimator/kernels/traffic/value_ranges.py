"""Share of a field's values that lie from one to another, both included."""

import math

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Bind
from designer.document.field import Enumeration, Field, Pattern, Random, Range
from estimator.results.arrays import distinct

PROBES = 4_096
"""Values, evenly spread over all, from which the share within a range is taken where texts do not sort as counted."""


def values_share(spec: Spec, bind: Bind, total: float, *, step: int = 1) -> float:
    """Return the share of a field's `total` values that a range of them holds, at least that of one value. [1]

    `step` is the size of the buckets that the key has in place of numbers: a range reads whole ones.
    """
    field: Field = spec.find(bind.field)
    kind, values = effective_value(spec, field, "kind"), field.values or effective_value(spec, field, "values")
    count = max(int(total), 1)
    least = 1 / count
    if kind in ("integer", "float") and not isinstance(values, Enumeration | Random):
        first, last = _number(bind.from_value, -math.inf), _number(bind.to_value, math.inf)
        start = values.min if isinstance(values, Range) else values.start if isinstance(values, Pattern) else 0
        # The key holds buckets of `step` numbers: a range 5…14 with buckets of 10 reads 0…19.
        low = max(first // step * step, start) if math.isfinite(first) else start
        high = min(last // step * step + step - 1, start + count - 1) if math.isfinite(last) else start + count - 1
        return min(max((high - low + 1) / count, least), 1.0)
    if isinstance(values, Random):
        return min(max(_text_place(values, bind.to_value, 1.0) - _text_place(values, bind.from_value, 0.0), least), 1.0)
    if isinstance(values, Enumeration):
        inside = [holds(bind, kind, item.value) for item in values.items]
        return max(sum(inside) / len(inside), 1 / len(inside))
    if isinstance(values, Pattern):
        return _pattern_share(values, bind, count)
    return 1.0


def counted_range(spec: Spec, bind: Bind, *, step: int = 1) -> tuple[float, float]:
    """Return which of the numbers that are counted from the first on a range holds: from one to before another.

    `step` is that of `values_share`, in which the numbers are counted, too.
    """
    field: Field = spec.find(bind.field)
    values = field.values or effective_value(spec, field, "values")
    start = values.min if isinstance(values, Range) else values.start if isinstance(values, Pattern) else 0
    first, last = _number(bind.from_value, start), _number(bind.to_value, math.inf)
    return max(first - start, 0.0) // step, max(math.floor((last - start) / step) + 1, 0) if last < math.inf else last


def holds(bind: Bind, kind: str, text: str) -> bool:
    """Return whether a value lies in a range: numbers by size, texts by their bytes."""
    if kind in ("integer", "float"):
        return _number(bind.from_value, -math.inf) <= float(text) <= _number(bind.to_value, math.inf)
    here = text.encode()
    is_after = bind.from_value is None or bind.from_value.encode() <= here
    return is_after and (bind.to_value is None or here <= bind.to_value.encode())


def _number(text: str | None, otherwise: float) -> float:
    """Return a bound as a number; an open one is no bound, as is a text where only the kind is assumed."""
    try:
        return otherwise if text is None else float(text)
    except ValueError:
        return otherwise


def _pattern_share(values: Pattern, bind: Bind, count: int) -> float:
    before, width, after = values.split()

    def inside(number: int) -> bool:
        return holds(bind, "string", f"{before}{number + values.start:0{width}d}{after}")

    if count <= PROBES or len(str(values.start + count - 1)) > width:  # digits without zeros do not sort as counted
        # Numbers without zeros sort as texts in runs ("1", "10", "100", "11"), so the share is counted on a sample.
        probes = distinct(np.linspace(0, count - 1, min(count, PROBES)).astype(np.int64)).tolist()
        return max(sum(map(inside, probes)) / len(probes), 1 / count)
    texts = _Counted(values, count)
    first = 0 if bind.from_value is None else texts.below(bind.from_value, included=False)
    last = count if bind.to_value is None else texts.below(bind.to_value, included=True)
    return max((last - first) / count, 1 / count)


class _Counted:
    """Texts with a padded counter, which sort as they are counted."""

    def __init__(self, values: Pattern, count: int) -> None:
        self.before, self.width, self.after = values.split()
        self.start, self.count = values.start, count

    def below(self, text: str, *, included: bool) -> int:
        """Return how many of them sort below a text, or equal it."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            here = f"{self.before}{middle + self.start:0{self.width}d}{self.after}"
            if here.encode() < text.encode() or (included and here == text):
                low = middle + 1
            else:
                high = middle
        return low


def _text_place(values: Random, text: str | None, otherwise: float) -> float:
    """Return the share of random texts that sort below one."""
    if text is None:
        return otherwise
    letters, place, width = sorted(values.letters), 0.0, 1.0
    for letter in text:
        # Position in a number system with one digit per letter, as random texts draw each letter evenly.
        width /= len(letters)
        place += width * sum(other < letter for other in letters)
        if letter not in letters:
            break
    return place
