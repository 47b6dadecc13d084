"""Figures about access logs: lines read and counted a second, beside plain Python, and requests replayed."""

import csv
import io
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from designer.document import Spec
from designer.document.keytext import parse_key
from estimator.traces import EventBlock, EventSample, TraceReader, UnreadLines, read_log, replay

from .measure import RUNS, BenchmarkFigure

LINES, TIMES = 300_000, 4
"""Lines that are drawn, and how often the log repeats them: a longer log tells its steady rate."""
KEY, OTHER_KEY = "{user}#{time}", "{hash(user):4}#{user}#{time}"


def log() -> bytes:
    """A day of requests for 10,000 users by Zipf 0.99, as CSV."""
    random = np.random.default_rng(1)
    shares = np.arange(1.0, 10_001) ** -0.99
    users = random.choice(shares.size, LINES, p=shares / shares.sum()).tolist()
    times = np.sort(random.integers(1_790_000_000_000, 1_790_086_400_000, LINES)).tolist()
    lines = [
        b"%d,%s,user%05d#%d,%d\n" % (t, b"get" if t % 3 else b"put", u, t, t % 200)
        for t, u in zip(times, users, strict=True)
    ]
    return b"".join(lines)


def _blocks(data: bytes) -> Iterator[EventBlock]:
    return read_log(io.BytesIO(data), UnreadLines())


def _count_plainly(data: bytes) -> None:
    """Count what the reader counts, as a loop over rows does."""
    keys, users, hours, kinds, sizes = (Counter[object]() for _ in range(5))
    for moment, kind, key, size in csv.reader(io.StringIO(data.decode())):
        keys[key] += 1
        users[key.partition("#")[0]] += 1
        hours[int(moment) // 3_600_000] += 1
        kinds[kind] += 1
        sizes[int(size)] += 1


def figures() -> Iterator[BenchmarkFigure]:
    """Lines read a second with everything counted, lines whose keys alone are counted, requests replayed."""
    data, read, plain, replayed = log(), [], [], []
    spec = Spec.model_validate({"fields": [{"id": "user", "name": "user"}]})
    keys = [parse_key(spec, text).segments for text in (KEY, OTHER_KEY)]
    for _ in range(RUNS):
        start, reader, sample = time.perf_counter(), TraceReader(UnreadLines()), EventSample()
        for events in _blocks(data * TIMES):
            reader.add(events)
        reader.summary()
        read.append(LINES * TIMES / (time.perf_counter() - start) / 1e6)
        start = time.perf_counter()
        _count_plainly(data)
        plain.append(LINES / (time.perf_counter() - start) / 1e6)
        for events in _blocks(data):
            sample.add(events)
        start = time.perf_counter()
        replay(sample, spec, *keys)
        replayed.append(LINES / (time.perf_counter() - start) / 1e6)
    yield BenchmarkFigure("lines of an access log read and counted", tuple(read), "M/s", 1, at_least=True)
    yield BenchmarkFigure("  Python's csv and a loop, counted alone", tuple(plain), "M/s")
    yield BenchmarkFigure("  requests replayed under another key", tuple(replayed), "M/s")
