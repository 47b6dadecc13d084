"""Webhooks of the token's team, and their deliveries."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Status

from designer.document.texts import N_
from designer.models import Webhook, WebhookDelivery
from designer.templatetags.keywright import say
from designer.views.accounts.webhooks import (
    change_events,
    create_webhook,
    find_webhook,
    resend_delivery,
    switch_webhook,
)
from reviews.api import schemas
from reviews.api import webhook_schemas as shapes
from reviews.api.access import require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import Limit, Number, Offset, api, list_page


@api.get(
    "/webhooks",
    response={200: schemas.Listed[shapes.WebhookInfo], **FAILURES},
    tags=["webhooks"],
    summary=N_("Webhooks of the team"),
    url_name="api_webhooks",
)
def webhooks(request: HttpRequest, offset: Offset = 0, limit: Limit = 50) -> Any:
    team = require_permission(request, "notify").team
    return list_page(request, team.webhooks.select_related("by").order_by("pk"), offset, limit, _webhook)


@api.post(
    "/webhooks",
    response={201: shapes.WebhookMade, **BODY, **FAILURES},
    tags=["webhooks"],
    summary=N_("Create a webhook; the answer holds its secret"),
    url_name="api_webhooks",
)
def create(request: HttpRequest, asked: shapes.WebhookAsked) -> Any:
    token = require_permission(request, "notify")
    made, secret = create_webhook(request, token.team, asked.address, asked.events, by=token.by)
    return Status(201, {**_webhook(made), "secret": secret})


@api.get(
    "/webhooks/{hook}",
    response={200: shapes.WebhookInfo, **FAILURES},
    tags=["webhooks"],
    summary=N_("One webhook"),
    url_name="api_webhook",
)
def webhook(request: HttpRequest, hook: Number) -> Any:
    return _webhook(_find(request, hook))


@api.patch(
    "/webhooks/{hook}",
    response={200: shapes.WebhookInfo, **BODY, **FAILURES},
    tags=["webhooks"],
    summary=N_("Change a webhook, enable or disable it"),
    url_name="api_webhook",
)
def change(request: HttpRequest, hook: Number, asked: shapes.WebhookChange) -> Any:
    found, by = _find(request, hook), require_permission(request, "notify").by
    if asked.address is not None or asked.events is not None:
        address = found.address if asked.address is None else asked.address
        change_events(request, found, address, found.kinds if asked.events is None else asked.events, by=by)
    if asked.enabled is not None:
        switch_webhook(request, found, "enable" if asked.enabled else "disable", by=by)
    return _webhook(_find(request, hook))


@api.delete(
    "/webhooks/{hook}",
    response={204: None, **FAILURES},
    tags=["webhooks"],
    summary=N_("Delete a webhook with its deliveries"),
    url_name="api_webhook",
)
def delete(request: HttpRequest, hook: Number) -> Any:
    switch_webhook(request, _find(request, hook), "delete", by=require_permission(request, "notify").by)
    return HttpResponse(status=204)


@api.get(
    "/webhooks/{hook}/deliveries",
    response={200: schemas.Listed[shapes.DeliveryInfo], **FAILURES},
    tags=["webhooks"],
    summary=N_("Deliveries of a webhook, newest first"),
    url_name="api_deliveries",
)
def deliveries(request: HttpRequest, hook: Number, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = _find(request, hook).deliveries.order_by("-made", "-pk")
    return list_page(request, rows, offset, limit, _delivery)


@api.post(
    "/webhooks/{hook}/deliveries/{delivery}/again",
    response={201: shapes.DeliveryInfo, **FAILURES},
    tags=["webhooks"],
    summary=N_("Send a message again"),
    url_name="api_delivery_again",
)
def again(request: HttpRequest, hook: Number, delivery: Number) -> Any:
    by = require_permission(request, "notify").by
    return Status(201, _delivery(resend_delivery(request, _find(request, hook), delivery, by=by)))


def _find(request: HttpRequest, number: int) -> Webhook:
    return find_webhook(require_permission(request, "notify").team, number)


def _webhook(row: Webhook) -> dict[str, Any]:
    why = row.disabled_text
    return {
        "id": row.pk, "address": row.address, "events": row.kinds, "enabled": row.disabled is None,
        "why": say(why.message, why.params) if why else "", "made": row.made, "made_by": str(row.by),
    }  # fmt: skip


def _delivery(row: WebhookDelivery) -> dict[str, Any]:
    problem = row.problem_text
    return {
        "id": row.pk, "message": row.message, "event": row.kind, "state": row.state, "attempts": row.tries,
        "status": row.status, "problem": say(problem.message, problem.params) if problem else "", "made": row.made,
        "due": row.due,
    }  # fmt: skip
