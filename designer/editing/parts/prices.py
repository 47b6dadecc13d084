"""Prices that a team entered: each line of the bill has an input, and those left empty are no prices."""

from collections.abc import Mapping, Sequence
from typing import Any


def read_value(
    value: Sequence[dict[str, Any]], previous: Any, inputs: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return the prices that have an amount."""
    return [price for price in value if price.get("usd") is not None or price.get("amount") is not None]
