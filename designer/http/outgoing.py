"""Requests to addresses that people of a site chose: only to public servers, at the very address that was checked."""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from designer.document.texts import N_, Text

MOST_CHARACTERS = 500
CONNECT_SECONDS = 5.0
MOST_SECONDS = 15.0
"""Of a whole request; the specification of Standard Webhooks advises 15 to 30."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")

OF_CLOUDS = tuple(
    ipaddress.ip_network(network)
    for network in (
        # Amazon: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html (read 2026-11-27)
        "fd00:ec2::/32",
        # Azure; an address of the public internet by its number:
        # https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16 (read 2026-11-29)
        "168.63.129.16/32",
        # Alibaba Cloud: https://www.alibabacloud.com/help/en/ens/instance-metadata; its IPv6 address by the tests of
        # cloud-init for its data source AliYun (both read 2026-11-29)
        "100.100.100.200/32",
        "fd00:100::100:200/128",
        # Scaleway: https://cloudinit.readthedocs.io/en/latest/reference/datasources/scaleway.html (read 2026-11-29)
        "fd00:42::42/128",
        # Google, Oracle and Akamai: the vendors' pages could not be read; as several open-source guards against
        # requests forged by servers list them (read 2026-11-29)
        "fd20:ce::254/128",
        "fd00:c1::a9fe:a9fe/128",
        "192.0.0.192/32",
        "fd00:a9fe:a9fe::1/128",
    )
)
"""Addresses that clouds answer to their own machines outside link-local networks: metadata, credentials, agents."""

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class OutgoingError(Exception):
    """Error with an address, or in asking it: a message that says why."""

    def __init__(self, message: str, **params: object) -> None:
        self.text = Text(message, params)
        super().__init__(message)


@dataclass(frozen=True)
class OutgoingRules:
    """Requests that a site lets its people send."""

    private: bool = False
    """Also servers of a private network."""
    loopback: bool = False
    """Also this machine, and there without TLS."""


@dataclass(frozen=True)
class OutgoingReply:
    """The part of an answer that may be stored: nothing that shows the content of an inner server."""

    status: int
    seconds: float
    retry_seconds: int = 0
    """As it asked for by Retry-After; 0: it did not."""


def split_address(address: str, rules: OutgoingRules) -> SplitResult:
    """Return the parts of an address that may be asked, as far as that can be seen without looking it up.

    Raises
    ------
    OutgoingError
        If it may not.
    """
    try:
        parts = urlsplit(address)
        # `port` is parsed when it is read, and raises for a number that is none.
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise OutgoingError(N_("This is not an address: enter one such as https://example.com/hooks.")) from None
    usable = address.isascii() and address.isprintable() and " " not in address and len(address) <= MOST_CHARACTERS
    if not host or not usable or parts.scheme not in ("http", "https"):
        raise OutgoingError(N_("This is not an address: enter one such as https://example.com/hooks."))
    if parts.username is not None or parts.fragment:
        raise OutgoingError(N_("The address must not hold a user name, a password or a fragment."))
    if parts.scheme == "http" and not rules.loopback:
        raise OutgoingError(N_("The address must begin with https://."))
    # Addresses by number are refused when they are entered; names are looked up each time, as what they stand for can
    # change.
    with suppress(ValueError):
        _check(ipaddress.ip_address(host), parts.scheme, rules)
    return parts


def origin(address: str) -> str:
    """Return the scheme, host and port of an address: a path, a query or user information may hold a secret."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def post(address: str, body: bytes, headers: Mapping[str, str], rules: OutgoingRules) -> OutgoingReply:
    """Post a body; return the status. No redirect is followed, no proxy asked, and the answer is not read.

    Raises
    ------
    OutgoingError
        If the address may not be asked, or there is no answer in time.
    """
    parts = split_address(address, rules)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    started = time.monotonic()
    # The name is looked up once: between a check and a second look-up, its owner could let it point into our network
    # (DNS rebinding).
    connection = _PinnedConnection(host, port, _resolve(host, port, parts.scheme, rules), parts.scheme)
    watch = threading.Timer(MOST_SECONDS, connection.cut)  # a server that answers byte by byte passes each time limit
    watch.daemon = True
    watch.start()
    try:
        target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        connection.request("POST", target, body, dict(headers))
        answer = connection.getresponse()
        wait = answer.getheader("Retry-After", "")
        retry = int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 7 else 0
        return OutgoingReply(answer.status, time.monotonic() - started, retry)
    except ssl.SSLCertVerificationError:
        raise OutgoingError(N_("The certificate of the server is not valid.")) from None
    except (OSError, http.client.HTTPException, ValueError, AttributeError):
        # ValueError and AttributeError come from `http.client` when `cut` takes the socket away while it reads.
        if time.monotonic() - started >= MOST_SECONDS:
            raise OutgoingError(N_("The server did not answer in time.")) from None
        raise OutgoingError(N_("The server could not be reached.")) from None
    finally:
        watch.cancel()
        connection.close()


