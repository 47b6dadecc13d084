"""Events that webhooks can receive, with their titles."""

from collections.abc import Mapping
from typing import Literal

from designer.document.texts import N_

EventName = Literal["revision.created", "verdict.given", "run.ended", "forecast.missed", "price_book.added"]
KINDS: Mapping[str, str] = {
    "revision.created": N_("New revision"),
    "verdict.given": N_("Verdict of a review"),
    "run.ended": N_("Run completed or failed"),
    "forecast.missed": N_("Measurement far from the forecast"),
    "price_book.added": N_("New price book"),
}
"""Events that can be asked for, with their titles. A new one is named here, with a `publish` where it happens."""
PING = "ping"
"""What a webhook is told first, so that it can be tried."""
FORMAT = "keywright-webhook/1"
"""Named anew when a field changes its meaning or goes; new fields and kinds may come."""
