"""Reads uploaded access logs: what is known between two chunks is stored, so that another worker can go on."""

import io
import logging
import secrets
import time
from collections.abc import Sequence

from django.db import connection

from designer.document.texts import N_, Text
from estimator.contexts import context_with, known_measurements
from estimator.models import AccessLog, LogReleasedError, Measured, ReplayedLog
from estimator.traces import ReplayError, ResumableReader, TraceFormError, hash_keys
from estimator.traces.events import KEY_READERS
from estimator.traces.forms import told_columns

from .worker import DATABASE_AWAY, LOG

CHECKPOINT_SECONDS = 2.0
CHECKPOINT_SHARE = 0.1
"""At most so much of the time is spent on that."""
LOG_BYTES_MAX = 64 << 20
"""Of what is compressed in an upload; the rest of a longer log is not read, which its page says."""
REPLAY_BYTES_MAX = 1 << 30
"""The same of a log that is replayed: some 20 million lines."""
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
    except (TraceFormError, ReplayError) as error:
        log.fail(Text(error.message, error.params))
    except (OSError, EOFError):
        log.fail(DAMAGED)
    except (LogReleasedError, *DATABASE_AWAY):
        raise
    except Exception:
        LOG.exception("access log %s failed", log.pk)
        log.record_failure()


def _read(log: AccessLog) -> None:
    data, plans = bytes(log.data or b""), log.plans()
    keys = next(form for form in KEY_READERS if form == log.keys)
    reader = log.stored_reader or ResumableReader(
        columns=told_columns(log.columns), keys=keys, bytes_max=REPLAY_BYTES_MAX if plans else LOG_BYTES_MAX,
        plans=[plan for _, plan in plans], summarises=not plans,
    )  # fmt: skip
    if plans:
        _replay(log, data, reader, [name for name, _ in plans])
        return
    _read_on(log, data, reader)
    summary = reader.summary()
    if not summary.events:
        log.fail(NO_REQUESTS)
        return
    log.finish(summary if log.keeps_keys else hash_keys(summary, secrets.token_bytes(32)))


def _replay(log: AccessLog, data: bytes, reader: ResumableReader, names: Sequence[Text]) -> None:
    """Read a log for samples of its requests, and once more to count all that are too many to be held."""
    Measured.refresh()
    context = context_with(known_measurements())
    if not reader.counting:
        _read_on(log, data, reader, end=0.4)
    if reader.needs_second_reading or reader.counting:
        reader.count_all(context)
        for whole_replay in reader.counting:
            whole_replay.first  # noqa: B018  # estimated between two beats
            log.beat(max(log.fraction, 0.5))
        _read_on(log, data, reader, begin=0.5, end=0.95)
    log.beat(0.95)
    replays = [replay.without_requests() for replay in reader.replays(context)]
    log.finish(ReplayedLog(tuple(zip(names, replays, strict=True)), reader.unread))


def _read_on(log: AccessLog, data: bytes, reader: ResumableReader, *, begin: float = 0.0, end: float = 1.0) -> None:
    """Read a log from where it was left; its progress goes from one fraction to another."""
    stream, pause = io.BytesIO(data), CHECKPOINT_SECONDS
    due = time.monotonic() + pause
    for _ in reader.read(stream):
        now = time.monotonic()
        is_due = reader.can_be_kept and now >= due
        share = min(stream.tell() / max(len(data), 1), 1.0)
        if not reader.counting:
            reader.unread.read_share = share
        log.beat(begin + (end - begin) * share, reader if is_due else None)
        if is_due:  # large ones are kept more seldom
            ended = time.monotonic()
            due = ended + max(pause, (ended - now) / CHECKPOINT_SHARE)
