"""The process that fuzzes one target: `python -m tests.fuzz.process TARGET FOLDER [libFuzzer's options]`."""

import hashlib
import sys
from pathlib import Path

import atheris

READERS = [
    "designer.application", "designer.document", "designer.editing", "designer.imports", "estimator.observations",
    "estimator.traces",
]  # fmt: skip
"""Packages whose branches guide the changes."""


def main(target: str, folder: Path, options: list[str]) -> None:
    """Write the seeds to the folder of kept inputs, then fuzz until libFuzzer ends the process."""
    with atheris.instrument_imports(include=READERS):
        from .seeds import seeds
        from .targets import TARGETS
    for seed in seeds(target):
        (folder / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)
    atheris.Setup([sys.argv[0], str(folder), *options], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
