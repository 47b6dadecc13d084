"""Measurements of a running instance, read by the cloud's REST APIs: nothing but GET is ever sent.

The client library gives the credentials; its messages do not hold table stats (google-cloud-bigtable 2.50.2).
"""

import datetime
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote, urlencode

from designer.management.base import CommandError
from estimator.management.commandline import UNUSABLE

ADMIN, DATA, MONITORING = (f"https://{name}.googleapis.com" for name in ("bigtableadmin", "bigtable", "monitoring"))
SCOPES = (
    "https://www.googleapis.com/auth/cloud-platform.read-only",
    "https://www.googleapis.com/auth/monitoring.read",
)
"""Of the access that is asked for: to read. Source: the client libraries' own lists (google-cloud-bigtable 2.50.2)."""
DAYS = 7
ALIGNED = {
    "cluster/cpu_load": "ALIGN_MEAN", "cluster/cpu_load_hottest_node": "ALIGN_MAX", "cluster/node_count": "ALIGN_MAX",
    "cluster/storage_utilization": "ALIGN_MEAN", "table/bytes_used": "ALIGN_MEAN",
    "server/request_count": "ALIGN_DELTA", "server/modified_rows_count": "ALIGN_DELTA",
    "server/returned_rows_count": "ALIGN_DELTA",
}  # fmt: skip
"""How the values of an hour become one, by metric. Source: cloud.google.com/bigtable/docs/metrics (read 2026-11-22)."""
PAGES_MAX = 200
TIMEOUT_SECONDS = 60
Fetch = Callable[[str], Any]
"""From an address to its JSON; None where there is nothing."""


@dataclass(frozen=True)
class LiveInstance:
    """One instance of a project."""

    project: str
    instance: str
    fetch: Fetch = field(repr=False)

    @classmethod
    def from_name(cls, name: str) -> "LiveInstance":
        """Return the instance PROJECT/INSTANCE, with the credentials that the machine has.

        Raises
        ------
        CommandError
            If the name has another form, or there are no credentials.
        """
        project, slash, instance = name.partition("/")
        if not (project and slash and instance) or "/" in instance:
            raise CommandError("--live needs PROJECT/INSTANCE", returncode=UNUSABLE)
        return cls(project, instance, _authorized_fetch())

    @property
    def path(self) -> str:
        """Its resource name, as a part of addresses."""
        return f"projects/{quote(self.project, safe='')}/instances/{quote(self.instance, safe='')}"

    def contents(self, tables: list[str], now: datetime.datetime) -> Iterator[tuple[str, bytes]]:
        """Yield what the files of `observe` would hold, each with the table that it is of."""
        yield from self._of_clusters()
        for table in tables:
            name = f"{self.path}/tables/{quote(table, safe='')}"
            stats = self.fetch(f"{ADMIN}/v2/{name}?view=STATS_VIEW")
            if stats is None:
                continue
            if "stats" in stats:
                yield table, json.dumps(stats).encode()
            samples = self.fetch(f"{DATA}/v2/{name}:sampleRowKeys")
            if samples:
                yield table, json.dumps(samples).encode()
        for metric, aligner in ALIGNED.items():
            for page in self._series(metric, aligner, now):
                yield "", json.dumps(page).encode()

    def _of_clusters(self) -> Iterator[tuple[str, bytes]]:
        found = (self.fetch(f"{ADMIN}/v2/{self.path}/clusters") or {}).get("clusters", [])
        if found:
            yield "", json.dumps(found).encode()
        for cluster in found:
            tablets = self.fetch(f"{ADMIN}/v2/{quote(cluster['name'])}/hotTablets") or {}
            if tablets.get("hotTablets"):
                yield "", json.dumps(tablets).encode()

    def _series(self, metric: str, aligner: str, now: datetime.datetime) -> Iterator[dict[str, Any]]:
        end = now.replace(minute=0, second=0, microsecond=0)
        start = end - datetime.timedelta(days=DAYS)
        query = {
            "filter": f'metric.type="bigtable.googleapis.com/{metric}" AND resource.labels.instance="{self.instance}"',
            "interval.startTime": _text(start),
            "interval.endTime": _text(end),
            "aggregation.alignmentPeriod": "3600s",
            "aggregation.perSeriesAligner": aligner,
        }
        for _ in range(PAGES_MAX):
            address = f"{MONITORING}/v3/projects/{quote(self.project, safe='')}/timeSeries?{urlencode(query)}"
            page = self.fetch(address) or {}
            if page.get("timeSeries"):
                yield page
            if not page.get("nextPageToken"):
                return
            query["pageToken"] = page["nextPageToken"]


def _text(moment: datetime.datetime) -> str:
    return moment.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _authorized_fetch() -> Fetch:
    """Return a function that asks with the machine's own credentials."""
    try:
        import google.auth
        from google.auth.transport.requests import AuthorizedSession
    except ImportError as error:
        message = (
            "--live needs Google's client: pip install 'keywright[bigtable]', or in a clone run.py --with bigtable"
        )
        raise CommandError(message, returncode=UNUSABLE) from error
    try:
        credentials, _ = google.auth.default(scopes=SCOPES)
    except google.auth.exceptions.GoogleAuthError as error:
        message = "there are no credentials: gcloud auth application-default login"
        raise CommandError(message, returncode=UNUSABLE) from error
    session = cast(Any, AuthorizedSession)(credentials)  # without types, where it is installed

    def fetch(address: str) -> Any:
        try:
            answer = session.get(address, timeout=TIMEOUT_SECONDS)
        except (google.auth.exceptions.GoogleAuthError, OSError) as error:
            raise CommandError(f"{address.partition('?')[0]}: {_first_line(error)}", returncode=UNUSABLE) from error
        return read_answer(address, answer.status_code, answer.content)

    return fetch


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def read_answer(address: str, status: int, content: bytes) -> Any:
    """Return the JSON of an answer; None where there is nothing at the address.

    Raises
    ------
    CommandError
        If it is refused, or no JSON, with the reason that the service gives.
    """
    place = address.partition("?")[0]
    if status == 404:
        return None
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise CommandError(f"{place}: no JSON, status {status}", returncode=UNUSABLE) from None
    if status >= 400:
        error = found[0] if isinstance(found, list) and found else found
        reason = error.get("error", {}).get("message", "") if isinstance(error, dict) else ""
        raise CommandError(f"{place}: {reason or f'status {status}'}", returncode=UNUSABLE)
    return found
