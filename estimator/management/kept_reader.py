"""A reader of access logs in a file: what a long call knows now and then, for a later one that goes on from it."""

import hashlib
import os
import time
from pathlib import Path

from designer.management.base import CommandError
from estimator.traces import ResumableReader, dump_reader, load_reader

from .commandline import UNUSABLE

FIRST_SECONDS = 1.0
"""After so long a reader is kept for the first time, then each time after twice as long."""
SECONDS = 30.0
"""So often a reader is kept at last."""
SHARE = 0.05
"""At most so much of the time is spent on that."""
HEAD = b"keywright trace\n"


class KeptReader:
    """The reader of one call of `trace`, in a file for its owner alone; without a path, none is kept."""

    def __init__(self, path: Path | None, identity: str) -> None:
        self._path = path
        # The hash of everything that the state depends on: a state of another command is refused, not mixed in.
        self._head = HEAD + hashlib.sha256(identity.encode()).hexdigest().encode() + b"\n"
        self._pause_seconds = FIRST_SECONDS
        self._next = time.monotonic() + FIRST_SECONDS

    def load(self) -> ResumableReader | None:
        """Return the reader of an earlier call; None if there is none.

        Raises
        ------
        CommandError
            If the file is of another call.
        """
        if self._path is None or not self._path.exists():
            return None
        try:
            with self._path.open("rb") as file:
                # The head is compared before anything of the content is read.
                reader = load_reader(file) if file.read(len(self._head)) == self._head else None
        except OSError as error:
            raise CommandError(f"{self._path}: {error.strerror}", returncode=UNUSABLE) from error
        if reader is None:
            words = "is not of this call and version, or damaged: remove it to begin again"
            raise CommandError(f"{self._path} {words}", returncode=UNUSABLE)
        return reader

    def keep(self, reader: ResumableReader, *, now: bool = False) -> None:
        """Write the reader, if it is time to or `now`."""
        begun = time.monotonic()
        if self._path is None or not reader.can_be_kept or not (now or begun >= self._next):
            return
        # Written beside and then renamed: a computer that stops while writing leaves the earlier state whole.
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            # The state holds keys of the log, so nobody else may read it from the first byte on.
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(self._head)
                dump_reader(reader, file)
            beside.replace(self._path)
        except OSError as error:
            raise CommandError(f"{self._path}: {error.strerror}", returncode=UNUSABLE) from error
        ended = time.monotonic()
        self._pause_seconds = min(2 * self._pause_seconds, SECONDS)
        # A state of a large log can take seconds to write: the pause grows with it, so that reading stays most of the
        # work.
        self._next = ended + max(self._pause_seconds, (ended - begun) / SHARE)

    def drop(self) -> None:
        """Delete the file: its call is done."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
