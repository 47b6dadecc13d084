"""`keywright approved DESIGN --by-link URL`: whether a review has approved exactly this design."""

import json
import os
from argparse import ArgumentParser
from typing import Any

from designer.document import Spec, fingerprint
from designer.management.base import CommandError
from designer.wording.printable import printable
from estimator.management.commandline import FOUND, UNUSABLE, FileCommand
from reviews.management.link_client import fetch_verdicts
from reviews.verdicts.link_verdicts import LinkVerdicts
from reviews.verdicts.sections import SECTIONS

LINK, PASSWORD = "KEYWRIGHT_LINK", "KEYWRIGHT_LINK_PASSWORD"
"""Environment variables: an argument is in the list of processes, which others may read."""
BY_MEMBERS = ("approved",)
BY_ANYBODY = ("approved", "link")
"""States of sections that count; what authors checked themselves never does."""


REMEDY = "Keep the file that the site exports, as Keywright JSON or YAML."


class Command(FileCommand):
    """Ends with 0 if every section of exactly this design is approved, with 1 and the reasons if not."""

    help = (
        "Say whether a review has approved exactly this design. Exit code: 0 approved, 1 not, 2 unusable input, such "
        "as a link that has ended, 3 the site could not be asked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the design, the link and what is asked of its verdicts."""
        parser.add_argument("file", metavar="DESIGN", help="a design as JSON or YAML; - reads standard input")
        link = f"the review link (default: that in {LINK}); its password is in {PASSWORD}"
        parser.add_argument("--by-link", metavar="URL", default=os.environ.get(LINK, ""), help=link)
        parser.add_argument(
            "--section",
            choices=SECTIONS,
            action="append",
            default=[],
            help="a section that must be approved; may be given several times (default: all)",
        )
        members = "count approvals by members of the team alone, none that came through a link"
        parser.add_argument("--members", action="store_true", help=members)
        forms = ("text", "terraform")
        parser.add_argument(
            "--format", choices=forms, default="text", help="terraform: an external data source's result"
        )

    def handle(self, *, file: str, by_link: str, section: list[str], members: bool, **options: Any) -> None:
        """Ask the link and tell what it says of the design."""
        if not by_link:
            raise CommandError(f"Name the review link by --by-link or in {LINK}.", returncode=UNUSABLE)
        spec = self.read(file)[1]
        sha256 = fingerprint(spec)
        verdicts = fetch_verdicts(by_link, os.environ.get(PASSWORD, ""))
        accepted = BY_MEMBERS if members else BY_ANYBODY
        objections = list(verdicts.objections(sha256, accepted=accepted, sections=section))
        for sentence in objections:
            self.stderr.write(printable(sentence))
        if verdicts.sha256 not in (None, sha256) and (absent := _absent(spec)):
            self.stderr.write(f"The file has no {absent}, which a site gives to a design that is begun. {REMEDY}")
        if objections:
            raise SystemExit(FOUND)
        self.stdout.write(_result(verdicts) if options["format"] == "terraform" else printable(_sentence(verdicts)))


def _absent(spec: Spec) -> str:
    """Return what a site would add to a file; empty if nothing."""
    there = {"start date": spec.start, "price book": spec.instance.price_book}
    return " and no ".join(name for name, value in there.items() if value is None)


def _reviewers(verdicts: LinkVerdicts) -> list[str]:
    return list(dict.fromkeys(name for section in verdicts.sections for name in section.approved_by))


def _sentence(found: LinkVerdicts) -> str:
    return f"Revision {found.revision} ({(found.sha256 or '')[:12]}) is approved by {', '.join(_reviewers(found))}."


def _result(verdicts: LinkVerdicts) -> str:
    """Return an object of texts, which Terraform asks of an external data source."""
    fields = {
        "format": "keywright-approved/1",
        "approved": "true",
        "sha256": verdicts.sha256,
        "revision": str(verdicts.revision),
    }
    return json.dumps({**fields, "approved_by": ", ".join(_reviewers(verdicts))})
