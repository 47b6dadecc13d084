"""Web processes of one server: parts of a design that several ask for are made in one of them, and kept in all.

Each process listens in a folder that they share. Which of them makes the parts of a design follows from their names, so
an estimate is computed once for all; where that one does not answer, each makes its own.
"""

import contextlib
import hashlib
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from designer.management.private_folders import is_private_folder

FOLDER = "KEYWRIGHT_PEERS"
"""Variable with the folder of the processes of this server, which the first of them makes."""
LOOK_SECONDS = 1.0
"""Pause between two looks at which processes there are."""
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class SharedAnswer:
    """An answer that several people get until a moment of the machine's clock."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    sequence: int = 0
    until: float = 0.0
    seconds: float = 0.0
    """How long it took to make."""


@dataclass(frozen=True)
class PeerQuestion:
    """A request of somebody who was admitted, and the sequence number that is known of the design."""

    environ: dict[str, str]
    admission: Any
    sequence: int


@dataclass(frozen=True)
class AdmissionQuestion:
    """A session, a design and preferences of which another process may know that they are admitted."""

    session: str
    design: str
    preferences: tuple[str, ...]


class Peers:
    """The other processes, and what this one answers them."""

    def __init__(self, folder: str, answer: Callable[[Any], Any], pid: int | None = None) -> None:
        self.folder, self.answer = Path(folder), answer
        self.own = f"{pid or os.getpid()}.sock"
        self._names: tuple[str, ...] = ()
        self._due = 0.0
        self._idle: dict[tuple[str, type], list[Connection]] = {}
        """Connections to the others on which nobody waits, by kind of question: as many as were ever asked at a time.

        Each has a thread in the other process, and with it a connection to the database where answers are made: what
        needs none may be asked by many at a time, and has connections of its own.
        """

    def start(self) -> None:
        """Listen from now on, until the process ends: its socket goes with it.

        Raises
        ------
        OSError
            If the folder is not only this user's, or the socket cannot be made.
        """
        # What comes in by these sockets is unpickled, which runs whatever another user of the machine would send.
        if not is_private_folder(self.folder):
            raise PermissionError(f"{self.folder} is not a folder of this user alone")
        listener = Listener(str(self.folder / self.own), "AF_UNIX", backlog=64)
        threading.Thread(target=self._accept, args=(listener,), daemon=True, name="peers").start()

    def owner(self, design: str) -> str:
        """Return the name of the process that makes the parts of a design; "" for this one."""
        names = self._present() or (self.own,)
        # Rendezvous hashing: every process comes to the same choice without agreeing, and when one ends, only its own
        # designs move.
        chosen = max(names, key=lambda name: hashlib.blake2b(f"{name} {design}".encode()).digest())
        return "" if chosen == self.own else chosen

    def others(self) -> tuple[str, ...]:
        """Return the names of the other processes."""
        return tuple(name for name in self._present() if name != self.own)

    def _present(self) -> tuple[str, ...]:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + LOOK_SECONDS
            # in its place another user may have put a folder once what tidies up temporary files has removed ours
            trusted = self.folder.glob("*.sock") if is_private_folder(self.folder) else ()
            self._names = tuple(sorted(path.name for path in trusted))
        return self._names

    def ask(self, name: str, question: Any, patience_seconds: float = PATIENCE_SECONDS) -> Any:
        """Return the answer of another process; None if it does not answer."""
        idle = self._idle.setdefault((name, type(question)), [])
        line: Connection | None = None
        try:
            # `pop` and `append` of a list are atomic: no two threads get the same connection.
            with contextlib.suppress(IndexError):
                line = idle.pop()
            if line is None:
                line = Client(str(self.folder / name), "AF_UNIX")
            line.send(question)
            if line.poll(patience_seconds):
                answer = line.recv()
                idle.append(line)
                return answer
        except (OSError, EOFError):
            self._forget(name)
        # After a question without an answer, the connection is closed: the late answer would be taken for that to the
        # next question.
        if line is not None:
            with contextlib.suppress(OSError):
                line.close()
        return None

    def _forget(self, name: str) -> None:
        """Ask a process no more that has ended without a word."""
        self._names = tuple(other for other in self._names if other != name)
        # Taken out one by one, as `ask` does: a line that another thread has taken is not closed under it.
        for kind in [kind for kind in list(self._idle) if kind[0] == name]:
            idle = self._idle.pop(kind, [])
            while idle:
                with contextlib.suppress(IndexError, OSError):
                    idle.pop().close()
        try:
            # A socket's file stays when its process is killed. It goes only if the process is really gone, not merely
            # slow.
            os.kill(int(name.removesuffix(".sock")), 0)
        except ProcessLookupError:
            (self.folder / name).unlink(missing_ok=True)
        except (OSError, ValueError):
            return

    # --- asked by the others ---

    def _accept(self, listener: Listener) -> None:
        while True:
            try:
                line = listener.accept()
            except OSError:
                continue
            threading.Thread(target=self._serve, args=(line,), daemon=True, name="peer").start()

    def _serve(self, line: Connection) -> None:
        with contextlib.suppress(OSError, EOFError), line:
            while True:
                question = line.recv()
                try:
                    # An error is told as None: the process that asks then makes the part itself, and its own log has
                    # the traceback if that fails, too.
                    answer = self.answer(question)
                except Exception:
                    answer = None
                line.send(answer)
