"""`keywright mcp FOLDER`: designs for agents, by the Model Context Protocol on standard input and output."""

import datetime
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.management.base import CommandError, FilesCommand
from estimator.management.commandline import UNUSABLE, file_context
from estimator.management.days import add_today
from reviews.management.engine_addresses import host_and_port
from reviews.management.mcp_server.site_store import SiteStore
from reviews.management.mcp_server.stores import DesignStore, FolderStore, StoreError

TOKEN = "KEYWRIGHT_API_TOKEN"


class Command(FilesCommand):
    """Serves until its input ends."""

    help = (
        "Serve designs to agents by the Model Context Protocol (MCP), on standard input and output. Read-only unless "
        "--write. Exit code: 0 at the end of the input, 2 unusable input. Needs the extra: keywright[mcp]."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where designs are, and whether they may be changed."""
        folder = "the folder whose designs (*.keywright.json, .yaml) are served; nothing outside of it is read"
        parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help=f"{folder} (default: this folder)")
        site = f"serve the designs of a site in place of a folder, with the API token in the environment's {TOKEN}"
        parser.add_argument("--server", metavar="URL", help=site)
        parser.add_argument("--write", action="store_true", help="let agents apply fixes, and create and edit designs")
        emulator = "a Bigtable emulator that agents may try designs on, with --write"
        parser.add_argument("--emulator", metavar="HOST:PORT", type=host_and_port, help=emulator)
        add_today(parser)

    def handle(
        self,
        *,
        folder: Path | None,
        server: str | None,
        write: bool,
        emulator: str | None,
        today: datetime.date | None,
        **options: Any,
    ) -> None:
        """Serve."""
        if emulator and not write:
            raise CommandError("--emulator goes with --write: a trial makes tables there", returncode=UNUSABLE)
        from reviews.management.mcp_server.server import Desk, build_server  # brings the SDK, which is an extra

        try:
            store = _store(folder, server)
        except StoreError as error:
            raise CommandError(str(error), returncode=UNUSABLE) from error
        build_server(Desk(store, file_context(today), write, today, emulator or "")).run("stdio")


def _store(folder: Path | None, server: str | None) -> DesignStore:
    if server is None:
        return FolderStore(folder or Path())
    if folder is not None:
        raise StoreError("Name either a folder or --server.")
    # From the environment only: an option would be in the list of processes and in the shell's history.
    token = os.environ.get(TOKEN, "")
    if not token:
        raise StoreError(f"--server needs an API token of the team in the environment's {TOKEN}.")
    return SiteStore(server, token)
