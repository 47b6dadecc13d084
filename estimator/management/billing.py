"""Asks the Cloud Billing API for Bigtable's SKUs. The key goes into a header: never into an address, a text or a log.

Source: Cloud Billing API, `services.skus.list`: pages of at most 5,000, `nextPageToken` (read 2026-11-21).
"""

import http.client
import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from estimator.price_books.catalogue.build import ADDRESS, SERVICE

TIMEOUT_SECONDS = 30.0
PAGE_SKUS = 5_000
MOST_PAGES = 50
MOST_PAGE_BYTES = 64 << 20
_LOOPBACK = ("127.0.0.1", "localhost", "::1")

__all__ = ["ADDRESS", "CatalogueFetchError", "NoRedirect", "catalogue"]


class CatalogueFetchError(Exception):
    """Error in fetching the answer: a sentence that says what to do, without the key."""


class NoRedirect(HTTPRedirectHandler):
    """A secret is shown to nobody but who was asked."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


def catalogue(
    key: str, *, currency: str = "USD", address: str = ADDRESS, timeout_seconds: float = TIMEOUT_SECONDS
) -> str:
    """All pages as they came, one after another.

    Raises
    ------
    CatalogueFetchError
        If the service cannot be reached, refuses, or answers something else than pages that end.
    """
    parts = urlsplit(address)
    # --address can name any host. Over plain http, everybody on the way could read the key; a loopback address serves
    # the tests and a local proxy.
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise CatalogueFetchError(f"{address}: a key is sent by https only.")
    # A line break in the key would begin another header of the request.
    if not key.isascii() or not key.isprintable() or " " in key:
        raise CatalogueFetchError("The key holds characters that no API key has.")
    pages: list[str] = []
    tokens = {""}
    token = ""
    while True:
        page = _page(key, f"{address.rstrip('/')}/{SERVICE}/skus", token, currency, timeout_seconds)
        pages.append(page)
        token = _next_page_token(page, address)
        if not token:
            return "\n".join(pages)
        # A server that repeats a token, or always gives a new one, would otherwise keep the command running and fill
        # the memory.
        if token in tokens or len(pages) >= MOST_PAGES:
            raise CatalogueFetchError(f"The pages of {address} do not end: after {len(pages)} there is still another.")
        tokens.add(token)


def _page(key: str, address: str, token: str, currency: str, timeout_seconds: float) -> str:
    # The key is in a header: an address is written to the logs of every proxy on the way.
    parameters = {"currencyCode": currency, "pageSize": PAGE_SKUS} | ({"pageToken": token} if token else {})
    request = Request(
        f"{address}?{urlencode(parameters)}", headers={"X-Goog-Api-Key": key, "Accept": "application/json"}
    )
    try:
        with build_opener(NoRedirect).open(request, timeout=timeout_seconds) as answer:
            # One byte more than allowed tells a page that is too large from one that is exactly as large as allowed.
            raw: bytes = answer.read(MOST_PAGE_BYTES + 1)
    except HTTPError as error:
        # "from None": the address and the request of the original error do not belong in what is shown.
        with error:
            raise CatalogueFetchError(_refusal_message(error, key)) from None
    except TimeoutError:
        raise CatalogueFetchError(f"{address} did not answer within {timeout_seconds:g} seconds.") from None
    except (URLError, http.client.HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        if isinstance(reason, TimeoutError):
            raise CatalogueFetchError(f"{address} did not answer within {timeout_seconds:g} seconds.") from None
        raise CatalogueFetchError(f"{address} could not be reached: {_redact_key(key, reason)}.") from None
    if len(raw) > MOST_PAGE_BYTES:
        raise CatalogueFetchError(f"A page of {address} is larger than {MOST_PAGE_BYTES >> 20} MiB.")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise CatalogueFetchError(f"{address} answered something that is no JSON.") from None


def _next_page_token(page: str, address: str) -> str:
    """Return the token of the next page; empty on the last page."""
    try:
        read = json.loads(page)
    except (ValueError, RecursionError):
        raise CatalogueFetchError(f"{address} answered something that is no JSON.") from None
    if not isinstance(read, dict):
        raise CatalogueFetchError(f"{address} answered JSON that is no page of SKUs.")
    return str(read.get("nextPageToken") or "")


def _refusal_message(error: HTTPError, key: str) -> str:
    if 300 <= error.code < 400:
        return f"The API answered with a redirect ({error.code}), which is not followed: is the address right?"
    try:
        # Read at most 64 KiB: a proxy can answer with a page of any length.
        reason = json.loads(error.read(1 << 16))["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        reason = error.reason
    what = {
        400: "The API did not accept the request; is the key right?",
        401: "The API did not accept the key.",
        403: "The API refused the key; is the Cloud Billing API enabled for its project?",
        404: "The API has no such address.",
        429: "The API has had too many requests; try again later.",
    }.get(error.code, "The API failed; try again later." if error.code >= 500 else "The API refused.")
    return f"{what} It says ({error.code}): {_redact_key(key, reason)}"


def _redact_key(key: str, text: object) -> str:
    # A service or a proxy can quote the key in its refusal, and the output can be in a log of CI.
    return str(text).replace(key, "(the key)")
