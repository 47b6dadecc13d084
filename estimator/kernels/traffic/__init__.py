"""Reads and writes over key ranges and time."""

from ..population.profile import day_rates, profile_week
from .assumptions import ASSUMPTIONS
from .load import table_traffic
from .reads import plan_reads

__all__ = [
    "ASSUMPTIONS", "day_rates", "plan_reads", "profile_week", "table_traffic",
]  # fmt: skip
