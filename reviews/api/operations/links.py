"""Review links: made, changed, revoked. Their address is told once."""

import datetime
from typing import Any

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.parameters import one_line
from designer.models import Design
from reviews.api import review_schemas as schemas
from reviews.api.access import design_of, record_act, token_of
from reviews.api.errors import BODY, FAILURES, Failure, PlacedError
from reviews.api.idempotency import SECRET
from reviews.api.reviewing import link_info
from reviews.api.schemas import Listed
from reviews.api.site import Limit, Number, Offset, api, creation_answer, find_revision, list_page
from reviews.models import Link
from reviews.views.links import SHORTEST_PASSWORD


class RevokedLinkError(DesignError):
    """Error for a change of a link that has ended for good."""

    status = 409


@api.get(
    "/designs/{key}/links",
    response={200: Listed[schemas.LinkInfo], **FAILURES},
    tags=["reviews"],
    operation_id="listLinks",
    summary=N_("Review links, newest first"),
    url_name="api_links",
)
def links(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = Link.objects.filter(design=design_of(request, key, "share")).select_related("made_by")
    return list_page(request, response, rows.order_by("-made", "-pk"), offset=offset, limit=limit, to_data=link_info)


@api.post(
    "/designs/{key}/links",
    response={201: schemas.LinkMade, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="createLink",
    summary=N_("Create a review link; its address is returned only in this response"),
    url_name="api_links",
)
def create(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.LinkAsked) -> Any:
    design = design_of(request, key, "share")
    _check_password(asked.password)
    name = _read_name(asked.name)
    if asked.revision is not None:
        find_revision(design, asked.revision)
    with transaction.atomic():
        # In the transaction of the link: a revision that typing could still change must not be what it shows.
        pinned = None if asked.revision is None else design.protect_revision(asked.revision)
        link, text = Link.objects.start(
            design=design, name=name, role=asked.role, password=asked.password,
            number=pinned.number if pinned else None, document=pinned.document if pinned else None,
            compares=asked.compares, hides_cost=asked.hides_cost, hides_samples=asked.hides_samples,
            allows_files=asked.allows_files,
            made_by=token_of(request).by, ends=_end(asked.days),
        )  # fmt: skip
        record_act(request, "link_created", design, f"{link.name} ({link.role})")
    address = request.build_absolute_uri(reverse("link", args=[text]))
    # The answer is kept for the idempotency key, and this address opens the design (decision 54).
    setattr(request, SECRET, address)
    return creation_answer(response, {**link_info(link), "address": address}, "api_link", key, link.pk)


@api.get(
    "/designs/{key}/links/{id}",
    response={200: schemas.LinkInfo, **FAILURES},
    tags=["reviews"],
    operation_id="getLink",
    summary=N_("One review link"),
    url_name="api_link",
)
def link(request: HttpRequest, key: str, id: Number) -> Any:  # noqa: A002
    return link_info(_find_link(design_of(request, key, "share"), id))


@api.patch(
    "/designs/{key}/links/{id}",
    response={200: schemas.LinkInfo, 409: Failure, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="changeLink",
    summary=N_("Change what a review link is called, what it shows or when it expires"),
    url_name="api_link",
)
def change(request: HttpRequest, key: str, id: Number, asked: schemas.LinkChange) -> Any:  # noqa: A002
    design = design_of(request, key, "share")
    link = _find_link(design, id)
    if link.revoked is not None:
        raise RevokedLinkError(N_("This link was revoked: create another."))
    changes: dict[str, Any] = asked.model_dump(include=asked.model_fields_set)
    if "days" in changes:
        changes["ends"] = _end(changes.pop("days"))
    else:
        changes.pop("days", None)
    # null leaves a setting as it is, but for the end, where it means that there is none.
    changes = {name: value for name, value in changes.items() if value is not None or name == "ends"}
    _check_password(changes.get("password", ""))
    if "name" in changes:
        changes["name"] = _read_name(changes["name"])
    if changes:
        with transaction.atomic():
            link.change(**changes)
            record_act(request, "link_changed", design, f"{link.name}: {', '.join(sorted(changes))}")
    return link_info(link)


@api.post(
    "/designs/{key}/links/{id}/revoke",
    response={200: schemas.LinkInfo, **FAILURES},
    tags=["reviews"],
    operation_id="revokeLink",
    summary=N_("Revoke a review link at once and for good"),
    url_name="api_link_revoke",
)
def revoke(request: HttpRequest, key: str, id: Number) -> Any:  # noqa: A002
    design = design_of(request, key, "share")
    link = _find_link(design, id)
    with transaction.atomic():
        link.revoke(by=token_of(request).by)
        record_act(request, "link_revoked", design, link.name)
    link.refresh_from_db()
    return link_info(link)


def _find_link(design: Design, pk: int) -> Link:
    link = Link.objects.filter(design=design, pk=pk).select_related("made_by").first()
    if link is None:
        raise Http404
    return link


def _read_name(given: str) -> str:
    name = one_line(given)[:100].rstrip()
    if not name:
        raise PlacedError(N_("Enter a name for the link to identify it in the list."), place=("name",))
    return name


def _end(days: int | None) -> datetime.datetime | None:
    return None if days is None else timezone.now() + datetime.timedelta(days=days)


def _check_password(password: str) -> None:
    if not password:
        return
    try:
        MinimumLengthValidator(SHORTEST_PASSWORD).validate(password)
    except ValidationError:
        raise PlacedError(
            N_("A password must have at least {least} characters."), place=("password",), least=SHORTEST_PASSWORD
        ) from None
