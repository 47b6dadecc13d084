"""Reads and writes over key ranges and time."""

from .assumptions import ASSUMPTIONS
from .load import table_traffic
from .profile import activity_rate, day_rates, profile_week, read_rate
from .reads import plan_reads

__all__ = [
    "ASSUMPTIONS", "activity_rate", "day_rates", "plan_reads", "profile_week",
    "read_rate", "table_traffic",
]  # fmt: skip
