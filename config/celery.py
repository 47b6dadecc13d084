"""The Celery app: it delivers jobs to workers. What a job is and how far it got is the database's to say."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("keywright")
app.config_from_object({"broker_connection_retry_on_startup": True, "task_ignore_result": True})
