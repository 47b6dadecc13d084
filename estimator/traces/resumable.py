"""A log that is read chunk by chunk, by one process after the other: what is known between two chunks can be kept."""

from collections.abc import Iterator, Sequence
from typing import IO

from .events import KeyForm, UnreadLines
from .reading import ChunkReader
from .streams import first_form, log_chunks
from .summary import TraceReader, TraceSummary


class ResumableReader:
    """Adds up a log. A pickled copy, made between two chunks, goes on with the next one to the same result."""

    def __init__(self, *, columns: Sequence[str], keys: KeyForm, bytes_max: int) -> None:
        self._columns, self._keys, self._bytes_max = tuple(columns), keys, bytes_max
        self._unread = UnreadLines()
        self._events = TraceReader(self._unread)
        self._lines: ChunkReader | None = None
        self._chunks = 0
        """Read so far."""

    def read(self, stream: IO[bytes]) -> Iterator[None]:
        """Read the log from where it was left; yield after each chunk.

        Raises
        ------
        TraceFormError, OSError, EOFError
            As `read_log`.
        """
        for number, chunk in enumerate(log_chunks(stream, self._unread, bytes_max=self._bytes_max)):
            if number < self._chunks:
                continue
            if self._lines is None:
                self._lines = ChunkReader(first_form(chunk, columns=self._columns, keys=self._keys), self._unread)
            self._events.add(self._lines.read(chunk))
            self._chunks = number + 1
            yield

    def summary(self) -> TraceSummary:
        """Return what was read tells."""
        return self._events.summary()
