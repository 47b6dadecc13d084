"""The Celery worker that Compose starts."""

import pytest
from celery.contrib.testing.worker import start_worker

from config.celery import app
from estimator.worker.sweeper import Sweeper


def test_a_worker_starts_and_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "broker_url", "memory://localhost/")
    monkeypatch.setitem(app.conf, "broker_transport_options", {"polling_interval": 0.02})
    monkeypatch.setitem(app.conf, "worker_enable_remote_control", True)
    monkeypatch.setattr(Sweeper, "start", lambda sweeper: None)  # there is no database here
    monkeypatch.setattr(Sweeper, "stop", lambda sweeper: None)
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=60):
        # A ping that comes before the worker listens is lost, so it is sent until one is answered.
        pings = (app.control.ping(timeout=1, limit=1) for _ in range(60))
        answers = next(filter(None, pings), [])
        app.control.shutdown()  # sooner than waiting for the end of its poll

    assert [answer for reply in answers for answer in reply.values()] == [{"ok": "pong"}]
