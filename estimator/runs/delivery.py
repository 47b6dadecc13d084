"""Tells workers that there is something to do. A message names nothing: who takes it asks the database what is next."""

import logging

from django.conf import settings
from django.utils.module_loading import import_string
from kombu.exceptions import ChannelError, OperationalError

LOG = logging.getLogger("keywright.jobs")
ONCE = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
"""Without a policy, connecting is tried for two seconds while a person waits."""
TASK = "estimator.tasks.work"


def send(count: int = 1) -> bool:
    """Put so many messages into the queue; False if it cannot be reached, which nothing is lost by."""
    try:
        app = import_string(settings.KEYWRIGHT_CELERY)  # makes the folder of the queue, where that is one
        for _ in range(count):
            # A message that no worker took expires: otherwise a queue without workers grows for ever. Nothing is lost
            # by it, since workers find runs in the database.
            app.send_task(
                TASK, retry=True, retry_policy=ONCE, ignore_result=True, expires=20 * settings.KEYWRIGHT_LEASE_SECONDS
            )
    except (OperationalError, ChannelError, OSError) as away:
        LOG.warning("The queue cannot be reached: %s", away)
        return False
    except Exception:
        # Clients of brokers raise errors of their own, too: that of Redis while its server still reads its data.
        LOG.exception("The queue cannot be reached")
        return False
    return True
