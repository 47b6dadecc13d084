"""The base of all bodies of requests."""

from ninja import Schema
from pydantic import ConfigDict


class RequestBody(Schema):
    """A body of a request, or a part of one: a key that it does not have is refused, as in documents."""

    model_config = ConfigDict(extra="forbid")
