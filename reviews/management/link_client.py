"""Asks a site for the verdicts that a review link shows. The link is a secret: no sentence here holds it."""

import base64
import http.client
import re
import time
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, build_opener

from designer.management.base import CommandError
from estimator.management.billing import NoRedirect
from estimator.management.commandline import FAILED, UNUSABLE
from reviews.verdicts.link_verdicts import LinkVerdicts, read_verdicts

TIMEOUT_SECONDS = 20.0
"""Without a byte."""
MOST_SECONDS = 60.0
MOST_BYTES = 100_000
_PATH = re.compile(r"(.*)/review/([\w-]{1,100})(?:/.*)?", re.ASCII)
_REFUSALS = {
    401: "The link requires a password: set KEYWRIGHT_LINK_PASSWORD.",
    403: "The password of the link is not right.",
    404: "The link does not exist: it has ended, was revoked or is of another site.",
}


def fetch_verdicts(link: str, password: str = "") -> LinkVerdicts:
    """Return what the link shows.

    Raises
    ------
    CommandError
        With code 2 if the link or its password is of no use, 3 if the site cannot be asked.
    """
    address, host = _address_of(link)
    headers = {"Accept": "application/json"}
    if password:
        headers["Authorization"] = f"Basic {base64.b64encode(f':{password}'.encode()).decode()}"
    try:
        # A redirect could send the token in the address, or the password, to another host.
        with build_opener(NoRedirect).open(Request(address, headers=headers), timeout=TIMEOUT_SECONDS) as answer:
            raw = _read(answer, host)
    except HTTPError as error:
        with error:
            raise _refusal(error, host) from None
    except (URLError, http.client.HTTPException, OSError) as error:
        # Errors of `http.client` are neither of the others: a line that is no HTTP ends here, too.
        reason = getattr(error, "reason", None) or error
        what = "did not answer in time" if isinstance(reason, TimeoutError) else f"could not be reached: {reason}"
        raise CommandError(f"{host} {what}.", returncode=FAILED) from None
    try:
        return read_verdicts(raw.decode())
    except ValueError:
        message = f"{host} answered something that is no list of verdicts: is it a site of Keywright, and as new?"
        raise CommandError(message, returncode=FAILED) from None


def _address_of(link: str) -> tuple[str, str]:
    """Return where the verdicts of a link are, and the site's host."""
    try:
        parts = urlsplit(link.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    match = _PATH.fullmatch(parts.path)
    if parts.scheme not in ("http", "https") or not host or parts.username is not None or match is None:
        message = "A review link has the form https://HOST/review/TOKEN/."
        raise CommandError(message, returncode=UNUSABLE)
    host_text = f"[{host}]" if ":" in host else host
    place = host_text if port is None else f"{host_text}:{port}"
    return f"{parts.scheme}://{place}{match[1]}/review/{match[2]}/verdicts.json", place


def _read(answer: http.client.HTTPResponse, host: str) -> bytes:
    """Return the answer, unless it is long or slow."""
    # The timeout of `urlopen` is for each read, so a server that sends a byte now and then would never end.
    ends, raw = time.monotonic() + MOST_SECONDS, b""
    # `read1` returns what has come; `read` would wait for the whole portion, and the limit of time for it.
    while chunk := answer.read1(8192):
        raw += chunk
        if len(raw) > MOST_BYTES:
            raise CommandError(f"The answer of {host} is longer than a list of verdicts.", returncode=FAILED)
        if time.monotonic() > ends:
            raise CommandError(f"{host} did not answer in time.", returncode=FAILED)
    return raw


def _refusal(error: HTTPError, host: str) -> CommandError:
    if error.code in _REFUSALS:
        return CommandError(_REFUSALS[error.code], returncode=UNUSABLE)
    if error.code == 429:
        wait = error.headers.get("Retry-After", "")
        after = f" Try again in {wait} seconds." if wait.isdigit() else ""
        return CommandError(f"{host} has had too many requests.{after}", returncode=FAILED)
    if 300 <= error.code < 400:
        message = f"{host} answered with a redirect, which is not followed: is the address right?"
        return CommandError(message, returncode=UNUSABLE)
    return CommandError(f"{host} answered with the status {error.code}.", returncode=FAILED)
