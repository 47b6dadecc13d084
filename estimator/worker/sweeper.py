"""Picks up what was left lying. Every worker sweeps: nothing else has to run for that, and two who sweep do no harm."""

import logging
import math
import threading
import time
from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.db import Error, connection
from django.db.models import Q
from django.utils import timezone

from estimator.models import AccessLog, Run, Step, Worker
from estimator.models.steps import lease
from estimator.runs import delivery

DAY_SECONDS = 24 * 3600
LOG = logging.getLogger("keywright.jobs")


def sweep() -> None:
    """Take back what nobody was heard of, end what takes too long, and tell workers of what waits."""
    Step.objects.take_back()
    Run.objects.end_overdue()
    AccessLog.objects.take_back()
    resend_messages()


def resend_messages() -> int:
    """Tell workers again of steps that nobody took, once a lease; how many messages."""
    now = timezone.now()
    waiting = Step.objects.filter(state="queued")
    never = list(waiting.filter(sent=None).values_list("pk", flat=True)[:500])
    lately = Q(sent__range=(now - lease(), now + lease()))
    again = list(waiting.exclude(lately).exclude(sent=None).values_list("pk", flat=True)[:500])
    if not never and not again:
        return 0
    count = min(len(never) + len(again), max(Worker.objects.slots(), 1))
    if not delivery.send(count):
        return 0
    Step.objects.mark_notified([*never, *again])
    return count


def send_events() -> None:
    """Send the events that are due to webhooks, for one round."""
    try:
        call_command("deliver_webhooks", verbosity=0, stdout=StringIO())
    except Error as away:
        LOG.warning("the database cannot be reached: %s", away)
    finally:
        connection.close()


class Sweeper(threading.Thread):
    """Sweeps and says that this worker is there, as long as the worker lives."""

    def __init__(self, name: str, slots: int) -> None:
        super().__init__(name="sweeper", daemon=True)
        self._worker, self._slots = name, slots
        self._over = threading.Event()
        self._sender: threading.Thread | None = None

    def run(self) -> None:
        """Until the worker stops."""
        every, purged, anew = settings.KEYWRIGHT_LEASE_SECONDS / 3, -math.inf, True
        while True:
            try:
                Worker.objects.register(self._worker, self._slots, anew=anew)
                anew = False
                sweep()
                if settings.TEAM and time.monotonic() > purged + DAY_SECONDS:  # `serve` does it by itself
                    call_command("purge", daily=True, verbosity=0, stdout=StringIO())
                    purged = time.monotonic()
                if settings.TEAM and settings.EMAIL_HOST:
                    call_command("deliver_mail", verbosity=0, stdout=StringIO())
                if settings.TEAM:
                    self._start_sender()
            except Error as away:
                LOG.warning("the database cannot be reached: %s", away)
                connection.close()
            except Exception:
                # Without this thread nobody hears of the worker again, although it works: a broker that is just
                # starting can answer with errors that no library names.
                LOG.exception("a sweep failed")
                connection.close()
            if self._over.wait(every):
                return

    def _start_sender(self) -> None:
        """Send events beside this: receivers that do not answer must not keep the worker from being heard of."""
        if self._sender is None or not self._sender.is_alive():
            self._sender = threading.Thread(target=send_events, name="webhooks", daemon=True)
            self._sender.start()

    def stop(self) -> None:
        """Stop the worker: it takes no more steps and releases those it holds at once."""
        self._over.set()
        try:
            Worker.objects.filter(name=self._worker).update(stopping=True)
            Step.objects.release(self._worker)
            delivery.send()  # for somebody else
        except Error as away:
            LOG.warning("the database cannot be reached: %s", away)
        finally:
            connection.close()
