"""Reads and writes over key ranges and time."""

from ..population.profile import day_rates, profile_week
from .assumptions import ASSUMPTIONS
from .load import table_traffic
from .read_courses import with_courses
from .reads import plan_reads

__all__ = [
    "ASSUMPTIONS", "day_rates", "plan_reads", "profile_week", "table_traffic", "with_courses",
]  # fmt: skip
