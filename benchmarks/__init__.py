"""How fast and how small it is, in figures that hold on a noisy machine: ratios, medians, ranges."""

import config  # noqa: F401 - sets threads, before numpy is imported
