"""Figures about access logs: lines read and counted a second, beside other programs, and requests replayed.

Lines are counted in a log of a million users and three kinds of rows, of which most keys come once: a log that repeats
itself has few keys, and counts them from a processor's cache. duckdb and polars count keys, kinds, users and orders,
hours, operations and sizes, each with one thread, as one worker has one; neither
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
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.keytext import parse_key
from estimator.traces import EventBlock, EventSample, TraceReader, UnreadLines, read_log, replay

from .measure import RUNS, BenchmarkFigure

LINES = 300_000
"""Of the log that is replayed."""
LONG_LINES, USERS, ORDERS, USER_THETA = 5_000_000, 1_000_000, 10_000_000, 0.8
"""Of the log that is counted."""
LINES_AT_ONCE = 500_000
FIRST_LINES = 500_000
"""Of the long log, those that a plain loop counts."""
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


def write_long_log(path: Path) -> None:
    """Write a week of requests as CSV: half for events, a third for profiles of users by Zipf, the rest for orders."""
    random, step_ms = np.random.default_rng(1), 7 * 86_400_000 / LONG_LINES
    sums = (np.arange(1.0, USERS + 1) ** -USER_THETA).cumsum()
    with path.open("wb") as file:
        for begin in range(0, LONG_LINES, LINES_AT_ONCE):
            number = min(LINES_AT_ONCE, LONG_LINES - begin)
            times = (1_790_000_000_000 + (begin + np.arange(number)) * step_ms).astype(np.int64)
            # Names do not tell how popular a user is.
            users = np.searchsorted(sums, random.random(number) * sums[-1]) * 7_368_787 % USERS
            orders, is_write = random.integers(1, ORDERS, number), random.random(number) < 0.3
            sizes, kinds = random.lognormal(5.5, 1.0, number).astype(np.int64), random.random(number)
            columns = (times, users, orders, is_write, sizes, kinds)
            file.write(b"".join(map(_long_line, *(column.tolist() for column in columns))))


def _long_line(time_ms: int, user: int, order: int, is_write: bool, size: int, kind: float) -> bytes:
    operation = b"put" if is_write else b"get"
    if kind < 0.5:
        # An event is written once, and read some time later.
        return b"%d,%s,event#user%07d#%d,%d\n" % (time_ms, operation, user, time_ms - (not is_write) * size * 977, size)
    if kind < 0.85:
        return b"%d,%s,profile#user%07d,%d\n" % (time_ms, operation, user, size)
    return b"%d,%s,order#%08d#line%02d,%d\n" % (time_ms, operation, order, user % 7, size)


def _blocks(data: bytes) -> Iterator[EventBlock]:
    return read_log(io.BytesIO(data), UnreadLines())


def _count_plainly(data: bytes) -> None:
    """Count what the reader counts, as a loop over rows does."""
    keys, names, owners, hours, kinds, sizes = (Counter[object]() for _ in range(6))
    for moment, kind, key, size in csv.reader(io.StringIO(data.decode())):
        name, owner, *_ = key.split("#")
        keys[key] += 1
        names[name] += 1
        owners[owner] += 1
        hours[int(moment) // 3_600_000] += 1
        kinds[kind] += 1
        sizes[int(size)] += 1


COUNTED = ("key", "split_part(key, '#', 1)", "split_part(key, '#', 2)", "moment // 3600000", "kind", "size")


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
    parts, hour = polars.col("key").str.split("#").list, polars.col("moment") // 3_600_000
    for what in ("key", parts.first().alias("name"), parts.get(1).alias("owner"), hour.alias("hour"), "kind", "size"):
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


def _other_figures(path: Path, lines: int, others: Others, what: str) -> Iterator[BenchmarkFigure]:
    """Yield the figures of other programs that are installed; a line that says so for one that is not."""
    for name, run in others.items():
        if importlib.util.find_spec(name) is None:
            yield BenchmarkFigure(f"  {name}, {what}", (), "", note="not installed: run.py --with bench")
            continue
        yield _rate(f"  {name}, {what}", partial(run, str(path)), lines)


def _count_all(path: Path) -> None:
    reader = TraceReader(UnreadLines())
    with path.open("rb") as log_file:
        for events in read_log(log_file, UnreadLines()):
            reader.add(events)
    reader.summary()


def _read_alone(path: Path) -> None:
    with path.open("rb") as log_file:
        for _ in read_log(log_file, UnreadLines()):
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


def _rate(name: str, run: Callable[[], None], lines: int, goal: float | None = None) -> BenchmarkFigure:
    """Return how many lines a second of a processor a function takes."""
    rates = tuple(lines / seconds / 1e6 for seconds in measure_cpu(run))
    return BenchmarkFigure(name, rates, "M/s", goal, at_least=True)


def figures() -> Iterator[BenchmarkFigure]:
    """Lines per second of a processor: read, read with everything counted, and replayed, each beside other programs."""
    with tempfile.TemporaryDirectory() as folder:
        long_path, path = Path(folder) / "long.csv", Path(folder) / "log.csv"
        write_long_log(long_path)
        with long_path.open("rb") as log_file:
            first = b"".join(islice(log_file, FIRST_LINES))
        yield _rate("lines of an access log read", partial(_read_alone, long_path), LONG_LINES, 1)
        yield _rate("lines of an access log read and counted", partial(_count_all, long_path), LONG_LINES, 1)
        yield _rate("  Python's csv and a loop, counted alone", partial(_count_plainly, first), FIRST_LINES)
        yield from _other_figures(long_path, LONG_LINES, COUNT, "counted alone")
        data = log()
        path.write_bytes(data)
        replayed = _rate("requests read and replayed under another key", partial(_replay, data), LINES)
        plain = _rate("  Python's csv and a loop, rows and windows alone", partial(_replay_plainly, data), LINES)
        yield from (replayed, plain)
        ratio = (replayed.median / plain.median,)
        yield BenchmarkFigure("  replayed ÷ the loop", ratio, "×", REPLAY_RATIO, at_least=True)
        yield from _other_figures(path, LINES, REPLAY, "rows and windows alone")
