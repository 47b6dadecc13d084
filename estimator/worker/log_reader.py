"""Reads uploaded access logs: what is known between two chunks is stored, so that another worker can go on."""

import io
import logging
import secrets
import time

from django.db import connection

from designer.document.texts import N_, Text
from estimator.models import AccessLog, LogReleasedError
from estimator.traces import ResumableReader, TraceFormError, hash_keys
from estimator.traces.events import KEY_READERS
from estimator.traces.forms import told_columns

from .worker import DATABASE_AWAY, LOG

CHECKPOINT_SECONDS = 2.0
LOG_BYTES_MAX = 64 << 20
"""Of what is compressed in an upload; the rest of a longer log is not read, which its page says."""
DAMAGED, NO_REQUESTS = Text(N_("the file is damaged or cut off")), Text(N_("no line contains a request"))


def read_next_log(only: AccessLog | None = None) -> bool:
    """Read the log that waits longest, or this one; False if none waits."""
    log = AccessLog.objects.claim(only)
    if log is None:
        return False
    try:
        _read_held(log)
    except LogReleasedError:
        logging.getLogger(LOG.name).info("access log %s was stopped, or another worker has it", log.pk)
    except DATABASE_AWAY:
        LOG.exception("access log %s was let go", log.pk)  # its lease ends, another takes it
        connection.close()
    return True


def _read_held(log: AccessLog) -> None:
    try:
        _read(log)
    except TraceFormError as error:
        log.fail(Text(error.message, error.params))
    except (OSError, EOFError):
        log.fail(DAMAGED)
    except (LogReleasedError, *DATABASE_AWAY):
        raise
    except Exception:
        LOG.exception("access log %s failed", log.pk)
        log.record_failure()


def _read(log: AccessLog) -> None:
    data = bytes(log.data or b"")
    stream = io.BytesIO(data)
    keys = next(form for form in KEY_READERS if form == log.keys)
    reader = log.stored_reader or ResumableReader(columns=told_columns(log.columns), keys=keys, bytes_max=LOG_BYTES_MAX)
    stored = time.monotonic()
    for _ in reader.read(stream):
        is_due = reader.can_be_kept and time.monotonic() >= stored + CHECKPOINT_SECONDS
        reader.unread.read_share = min(stream.tell() / max(len(data), 1), 1.0)
        log.beat(reader.unread.read_share, reader if is_due else None)
        stored = time.monotonic() if is_due else stored
    summary = reader.summary()
    if not summary.events:
        log.fail(NO_REQUESTS)
        return
    log.finish(summary if log.keeps_keys else hash_keys(summary, secrets.token_bytes(32)))
