"""The Celery app: it delivers jobs to workers. What a job is, and how far it got, is for the database to say."""

import os
from pathlib import Path
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

from config.monitoring.observers import start_sentry


def queue_settings(redis_url: str, folder: Path) -> dict[str, Any]:
    """Return the settings of the message queue.

    Messages go to Redis or, without its address, into a folder; then no other service is needed.
    """
    if redis_url:
        # A message of a worker that was killed comes again after so long; the sweeper has sent another by then.
        # Without socket timeouts, a request that starts a run would wait for a Redis that accepts connections and does
        # not answer.
        options = {"visibility_timeout": 600, "socket_connect_timeout": 2, "socket_timeout": 20}
        return {"broker": redis_url, "broker_transport_options": options}
    messages = folder / "messages"
    messages.mkdir(parents=True, exist_ok=True)
    return {
        "broker": "filesystem://localhost/",
        "broker_transport_options": {
            "data_folder_in": str(messages),
            "data_folder_out": str(messages),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.2,  # the transport's own is a second, which is a message a second
        },
        "worker_enable_remote_control": False,  # or every start leaves a queue of its own behind
    }


app = Celery(
    "keywright",
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a broker that was away for long is found again
    broker_connection_timeout=2,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,  # with late acknowledgement: nothing waits behind a worker that is busy
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,  # a step goes on without the broker
    **queue_settings(settings.REDIS_URL, settings.KEYWRIGHT_DATA / "queue"),
)
app.autodiscover_tasks()


@signals.celeryd_init.connect  # type: ignore[untyped-decorator]
def _observe(**_: Any) -> None:
    start_sentry()
