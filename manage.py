"""Django's command line, with Keywright's own commands: serve, lint, estimate, keys, heatmap and more."""

import os
import sys

if __name__ == "__main__":
    # lint reads one file and nothing stored: it starts without the site
    settings = "config.settings_of_files" if sys.argv[1:2] == ["lint"] else "config.settings"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", settings)
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
