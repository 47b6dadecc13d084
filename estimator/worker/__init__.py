"""The worker that executes runs."""
