"""The types of the answers about webhooks."""

import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field, StrictBool

from designer.document.texts import N_
from designer.http.outgoing import MOST_CHARACTERS
from designer.wording.webhook_events import EventName
from reviews.api.bodies import RequestBody

Address = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
Events = Annotated[list[EventName], Field(min_length=1)]


class WebhookAsked(RequestBody):
    """Request for a webhook."""

    address: Address = Field(description=N_("Address that receives events by POST; https, on the public internet."))
    events: Events = Field(description=N_("Events that it receives."))


class WebhookChange(RequestBody):
    """Change of a webhook; what is left out stays."""

    address: Address | None = Field(default=None, description=N_("New address."))
    events: Events | None = Field(default=None, description=N_("New events."))
    enabled: StrictBool | None = Field(default=None, description=N_("Enable or disable the webhook."))


class WebhookInfo(Schema):
    """A webhook."""

    id: int = Field(description=N_("Identifier in addresses."))
    address: str = Field(description=N_("Address that receives events by POST; https, on the public internet."))
    events: list[str] = Field(description=N_("Events that it receives."))
    enabled: bool = Field(description=N_("False: it receives nothing."))
    why: str = Field(description=N_("Reason why it was disabled; empty if a person did it."))
    made: datetime.datetime = Field(description=N_("Time in UTC."))
    made_by: str = Field(description=N_("Owner who created or enabled it; it ends with their role."))


class WebhookMade(WebhookInfo):
    """A new webhook with its secret."""

    secret: str | None = Field(
        description=N_(
            "Signing secret (Standard Webhooks), returned only once; "
            "null if the request is repeated with its idempotency key."
        )
    )


class DeliveryInfo(Schema):
    """A delivery of one event to one webhook."""

    id: int = Field(description=N_("Identifier in addresses."))
    message: str = Field(description=N_("Webhook-Id of the message, the same on every attempt."))
    event: str = Field(description=N_("Type of the event."))
    state: Literal["waiting", "delivered", "failed"] = Field(description=N_("State of the delivery."))
    attempts: int = Field(description=N_("Number of attempts."))
    status: int | None = Field(description=N_("HTTP status of the last answer; null if there was none."))
    problem: str = Field(description=N_("Reason why there was no answer; empty if there was one."))
    made: datetime.datetime = Field(description=N_("Time in UTC."))
    due: datetime.datetime | None = Field(description=N_("Time of the next attempt; null if there is none."))
