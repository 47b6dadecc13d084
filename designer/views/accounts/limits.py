"""Limits on attempts to sign in, and the page for those who have to wait."""

import ipaddress

from django.http import HttpRequest, HttpResponse

from designer.http.pages import page
from designer.views.audit import client_address

MOST_OF_ACCOUNT = 10
MOST_OF_ADDRESS = 50
"""So many attempts may fail in a quarter of an hour: on one account, from one network (many people share one)."""
MOST_MAILS = 5
"""So many links for a new password are sent in that time to one account, or asked for from one network."""


def rate_limit_page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Return the page that tells the user when to try again."""
    response = page(request, template, context, status=429)
    response["Retry-After"] = f"{int(str(context['minutes'])) * 60}"
    return response


def network_of(request: HttpRequest) -> str:
    """Return where a request comes from, for limits: an IPv4 address, or the /64 of an IPv6 address."""
    address = client_address(request).strip()
    # Some proxies (Azure's, for one) write the client's port into X-Forwarded-For, as 1.2.3.4:5678 or
    # [2001:db8::1]:5678.
    bare = address.rpartition(":")[0] if address.count(":") == 1 else address.partition("]")[0].lstrip("[")  # no port
    try:
        ip = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    # A household or a server gets a /64 of IPv6, so each single address of it would have a limit of its own.
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))
