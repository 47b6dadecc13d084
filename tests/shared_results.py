"""What takes long to compute is computed by one process of the tests: the others read it from pytest's cache folder.

A file is named by the program, the pinned requirements and all that the result depends on, so nothing outdated is read.
`pytest --cache-clear` empties the folder.
"""

import hashlib
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any

from designer.memory import Cache
from estimator.advice.questions.assumed_range import ASSUMED_RANGES
from estimator.estimates.estimate import PARTS
from estimator.estimates.fits import FITS
from estimator.estimates.what_if import WHAT_IFS

KINDS = (PARTS, WHAT_IFS, FITS, ASSUMED_RANGES)
"""Results that other processes get from each other as they are, on a team's site too."""
LEAST_SECONDS = 0.02
"""What takes less is computed again: reading takes some of it."""
MAX_BYTES = 512 << 20

_root = Path(__file__).resolve().parent.parent


class Store:
    """The results of this very program in a folder; those of other programs are dropped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / program_hash()
        for other in set(folder.iterdir()) - {self.folder}:
            shutil.rmtree(other, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        self.left_bytes = MAX_BYTES - sum(file.stat().st_size for file in self.folder.iterdir() if not file.suffix)

    def share(self, cache: Cache) -> Cache:
        """Have a cache look here for what it lacks; return it."""
        get = cache.get

        def get_or_read(kind: str, key: Hashable, compute: Callable[[], Any]) -> Any:
            return get(kind, key, compute if kind not in KINDS else lambda: self.read_or_compute(kind, key, compute))

        cache.get = get_or_read
        return cache

    def read_or_compute(self, kind: str, key: Hashable, compute: Callable[[], Any]) -> Any:
        file = self.folder / hashlib.sha256(repr((kind, key)).encode()).hexdigest()
        with suppress(FileNotFoundError):
            return pickle.loads(file.read_bytes())
        started = time.thread_time()
        value = compute()
        if time.thread_time() - started >= LEAST_SECONDS and self.left_bytes > 0:
            self._write(file, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
        return value

    def _write(self, file: Path, content: bytes) -> None:
        self.left_bytes -= len(content)
        unfinished = file.with_suffix(f".{os.getpid()}")
        with suppress(FileNotFoundError):  # tests of a changed program, which run meanwhile, dropped the folder
            unfinished.write_bytes(content)
            unfinished.replace(file)


def program_hash() -> str:
    """Return a hash of the Python, the packages and the files that results are computed with."""
    made = hashlib.sha256(sys.version.encode())
    files = [_root / "requirements-dev.txt"]
    for package in ("designer", "estimator"):
        files += sorted(path for path in (_root / package).rglob("*") if path.suffix in (".py", ".json", ".yaml"))
    for file in files:
        made.update(f"{file.relative_to(_root)}\0".encode())
        made.update(file.read_bytes())
    return made.hexdigest()
