"""Addresses of engines, as options take them."""

from argparse import ArgumentTypeError


def host_and_port(text: str) -> str:
    """Return HOST:PORT, which is no address of Google's: that takes no connection without encryption."""
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isdigit()) or "/" in host or host.rstrip(".").endswith("googleapis.com"):
        raise ArgumentTypeError("must be HOST:PORT of an emulator")
    return text
