"""Writing a backup: the rows of one moment, whole or not at all."""

import gzip
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from django.utils import timezone

from designer.http.version import VERSION

from .file_format import FORMAT, NAME, backed_up_models, plain_row


def backup(target: Path | IO[bytes]) -> dict[str, int]:
    """Write everything into a file, which appears when it is whole, or into a stream; the rows of each model."""
    if not isinstance(target, Path):
        return _write_stream(target)
    handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # readable by its owner alone
    try:
        with os.fdopen(handle, "wb") as file:
            counts = _write_stream(file)
            # The bytes have to be on disk before the file takes the name: after a power failure, an empty file could
            # otherwise stand in the place of the earlier backup.
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException:
        # Ctrl-C leaves no partial file behind either.
        Path(part).unlink(missing_ok=True)
        raise
    return counts


def _write_stream(out: IO[bytes]) -> dict[str, int]:
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=0, filename="") as file, _snapshot():
        counts = {label: model._base_manager.count() for label, model in backed_up_models().items()}
        moment = timezone.now().isoformat(timespec="seconds")
        manifest = {NAME: FORMAT, "version": VERSION, "made": moment, "database": connection.vendor, "counts": counts}
        for line in (manifest, *_rows(), {"end": sum(counts.values())}):
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return counts


def _rows() -> Iterator[dict[str, Any]]:
    for label, model in backed_up_models().items():
        # `_base_manager`, because a default manager may hide rows. The order lets equal contents give equal lines.
        for row in model._base_manager.order_by("pk").iterator(chunk_size=500):
            yield {"model": label, "fields": plain_row(row)}


@contextmanager
def _snapshot() -> Iterator[None]:
    """Run the block on one snapshot of the database, without blocking writers."""
    # The caller's transaction has a snapshot of its own; another BEGIN inside it would fail.
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            # PostgreSQL's default, READ COMMITTED, gives each query a snapshot of its own, so that a revision could be
            # saved between the counts and the rows.
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            # The site's transactions are IMMEDIATE (decision 1) and would keep all writers waiting. In WAL mode, a
            # deferred one that only reads sees one moment and blocks nobody.
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                # Nothing was written, so there is nothing to commit.
                cursor.execute("ROLLBACK")
