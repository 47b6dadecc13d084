"""Forms made from the design document's own fields: title, help, unit, choices and guess stand there and only there.

A control edits one field of an element. A field that holds a part (a garbage-collection tree, a day's shape) is one
control with controls inside, and is read back whole. Nothing is validated here: pydantic does when the edit applies.
"""

from .controls import INSTANCE, Control, Option, control, control_fields, control_id, controls
from .lists import MOST_SHOWN, ElementList, lists
from .numbers import InvalidNumberError, error_text, parse_number
from .posting import InvalidActionError, initial_item, initial_part, read_posted_value, reshape, value_structure
from .shapes import FieldShape, shape

__all__ = [
    "INSTANCE",
    "MOST_SHOWN",
    "Control",
    "ElementList",
    "FieldShape",
    "InvalidActionError",
    "InvalidNumberError",
    "Option",
    "control",
    "control_fields",
    "control_id",
    "controls",
    "error_text",
    "initial_item",
    "initial_part",
    "lists",
    "parse_number",
    "read_posted_value",
    "reshape",
    "shape",
    "value_structure",
]  # fmt: skip
