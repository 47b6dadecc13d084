"""A device with a passkey, as a browser would report what it answers."""

import base64
import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256


class Device:
    """An authenticator of the user's: one passkey, as a browser would report it."""

    def __init__(self) -> None:
        self.key, self.id, self.count = ec.generate_private_key(ec.SECP256R1()), b"passkey-of-a-test", 0
        self.user = ""

    def _client_data(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": origin}).encode()

    def _data(self, flags: int) -> bytes:
        self.count += 1
        return hashlib.sha256(b"testserver").digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def create(self, options: dict[str, Any], *, origin: str = "https://testserver", flags: int = 0x45) -> str:
        """The answer to a registration."""
        key = options["publicKey"]
        self.user = key["user"]["id"]
        public = cbor.encode(ES256.from_cryptography_key(self.key.public_key()))
        data = self._data(flags) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client_data("create", key["challenge"], origin)
        response = {"clientDataJSON": b64(client), "attestationObject": b64(attestation)}
        return json.dumps({"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response,
                           "clientExtensionResults": {}, "authenticatorAttachment": "platform"})  # fmt: skip

    def get(self, options: dict[str, Any], *, origin: str = "https://testserver", flags: int = 0x05) -> str:
        """The answer to a sign-in."""
        client, data = self._client_data("get", options["publicKey"]["challenge"], origin), self._data(flags)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature),
                    "userHandle": self.user}  # fmt: skip
        return json.dumps({"id": b64(self.id), "rawId": b64(self.id), "type": "public-key", "response": response,
                           "clientExtensionResults": {}})  # fmt: skip


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def stored_passkey(name: str) -> dict[str, Any]:
    """What is stored of one."""
    credential = Device().create({"publicKey": {"user": {"id": "MQ"}, "challenge": "MQ"}})
    return {"name": name, "credential": json.loads(credential)}
