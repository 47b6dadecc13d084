"""Requests that are sent again: with an `Idempotency-Key`, a POST that creates or changes something does it once.

Header field of draft-ietf-httpapi-idempotency-key-header-07. Key, change and answer are one transaction (decision
0054): a request that fails keeps nothing, and may be sent again under its key.
"""

import hashlib
import json
from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.parameters import body, has_header, header
from designer.models import KeptAnswer, Token

from .rates import count_request

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 255
KEPT_HEADERS = ("Content-Type", "Location", "ETag")
SECRET = "secret_of_answer"
"""Attribute of a request whose answer holds a text that is not kept: it is stored as a hash alone elsewhere, too."""


class InvalidKeyError(DesignError):
    """Error for a key that is empty or too long, or holds other characters."""


class KeyReusedError(DesignError):
    """Error for a key that came with another request before."""

    status = 422
    problem_name = "key-reused"


def read_key(request: HttpRequest) -> str:
    """Return the key of a request, given as a string in quotes or bare; "" if it has none.

    Raises
    ------
    InvalidKeyError
        If it is none of 1 to 255 visible ASCII characters.
    """
    if not has_header(request, HEADER):
        return ""
    key = header(request, HEADER).strip()
    # The draft defines the value as a string in quotes (RFC 8941); most clients send it bare.
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not 0 < len(key) <= LONGEST or not key.isascii() or not key.isprintable():
        raise InvalidKeyError(
            N_("The idempotency key must have 1 to {most} visible ASCII characters, for example a UUID."), most=LONGEST
        ).at(HEADER)
    return key


def answer_once(request: HttpRequest, token: Token, key: str, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer of a key: the one that is kept, or the one that `answer` gives now, which is kept then."""
    # The same key with other contents is a mistake of the client, and must not be answered with the result of another
    # request.
    parts = (request.method, request.get_full_path(), hashlib.sha256(body(request)).hexdigest())
    request_hash = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
    with transaction.atomic():
        entry, is_new = KeptAnswer.objects.reserve(token, key, request_hash)
        if is_new:
            response = answer()
            secret = getattr(request, SECRET, None)
            if response.status_code < 300:
                headers = {name: response[name] for name in KEPT_HEADERS if name in response}
                KeptAnswer.objects.filter(pk=entry.pk).update(
                    status=response.status_code, headers=headers, body=_without(response.content.decode(), secret)
                )
            else:
                # A refusal keeps nothing, so the client can mend the request and send it under the same key.
                transaction.set_rollback(True)
            return response
    # Neither a refused key nor a kept answer comes to the view, which would have counted the request.
    count_request(request, token)
    if entry.request_hash != request_hash:
        raise KeyReusedError(N_("This idempotency key was used for another request. Use a new key.")).at(HEADER)
    return HttpResponse(entry.body, status=entry.status, headers={**entry.headers, REPLAYED: "true"})


def _without(text: str, secret: str | None) -> str:
    """Return a JSON text in which null stands for a secret."""
    return text if secret is None else text.replace(json.dumps(secret), "null")
