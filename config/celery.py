"""The Celery app: it delivers jobs to workers. What a job is, and how far it got, is for the database to say."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings

app = Celery(
    "keywright",
    broker=settings.REDIS_URL,
    broker_connection_retry_on_startup=True,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=1,
)
app.autodiscover_tasks()
app.conf.beat_schedule = {"purge": {"task": "designer.tasks.purge", "schedule": 24 * 3600.0}}
