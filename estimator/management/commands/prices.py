"""`manage.py prices …`: books of prices: imported, fetched, shown, compared, and tried on a design."""

from argparse import ArgumentParser
from typing import Any

from designer.management.base import FilesCommand
from estimator.management.pricebooks import comparing, fetching, importing, repricing, showing

PARTS = {
    "import": (importing.arguments, importing.run, "make a book from a file of the Cloud Billing Catalog"),
    "fetch": (fetching.arguments, fetching.run, "make a book from the Cloud Billing API, with a key"),
    "list": (showing.arguments_of_list, showing.list_, "every book there is"),
    "show": (showing.arguments_of_show, showing.show, "the figures of a book with their sources"),
    "diff": (comparing.arguments, comparing.run, "what differs between two books"),
    "reprice": (repricing.arguments, repricing.run, "what another book makes of a design's bill"),
}


class Command(FilesCommand):
    """Each part prints what it has done; what cannot be used ends it with exit code 2 and changes nothing."""

    help = "Price books. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One sub-command per part."""
        parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
        for name, (arguments, _, help_) in PARTS.items():
            arguments(parts.add_parser(name, help=help_, description=help_))

    def handle(self, *, part: str, **options: Any) -> None:
        """Print the output of the subcommand."""
        for text in PARTS[part][1](options):
            self.stdout.write(text)
