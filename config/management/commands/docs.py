"""Build the documentation site from the repository, and show it."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.documentation.pages import BrokenLinkError, repository_pages
from config.documentation.site import build
from config.documentation.transcripts import is_made, renew_text


class Command(BaseCommand):
    help = "Build the documentation site. A broken link, or a page that is not in the menu, is an error."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--out", type=Path, default=Path("var/site"), help="the folder to write; default: var/site")
        parser.add_argument(
            "--source", default="", metavar="URL", help="where the repository's files can be read online"
        )
        parser.add_argument(
            "--serve",
            type=int,
            nargs="?",
            const=8001,
            metavar="PORT",
            help="then show it on this machine; default: 8001",
        )

        parser.add_argument(
            "--renew", action="store_true", help="write what commands print in the documents again; no site"
        )
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if --renew would change a document"
        )
        parser.add_argument(
            "--oracle", action="store_true", help="with these, also draw the designs of the oracle: a minute"
        )

    def handle(
        self,
        *args: Any,
        out: Path,
        source: str,
        serve: int | None,
        renew: bool,
        check: bool,
        oracle: bool,
        **options: Any,
    ) -> None:
        root = Path(settings.BASE_DIR)
        if renew or check:
            self.renew(root, check=check, with_oracle=oracle)
            return
        try:
            failed = build(root, out, source_url=source.rstrip("/"))
        except BrokenLinkError as error:
            raise CommandError(str(error)) from error
        if failed:
            raise CommandError("The site has errors; they are listed above.")
        self.stdout.write(f"{out / 'index.html'}")
        if serve is not None:
            handler = partial(SimpleHTTPRequestHandler, directory=str(out))
            with ThreadingHTTPServer(("127.0.0.1", serve), handler) as server:
                self.stdout.write(f"http://127.0.0.1:{server.server_port}/")
                server.serve_forever()

    def renew(self, root: Path, *, check: bool, with_oracle: bool) -> None:
        """Write the blocks that the program makes into the documents, or name the documents where they are stale."""
        stale = []
        for name in repository_pages(root):
            text = (root / name).read_text(encoding="utf-8")
            new = renew_text(text, with_oracle=with_oracle) if is_made(text) else text
            if new != text:
                stale.append(name)
                if not check:
                    (root / name).write_text(new, encoding="utf-8")
        if check and stale:
            raise CommandError(f"{', '.join(stale)}: out of date: run manage.py docs --renew")
        self.stdout.write("\n".join(stale) or "All documents are as the program writes them.")
