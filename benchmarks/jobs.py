"""Figures about runs on workers: what the queue costs, what a second worker brings, what a worker holds."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .context import fresh_context
from .keys import design as keyed
from .measure import BenchmarkFigure
from .pages import prepare_client

EVENTS = 1_000_000_000
EVENTS_QUICK = 50_000_000
RUNS = 3
DAY_SECONDS = 86_400
UNDISTURBED = "whatever else the machine does"
COMPUTED = 1_000_000_000_000


def figures(*, quick: bool = False) -> Iterator[BenchmarkFigure]:
    """A day of generated events in one process, by one worker and by two; a computed day from click to page."""
    with tempfile.TemporaryDirectory() as folder:
        client = prepare_client(folder)
        yield from _figures(client, Path(folder), EVENTS_QUICK if quick else EVENTS, runs=1 if quick else RUNS)


def _figures(client: Any, folder: Path, events: int, *, runs: int) -> Iterator[BenchmarkFigure]:
    from estimator.models import Worker

    design = _design(events)
    used = time.process_time()
    alone = [_seconds_in_process(design, seed) for seed in range(runs)]
    used = time.process_time() - used
    yield BenchmarkFigure(f"{events:.0e} events drawn in one process", tuple(alone), "s")
    with WorkerProcesses(folder, ["a"]) as workers:
        idle = workers.cpu_seconds()
        single = [_run(design, 100 + seed) for seed in range(runs)]
        by_one = sum(workers.cpu_seconds()) - sum(idle)
        peak_mib = workers.peak_memory_mib()
    yield BenchmarkFigure("  by one worker", tuple(single), "s")
    yield BenchmarkFigure("  overhead of the queue", tuple(_shares(single, alone)), "%", 15)
    yield BenchmarkFigure("    in processor time", (100 * (by_one / used - 1),), "%", 15, note=UNDISTURBED)
    Worker.objects.all().delete()
    with WorkerProcesses(folder, ["a", "b"]) as workers:
        idle = workers.cpu_seconds()
        two = [_run(design, 200 + seed) for seed in range(runs)]
        busier = max(now - before for now, before in zip(workers.cpu_seconds(), idle, strict=True))
        peak_mib = max(peak_mib, workers.peak_memory_mib())
    yield BenchmarkFigure("  by two workers", tuple(two), "s")
    gained = tuple(a / b for a, b in zip(single, two, strict=True))
    yield BenchmarkFigure("  one worker ÷ two", gained, "", 1.4, at_least=True)
    yield BenchmarkFigure(
        "    in processor time of the busier", (by_one / busier,), "", 1.4, at_least=True, note=UNDISTURBED
    )
    yield BenchmarkFigure("  most that a worker held", (peak_mib,), "MiB", 400)
    _click_milliseconds(client, _design(COMPUTED), 99)  # the estimate has been seen before anybody simulates
    used = time.process_time()
    times = [_click_milliseconds(client, _design(COMPUTED), seed) for seed in range(5)]
    used = 1000 * (time.process_time() - used) / len(times)
    yield BenchmarkFigure(f"{COMPUTED:.0e} operations, from click to page", tuple(times), "ms", 1000)
    yield BenchmarkFigure("  in processor time", (used,), "ms", 1000, note=UNDISTURBED)


def _shares(slower: list[float], base: list[float]) -> list[float]:
    return [100 * (s / b - 1) for s, b in zip(sorted(slower), sorted(base), strict=True)]


def _design(events: int) -> Any:
    from designer.document.dump import to_plain_data
    from designer.document.load import from_data
    from designer.models import Design, Person

    me = Person.objects.get_or_create_local()
    data = to_plain_data(keyed())
    table = data["tables"][0]
    data["activities"] = [{"id": "a", "rate_per_second": events / DAY_SECONDS, "profile": {"kind": "flat"}}]
    table["families"] = [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "v"}]}]
    table["row_kinds"][0]["writes"] = [{"id": "w", "activity": "a", "mode": "append_row"}]
    spec = from_data(data)
    return Design.objects.start(spec, team=me.teams.get(), by=me)


def _parameters(seed: int) -> dict[str, Any]:
    return {"period": "day", "counting": "generated", "seed": str(seed)}


def _seconds_in_process(design: Any, seed: int) -> float:
    from estimator.runs.kinds import find_run_type

    about = find_run_type("simulate")
    started = time.perf_counter()
    planned = about.plan(design.spec, about.canonical(_parameters(seed)), fresh_context())
    about.finish(planned, [about.work(planned, 0, planned.windows, _ignore_progress)], _ignore_progress)
    return time.perf_counter() - started


def _ignore_progress(fraction: float, doing: Any = None) -> None:
    """Nobody watches."""


def _run(design: Any, seed: int) -> float:
    from estimator.models import Run

    started = time.perf_counter()
    run, _ = Run.objects.find_or_start(design, "simulate", _parameters(seed), None)
    while run.is_active:
        time.sleep(0.05)
        run.refresh_from_db()
    assert run.state == "done", run.failure_text
    return time.perf_counter() - started


def _click_milliseconds(client: Any, design: Any, seed: int) -> float:
    """Milliseconds from posting the form to the page with the result, in this process as in a web server's."""
    started = time.perf_counter()
    form = {"kind": "simulate", "period": "day", "seed": str(seed)}
    answer = client.post(f"/designs/{design.key}/runs/", form, follow=True)
    assert answer.status_code == 200, answer.content[:500]
    assert b'id="progress"' not in answer.content
    return 1000 * (time.perf_counter() - started)


class WorkerProcesses:
    """Workers in processes of their own, with the folder as their queue, while this is open."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        from django.conf import settings

        environ = {
            **os.environ, "DATABASE_URL": f"sqlite:///{folder}/keywright.sqlite3", "OMP_NUM_THREADS": "1",
            "KEYWRIGHT_DATA": str(settings.KEYWRIGHT_DATA),  # where this process puts messages, after other parts too
        }  # fmt: skip
        command = [sys.executable, "-W", "ignore", "-m", "celery", "-A", "config.celery", "--quiet", "worker"]
        command += ["--pool", "solo", "--concurrency", "1", "--loglevel", "ERROR", "--without-gossip", "-n"]
        self._processes = [subprocess.Popen([*command, f"{name}@bench"], env=environ) for name in names]

    def __enter__(self) -> "WorkerProcesses":
        from estimator.models import Worker

        while Worker.objects.slots() < len(self._processes):
            time.sleep(0.05)
        return self

    def peak_memory_mib(self) -> float:
        """The most memory that any of them held."""
        return max(map(_peak_memory_mib, self._processes))

    def cpu_seconds(self) -> list[float]:
        """Processor time that each has used."""
        files = [Path(f"/proc/{process.pid}/stat") for process in self._processes]
        stats = [file.read_text(encoding="ascii").rpartition(")")[2].split() for file in files]
        return [(int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK") for stat in stats]

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.wait(20)


def _peak_memory_mib(process: subprocess.Popen[bytes]) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
