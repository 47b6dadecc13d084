"""Designs of a site of Keywright, by its REST API and a token of a team."""

import http.client
import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, build_opener

from designer.document import Spec, dump
from designer.document.load import MAX_BYTES
from estimator.management.billing import NoRedirect

from .stores import ListedDesign, StoredDesign, StoreError

TIMEOUT_SECONDS = 30.0
MOST_BYTES = MAX_BYTES + 500_000
PAGE = 100
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_KEY = re.compile(r"[\w-]{1,64}", re.ASCII)
_TOKEN = re.compile(r"[!-~]{1,200}")
_REASONS = {
    401: "The site does not know this token, or it has expired.",
    403: "The token may not do this: changes need one that may write.",
    404: "The site has no such design, or the token's team has no access to it; list_designs names them.",
    412: "The design has changed since it was read. Read it again, then change it.",
    429: "The token has had its share of the site for now. Wait a minute.",
}


@dataclass(frozen=True)
class Reply:
    """Answer of the site."""

    body: bytes
    etag: str


class SiteStore:
    """Designs of the team that the token is of. The token goes into a header only, and over https or loopback."""

    def __init__(self, address: str, token: str) -> None:
        try:
            parts = urlsplit(address.strip())
            has_port = parts.port is None or parts.port > 0  # parsed here, where it may be no port number
        except ValueError:
            parts, has_port = urlsplit(""), False
        is_address = parts.scheme in ("http", "https") and parts.hostname and not parts.username and not parts.query
        if not is_address or not has_port:
            raise StoreError("--server takes the address of a site, such as https://keywright.example.com.")
        # Anybody on the way could read the token.
        if parts.scheme == "http" and parts.hostname not in LOOPBACK:
            raise StoreError(f"A token is sent by https only: {parts.hostname} is not this machine.")
        # A line end in it would begin another header of the request.
        if not _TOKEN.fullmatch(token):
            raise StoreError("The token holds characters that no API token has.")
        self._address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v1"
        self._token = token
        self.place = f"the site {parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"

    def list_designs(self) -> tuple[list[ListedDesign], int]:
        """Return the designs edited last, and the number of all."""
        data = self._json(self._ask("GET", f"/designs?{urlencode({'limit': PAGE})}"))
        try:
            designs = [ListedDesign(str(entry["key"]), str(entry["name"])) for entry in data["items"]]
            return designs, int(data.get("count", len(designs)))
        except (KeyError, TypeError, ValueError):
            raise StoreError("The site answered something that is no list of designs.") from None

    def read(self, name: str) -> StoredDesign:
        """Return the latest document."""
        reply = self._ask("GET", f"{self._path(name)}/document")
        return StoredDesign(name, reply.body.decode("utf-8", errors="replace"), reply.etag)

    def replace(self, stored: StoredDesign, spec: Spec, text: str | None = None) -> StoredDesign:
        """Replace the document if it is still the one that was read."""
        self._ask("PUT", f"{self._path(stored.name)}/document", dump(spec), {"If-Match": f'"{stored.version}"'})
        return self.read(stored.name)

    def create(self, name: str, spec: Spec, text: str) -> StoredDesign:
        """Begin a design, which the site gives its key."""
        data = self._json(self._ask("POST", "/designs", dump(spec)))
        return self.read(str(data.get("key", "")))

    @staticmethod
    def _path(name: str) -> str:
        # Names come from a model: `../teams` or `x?y` would lead to another address under the same token.
        if not _KEY.fullmatch(name):
            raise StoreError("Name a design of a site by its key, as list_designs has it.")
        return f"/designs/{name}"

    def _ask(self, method: str, path: str, body: str | None = None, more: dict[str, str] | None = None) -> Reply:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **(more or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else body.encode()
        request = Request(f"{self._address}{path}", data=data, headers=headers, method=method)
        try:
            with build_opener(NoRedirect).open(request, timeout=TIMEOUT_SECONDS) as answer:
                raw = answer.read(MOST_BYTES + 1)
                # Proxies that compress an answer make its ETag a weak one.
                etag = answer.headers.get("ETag", "").removeprefix("W/").strip('"')
        except HTTPError as error:
            with error:
                raise StoreError(self._reason(error)) from None
        except (URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", None) or error
            raise StoreError(f"The site could not be reached: {reason}") from None
        if len(raw) > MOST_BYTES:
            raise StoreError("The answer of the site is longer than a design.")
        return Reply(raw, etag)

    @staticmethod
    def _json(reply: Reply) -> dict[str, Any]:
        try:
            data = json.loads(reply.body)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise StoreError("The site answered something that is no JSON object: is it a site of Keywright?")
        return data

    @staticmethod
    def _reason(error: HTTPError) -> str:
        """Return why the site refused, in its own sentence where it has one (`error`, or RFC 9457's `detail`)."""
        if 300 <= error.code < 400:
            return "The site answered with a redirect, which is not followed: is the address right?"
        try:
            data = json.loads(error.read(1 << 16))
            sentence = str(data.get("error") or data.get("detail") or "")
            where = [
                f"{problem.get('place', '')}: {problem.get('sentence', '')}" for problem in data.get("problems", ())
                if isinstance(problem, dict)
            ]  # fmt: skip
        except (ValueError, AttributeError, TypeError, OSError, http.client.HTTPException):
            sentence, where = "", []
        first = _REASONS.get(error.code, f"The site answered with the status {error.code}.")
        return " ".join([first, sentence, *where[:5]]).strip()
