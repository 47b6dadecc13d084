"""Forms made from the design document's own fields: title, help, unit, choices and guess stand there and only there.

A control edits one field of an element. A field that holds a part (a garbage-collection tree, a day's shape) is one
control with controls inside, and is read back whole. Nothing is validated here: pydantic does when the edit applies.
"""

from .controls import INSTANCE, Control, Option, control, control_fields, control_id, controls
from .lists import Listed, lists
from .numbers import NoNumber, number, text_of
from .posting import filled, first_item, posted, reshaped, skeleton
from .shapes import Shape, shape

__all__ = [
    "INSTANCE", "Control", "Listed", "NoNumber", "Option", "Shape", "control", "control_fields", "control_id",
    "controls", "filled", "first_item", "lists", "number", "posted", "reshaped", "shape", "skeleton", "text_of",
]  # fmt: skip
