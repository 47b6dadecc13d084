"""Webhooks of the token's team, and their deliveries."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Status

from designer.document.texts import N_
from designer.models import Webhook, WebhookDelivery
from designer.templatetags.keywright import translate
from designer.views.accounts.webhooks import (
    change_events,
    create_webhook,
    find_delivery,
    find_webhook,
    resend_delivery,
    switch_webhook,
)
from reviews.api import webhook_schemas as schemas
from reviews.api.access import actor_name, require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.idempotency import SECRET
from reviews.api.schemas import Listed
from reviews.api.site import Limit, Number, Offset, api, creation_answer, list_page


@api.get(
    "/webhooks",
    response={200: Listed[schemas.WebhookInfo], **FAILURES},
    tags=["webhooks"],
    operation_id="listWebhooks",
    summary=N_("Webhooks of the team"),
    url_name="api_webhooks",
)
def webhooks(request: HttpRequest, response: HttpResponse, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = require_permission(request, "notify").team.webhooks.select_related("by")
    return list_page(request, response, rows.order_by("pk"), offset=offset, limit=limit, to_data=_webhook)


@api.post(
    "/webhooks",
    response={201: schemas.WebhookMade, **BODY, **FAILURES},
    tags=["webhooks"],
    operation_id="createWebhook",
    summary=N_("Create a webhook; its secret is returned only in this response"),
    url_name="api_webhooks",
)
def create(request: HttpRequest, response: HttpResponse, asked: schemas.WebhookAsked) -> Any:
    token = require_permission(request, "notify")
    webhook, secret = create_webhook(
        request, token.team, asked.address, asked.events, by=token.by, who=actor_name(request)
    )
    # Stored answers of idempotent requests must not hold the secret; this marks it.
    setattr(request, SECRET, secret)
    return creation_answer(response, {**_webhook(webhook), "secret": secret}, "api_webhook", webhook.pk)


@api.get(
    "/webhooks/{hook}",
    response={200: schemas.WebhookInfo, **FAILURES},
    tags=["webhooks"],
    operation_id="getWebhook",
    summary=N_("One webhook"),
    url_name="api_webhook",
)
def webhook(request: HttpRequest, hook: Number) -> Any:
    return _webhook(_find(request, hook))


@api.patch(
    "/webhooks/{hook}",
    response={200: schemas.WebhookInfo, **BODY, **FAILURES},
    tags=["webhooks"],
    operation_id="changeWebhook",
    summary=N_("Change a webhook, enable or disable it"),
    url_name="api_webhook",
)
def change(request: HttpRequest, hook: Number, asked: schemas.WebhookChange) -> Any:
    webhook, by, who = _find(request, hook), require_permission(request, "notify").by, actor_name(request)
    if asked.address is not None or asked.events is not None:
        address = webhook.address if asked.address is None else asked.address
        change_events(request, webhook, address, webhook.kinds if asked.events is None else asked.events, who=who)
    # After the address: a webhook that is enabled again must not send to the old one.
    if asked.enabled is not None:
        switch_webhook(request, webhook, "enable" if asked.enabled else "disable", by=by, who=who)
    return _webhook(_find(request, hook))


@api.delete(
    "/webhooks/{hook}",
    response={204: None, **FAILURES},
    tags=["webhooks"],
    operation_id="deleteWebhook",
    summary=N_("Delete a webhook with its deliveries"),
    url_name="api_webhook",
)
def delete(request: HttpRequest, hook: Number) -> Any:
    webhook, by = _find(request, hook), require_permission(request, "notify").by
    switch_webhook(request, webhook, "delete", by=by, who=actor_name(request))
    return Status(204, None)


@api.get(
    "/webhooks/{hook}/deliveries",
    response={200: Listed[schemas.DeliveryInfo], **FAILURES},
    tags=["webhooks"],
    operation_id="listDeliveries",
    summary=N_("Deliveries of a webhook, newest first"),
    url_name="api_deliveries",
)
def deliveries(
    request: HttpRequest, response: HttpResponse, hook: Number, offset: Offset = 0, limit: Limit = 50
) -> Any:
    rows = _find(request, hook).deliveries.order_by("-made", "-pk")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=_delivery)


@api.get(
    "/webhooks/{hook}/deliveries/{delivery}",
    response={200: schemas.DeliveryInfo, **FAILURES},
    tags=["webhooks"],
    operation_id="getDelivery",
    summary=N_("One delivery of a webhook"),
    url_name="api_delivery",
)
def delivery(request: HttpRequest, hook: Number, delivery: Number) -> Any:
    return _delivery(find_delivery(_find(request, hook), delivery))


@api.post(
    "/webhooks/{hook}/deliveries/{delivery}/again",
    response={201: schemas.DeliveryInfo, **FAILURES},
    tags=["webhooks"],
    operation_id="resendDelivery",
    summary=N_("Send a message again"),
    url_name="api_delivery_again",
)
def again(request: HttpRequest, response: HttpResponse, hook: Number, delivery: Number) -> Any:
    new_delivery = resend_delivery(request, _find(request, hook), delivery, who=actor_name(request))
    return creation_answer(response, _delivery(new_delivery), "api_delivery", hook, new_delivery.pk)


def _find(request: HttpRequest, number: int) -> Webhook:
    return find_webhook(require_permission(request, "notify").team, number)


def _webhook(row: Webhook) -> dict[str, Any]:
    why = row.disabled_text
    return {
        "id": row.pk, "address": row.address, "events": row.kinds, "enabled": row.disabled is None,
        "why": translate(why.message, why.params) if why else "", "made": row.made, "made_by": str(row.by),
    }  # fmt: skip


def _delivery(row: WebhookDelivery) -> dict[str, Any]:
    problem = row.problem_text
    return {
        "id": row.pk, "message": row.message, "event": row.kind, "state": row.state, "attempts": row.tries,
        "status": row.status, "problem": translate(problem.message, problem.params) if problem else "",
        "made": row.made, "due": row.due,
    }  # fmt: skip
