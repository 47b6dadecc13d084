"""Webhooks of a team, for its owners: made with a secret that is shown once, tried, disabled, with their deliveries."""

from collections.abc import Sequence

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from designer.document.texts import N_, TextList
from designer.http.errors import DesignError
from designer.http.outgoing import OutgoingError, origin, split_address
from designer.http.pages import page
from designer.http.parameters import form
from designer.models import Person, Team, Webhook, WebhookDelivery, ping
from designer.models.deliveries import outgoing_rules
from designer.models.webhooks import MOST_WEBHOOKS
from designer.wording.webhook_events import KINDS

from ..access import current_person, team_for
from ..audit import record
from .proof import ask_for_proof

SHOWN = 10
"""Deliveries of each webhook, the newest first."""
CHANGES = ("enable", "disable", "delete")


class WebhookFormError(DesignError):
    """Error for a request with invalid values for a webhook."""

    status = 422


@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the webhooks of a team with their last deliveries; a new secret is displayed only once."""
    team, secret = team_for(request, pk, "notify"), ""
    if request.method == "POST":
        if proof := ask_for_proof(request):
            return proof
        parameters = form(request)
        _, secret = create_webhook(
            request, team, parameters.get("address", ""), parameters.texts("kind"), by=current_person(request)
        )
    hooks = [(hook, hook.deliveries.order_by("-made", "-pk")[:SHOWN]) for hook in team.webhooks.order_by("made")]
    context = {"team": team, "hooks": hooks, "kinds": KINDS, "secret": secret}
    return page(request, "designer/webhooks/webhooks.html", context)


def create_webhook(
    request: HttpRequest, team: Team, address: str, kinds: Sequence[str], *, by: Person, who: str = ""
) -> tuple[Webhook, str]:
    """Make a webhook, as pages and the API do; return it with its secret. The audit log names `who`, or the person.

    Raises
    ------
    WebhookFormError
        If its address or its events cannot be used, or the team has too many.
    """
    address = check_webhook(address, kinds)
    with transaction.atomic():
        Team.objects.select_for_update().get(pk=team.pk)  # who make one at once count one by one
        if team.webhooks.count() >= MOST_WEBHOOKS:
            raise WebhookFormError(N_("A team can have {most} webhooks. Delete one first."), most=MOST_WEBHOOKS)
        webhook, secret = Webhook.objects.start(team, address=address, kinds=kinds, by=by)
        # In the same transaction, so that a receiver never hears of a webhook that was not stored.
        ping(webhook)
        record(request, "webhook_created", webhook.public_name, team=team, person=who or by.email)
    return webhook, secret


def check_webhook(address: str, kinds: Sequence[str]) -> str:
    """Return the address without spaces around it.

    Raises
    ------
    WebhookFormError
        If it cannot be asked, or an event is not known, or there is none.
    """
    address = address.strip()
    try:
        split_address(address, outgoing_rules())
    except OutgoingError as error:
        raise WebhookFormError(error.text.message, **error.text.params).at("address") from None
    if not kinds or not set(kinds) <= KINDS.keys():
        raise WebhookFormError(N_("Choose at least one event: {kinds}."), kinds=TextList(KINDS)).at("events")
    return address


@require_POST
def change_webhook(request: HttpRequest, pk: int, hook: int, change: str) -> HttpResponse:
    """Enable, disable or delete a webhook."""
    webhook = find_webhook(team_for(request, pk, "notify"), hook)
    if change not in CHANGES:
        raise Http404
    switch_webhook(request, webhook, change, by=current_person(request))
    return redirect("webhooks", pk)


def switch_webhook(request: HttpRequest, hook: Webhook, change: str, *, by: Person, who: str = "") -> None:
    """Enable, disable or delete a webhook, as pages and the API do."""
    person, subject = who or by.email, hook.public_name
    with transaction.atomic():
        if change == "enable":
            hook.enable(by=by)
            record(request, "webhook_enabled", subject, team=hook.team_id, person=person)
        elif change == "disable":
            hook.disable()
            record(request, "webhook_disabled", subject, team=hook.team_id, person=person)
        else:
            hook.delete()
            record(request, "webhook_deleted", subject, team=hook.team_id, person=person)


def change_events(request: HttpRequest, hook: Webhook, address: str, kinds: Sequence[str], *, who: str) -> None:
    """Give a webhook another address or other events."""
    address = check_webhook(address, kinds)
    with transaction.atomic():
        hook.change(address=address, kinds=kinds)
        record(request, "webhook_changed", f"{hook.public_name}: {origin(address)}", team=hook.team_id, person=who)


@require_POST
def resend(request: HttpRequest, pk: int, hook: int, delivery: int) -> HttpResponse:
    """Send a message again."""
    webhook = find_webhook(team_for(request, pk, "notify"), hook)
    resend_delivery(request, webhook, delivery, who=current_person(request).email)
    return redirect("webhooks", pk)


def resend_delivery(request: HttpRequest, hook: Webhook, delivery: int, *, who: str) -> WebhookDelivery:
    """Store a delivery of the same message, as pages and the API do."""
    original = find_delivery(hook, delivery)
    if hook.disabled is not None:
        raise WebhookFormError(N_("The webhook is disabled. Enable it first."))
    with transaction.atomic():
        again = original.send_again()
        record(request, "webhook_resent", f"{original.kind}: {hook.public_name}", team=hook.team_id, person=who)
    return again


def find_webhook(team: Team, pk: int) -> Webhook:
    """Return a webhook of a team; 404 if it has none with this number."""
    webhook = team.webhooks.select_related("team").filter(pk=pk).first()
    if webhook is None:
        raise Http404
    return webhook


def find_delivery(hook: Webhook, pk: int) -> WebhookDelivery:
    """Return a delivery of a webhook; 404 if it has none with this number."""
    delivery = hook.deliveries.filter(pk=pk).first()
    if delivery is None:
        raise Http404
    return delivery
