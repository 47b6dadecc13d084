"""Sentry and OpenTelemetry, where environment variables ask for them: started with the web server and with workers.

What opens a link is masked before anything is sent; no cookies, bodies, addresses of people or local variables are.
"""

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from django.conf import settings

from config.monitoring.logs import mask
from designer.http.version import VERSION

SENTRY = "sentry_sdk"
OPENTELEMETRY = "opentelemetry.instrumentation.django"
OTLP = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


def missing_packages() -> list[str]:
    """Return a sentence for each setting whose package is not installed."""
    requirements = (
        ("KEYWRIGHT_METRICS", settings.KEYWRIGHT_METRICS, ("prometheus_client",), "team"),
        ("SENTRY_DSN", settings.SENTRY_DSN, (SENTRY,), "observe"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", settings.OTEL_ENDPOINT, ("opentelemetry.sdk", OPENTELEMETRY, OTLP), "observe"),
    )
    return [
        f"{variable} is set, but its package is not installed: pip install 'keywright[{extra}]'."
        for variable, is_set, modules, extra in requirements
        if is_set and not all(map(_is_installed, modules))
    ]


def _is_installed(module: str) -> bool:
    try:
        # `find_spec` imports what the module is in, but not the module: nothing is started by asking.
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it is in
        return False


def start_sentry() -> None:
    """Report errors of this process, if `SENTRY_DSN` is set; without the package `config.checks` says so."""
    if not settings.SENTRY_DSN or not _is_installed(SENTRY):
        return
    importlib.import_module(SENTRY).init(
        # Local variables and bodies hold what people wrote into designs; without addresses and cookies, no person is
        # named.
        dsn=settings.SENTRY_DSN, release=f"keywright@{VERSION}", send_default_pii=False, include_local_variables=False,
        max_request_body_size="never", before_send=masked_event, before_send_transaction=masked_event,
        before_breadcrumb=masked_event,
    )  # fmt: skip


def start_tracing() -> None:
    """Send traces of this process's requests, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; before Django is loaded."""
    # A package that is missing is reported by `config.checks`, with a hint, instead of by an ImportError here.
    if not settings.OTEL_ENDPOINT or missing_packages():
        return
    sdk = importlib.import_module("opentelemetry.sdk.trace")
    resource = importlib.import_module("opentelemetry.sdk.resources").Resource.create(
        {"service.name": "keywright", "service.version": VERSION}
    )
    provider = sdk.TracerProvider(resource=resource)
    exporter = importlib.import_module(OTLP).OTLPSpanExporter()
    provider.add_span_processor(importlib.import_module("opentelemetry.sdk.trace.export").BatchSpanProcessor(exporter))
    importlib.import_module(OPENTELEMETRY).DjangoInstrumentor().instrument(
        tracer_provider=provider, request_hook=_mask_span
    )


def masked(value: Any) -> Any:
    """Return data whose texts are without what opens a link."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {name: masked(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner) for inner in value]
    return value


def masked_event(event: Any, _hint: Any) -> Any:
    """Return what Sentry may have of an event or a breadcrumb: no query, in which people search for their own words."""
    request = event.get("request")
    if request:
        event = {**event, "request": {name: value for name, value in request.items() if name != "query_string"}}
    return masked(event)


def _mask_span(span: Any, _request: Any) -> None:
    """Mask the addresses that a span has."""
    # A span that is not sampled keeps no attributes.
    if not span.is_recording():
        return
    for name, value in dict(span.attributes).items():
        if isinstance(value, str) and mask(value) != value:
            span.set_attribute(name, mask(value))
