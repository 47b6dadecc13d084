"""The application for web servers: waitress (`manage.py serve`) and gunicorn (Compose)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

from config.translations import compile_stale

compile_stale()
application = get_wsgi_application()
