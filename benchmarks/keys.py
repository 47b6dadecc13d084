"""Figures about keys: exact days, generated events, true bytes, compiled tables, memory."""

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from designer.document import Spec
from estimator.kernels.keys import (
    EventDistribution,
    KeyPattern,
    TimeDistribution,
    bounds_of,
    codec_of,
    compile_pattern,
    count_events,
    draw_counts,
    equal_bounds,
    range_shares,
    sample_blocks,
    stream,
)
from estimator.kernels.keys.samples.lines import sample_lines
from estimator.runs.kinds import sample_keys

from . import plain
from .context import fresh_context
from .measure import BenchmarkFigure, measure_seconds, memory_mib

WINDOWS, RANGES = 96, 1_024
IDS = 1_000_000
PLAIN_KEYS = 200_000
EVENTS = 4_000_000
FILE_KEYS = 2_000_000


def design() -> Spec:
    """A million users, Zipf 0.99: `md5(user)[:4]#user#kind#reversed milliseconds`."""
    segments = [
        {"id": "s1", "kind": "hash", "fields": ["user"], "digits": 4, "after": "#"},
        {"id": "s2", "kind": "field", "field": "user", "after": "#"},
        {"id": "s3", "kind": "field", "field": "kind", "after": "#"},
        {"id": "s4", "kind": "time", "reversed": True, "reverse_from": plain.REVERSE_FROM},
    ]
    user = {"id": "user", "distinct": plain.USERS, "popularity": {"kind": "zipf", "theta": 0.99},
            "values": {"kind": "pattern", "text": "{n:010}"}}  # fmt: skip
    items = [{"value": name, "weight": weight} for name, weight in plain.KINDS]
    kind = {"id": "kind", "values": {"kind": "enumeration", "items": items}}
    table = {"id": "table", "row_kinds": [{"id": "rows", "key": segments}]}
    return Spec.model_validate({"fields": [user, kind], "tables": [table]})


def last_day(pattern: KeyPattern) -> EventDistribution:
    """The last day of the horizon in quarters of an hour."""
    return EventDistribution(TimeDistribution.windows(pattern.inputs.end_s - 86_400, pattern.inputs.end_s, WINDOWS))


def figures(*, memory_events: int, files_keys: int) -> Iterator[BenchmarkFigure]:
    """All figures about keys, one by one."""
    spec = design()
    yield _measure_compiling(spec)
    pattern = compile_pattern(spec, "rows", ids_max=IDS)
    law = last_day(pattern)
    yield from _measure_exact(pattern, law)
    bounds = equal_bounds([(pattern, law, 1.0)], 1_000)
    yield from _measure_counting(pattern, law, bounds)
    yield from _measure_streaming(pattern, law)
    yield from _measure_files(pattern, files_keys)
    yield from _measure_first_byte(spec)
    yield _measure_memory(pattern, law, bounds, memory_events)


def _measure_compiling(spec: Spec) -> BenchmarkFigure:
    def compile_anew() -> None:
        compile_pattern(spec, "rows", ids_max=IDS)

    return BenchmarkFigure("compile a key of 10⁶ ids", tuple(measure_seconds(compile_anew)), "s", 1.0)


