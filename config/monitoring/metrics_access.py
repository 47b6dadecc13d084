"""Access to `/metrics`: for nobody, for holders of a token, or from certain addresses."""

import hmac
import ipaddress
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
VARIABLE = "KEYWRIGHT_METRICS"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where several processes count together: prometheus-client's own variable."""
LEAST_TOKEN = 20


@dataclass(frozen=True)
class MetricsAccess:
    """A token, or networks; with neither, there are no metrics."""

    token: str = ""
    networks: tuple[Network, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.token or self.networks)

    def allows(self, address: str, authorization: str, *, by_proxy: bool) -> bool:
        """Return True if a request may read metrics. An address that a proxy names is not believed."""
        # Compared in constant time: the time to an answer must not tell how many characters were right.
        if self.token:
            return hmac.compare_digest(authorization.encode(), f"Bearer {self.token}".encode())
        try:
            own = ipaddress.ip_address(address)
        except ValueError:
            return False
        # A server that listens on IPv6 sees IPv4 clients as ::ffff:10.0.0.7, which is in no IPv4 network.
        own = getattr(own, "ipv4_mapped", None) or own
        # Behind a proxy, every request has the proxy's address, and the header with the client's can be written by
        # anybody.
        return not by_proxy and any(own in network for network in self.networks)


def parse_access(text: str) -> MetricsAccess:
    """Return what a setting allows: a token, or addresses and networks separated by commas.

    Raises
    ------
    ImproperlyConfigured
        If it is neither, or a token that could be guessed.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        return MetricsAccess(networks=tuple(ipaddress.ip_network(part) for part in parts))
    except ValueError:
        # A comma or slash is more likely a mistyped list of networks than a token.
        if len(parts) == 1 and len(text) >= LEAST_TOKEN and "/" not in text and text.isascii() and text.isprintable():
            return MetricsAccess(token=text)
    raise ImproperlyConfigured(
        f"{VARIABLE} must be a token of at least {LEAST_TOKEN} characters without comma and slash, or addresses and "
        "networks separated by commas, such as 10.0.0.7,172.18.0.0/16."
    )
