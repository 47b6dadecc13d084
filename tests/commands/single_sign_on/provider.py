"""A provider of OpenID Connect on loopback: whoever is named in `saying` signs in there without being asked."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

SECRET = "a secret of client and provider that is long enough"


class Provider(ThreadingHTTPServer):
    """Says of everybody what `saying` holds; counts what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.saying: dict[str, Any] = {}
        self.asked: dict[str, Any] = {}
        self.refuses = False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def authorize(self, address: str) -> str:
        """What a browser does that is sent to the provider: where it is sent back to."""
        asked = {name: held[0] for name, held in parse_qs(urlsplit(address).query).items()}
        self.asked["authorize"] = asked
        told = {"state": asked["state"], **({"error": "access_denied"} if self.refuses else {"code": "the code"})}
        return f"{asked['redirect_uri']}?{urlencode(told)}"


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        issuer = self.server.issuer
        if self.path == "/.well-known/openid-configuration":
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "userinfo"}
            found = {name: f"{issuer}/{path}" for name, path in names.items()}
            self._say({"issuer": issuer, "jwks_uri": f"{issuer}/keys", **found})
        else:
            self._say({"sub": "1", **self.server.saying})

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.asked["token"] = {name: held[0] for name, held in form.items()}
        claims = {
            "iss": self.server.issuer,
            "aud": "keywright",
            "exp": time.time() + 60,
            "iat": time.time(),
            "sub": "1",
        }
        token = jwt.encode({**claims, **self.server.saying}, SECRET, algorithm="HS256")
        self._say({"access_token": "x", "token_type": "Bearer", "id_token": token})

    def _say(self, told: dict[str, Any]) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""
