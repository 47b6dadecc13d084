"""The app that sends to the queue of the processes that tests start."""

import os
from functools import cache
from pathlib import Path

from celery import Celery

from config.celery import queue_settings


@cache
def _app(where: str) -> Celery:
    redis = where if where.startswith("redis:") else ""
    return Celery("tests", **queue_settings(redis, Path(where, "queue")), set_as_current=False)


class _Sender:
    def send_task(self, *arguments: object, **options: object) -> None:
        _app(os.environ["KEYWRIGHT_TEST_QUEUE"]).send_task(*arguments, **options)


app = _Sender()
