"""The process that fuzzes one target: `python -m tests.fuzz.process TARGET FOLDER [libFuzzer's options]`."""

import hashlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import atheris

READERS = [
    "designer.application", "designer.document", "designer.editing", "designer.imports", "estimator.observations",
    "estimator.traces",
]  # fmt: skip
"""Packages whose branches guide the changes."""
SECONDS_MAX = 10
"""An input that takes longer of a processor is a finding; the slowest takes a tenth of it."""


def main(target: str, folder: Path, options: list[str]) -> None:
    """Write the seeds to the folder of kept inputs, then fuzz until libFuzzer ends the process."""
    with atheris.instrument_imports(include=READERS):
        from .seeds import seeds
        from .targets import TARGETS
    for seed in seeds(target):
        (folder / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)
    atheris.Setup([sys.argv[0], str(folder), *options], within_time(TARGETS[target]))
    atheris.Fuzz()


def within_time(read: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return a target that breaks on an input that takes too long of a processor, however busy the machine is."""

    def read_within_time(data: bytes) -> None:
        started = time.process_time()
        read(data)
        assert time.process_time() - started < SECONDS_MAX

    return read_within_time


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
