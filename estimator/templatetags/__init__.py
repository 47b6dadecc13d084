"""Template tags of estimator pages: see drawn.py."""
