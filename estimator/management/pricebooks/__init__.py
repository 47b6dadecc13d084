"""Parts of `manage.py prices`, one module each: `arguments(parser)`, and `run(options)` for texts."""
