"""Methods of dataclasses that an earlier start compiled, from a file of the person's cache.

`dataclasses` writes each method as a text and compiles it, again at each start: a quarter of the time of a lint.
Python keeps bytecode of modules alone, not of such texts.
"""

import atexit
import dataclasses
import hashlib
import importlib.util
import marshal
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

MOST_TEXTS = 20_000
"""All commands together have a sixth of that; beyond it are texts of earlier versions, and only those in use stay."""
DIGEST_BYTES = hashlib.sha256().digest_size


class CompiledMethods:
    """Code by its text; a text that is not there yet is compiled, and written to the file at the end."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.compiled_count = 0
        """Texts that were not in the file."""
        # Bytecode belongs to a version of Python, and to how far it optimizes.
        self._head = importlib.util.MAGIC_NUMBER + bytes([sys.flags.optimize])
        self._codes = self._read()
        self._used: dict[str, CodeType] = {}

    def execute(self, text: str, globals_: dict[str, Any] | None, locals_: dict[str, Any]) -> None:
        """Run a text as `exec` does."""
        code = self._codes.get(text)
        if code is None:
            code = compile(text, "<string>", "exec", dont_inherit=True)
            self.compiled_count += 1
        self._used[text] = code
        exec(code, globals_, locals_)

    def save(self) -> None:
        """Write what was compiled beside what is there; a folder that cannot be written to keeps nothing."""
        if not self.compiled_count or sys.dont_write_bytecode:
            return
        codes = self._used if len(self._codes) + self.compiled_count > MOST_TEXTS else self._codes | self._used
        payload = marshal.dumps(codes)
        beside = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # For its owner alone, as whoever writes it decides what runs; renamed, so that no reader meets a half.
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(self._head + hashlib.sha256(payload).digest() + payload)
            beside.replace(self.file)
        except OSError:  # a full disk leaves nothing half written
            with suppress(OSError):
                beside.unlink()

    def _read(self) -> dict[str, CodeType]:
        """Return the codes of the file; none where it is of another Python, damaged, or another person's to write."""
        try:
            with self.file.open("rb") as stream:
                if not _is_own(os.fstat(stream.fileno())):
                    return {}
                content = stream.read()
        except OSError:
            return {}
        start = len(self._head) + DIGEST_BYTES
        payload = memoryview(content)[start:]
        if content[:start] != self._head + hashlib.sha256(payload).digest():
            return {}
        codes: dict[str, CodeType] = marshal.loads(payload)  # trusted as Python trusts its own bytecode
        return codes


def _is_own(status: os.stat_result) -> bool:
    """Return whether a file is this person's, and nobody else's to write; where a system has no such owners, it is."""
    return not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def reuse_compiled_methods(folder: Path) -> CompiledMethods:
    """Have `dataclasses` take code from a file of the folder from now on, and write what is new at the end."""
    methods = CompiledMethods(folder / f"methods.{sys.implementation.cache_tag}")
    # A name of the module comes before the builtin one. Where a Python compiles methods otherwise, it is not asked for.
    vars(dataclasses)["exec"] = methods.execute
    atexit.register(methods.save)
    return methods
