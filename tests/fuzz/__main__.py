"""`python3 run.py fuzz [TARGET …]`: change inputs, guided by what they cover, until one breaks; keep what covers more.

libFuzzer runs each target in a process of its own. A kept input of an earlier call is where the next one begins.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
NAMES = (
    "document", "compact", "key-text", "key-columns", "imports", "sentences", "forms", "traces", "observations",
)  # fmt: skip
ENVIRONMENT = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
INPUT_BYTES_MAX = 16_384
SECONDS_MAX = 300
"""An input that takes longer by the clock never ends; `process.py` has the limit of processor time."""
MEMORY_MB_MAX = 2_048


class Fuzzed(NamedTuple):
    """How the fuzzing of one target ended."""

    target: str
    inputs: int
    seconds: float
    edges: int
    kept: int
    broken: tuple[Path, ...]

    def __str__(self) -> str:
        broken = "nothing broke" if not self.broken else f"BROKEN by {', '.join(map(str, self.broken))}"
        counts = f"{self.inputs:>9,} inputs {self.seconds:>6,.0f} s  {self.edges:>6,} edges  {self.kept:>6,} kept"
        return f"{self.target:<14}{counts}  {broken}"


def main(arguments: list[str]) -> int:
    """Fuzz what was asked for, print a line for each target; return 1 if an input broke one."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(NAMES)}; all unless named")
    parser.add_argument("--inputs", type=int, default=10_000, help="how many inputs of each target (default: 10,000)")
    parser.add_argument("--seconds", type=int, default=0, help="stop a target after so many seconds; 0 is never")
    parser.add_argument("--corpus", type=Path, default=ROOT / "var" / "fuzz", help="where inputs are kept")
    options = parser.parse_args(arguments)
    if unknown := set(options.targets) - set(NAMES):
        parser.error(f"there is no target {sorted(unknown)[0]!r}")
    results = []
    for target in options.targets or NAMES:
        results.append(fuzz(target, options.corpus.resolve(), options.inputs, options.seconds))
        print(results[-1], flush=True)
    print(f"{sum(result.inputs for result in results):,} inputs in all")
    return int(any(result.broken for result in results))


def fuzz(target: str, folder: Path, inputs: int, seconds: int) -> Fuzzed:
    """Fuzz one target in a process of its own."""
    kept, broken = folder / target, folder / "broken" / target
    for each in (kept, broken):
        each.mkdir(parents=True, exist_ok=True)
    before = set(broken.iterdir())
    options = [
        f"-runs={inputs}", f"-max_total_time={seconds}", f"-max_len={INPUT_BYTES_MAX}", f"-timeout={SECONDS_MAX}",
        f"-report_slow_units={SECONDS_MAX}", f"-rss_limit_mb={MEMORY_MB_MAX}", f"-artifact_prefix={broken}/",
        "-print_final_stats=1",
    ]  # fmt: skip
    command = [sys.executable, "-m", "tests.fuzz.process", target, str(kept), *options]
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", env=ENVIRONMENT)
    seconds_taken = time.monotonic() - started
    found = tuple(sorted(set(broken.iterdir()) - before))
    if found or done.returncode:
        print(done.stdout[-4_000:], done.stderr[-8_000:], sep="\n", file=sys.stderr)
    if done.returncode and not found:
        sys.exit(f"{target} could not be fuzzed; its output is above")
    counted = re.findall(r"^stat::number_of_executed_units: (\d+)", done.stderr, re.MULTILINE)
    edges = re.findall(r"cov: (\d+)", done.stderr)
    return Fuzzed(
        target, int(counted[-1]) if counted else 0, seconds_taken, int(edges[-1]) if edges else 0,
        sum(1 for _ in kept.iterdir()), found,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
