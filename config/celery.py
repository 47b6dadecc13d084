"""The Celery app: it delivers jobs to workers. What a job is, and how far it got, is for the database to say."""

import os
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

if settings.REDIS_URL:
    options: dict[str, Any] = {
        "broker": settings.REDIS_URL,
        # A message of a worker that was killed comes again after so long; the sweeper has sent another by then.
        "broker_transport_options": {"visibility_timeout": 600, "socket_connect_timeout": 2, "socket_timeout": 20},
    }
else:  # a folder is the queue: nothing else has to run
    folder = settings.KEYWRIGHT_DATA / "queue"
    folders = {"data_folder_in": folder / "messages", "data_folder_out": folder / "messages"}
    for each in {folder, *folders.values()}:
        each.mkdir(parents=True, exist_ok=True)
    options = {
        "broker": "filesystem://",
        "broker_transport_options": {
            **{name: str(path) for name, path in folders.items()},
            "control_folder": folder / "control",
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
    **options,
)
app.autodiscover_tasks()
app.conf.beat_schedule = {"purge": {"task": "designer.tasks.purge", "schedule": 24 * 3600.0}}
