"""`prices fetch`: the same book straight from the Cloud Billing API, page by page."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, get_args

from designer.document.money import Currency
from designer.management.base import CommandError
from estimator.management import billing
from estimator.management.commandline import UNUSABLE

from . import importing

VARIABLE = "KEYWRIGHT_BILLING_KEY"


def arguments(parser: ArgumentParser) -> None:
    """Add the options for the key and the use of the answer."""
    parser.add_argument(
        "--key", help=f"API key (default: the environment variable {VARIABLE}, which no process list shows)"
    )
    parser.add_argument("--currency", choices=get_args(Currency), default="USD", help="default: USD")
    parser.add_argument("--address", default=billing.ADDRESS, help="of the API, for a proxy or a mirror")
    importing.options(parser)


def run(options: dict[str, Any]) -> Iterator[str]:
    """Asks for all pages, then makes the book."""
    # An environment variable set from a file often ends with a line break.
    key = options["key"] or os.environ.get(VARIABLE, "").strip()
    if not key:
        message = f"an API key is needed: --key, or the environment variable {VARIABLE}"
        raise CommandError(f"{message} (Google Cloud console, APIs and services, credentials)", returncode=UNUSABLE)
    try:
        text = billing.catalogue(key, currency=options["currency"], address=options["address"])
    except billing.CatalogueFetchError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error
    yield from importing.build_and_store(text, options)
