"""Figures about access logs: lines read and counted a second, beside other programs, and requests replayed.

duckdb and polars count keys, users, hours, operations and sizes, each with one thread, as one worker has one; neither
infers key patterns, fits distributions or tells which lines cannot be read. They are measured where they are installed:
`python3 run.py --with bench bench traces`.
"""

import csv
import hashlib
import importlib
import importlib.util
import io
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.keytext import parse_key
from estimator.traces import EventBlock, EventSample, TraceReader, UnreadLines, read_log, replay

from .measure import RUNS, BenchmarkFigure

LINES, TIMES = 300_000, 20
"""Lines that are drawn, and how often the log repeats them: a longer log tells its steady rate."""
WINDOW_MS = 900_000
REPLAY_RATIO = 1.0
"""A replay tells both keys' rows, ranges, windows and chance in less time than a loop counts one key's rows."""
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


OTHER_KEYS = "substr(md5(split_part(key, '#', 1)), 1, 4) || '#' || key"


def _replay_plainly(data: bytes) -> None:
    """Count requests by window and new key, and put these in order, as a loop over rows does."""
    rows, windows, kinds = Counter[str](), Counter[tuple[str, int]](), Counter[str]()
    for moment, kind, key, _ in csv.reader(io.StringIO(data.decode())):
        new_key = f"{hashlib.md5(key.partition('#')[0].encode()).hexdigest()[:4]}#{key}"
        rows[new_key] += 1
        windows[new_key, int(moment) // WINDOW_MS] += 1
        kinds[kind] += 1
    sorted(rows)


def _replay_with_duckdb(path: str) -> None:
    """Do the same with one thread of duckdb."""
    database = importlib.import_module("duckdb").connect(config={"threads": 1})
    names = "columns={'moment': 'BIGINT', 'kind': 'VARCHAR', 'key': 'VARCHAR', 'size': 'BIGINT'}"
    source = f"read_csv('{path}', header=false, {names})"
    query = f"select {OTHER_KEYS} as row, moment // {WINDOW_MS} as part, kind, count(*) as times from {source}"
    database.execute(f"{query} group by all order by row").fetchnumpy()


def _replay_with_polars(path: str) -> None:
    """Do the same with one thread of polars, with a hash of its own."""
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    polars: Any = importlib.import_module("polars")
    table = polars.read_csv(path, has_header=False, new_columns=["moment", "kind", "key", "size"])
    hashes = polars.col("key").str.split("#").list.first().hash().cast(polars.String).str.slice(0, 4)
    row = polars.concat_str([hashes, polars.lit("#"), polars.col("key")]).alias("row")
    part = (polars.col("moment") // WINDOW_MS).alias("part")
    table.group_by(row, part, "kind").len().sort("row")


Others = dict[str, Callable[[str], None]]
COUNT: Others = {"duckdb": _count_with_duckdb, "polars": _count_with_polars}
REPLAY: Others = {"duckdb": _replay_with_duckdb, "polars": _replay_with_polars}


def _other_figures(data: bytes, others: Others, what: str) -> Iterator[BenchmarkFigure]:
    """Yield the figures of other programs that are installed; a line that says so for one that is not."""
    lines = data.count(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        path.write_bytes(data)
        for name, run in others.items():
            if importlib.util.find_spec(name) is None:
                yield BenchmarkFigure(f"  {name}, {what}", (), "", note="not installed: run.py --with bench")
                continue
            rates = tuple(lines / seconds / 1e6 for seconds in measure_cpu(partial(run, str(path))))
            yield BenchmarkFigure(f"  {name}, {what}", rates, "M/s")


def _count_all(data: bytes) -> None:
    reader = TraceReader(UnreadLines())
    for events in _blocks(data):
        reader.add(events)
    reader.summary()


def _read_alone(data: bytes) -> None:
    for _ in _blocks(data):
        pass


def _replay(data: bytes) -> None:
    spec, sample = Spec.model_validate({"fields": [{"id": "user", "name": "user"}]}), EventSample()
    for events in _blocks(data):
        sample.add(events)
    replay(sample, spec, *(parse_key(spec, text).segments for text in (KEY, OTHER_KEY)))


def measure_cpu(function: Callable[[], object]) -> list[float]:
    """Seconds of a processor of each run, after one that is not counted: others may work on the machine."""
    function()
    seconds = []
    for _ in range(RUNS):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return seconds


def figures() -> Iterator[BenchmarkFigure]:
    """Lines per second of a processor: read, read with everything counted, and replayed, each beside other programs."""
    data = log()

    def figure(name: str, run: Callable[[bytes], None], times: int, goal: float | None = None) -> BenchmarkFigure:
        seconds = measure_cpu(partial(run, data * times))
        return BenchmarkFigure(
            name, tuple(LINES * times / duration / 1e6 for duration in seconds), "M/s", goal, at_least=True
        )

    yield figure("lines of an access log read", _read_alone, TIMES, 1)
    yield figure("lines of an access log read and counted", _count_all, TIMES, 1)
    yield figure("  Python's csv and a loop, counted alone", _count_plainly, 1)
    yield from _other_figures(data * TIMES, COUNT, "counted alone")
    replayed = figure("requests read and replayed under another key", _replay, 1)
    plain = figure("  Python's csv and a loop, rows and windows alone", _replay_plainly, 1)
    yield from (replayed, plain)
    ratio = (replayed.median / plain.median,)
    yield BenchmarkFigure("  replayed ÷ the loop", ratio, "×", REPLAY_RATIO, at_least=True)
    yield from _other_figures(data, REPLAY, "rows and windows alone")