def _measure_exact(pattern: KeyPattern, law: EventDistribution) -> Iterator[BenchmarkFigure]:
    bounds = equal_bounds([(pattern, law, 1.0)], RANGES)
    took: dict[int, list[float]] = {}
    for exponent in (6, 12):
        per_window = np.full(WINDOWS, 10**exponent // WINDOWS)

        def one_day(events: np.ndarray = per_window) -> None:
            pattern.clear_cache()  # the bounds are looked up anew
            draw_counts(stream(0, 0), range_shares(pattern, law, bounds), events)

        def again(events: np.ndarray = per_window) -> None:
            draw_counts(stream(0, 0), range_shares(pattern, law, bounds), events)

        took[exponent] = measure_seconds(again)
        name = f"exact day, {WINDOWS} × {RANGES}, 10{'⁶' if exponent == 6 else '¹²'} operations"
        yield BenchmarkFigure(name, tuple(1e3 * s for s in took[exponent]), "ms", 20.0 if exponent == 12 else None)
        if exponent == 12:
            yield BenchmarkFigure(
                "  the same with bounds never seen before", tuple(1e3 * s for s in measure_seconds(one_day)), "ms"
            )
    ratio = tuple(a / b for a, b in zip(sorted(took[12]), sorted(took[6]), strict=True))
    yield BenchmarkFigure("  10¹² ÷ 10⁶", ratio, "×", 1.5)


def _measure_counting(
    pattern: KeyPattern, law: EventDistribution, bounds: tuple[bytes, ...]
) -> Iterator[BenchmarkFigure]:
    start_ms, length_ms = _window_ms(law)
    reference = measure_seconds(lambda: plain.count_keys(PLAIN_KEYS, start_ms, length_ms, bounds), 3)
    plain_rate = PLAIN_KEYS / min(reference)
    key_bounds = bounds_of(codec_of(pattern, law), bounds)
    half = EVENTS // 2

    def count(window: int, events: int) -> int:
        return int(count_events(stream(0, window), pattern, law, window, events, key_bounds).sum())

    single = measure_seconds(lambda: [count(0, half), count(1, half)])
    with ThreadPoolExecutor(2) as pool:
        two = measure_seconds(lambda: list(pool.map(count, (0, 1), (half, half))))
    sort_rate = 65_536 / min(measure_seconds(lambda: np.sort(_SOME)))
    rate = tuple(EVENTS / s / 1e6 for s in single)
    yield BenchmarkFigure(
        "plain Python, generate + count", tuple(PLAIN_KEYS / s / 1e6 for s in reference), "M events/s"
    )
    yield BenchmarkFigure("generate + count, one thread", rate, "M events/s")
    yield BenchmarkFigure("  ÷ plain Python", tuple(1e6 * r / plain_rate for r in rate), "×", 100.0, at_least=True)
    yield BenchmarkFigure("  ÷ np.sort of 64 Ki", tuple(1e6 * r / sort_rate for r in rate), "×", 0.15, at_least=True)
    yield BenchmarkFigure("generate + count, two threads", tuple(EVENTS / s / 1e6 for s in two), "M events/s")
    ratio = tuple(a / b for a, b in zip(sorted(single), sorted(two), strict=True))
    yield BenchmarkFigure("  two threads ÷ one", ratio, "×", 1.5, at_least=True)


_SOME = np.random.default_rng(1).integers(0, 2**63, 65_536, dtype=np.uint64)


def _window_ms(law: EventDistribution) -> tuple[int, int]:
    start, end = float(law.time.start_s[0, 0]), float(law.time.end_s[0, 0])
    return int(start * 1000), int((end - start) * 1000)


def _measure_streaming(pattern: KeyPattern, law: EventDistribution) -> Iterator[BenchmarkFigure]:
    reference = measure_seconds(lambda: plain.join_keys(PLAIN_KEYS, *_window_ms(law)), 3)
    plain_rate = PLAIN_KEYS / min(reference)
    yield BenchmarkFigure("plain Python, key bytes", tuple(PLAIN_KEYS / s / 1e6 for s in reference), "M keys/s")
    window_law = EventDistribution(law.time.window(0))
    for order in ("arrival", "sorted"):

        def stream_all(order: str = order) -> int:
            return sum(len(b.data) for b in sample_blocks(pattern, window_law, EVENTS // 2, order=order, end=b"\n"))  # type: ignore[arg-type]

        took = measure_seconds(stream_all)
        yield BenchmarkFigure(f"key bytes, {order}, one thread", tuple(EVENTS / 2 / s / 1e6 for s in took), "M keys/s")
        ratio = tuple(EVENTS / 2 / s / plain_rate for s in took)
        yield BenchmarkFigure("  ÷ plain Python", ratio, "×", 25.0 if order == "arrival" else None, at_least=True)


def _measure_files(pattern: KeyPattern, count: int) -> Iterator[BenchmarkFigure]:
    """Files of keys with their values, as the worker makes them."""
    law = pattern.steady_distribution()
    for order in ("arrival", "sorted"):
        deque(sample_lines(pattern, law, 200_000, form="csv", values=True, order=order), maxlen=0)  # type: ignore[arg-type]
        before, most = memory_mib(), 0.0
        rates = []
        for _ in range(3):
            started = time.perf_counter()
            for _ in sample_lines(pattern, law, count, form="csv", values=True, order=order):  # type: ignore[arg-type]
                most = max(most, memory_mib() - before)
            rates.append(count / (time.perf_counter() - started) / 1e6)
        note = f"{count:,} keys; memory at most {most:.0f} MiB more"
        yield BenchmarkFigure(
            f"keys with values as CSV, {order}", tuple(rates), "M keys/s", 1.5, at_least=True, note=note
        )


def _measure_first_byte(spec: Spec) -> Iterator[BenchmarkFigure]:
    parameters = sample_keys.canonical({"row_kind": "rows", "count": FILE_KEYS, "values": "on", "order": "arrival"})

    def first() -> bytes:
        return next(
            sample_keys.pieces(sample_keys.plan(spec, parameters, fresh_context()), lambda fraction, doing=None: None)
        )

    yield BenchmarkFigure(
        "  first bytes of the compressed file, nothing compiled", tuple(measure_seconds(first, 3)), "s", 1.0
    )
    started = time.perf_counter()
    size_bytes = sum(
        map(
            len,
            sample_keys.pieces(sample_keys.plan(spec, parameters, fresh_context()), lambda fraction, doing=None: None),
        )
    )
    rate = FILE_KEYS / (time.perf_counter() - started) / 1e6
    yield BenchmarkFigure("  compressed as well", (rate,), "M keys/s", note=f"{size_bytes / FILE_KEYS:.1f} bytes a key")


def _measure_memory(
    pattern: KeyPattern, law: EventDistribution, bounds: tuple[bytes, ...], events: int
) -> BenchmarkFigure:
    key_bounds = bounds_of(codec_of(pattern, law), bounds)
    count_events(stream(0, 0), pattern, law, 0, 200_000, key_bounds)
    before, started = memory_mib(), time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        counts = pool.map(
            lambda window: count_events(stream(0, window), pattern, law, window, events // WINDOWS, key_bounds),
            range(WINDOWS),
        )
        total = sum(int(count.sum()) for count in counts)
    grown = memory_mib() - before
    took = time.monotonic() - started
    note = f"{total:,} events in {took:.0f} s"
    return BenchmarkFigure("memory after events minus before", (max(grown, 0.0),), "MiB", 32.0, note=note)
