"""The emulator holds the design to its word: rows written with the design's keys, every declared read answered with
exactly the rows it asks for from exactly the ranges that the planner names, garbage collected as the model says.

Not here, for the emulator does them differently from the service: intersections (never collected), aggregates, splits.
"""

import itertools
import time
from dataclasses import dataclass

import pytest

from designer.document import Spec
from designer.document.access import Read
from designer.document.collection import policy
from designer.document.family import Gc, MaxAge, MaxVersions, Union
from designer.document.load import from_data
from designer.document.table import RowKind, Table
from estimator.kernels.keys.rendering.render import Event, key, parts
from estimator.kernels.keys.values.shape import shape_of
from reviews.exports import format_named
from reviews.exports.cbt import rule_text
from reviews.exports.shared import gc
from tests.contexts import Content, estimate
from tests.exports import tools

DAY_US = 86_400_000_000
START_US = 1_767_225_600_000_000
"""2026-01-01, the design's start."""
TENANTS, DEVICES, DAYS = 3, 4, 5


def design() -> Spec:
    """Keys of every kind that reads of every kind can find, over few values."""
    tenant = {"id": "s1", "kind": "field", "field": "tenant", "after": "#"}
    device = {"kind": "field", "field": "device"}
    day = {"kind": "time", "resolution": "day", "pattern": "%Y%m%d"}
    newest = {"kind": "time", "resolution": "day", "unit": "s", "reversed": True, "reverse_from": 9_999_999_999}
    both = [{"field": "tenant"}, {"field": "device"}]
    reads = {
        "one": {"binds": both, "exact_time": True}, "device": {"binds": both}, "tenant": {"binds": both[:1]},
        "week": {"binds": both, "time": {"days": 2}}, "all": {}, "later": {"binds": [{"field": "device"}]},
        "last": {"binds": both, "newest_rows": 2},
    }  # fmt: skip
    tables = {
        "days": [tenant, {**device, "id": "d2", "after": "#"}, {**day, "id": "d3"}],
        "newest": [{**tenant, "id": "n1"}, {**device, "id": "n2", "after": "#"}, {**newest, "id": "n3"}],
        "salted": [{"id": "z1", "kind": "salt", "fields": ["device"], "modulo": 4, "after": "#"},
                   {**tenant, "id": "z2"}, {**device, "id": "z3", "after": "#"}, {**day, "id": "z4"}],
        "hashed": [{"id": "h1", "kind": "hash", "fields": ["tenant"], "digits": 4, "after": "#"},
                   {**tenant, "id": "h2"}, {**device, "id": "h3", "after": "#"}, {**day, "id": "h4"}],
    }  # fmt: skip
    return from_data(
        {
            "name": "Reads", "start": "2026-01-01", "horizon_months": 1,
            "fields": [
                {"id": "tenant", "name": "tenant", "distinct": TENANTS, "values": {"kind": "pattern", "text": "t{n}"}},
                {"id": "device", "name": "device", "distinct": DEVICES, "values": {"kind": "pattern", "text": "d{n}"}},
            ],
            "activities": [{"id": "a", "name": "a", "rate_per_second": 0.01}],
            "tables": [
                {"id": name, "name": name, "families": [{"id": f"{name}-f", "name": "m"}], "row_kinds": [{
                    "id": f"{name}-r", "key": segments, "writes": [{"id": f"{name}-w", "activity": "a"}],
                    "reads": [{"id": f"{name}-{read}", "name": read, **said} for read, said in reads.items()
                              if read != "last" or name == "newest"]}]}
                for name, segments in tables.items()
            ],
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One row: what it is about, and its key."""

    tenant: int
    device: int
    day: int
    key: bytes


@dataclass
class Bench:
    """An instance of the emulator, by cbt."""

    address: str
    instance: str

    def cbt(self, *arguments: str) -> str:
        command = ("cbt", "-project", "p", "-instance", self.instance, "-creds", "/dev/null", *arguments)
        done = tools.run(*command, BIGTABLE_EMULATOR_HOST=self.address)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def keys(self, table: str, **options: str) -> list[str]:
        """The keys of the rows that a read returns, in its order."""
        shown = self.cbt("read", table, "keys-only=true", *(f"{name}={held}" for name, held in options.items()))
        return [line for line in shown.splitlines() if line and not line.startswith(("-", " "))]


def shapes(spec: Spec) -> dict:
    return {field.id: shape_of(spec, field, seed=1) for field in spec.fields}


def event(row: tuple[int, int, int]) -> Event:
    return Event({"tenant": row[0], "device": row[1]}, START_US + row[2] * DAY_US)


def rows_of(spec: Spec, kind: RowKind) -> list[Row]:
    """Every tenant × device × day."""
    every = itertools.product(range(TENANTS), range(DEVICES), range(DAYS))
    return [Row(*row, key(kind.segments, shapes(spec), event(row))) for row in every]


@pytest.fixture(scope="module")
def filled(emulator: str, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The design's tables as its own export makes them, with every row."""
    tools.needs("cbt")
    spec, folder = design(), tmp_path_factory.mktemp("emulator")
    script = folder / "tables.sh"
    script.write_text(format_named("cbt").make(Content(spec)).files[-1].text)
    flags = {"PROJECT": "p", "INSTANCE": "reads", "CBT_FLAGS": "-creds /dev/null", "BIGTABLE_EMULATOR_HOST": emulator}
    done = tools.run(tools.needs("bash"), str(script), **flags)
    assert done.returncode == 0, done.stderr
    bench = Bench(emulator, "reads")
    for table in spec.tables:
        lines = [",v", *(f"{row.key.decode()},x" for row in rows_of(spec, table.row_kinds[0]))]
        (folder / f"{table.id}.csv").write_text("\n".join(lines) + "\n")
        bench.cbt("import", table.id, str(folder / f"{table.id}.csv"), "column-family=m")
    return bench


def is_wanted(read: Read, row: Row, asked: Row) -> bool:
    """Whether the design says that this row is what the caller asks for."""
    known = _known_fields(read)
    if ("tenant" in known and row.tenant != asked.tenant) or ("device" in known and row.device != asked.device):
        return False
    return row.day in _days(read, asked) if read.exact_time or read.time else True


def _known_fields(read: Read) -> set[str]:
    return {bind.field for bind in read.binds}


def _days(read: Read, asked: Row) -> range:
    """The days that the caller names."""
    return range(asked.day + 1 - (int(read.time.days) if read.time else 1), asked.day + 1)


Span = tuple[bytes, bytes | None]


def spans(spec: Spec, kind: RowKind, read: Read, open_at: str | None, asked: Row) -> list[Span]:
    """What is asked of the table: every beginning of keys up to the segment that the planner calls open.

    A field that the caller does not know is tried in all its values, a salt of it in all that these have; a time range
    at the open segment bounds the range.
    """
    known, segments = _known_fields(read), kind.segments
    place = next((n for n, segment in enumerate(segments) if segment.id == open_at), len(segments))
    tenants = [asked.tenant] if "tenant" in known else range(TENANTS)
    devices = [asked.device] if "device" in known else range(DEVICES)
    found: set[Span] = set()
    for row in itertools.product(tenants, devices, _days(read, asked)):
        beginning = b"".join(parts(segments, shapes(spec), event(row))[:place])
        found.add(_bounds_of(spec, kind, read, place, beginning, asked))
    return sorted(found, key=lambda span: span[0])


def _bounds_of(spec: Spec, kind: RowKind, read: Read, place: int, beginning: bytes, asked: Row) -> Span:
    if place == len(kind.segments) or kind.segments[place].kind != "time" or not read.time:
        return beginning, None
    days = (_days(read, asked)[0], _days(read, asked)[-1])
    first, last = sorted(
        parts(kind.segments, shapes(spec), event((asked.tenant, asked.device, day)))[place] for day in days
    )
    return beginning + first, beginning + last + b"~"


def every_read() -> list[tuple[Table, RowKind, Read]]:
    return [(table, kind, read) for table in design().tables for kind in table.row_kinds for read in kind.reads]


def test_every_declared_read_returns_exactly_the_rows_of_the_design(filled: Bench) -> None:
    spec = design()
    made = estimate(spec)
    for table, kind, read in every_read():
        plan = next(plan for plan in made.tables[table.id].reads if plan.read == read.id)
        rows = rows_of(spec, kind)
        asked = next(row for row in rows if (row.tenant, row.device, row.day) == (1, 2, DAYS - 1))
        asks = spans(spec, kind, read, plan.open_at, asked)
        reached = [one for span in asks for one in filled.keys(table.id, **_options(read, span))]

        by_key = {row.key.decode(): row for row in rows}
        answer = {one for one in reached if is_wanted(read, by_key[one], asked)}
        truth = [row for row in rows if is_wanted(read, row, asked)]
        if read.newest_rows:
            truth = sorted(truth, key=lambda row: -row.day)[: read.newest_rows]
        what = (table.id, read.name)
        assert answer == {row.key.decode() for row in truth}, what
        if plan.access != "scan":
            assert plan.ranges == pytest.approx(len(asks)), what
            if not plan.filtered:
                assert len(reached) == len(truth), what  # nothing is met that is not wanted


def _options(read: Read, span: Span) -> dict[str, str]:
    start, end = span
    limit = {"count": str(read.newest_rows)} if read.newest_rows else {}
    if end is not None:
        return {"start": start.decode(), "end": end.decode(), **limit}
    return {"prefix": start.decode(), **limit} if start else limit


AGES_MINUTES = (5, 30, 120, 180, 600)
RULES: dict[str, Gc | None] = {
    "none": None, "versions": MaxVersions(versions=2), "age": MaxAge(age_days=1 / 24),
    "both": Union(rules=(MaxVersions(versions=3), MaxAge(age_days=2.5 / 24))),
}  # fmt: skip


def test_versions_age_and_unions_are_collected_as_the_model_says(emulator: str) -> None:
    tools.needs("cbt")
    bench = Bench(emulator, "collection")
    families = ",".join(f"{name}:never" for name in RULES)
    bench.cbt("createtable", "t", f"families={families}")
    now_us = int(time.time() * 1_000_000)
    cells = [f"{name}:q={age}@{now_us - age * 60_000_000}" for name in RULES for age in AGES_MINUTES]
    bench.cbt("set", "t", "row", *cells)
    for name, rule in RULES.items():
        bench.cbt("setgcpolicy", "t", name, rule_text(gc.rule_of(rule)), "force")

    kept = {name: _kept_ages(rule) for name, rule in RULES.items()}
    until = time.monotonic() + 8
    while (found := _held_ages(bench)) != kept and time.monotonic() < until:
        time.sleep(0.2)

    assert found == kept
    assert kept == {"none": [*AGES_MINUTES], "versions": [5, 30], "age": [5, 30], "both": [5, 30, 120]}


def _kept_ages(rule: Gc | None) -> list[int]:
    """The ages of the cells that stay by the model: each while fewer newer ones are there than its age allows."""
    steps = policy(rule)
    return [age for newer, age in enumerate(AGES_MINUTES) if newer < steps.cap_at(age / 1440)]


def _held_ages(bench: Bench) -> dict[str, list[int]]:
    held: dict[str, list[int]] = {name: [] for name in RULES}
    family = ""
    for line in bench.cbt("read", "t").splitlines():
        if ":q" in line:
            family = line.strip().split(":")[0]
        elif line.strip().startswith('"'):
            held[family].append(int(line.strip().strip('"')))
    return held
