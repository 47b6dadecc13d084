"""Tick positions of axes: round numbers (binary for bytes), and evenly spaced moments."""

import math
from collections.abc import Sequence


def round_ticks(top: float, unit: str, count: int = 4) -> tuple[float, ...]:
    """Return ticks from 0 to at least `top` in steps of 1, 2 or 5 × a power of ten (of bytes: within B, KiB, MiB …).

    Bytes that would go past 1,000 of their unit are said in the next one, in which 1,000 is no round number: they are
    marked at its quarters.
    """
    if not top > 0 or not math.isfinite(top):
        return (0.0, 1.0)
    base = 1024.0 ** max(0, math.floor(math.log(top, 1024))) if unit == "bytes" else 1.0
    rough = top / base / count
    power = 10.0 ** math.floor(math.log10(rough))
    # The factor keeps a rough step of 2.0000001 from becoming 5.
    step = next(s * power for s in (1, 2, 5, 10) if s * power >= rough * 0.999) * base
    # From 1,000 KiB on it is the next unit that people read: steps of 256 KiB end at one of it.
    if unit == "bytes" and step * math.ceil(top / step - 1e-9) >= 1000 * base:
        step = 256 * base
    # Nobody has half a node.
    if unit == "nodes" and step < 1 <= top:
        step = 1.0
    # 1e-9: a top at a mark needs no further one.
    return tuple(step * i for i in range(math.ceil(top / step - 1e-9) + 1))


def log_ticks(low: float, high: float, unit: str, count: int = 5) -> tuple[float, ...]:
    """Powers (of ten, or of two for bytes) that span the values, at most about `count`."""
    low, high = max(low, 1e-12), max(high, low, 1e-12)
    base = 2.0 if unit == "bytes" else 10.0
    first, last = math.floor(math.log(low, base) + 1e-9), math.ceil(math.log(high, base) - 1e-9)
    steps = (5, 10, 20) if unit == "bytes" else (1, 2, 3, 5, 10)
    step = next((s for s in steps if (last - first) / s <= count), steps[-1])
    start = math.floor(first / step) * step
    return tuple(base**power for power in range(start, last + step, step))


def even_indices(count: int, maximum: int) -> tuple[int, ...]:
    """Return the indices of at most `maximum` of `count` things, evenly spaced from the first."""
    step = max(1, math.ceil(count / maximum))
    return tuple(range(0, count, step))


def moment_ticks(moments: Sequence[object], ticks: str, maximum: int = 6) -> tuple[int, ...]:
    """Return the indices of moments to mark: the first of each day, full hours of a day, days, or months."""
    count = len(moments)
    if ticks == "dayofmonth":
        days = [tuple(getattr(moment, part) for part in ("year", "month", "day")) for moment in moments]
        # The first moment begins a day only if it is midnight.
        is_first = not getattr(moments[0], "hour", 0) + getattr(moments[0], "minute", 0) if moments else False
        begins = [i for i, day in enumerate(days) if (day != days[i - 1] if i else is_first)]
        begins = begins if len(begins) > 1 else sorted({0, *begins})
        return tuple(begins[i] for i in even_indices(len(begins), maximum))
    if ticks == "weekday" and count % 7 == 0:
        return tuple(range(0, count, count // 7))
    if ticks == "clock":
        full = {i: getattr(moments[i], "hour", 0) for i in range(count) if not getattr(moments[i], "minute", 1)}
        # Of a day, every fourth hour at most: more marks say no more.
        marks = (tuple(i for i, hour in full.items() if hour % hours == 0) for hours in (1, 2, 3, 4, 6, 8, 12))
        if full_hours := next((mark for mark in marks if 1 < len(mark) <= min(maximum, 7)), None):
            return full_hours
    # Rather a step that marks the last moment, too.
    steps = (step for step in range(1, count) if (count - 1) % step == 0 and (count - 1) // step < maximum)
    step = next(steps, max(1, count))
    return tuple(range(0, count, step)) if count // step > 1 or count <= maximum else even_indices(count, maximum)
