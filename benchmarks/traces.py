"""Figures about access logs: lines read and counted a second, beside plain Python, and requests replayed."""

import csv
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from designer.document import Spec
from designer.document.keytext import parse_key
from estimator.traces import EventSample, TraceReader, UnreadLines, find_form, read_events, replay

from .measure import RUNS, BenchmarkFigure

LINES = 300_000
KEY, OTHER_KEY = "{user}#{time}", "{hash(user):4}#{user}#{time}"


def log() -> list[bytes]:
    """A day of requests for 10,000 users by Zipf 0.99, as CSV."""
    random = np.random.default_rng(1)
    shares = np.arange(1.0, 10_001) ** -0.99
    users = random.choice(shares.size, LINES, p=shares / shares.sum()).tolist()
    times = np.sort(random.integers(1_790_000_000_000, 1_790_086_400_000, LINES)).tolist()
    return [
        b"%d,%s,user%05d#%d,%d\n" % (t, b"get" if t % 3 else b"put", u, t, t % 200)
        for t, u in zip(times, users, strict=True)
    ]


def figures() -> Iterator[BenchmarkFigure]:
    """Lines read a second with everything counted, lines whose keys alone are counted, requests replayed."""
    lines, read, plain, replayed = log(), [], [], []
    texts = [line.decode() for line in lines]
    spec = Spec.model_validate({"fields": [{"id": "user", "name": "user"}]})
    keys = [parse_key(spec, text).segments for text in (KEY, OTHER_KEY)]
    for _ in range(RUNS):
        start, reader, sample = time.perf_counter(), TraceReader(UnreadLines()), EventSample()
        blocks = list(read_events(lines, find_form(lines), UnreadLines()))
        for events in blocks:
            reader.add(events)
        reader.summary()
        read.append(LINES / (time.perf_counter() - start) / 1e6)
        start = time.perf_counter()
        Counter(row[2] for row in csv.reader(texts))
        plain.append(LINES / (time.perf_counter() - start) / 1e6)
        for events in blocks:
            sample.add(events)
        start = time.perf_counter()
        replay(sample, spec, *keys)
        replayed.append(LINES / (time.perf_counter() - start) / 1e6)
    yield BenchmarkFigure("lines of an access log read and counted", tuple(read), "M/s", 1, at_least=True)
    yield BenchmarkFigure("  Python's csv, keys counted alone", tuple(plain), "M/s")
    yield BenchmarkFigure("  requests replayed under another key", tuple(replayed), "M/s")