def is_public(address: IpAddress) -> bool:
    """Return whether an address is one of the public internet, also where it carries another one inside."""
    inner = _embedded_address(address)
    if inner is not None:
        return is_public(inner)
    # fec0::/10 was given up in 2004, and Python counts it as global; networks may still use it.
    if isinstance(address, ipaddress.IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded_address(address: IpAddress) -> IpAddress | None:
    """Return the IPv4 address that an IPv6 address leads to; None if it is an address of its own."""
    if not isinstance(address, ipaddress.IPv6Address):
        return None
    # A gateway turns these into the IPv4 address inside, so 2002:7f00:1:: would reach 127.0.0.1.
    inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if inner is None and address in NAT64 else inner


def _check(address: IpAddress, scheme: str, rules: OutgoingRules) -> None:
    """Raise OutgoingError for an address that the rules do not allow."""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped  # it is what is connected to
    if address.is_loopback and rules.loopback:
        return
    if scheme == "http":
        raise OutgoingError(N_("The address must begin with https://, except on this machine."))
    # First, because one of them looks public.
    if _is_own(address) or not (is_public(address) or rules.private):
        raise OutgoingError(N_("The address is not on the public internet."))


def _is_own(address: IpAddress) -> bool:
    """Return whether an address is of this machine or its link alone, where clouds tell a machine its secrets."""
    address = _embedded_address(address) or address
    return (
        address.is_loopback
        or address.is_unspecified
        or address.is_link_local
        or any(address in network for network in OF_CLOUDS)
    )


def _resolve(host: str, port: int, scheme: str, rules: OutgoingRules) -> str:
    """Return the network address to connect to; every one that the name stands for must be allowed."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise OutgoingError(N_("The name of the server is not known.")) from None
    # A link-local address comes with its interface, as in fe80::1%eth0.
    addresses = [str(entry[4][0]).partition("%")[0] for entry in entries]
    # All of them, because which one is taken is up to the system: a name with a public and a private address is
    # refused.
    for address in addresses:
        _check(ipaddress.ip_address(address), scheme, rules)
    return addresses[0]


class _PinnedConnection(http.client.HTTPConnection):
    """Connects to the network address that was checked, whatever the name stands for by then."""

    def __init__(self, host: str, port: int, address: str, scheme: str) -> None:
        # The port that Host does not name; some servers know themselves by the bare name alone.
        self.default_port = 443 if scheme == "https" else 80
        super().__init__(host, port, timeout=CONNECT_SECONDS)
        self._address, self._is_tls, self._is_cut = address, scheme == "https", False

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), timeout=CONNECT_SECONDS)
        self.sock.settimeout(MOST_SECONDS)
        if self._is_tls:
            context = ssl.create_default_context()
            # The certificate is checked for the name, although the connection went to a number.
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)
        # The time ran out during the handshake, when there was no plain socket to shut down.
        if self._is_cut:
            raise TimeoutError

    def cut(self) -> None:
        """End whatever it waits for; a handshake, which holds the connection, ends by its own time limit."""
        self._is_cut = True
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)
