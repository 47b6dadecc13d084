"""Removal of secret addresses from the log.

Review links, invitations and new passwords need only their address, without a sign-in.
"""

import logging
import re


def _encoded(word: str) -> str:
    """Return the pattern of a word in an address, each letter as it is or percent-encoded."""
    return "".join(f"(?:{letter}|%{ord(letter):02x}|%{ord(letter.upper()):02x})" for letter in word)


_SLASH = r"(?:/|%2f)+"
SECRET = re.compile(
    rf"({_SLASH}{_encoded('review')}{_SLASH}|{_SLASH}{_encoded('invitations')}{_SLASH}"
    rf"|{_SLASH}{_encoded('password')}{_SLASH}(?:(?!%2f)[^/\s])+{_SLASH})(?:[\w-]|%[0-9a-f]{{2}}){{8,}}",
    re.IGNORECASE,
)


class NoSecrets(logging.Filter):
    """Leaves what opens a link out of a line."""

    def filter(self, record: logging.LogRecord) -> bool:
        line = record.getMessage()
        masked = SECRET.sub(r"\1…", line)
        if masked != line:
            record.msg, record.args = masked, ()
        return True
