"""The Celery worker that Compose starts."""

import pytest
from celery.contrib.testing.worker import start_worker

from config.celery import app


def test_a_worker_starts_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "broker_transport_options", {"polling_interval": 0.02})
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=5):
        answers = app.control.ping(timeout=2, limit=1)
        app.control.shutdown()  # sooner than waiting for the end of its poll

    assert [answer for reply in answers for answer in reply.values()] == [{"ok": "pong"}]
