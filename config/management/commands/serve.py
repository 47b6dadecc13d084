"""Serve Keywright on this machine: migrate, compile what is stale, and listen on loopback."""

import errno
import ipaddress
import logging
import socket
import sys
import threading
import time
from io import StringIO
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from config.monitoring.health import NEWER_HINT, newer_migrations, newer_text
from config.worker import WorkerProcess

DEFAULT_PORT = 8000
PORTS_TRIED = 20
DAY_SECONDS = 24 * 3600
MINUTE_SECONDS = 60


class Command(BaseCommand):
    help = "Serve Keywright on this machine."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, help=f"port (default: {DEFAULT_PORT}, or the next one that is free)")
        parser.add_argument("--no-worker", action="store_true", help="serve pages only; a worker runs elsewhere or not")
        parser.add_argument("--threads", type=int, default=8, help="requests answered at a time (default: 8)")

    def handle(self, *args: Any, host: str, port: int | None, threads: int, no_worker: bool, **options: Any) -> None:
        if settings.KEYWRIGHT_MODE == "embedded" and not is_loopback(host):
            raise CommandError(
                f"Embedded mode has no sign-in, so it listens on this machine only, not on {host}. "
                "To serve other people, set KEYWRIGHT_MODE=team; the command doctor then says what else it needs."
            )
        # Before the migration: a second start on a taken port must not touch the database of the first.
        listener = listen(host, port)
        if newer := newer_migrations():
            raise CommandError(f"{newer_text(newer)} {NEWER_HINT}")
        call_command("prepare", stdout=StringIO())
        call_command("migrate", interactive=False, verbosity=0)
        threading.Thread(target=purge_daily, daemon=True, name="purge").start()
        threading.Thread(target=deliver_every_minute, daemon=True, name="mail").start()

        from waitress import serve  # imports after the port is known to be free

        from config.wsgi import application

        port_note = (
            f" (port {DEFAULT_PORT} is taken)" if port is None and listener.getsockname()[1] != DEFAULT_PORT else ""
        )
        address = f"[{host}]" if ":" in host else host
        self.stdout.write(
            f"Keywright is at http://{address}:{listener.getsockname()[1]}/{port_note} - stop it with Ctrl-C"
        )
        if settings.KEYWRIGHT_MODE == "embedded":
            self.stdout.write(f"It keeps your designs in {settings.KEYWRIGHT_DATA} (KEYWRIGHT_DATA)")
        self.stdout.flush()
        # In team mode the workers are processes of their own, which Redis gives work to.
        worker = None if no_worker or settings.TEAM else WorkerProcess()
        most = settings.KEYWRIGHT_MOST_BODY_BYTES + 1_000_000  # a little more is read, to say that it is too much
        try:
            serve(
                application, sockets=[listener], threads=threads, ident=None, connection_limit=1000,
                max_request_body_size=most,
            )  # fmt: skip
        finally:
            if worker:
                worker.stop()


def deliver_every_minute() -> None:
    """Send the mail and the events that are due, as long as the server runs."""
    while True:
        time.sleep(MINUTE_SECONDS)
        try:
            call_command("deliver_mail", stdout=StringIO())
            call_command("deliver_webhooks", stdout=StringIO())
        except DatabaseError:
            logging.getLogger("keywright").exception("Mail or events that are due could not be sent.")
        finally:
            # The thread sleeps now; an open connection would hold one of PostgreSQL's places meanwhile.
            connection.close()


def purge_daily() -> None:
    """Remove for good what was deleted long ago: now, and every day that the server runs."""
    while True:
        try:
            call_command("purge", daily=True, stdout=StringIO())
        except DatabaseError:
            logging.getLogger("keywright").exception("What was deleted long ago could not be removed.")
        finally:
            connection.close()
        time.sleep(DAY_SECONDS)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket bound to `port`; without a port, to the first free one from the default on."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else [port]
    for candidate in ports:
        bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # on Windows it would allow two servers
        try:
            bound.bind((host, candidate))
            return bound
        except OverflowError:
            raise CommandError(f"{candidate} is no port number; choose one from 1 to 65535.") from None
        except OSError as problem:
            bound.close()
            # EACCES is a port below 1024 on Linux, and one that another program holds exclusively on Windows.
            if problem.errno not in (errno.EADDRINUSE, errno.EACCES, getattr(errno, "WSAEADDRINUSE", None)):
                raise CommandError(f"Cannot listen on {host}, port {candidate}: {problem.strerror}.") from None
    if port is not None:
        raise CommandError(f"Port {port} is taken or not allowed; choose another with --port.")
    raise CommandError(f"Ports {ports[0]} to {ports[-1]} are all taken; choose one with --port.")
