"""How fast and how small it is, in figures that hold on a noisy machine: ratios, medians, ranges."""
