"""What `manage.py prices` does, one module per part: `arguments(parser)`, and `run(options)`, which yields texts."""
