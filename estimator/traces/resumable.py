"""Logs that are read chunk by chunk, by one process after the other: what is known between two chunks can be kept."""

import pickle
from collections.abc import Iterator, Sequence
from typing import IO, Any

from estimator.estimates.context import Context

from .arrow import read_parquet
from .blocks import EventBlock
from .events import KeyForm, UnreadLines
from .reading import ChunkReader
from .replays.replay_plan import ReplayedDesign, ReplayPlan
from .replays.whole_log import WholeReplay
from .streams import begins_as_parquet, buffered_log, first_form, log_chunks
from .summary import TraceReader, TraceSummary


class ResumableReader:
    """Adds up logs, one after the other. A copy that was pickled between two chunks goes on to the same result."""

    def __init__(
        self, *, columns: Sequence[str], keys: KeyForm, bytes_max: int | None = None, plans: Sequence[ReplayPlan] = (),
        summarises: bool = True,
    ) -> None:  # fmt: skip
        self._columns, self._keys, self._bytes_max = tuple(columns), keys, bytes_max
        self.plans = tuple(plans)
        """Replays of the same requests."""
        self.counting: tuple[WholeReplay, ...] = ()
        """Replays of all requests, for which the logs are read once more."""
        self.unread = UnreadLines()
        self._again = UnreadLines()
        """The same of a second reading."""
        self._summarises = summarises
        self.logs = 0
        """Read to their ends."""
        self.can_be_kept = True
        """False within a Parquet file, which is read from its beginning or not at all."""
        self._events = TraceReader(self.unread)
        self._lines: ChunkReader | None = None
        self._chunks = 0
        """Read so far of the present log."""

    @property
    def needs_second_reading(self) -> bool:
        """True if the requests of a replay are a sample so far, because they are too many to be held."""
        return not self.counting and any(plan.is_sampled for plan in self.plans)

    def count_all(self, context: Context) -> None:
        """Let the logs be read once more from the first on, or go on with that, to count all requests."""
        if not self.counting:
            self.counting = tuple(map(WholeReplay, self.plans))
            self.logs, self._lines, self._chunks = 0, None, 0
        for whole_replay in self.counting:
            whole_replay.context = context

    def replays(self, context: Context) -> list[ReplayedDesign]:
        """Return the replays: of all requests, if these are counted, else of samples of those that are too many.

        Raises
        ------
        ReplayError
            As `ReplayPlan.result`.
        """
        return [replay.result(context) for replay in self.counting or self.plans]

    def read(self, stream: IO[bytes]) -> Iterator[None]:
        """Read a log from where it was left; yield after each chunk.

        Raises
        ------
        TraceFormError, OSError, EOFError
            As `read_log`.
        """
        log, unread = buffered_log(stream), self._again if self.counting else self.unread
        if begins_as_parquet(log):
            self.can_be_kept = False
            blocks = read_parquet(
                log, unread, columns=self._columns, keys=self._keys, bytes_max=self._bytes_max
            )  # fmt: skip
            for events in blocks:
                self._add(events)
                yield
        else:
            yield from self._read_lines(log, unread)
        self.logs, self._lines, self._chunks, self.can_be_kept = self.logs + 1, None, 0, True

    def _read_lines(self, log: IO[bytes], unread: UnreadLines) -> Iterator[None]:
        for number, chunk in enumerate(log_chunks(log, unread, bytes_max=self._bytes_max)):
            # Chunks are cut alike in each reading of the same file, so those that were read before are passed over.
            if number < self._chunks:
                continue
            if self._lines is None:
                self._lines = ChunkReader(first_form(chunk, columns=self._columns, keys=self._keys), unread)
            self._add(self._lines.read(chunk))
            self._chunks = number + 1
            yield

    def _add(self, events: EventBlock) -> None:
        for counting in self.counting:
            counting.add(events)
        if self.counting:
            return
        if self._summarises:
            self._events.add(events)
        for plan in self.plans:
            plan.add(events)

    def summary(self) -> TraceSummary:
        """Return what was read tells."""
        return self._events.summary()


# --- kept in a file ---

_PACKAGES = ("designer.document.", "designer.imports.", "estimator.traces.")
_OTHERS = frozenset(
    (
        ("collections", "Counter"),
        ("re", "_compile"),
        *(("numpy", name) for name in ("dtype", "ndarray")),
        *(("numpy._core.multiarray", name) for name in ("_reconstruct", "scalar")),
        ("numpy._core.numeric", "_frombuffer"),
        *(("numpy.random._pickle", name) for name in ("__bit_generator_ctor", "__generator_ctor")),
        *(("numpy.random._pcg64", name) for name in ("PCG64", "__pyx_unpickle_PCG64")),
        ("numpy.random.bit_generator", "__pyx_unpickle_SeedSequence"),
        ("numpy.random.bit_generator", "SeedSequence"),
    )
)
"""What a reader consists of, beside classes of our own: nothing of it runs a program."""


class _ReaderUnpickler(pickle.Unpickler):
    """Reads what `dump_reader` wrote, and refuses whatever is not part of a reader."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _OTHERS:
            return super().find_class(module, name)
        # Only classes: a function of these packages could be called with chosen arguments while the file is loaded.
        if module.startswith(_PACKAGES) and isinstance(candidate := super().find_class(module, name), type):
            return candidate
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a reader")


def dump_reader(reader: ResumableReader, file: IO[bytes]) -> None:
    """Write a reader between two chunks."""
    pickle.Pickler(file, pickle.HIGHEST_PROTOCOL).dump(reader)


def load_reader(file: IO[bytes]) -> ResumableReader | None:
    """Return the reader that was written; None for anything else, which runs nothing."""
    try:
        reader = _ReaderUnpickler(file).load()
    except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, TypeError, ValueError):
        return None
    return reader if isinstance(reader, ResumableReader) else None
