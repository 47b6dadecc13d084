"""`keywright try DESIGN`: the design on a real engine, with sample rows."""

import contextlib
import datetime
import functools
import os
import signal
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

from designer.document import fingerprint
from designer.document.load import load
from designer.management.base import CommandError
from designer.wording.printable import printable
from estimator.estimates.estimate import estimate
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE, FileCommand, file_context
from reviews.management.bigtable_engine import BigtableEngine
from reviews.management.engine_addresses import host_and_port
from reviews.management.tablestore_engine import Credentials, TablestoreEngine
from reviews.management.trial_text import trial_lines
from reviews.trials import (
    ROWS,
    ROWS_MAX,
    EngineUnreachableError,
    TrialEngine,
    TrialPlan,
    TrialResult,
    describe_plan,
    plan_trial,
    run_trial,
)
from reviews.trials.reports import as_json

SECONDS = 300


class Command(FileCommand):
    """Makes the design's tables under names of their own, writes, reads and deletes them again."""

    help = (
        "Try a design on an engine: make its tables as exports define them, write sample rows, run every read with its "
        "row ranges and filters, say what differs, and delete the tables. Exit code: 0 no difference, 1 differences, "
        "2 unusable input or no answer from the engine, 3 an engine that stops answering on the way, or a table that "
        "could not be deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where it is tried, and how much is written."""
        super().add_arguments(parser)
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--emulator", metavar="HOST:PORT", type=host_and_port, help="a running Bigtable emulator")
        where.add_argument(
            "--yes-write-to",
            metavar="INSTANCE",
            help="a real instance, with this machine's credentials: tables kwtry… are made there and deleted again; "
            "of Bigtable PROJECT/INSTANCE",
        )
        where.add_argument(
            "--plan",
            action="store_true",
            help="print the tables, rows and reads of the trial without connecting to an engine",
        )
        parser.add_argument(
            "--endpoint",
            metavar="URL",
            type=endpoint_url,
            help="where Tablestore's instance answers, with --yes-write-to",
        )
        parser.add_argument(
            "--rows", metavar="N", type=row_count, default=ROWS, help=f"sample rows of each row kind (default: {ROWS})"
        )
        parser.add_argument(
            "--seconds", metavar="S", type=float, default=SECONDS, help=f"when to stop (default: after {SECONDS} s)"
        )

    def handle(self, *, file: str, **options: Any) -> None:
        """Print the result."""
        context = file_context()
        text, spec = self.read(file, today=context.today)
        open_engine = None if options["plan"] else OPENERS[spec.engine](options)
        plan = plan_trial(spec, estimate(spec, context), rows=options["rows"])
        # The hash of the document as a site stores it, by which the result is matched when it is uploaded.
        as_stored = load(text.encode(), name="" if file == "-" else file)  # without a start date of today
        result = replace(describe_plan(plan, design=file, rows=options["rows"]), sha256=fingerprint(as_stored))
        if open_engine is not None:
            result = self._run(plan, result, open_engine, options)
        self.stdout.write(as_json(result) if options["json"] else "\n".join(trial_lines(spec, result)))
        is_left = any(finding.kind == "left" for finding in result.findings)
        raise SystemExit(FAILED if is_left else FOUND if result.findings else USABLE)

    def _run(
        self, plan: TrialPlan, result: TrialResult, open_engine: "EngineOpener", options: dict[str, Any]
    ) -> TrialResult:
        now, ends = datetime.datetime.now(datetime.UTC), time.monotonic() + options["seconds"]
        target = options["emulator"] or " ".join(filter(None, (options["endpoint"], options["yes_write_to"])))
        dated_result = replace(result, target=target, date=now.date().isoformat())
        try:
            engine = open_engine(int(now.timestamp() * 1_000_000))
            # Before anything is made: an address without an answer is unusable input (2), one that stops later is a
            # failure (3).
            engine.reach()
        except EngineUnreachableError as error:
            message = f"{target} does not answer, or not to us: {error}"
            raise CommandError(printable(message), returncode=UNUSABLE) from error
        try:
            with _ends_in_order() as raise_if_stopped:
                return run_trial(
                    plan, engine, dated_result, has_time=lambda: raise_if_stopped() or time.monotonic() < ends
                )
        except EngineUnreachableError as error:
            message = "; ".join([f"{target} answers no more: {error}", *_notes(error)])
            raise CommandError(printable(message), returncode=FAILED) from error
        except BaseException as error:
            # Ctrl-C, too, must tell which tables may be left, because they cost money.
            for note in _notes(error):
                self.stderr.write(printable(note))
            raise


def _notes(error: BaseException) -> list[str]:
    """Return which tables may be left."""
    return getattr(error, "__notes__", [])


EngineOpener = Callable[[int], TrialEngine]
"""Returns an engine for a trial that begins at a time in microseconds."""
KEYS = (
    ("OTS_ACCESS_KEY_ID", "OTS_ACCESS_KEY_SECRET"),
    ("OTS_AK_ENV", "OTS_SK_ENV"),
    ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"),
)
"""Variables of an access key: of the program that is exported, of Tablestore's pages and of Alibaba's other clients.

Source: "Initialize an OTSClient instance" and "Configure environment variables" (read 2026-11-27).
"""
TOKEN = "ALIBABA_CLOUD_SECURITY_TOKEN"
"""Variable of a temporary key's token."""


def _open_bigtable(options: Mapping[str, Any]) -> EngineOpener:
    if options["endpoint"]:
        raise CommandError("--endpoint is of Tablestore, and this design is for Bigtable", returncode=UNUSABLE)
    if options["emulator"]:
        return functools.partial(BigtableEngine.at_emulator, options["emulator"])
    project, slash, instance = options["yes_write_to"].partition("/")
    if not (project and slash and instance) or "/" in instance:
        raise CommandError("--yes-write-to needs PROJECT/INSTANCE", returncode=UNUSABLE)
    return functools.partial(BigtableEngine.at_instance, project, instance)


def _open_tablestore(options: Mapping[str, Any]) -> EngineOpener:
    endpoint, instance = options["endpoint"], options["yes_write_to"]
    if not (endpoint and instance) or "/" in instance:
        message = "a design for Tablestore is tried with --endpoint URL --yes-write-to INSTANCE"
        raise CommandError(message, returncode=UNUSABLE)
    for names in KEYS:
        key_id, secret = (os.environ.get(name) for name in names)
        if key_id and secret:
            credentials = Credentials(key_id, secret, os.environ.get(TOKEN))
            return functools.partial(TablestoreEngine.at_endpoint, endpoint, instance, credentials)
    pairs = ", or ".join(f"{names[0]} and {names[1]}" for names in KEYS)
    raise CommandError(f"an access key is needed in the environment: {pairs}", returncode=UNUSABLE)


OPENERS: Mapping[str, Callable[[Mapping[str, Any]], EngineOpener]] = {
    "bigtable": _open_bigtable, "tablestore": _open_tablestore,
}  # fmt: skip
"""By the engine of the design."""


@contextlib.contextmanager
def _ends_in_order() -> Iterator[Callable[[], None]]:
    """Have the first signal to end start the deletion of tables, and no further one stop it.

    What this yields raises once more after a signal: a callback of the client may have caught the first exception.
    """
    stopped: list[int] = []
    kinds = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]

    def stop(number: int, _: FrameType | None) -> None:
        for kind in kinds:
            # A second Ctrl-C would break off the deletion of tables, and leave them on an instance that is paid for.
            signal.signal(kind, signal.SIG_IGN)
        stopped.append(number)
        raise KeyboardInterrupt

    def raise_if_stopped() -> None:
        if stopped:
            raise KeyboardInterrupt

    before = {kind: signal.signal(kind, stop) for kind in kinds}
    try:
        yield raise_if_stopped
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def endpoint_url(text: str) -> str:
    """Return the address of an instance."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
        raise ArgumentTypeError("must be an address as https://INSTANCE.REGION.ots.aliyuncs.com")
    return text


def row_count(text: str) -> int:
    """Return a number of rows."""
    if not text.isdecimal() or not 1 <= int(text) <= ROWS_MAX:
        raise ArgumentTypeError(f"must be a number from 1 to {ROWS_MAX}")
    return int(text)
