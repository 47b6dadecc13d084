"""The application for web servers: waitress (`manage.py serve`) and gunicorn (Compose)."""

import gc
import logging
import os
from importlib import import_module
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.checks import refuse_errors
from config.monitoring.logs import NoSecrets
from config.monitoring.observers import start_sentry, start_tracing
from config.processes.process_pool import ProcessPool
from designer.http.translations import compile_stale

start_sentry()
# OpenTelemetry puts itself into Django's list of middleware, so it has to come before the handler is built.
start_tracing()
compile_stale()
logging.getLogger("gunicorn.access").addFilter(NoSecrets())
application: Any = get_wsgi_application()
# After Django is set up, which the checks need, and before the first request is answered.
refuse_errors()
if settings.TEAM:
    application = import_module("config.front").Front(application, import_module("designer.models.watches").WATCHES)

import_module("config.urls")  # all pages, before the first is asked for
logging.getLogger("keywright.start").info(
    "keeps up to %d MB of documents and results (KEYWRIGHT_MEMORY)", settings.KEYWRIGHT_MEMORY
)

if settings.KEYWRIGHT_PROCESSES:
    pool = ProcessPool(settings.KEYWRIGHT_PROCESSES, cache_bytes=settings.KEYWRIGHT_MEMORY << 20)
    import_module("estimator.contexts").set_processes(pool)
    pool.begin()

# A full search for garbage stops everybody for a tenth of a second once large estimates are kept. What is loaded by now
# stays, so it is not searched; the rest is five times less often.
gc.collect()
gc.freeze()
gc.set_threshold(700, 10, 50)
