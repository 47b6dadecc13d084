"""Terraform's language: a text → what its parser makes of it, within limits."""

import re
from collections.abc import Iterator, Mapping
from threading import Thread
from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

MOST_TEXT_BYTES = 300_000
MOST_WORDS = 100_000
"""A larger file, or one of more words and signs, takes the parser more than a few seconds."""
_WORD = re.compile(r"\w+|[^\w\s]")


def parse(text: str) -> Mapping[str, Any]:
    """Return what the parser makes of a text.

    Raises
    ------
    InvalidDocumentError
        If it is no Terraform, or too large.
    """
    import hcl2
    from lark.exceptions import LarkError, UnexpectedInput

    if len(text.encode()) > MOST_TEXT_BYTES:
        message = N_("larger than {most} kB")
        raise InvalidDocumentError([Problem((), build_text(message, most=MOST_TEXT_BYTES // 1_000))])
    if sum(1 for _ in _WORD.finditer(text)) > MOST_WORDS:
        message = N_("more than {most} tokens: import only the Bigtable resources")
        raise InvalidDocumentError([Problem((), build_text(message, most=f"{MOST_WORDS:,}"))])
    _build_parser()
    try:
        # The grammar demands a line end behind the last block.
        document: Mapping[str, Any] = hcl2.loads(text if text.endswith("\n") else text + "\n")
        return document
    except UnexpectedInput as error:
        line = error.line if isinstance(error.line, int) and error.line > 0 else None
        raise InvalidDocumentError([Problem((), build_text(N_("invalid Terraform")), line)]) from None
    except (LarkError, ValueError, RecursionError, KeyError, AttributeError, TypeError):
        raise InvalidDocumentError([Problem((), build_text(N_("invalid Terraform")))]) from None


def _build_parser() -> None:
    """Build the parser of Terraform once in a process, in a thread of its own.

    It takes a second on a short stack. A request's calls may be as deep as a piece of CPython's stack is long: then
    each further call maps a new piece and gives it back, and it took 20 seconds.
    """
    from hcl2.parser import parser

    if parser.cache_info().currsize == 0:
        builder = Thread(target=parser, daemon=True)
        builder.start()
        builder.join()


def plain_key(key: str) -> str:
    """Return a name without its quotes."""
    return key[1:-1] if key[:1] == key[-1:] == '"' else key


def labelled_blocks(blocks: Any) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the blocks of two labels."""
    for block in blocks or ():
        for kind, inner in block.items():
            for label, body in inner.items() if isinstance(inner, Mapping) else ():
                if isinstance(body, Mapping):
                    yield plain_key(kind), plain_key(label), body
