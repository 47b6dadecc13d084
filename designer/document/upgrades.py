"""Older formats of the document, made into the current one step by step while a file is loaded.

A step takes the JSON data of format n and gives that of format n + 1. Once released, a step is never changed; for
every format that ever was, the tests keep one file.
"""

from collections.abc import Callable, Mapping
from typing import Any

from .design import FORMAT

Data = dict[str, Any]

STEPS: Mapping[int, Callable[[Data], Data]] = {}
"""From each older format to the next; the first format is the current one so far."""


def upgrade(data: Data, steps: Mapping[int, Callable[[Data], Data]] = STEPS, current: int = FORMAT) -> Data:
    """Return the data in the current format; data without a format has the first one.

    A format that is not a number is left to validation.
    """
    number = data.get("format", 1)
    if type(number) is not int:
        return data
    while number < current and number in steps:
        data = {**steps[number](data), "format": number + 1}
        number += 1
    return data
