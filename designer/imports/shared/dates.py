"""Dates with a time of day, as clouds, servers and programs write them: one strict reader for all files."""

import datetime
import re

_ISO_CLOCK = re.compile(r"[\dW-]{7,10}\D\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)? ?(Z|[+-]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?)?")
"""Two digits for each part: Python 3.11 reads 00:01:002Z as 00:01:00."""
_APACHE = re.compile(r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d:\d\d:\d\d)(?: ?([+-]\d{4}))?")
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}


def parse_date(text: str) -> datetime.datetime | None:
    """Return the date that a text is, with its zone if it names one; None for anything else.

    Dates are written as in ISO 8601, also with slashes, with ` UTC` or the name of a zone behind their offset; or as in
    Apache's logs. Digits beyond microseconds are dropped.
    """
    text, _, zone = text.strip("[]").partition("[")  # 2026-03-29T03:00:00+02:00[Europe/Berlin]
    if text.endswith((" UTC", " GMT")):
        text, zone = text[:-4], "UTC"
    if match := _APACHE.fullmatch(text):
        text = f"{match[3]}-{_MONTHS.get(match[2], 0):02}-{match[1]}T{match[4]}{match[5] or ''}"
    if len(text) < len("2026-01-01T00") or not text[:4].isdecimal():
        return None
    text = text.replace("/", "-", 2) if text[4] == text[7] == "/" else text
    if _ISO_CLOCK.fullmatch(text) is None:
        return None
    try:
        date = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    if zone and date.tzinfo is None:
        return date.replace(tzinfo=datetime.UTC) if zone == "UTC" else None
    return date
