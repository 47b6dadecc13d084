"""What schemathesis does before each request: a key of idempotency is one that no request had before.

It sends the same key with many requests, and would take the answer of an earlier one, or its refusal, for that of this
one. Keys that are wrong on purpose stay as they are.
"""

import uuid
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

HEADER = "Idempotency-Key"


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Replace a key that the description allows by a fresh one."""
    if HEADER not in (case.headers or {}):
        return
    headers = case.meta.components.get(ParameterLocation.HEADER) if case.meta else None
    if headers is None or not headers.mode.is_negative:
        case.headers[HEADER] = str(uuid.uuid4())
