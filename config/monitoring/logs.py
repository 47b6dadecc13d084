"""Lines of the log: without secret addresses, and as JSON where a setting says so.

Review links, invitations and new passwords need only their address, without a sign-in.
"""

import datetime
import json
import logging
import re
from contextvars import ContextVar

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered."""


def _encoded(word: str) -> str:
    """Return the pattern of a word in an address, each letter as it is or percent-encoded."""
    return "".join(f"(?:{letter}|%{ord(letter):02x}|%{ord(letter.upper()):02x})" for letter in word)


# Servers and proxies take an address with %2F, // or /./ for the same one, so a token may stand behind any of them.
_SLASH = r"(?:/|%2f)+(?:\./|%2e/|\.%2f)*"
_STRAY = r"[^\w/-]{0,8}"
"""What may come before a token where an address was pasted: a space, a quotation mark, a character without width."""
_TOKEN = r"[\w-]|%[0-9a-f]{2}|[^\x21-\x7e\s\w]|\\x[0-9a-f]{2}"
"""A letter of a token, as it is or encoded, or what broke a line in the midst of it, as it is or as it is quoted."""
SECRET = re.compile(
    rf"({_SLASH}{_encoded('review')}{_SLASH}|{_SLASH}{_encoded('invitations')}{_SLASH}"
    rf"|{_SLASH}{_encoded('password')}{_SLASH}(?:(?!%2f)[^/\s])+{_SLASH}){_STRAY}(?:{_TOKEN}){{8,}}",
    re.IGNORECASE,
)


def mask(text: str) -> str:
    """Return a text without what opens a link."""
    return SECRET.sub(r"\1…", text)


TRACEBACKS = logging.Formatter()


class NoSecrets(logging.Filter):
    """Leaves what opens a link out of a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        line = record.getMessage()
        masked = mask(line)
        if masked != line:
            # The text has its arguments already: formatting it with them again would fail at each % in an address.
            record.msg, record.args = masked, ()
        # Formatters take `exc_text` if it is set, so the traceback is masked before any of them writes it.
        if record.exc_info and not record.exc_text:
            record.exc_text = mask(TRACEBACKS.formatException(record.exc_info))  # what formatters then write
        return True


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        entry = {
            "time": at.isoformat(timespec="milliseconds"), "level": record.levelname, "logger": record.name,
            "message": mask(record.getMessage()),
        }  # fmt: skip
        own = REQUEST_ID.get()
        if own:
            entry["request_id"] = own
        entry.update({name: value for name, value in getattr(record, "fields", {}).items() if value is not None})
        if record.exc_info:
            entry["exception"] = mask(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
