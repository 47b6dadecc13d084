"""Days as options of commands."""

import datetime
from argparse import ArgumentParser, ArgumentTypeError


def current_day() -> datetime.date:
    """Return today's date (UTC)."""
    return datetime.datetime.now(datetime.UTC).date()


def parse_day(text: str) -> datetime.date:
    """Return the day of an option."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day, such as 2026-11-28") from None


def add_today(parser: ArgumentParser) -> None:
    """Add `--today`, the day of an estimate."""
    day = "the day of the estimate: accepted risks are judged on it, and a design without a start date starts on it"
    parser.add_argument("--today", type=parse_day, help=f"{day} (default: today, UTC)")
