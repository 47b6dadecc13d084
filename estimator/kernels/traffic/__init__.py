"""Reads and writes over key ranges and time."""

from ..capacity.placement import Served, place_tablets, placements
from .assumptions import ASSUMPTIONS
from .load import table_traffic
from .profile import activity_rate, day_rates, profile_week, read_rate
from .reads import plan_reads

__all__ = [
    "ASSUMPTIONS", "Served", "activity_rate", "day_rates", "place_tablets", "placements", "plan_reads", "profile_week",
    "read_rate", "table_traffic",
]  # fmt: skip
