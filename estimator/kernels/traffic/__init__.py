"""Reads and writes over key ranges and time."""

from .assumptions import ASSUMPTIONS
from .load import table_traffic
from .profile import day_rates, profile_week
from .reads import plan_reads

__all__ = [
    "ASSUMPTIONS", "day_rates", "plan_reads", "profile_week", "table_traffic",
]  # fmt: skip
