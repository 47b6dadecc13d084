"""A kind of run for tests: every window is a hash, the result is theirs; as slow or as broken as a test wants it."""

import hashlib
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.document.texts import Text
from estimator.estimates.context import Context
from estimator.runs import kinds
from estimator.runs.kinds import ProgressCallback, RunPlan, RunType

DEFAULTS: dict[str, Any] = {
    "windows": 8, "seconds": 1.0, "events": 0, "window_seconds": 0.0, "fails_at": -1, "dies_at": -1, "seed": 0,
    "memory_bytes": 0, "result_bytes": 0, "once": "", "gate": "", "hangs_at": -1,
}  # fmt: skip


def canonical(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: type(default)(parameters.get(name, default)) for name, default in DEFAULTS.items()}


def plan(spec: Spec, parameters: Mapping[str, Any], context: Context) -> RunPlan:
    asked = dict(parameters)
    return RunPlan(
        windows=asked["windows"], seconds=asked["seconds"], events=asked["events"],
        memory_bytes=asked["memory_bytes"], held=asked,
    )  # fmt: skip


def window(seed: int, number: int) -> bytes:
    """What comes out of one window."""
    return hashlib.sha256(f"{seed}/{number}".encode()).digest()


def right(windows: int, seed: int = 0) -> bytes:
    """What must come out."""
    return hashlib.sha256(b"".join(window(seed, number) for number in range(windows))).digest()


def work(planned: RunPlan, first: int, last: int, beat: ProgressCallback) -> bytes:
    asked, came = planned.held, []
    for number in range(first, last):
        if number == asked["hangs_at"]:
            time.sleep(600)
        if number == asked["fails_at"]:
            raise ZeroDivisionError("window 3 cannot be counted")
        if number == asked["dies_at"]:
            os._exit(9)
        until = time.monotonic() + asked["window_seconds"]
        while True:
            beat((number - first) / (last - first), Text("window {number}", {"number": number}))
            left = until - time.monotonic()
            if left <= 0 and (not asked["gate"] or Path(asked["gate"]).exists()):
                break
            time.sleep(min(left, 0.05) if left > 0 else 0.02)
        came.append(window(asked["seed"], number))
    return b"".join(came)


def finish(planned: RunPlan, shards: Iterable[bytes], beat: ProgressCallback) -> dict[str, bytes]:
    began = time.time()  # before the beat, and with it the lease, is renewed
    beat(0.5, Text("finishing"))
    if planned.held["once"]:  # says how often it was come so far
        with Path(planned.held["once"]).open("a") as file:
            file.write(f"{began}\n")
    return {"head": hashlib.sha256(b"".join(shards)).digest(), "more": bytes(planned.held["result_bytes"])}


def title(spec: Spec, parameters: Mapping[str, Any]) -> Text:
    return Text("tiny")


KIND = RunType(title, canonical, plan, work, finish, quick=lambda spec: spec.name != "Large")
kinds.KINDS.setdefault("tiny", __name__)
