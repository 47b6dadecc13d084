"""A log's summary without the keys and values that came in it: for keys that hold personal data."""

import hashlib
from dataclasses import replace

from designer.document.field import Enumeration, Field
from designer.document.key import as_text

from .summary import TableUse, TraceSummary

DIGITS = 16


def hash_keys(summary: TraceSummary, secret: bytes) -> TraceSummary:
    """Return the summary with hashes in the place of keys and listed values, of length 16 or longer as they were.

    Text that all keys share is part of their pattern and stays. Whoever does not have the secret cannot tell a value by
    trying all that there may be.
    """
    return replace(summary, tables=tuple(_hash_table(table, secret) for table in summary.tables))


def _hash_table(table: TableUse, secret: bytes) -> TableUse:
    fields = tuple(_hash_field(field, secret) for field in table.proposal.fields)
    busiest = tuple((_hash_value(key, secret).encode(), share) for key, share in table.busiest_keys)
    largest = tuple(row._replace(key=_hash_value(row.key, secret).encode()) for row in table.largest_rows)
    proposal = replace(table.proposal, fields=fields, observations=())
    return replace(table, proposal=proposal, busiest_keys=busiest, largest_rows=largest)


def _hash_field(field: Field, secret: bytes) -> Field:
    if not isinstance(field.values, Enumeration):
        return field
    items = tuple(
        item.model_copy(update={"value": _hash_value(item.value.encode("utf-8", "surrogateescape"), secret)})
        for item in field.values.items
    )
    return field.model_copy(update={"values": field.values.model_copy(update={"items": items})})


def _hash_value(value: bytes, secret: bytes) -> str:
    size = max(DIGITS, len(as_text(value)))
    return hashlib.shake_256(secret + value).hexdigest(size)[:size]
