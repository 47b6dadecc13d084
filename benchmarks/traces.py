"""Figures about access logs: lines read and counted a second, beside other programs, and requests replayed.

duckdb and polars count keys, users, hours, operations and sizes, each with one thread, as one worker has one; neither
infers key patterns, fits distributions or tells which lines cannot be read. They are measured where they are installed.
"""

import csv
import importlib
import importlib.util
import io
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.keytext import parse_key
from estimator.traces import EventBlock, EventSample, TraceReader, UnreadLines, read_log, replay

from .measure import RUNS, BenchmarkFigure

LINES, TIMES = 300_000, 10
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


COUNTED = ("key", "split_part(key, '#', 1)", "moment // 3600000", "kind", "size")


def _count_with_duckdb(path: str) -> None:
    """Count the same with one thread of duckdb."""
    database = importlib.import_module("duckdb").connect(config={"threads": 1})
    names = "columns={'moment': 'BIGINT', 'kind': 'VARCHAR', 'key': 'VARCHAR', 'size': 'BIGINT'}"
    database.execute(f"create table log as select * from read_csv('{path}', header=false, {names})")
    for what in COUNTED:
        database.execute(f"select {what} as value, count(*) as times from log group by value").fetchnumpy()


def _count_with_polars(path: str) -> None:
    """Count the same with one thread of polars, which asks for their number when it is loaded."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    polars: Any = importlib.import_module("polars")
    table = polars.read_csv(path, has_header=False, new_columns=["moment", "kind", "key", "size"])
    user, hour = polars.col("key").str.split("#").list.first(), polars.col("moment") // 3_600_000
    for what in ("key", user.alias("user"), hour.alias("hour"), "kind", "size"):
        table.group_by(what).len()


OTHERS: dict[str, Callable[[str], None]] = {"duckdb": _count_with_duckdb, "polars": _count_with_polars}


def _other_figures(data: bytes) -> Iterator[BenchmarkFigure]:
    """Yield the figures of other programs that are installed; a line that says so for one that is not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        path.write_bytes(data)
        for name, count in OTHERS.items():
            values = list[float]()
            if importlib.util.find_spec(name) is not None:
                count(str(path))
                for _ in range(RUNS):
                    start = time.perf_counter()
                    count(str(path))
                    values.append(LINES * TIMES / (time.perf_counter() - start) / 1e6)
            note = "" if values else "not installed"
            yield BenchmarkFigure(f"  {name}, counted alone", tuple(values or [0.0]), "M/s", note=note)


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
    yield from _other_figures(data * TIMES)
    yield BenchmarkFigure("  requests replayed under another key", tuple(replayed), "M/s")
