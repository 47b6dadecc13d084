"""Measurements of a running instance, read by Google's own clients: no method that changes anything is ever called.

Table stats alone come by REST: the messages of the clients have no field for them (decision 67).
"""

import datetime
import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from urllib.parse import quote

from designer.management.base import CommandError
from estimator.management.commandline import UNUSABLE

ADMIN = "https://bigtableadmin.googleapis.com"
SCOPES = (
    "https://www.googleapis.com/auth/cloud-platform.read-only",
    "https://www.googleapis.com/auth/monitoring.read",
)
"""Of the access that is asked for: to read. Source: the client libraries' own lists (google-cloud-bigtable 2.50.2)."""
EMULATOR = "BIGTABLE_EMULATOR_HOST"
"""Where Google's own clients find an emulator."""
DAYS = 7
ALIGNED = {
    "cluster/cpu_load": "ALIGN_MEAN", "cluster/cpu_load_hottest_node": "ALIGN_MAX", "cluster/node_count": "ALIGN_MAX",
    "cluster/storage_utilization": "ALIGN_MEAN", "table/bytes_used": "ALIGN_MEAN",
    "server/request_count": "ALIGN_DELTA", "server/modified_rows_count": "ALIGN_DELTA",
    "server/returned_rows_count": "ALIGN_DELTA",
}  # fmt: skip
"""How the values of an hour become one, by metric. Source: cloud.google.com/bigtable/docs/metrics (read 2026-11-22)."""
PAGES_MAX = 200
ROWS_MAX = 10_000
"""Of a read that is run, where it has no limit of its own."""
TIMEOUT_SECONDS, EMULATOR_SECONDS = 60.0, 10.0
Fetch = Callable[[str], Any]
"""From an address to its JSON; None where there is nothing."""
Told = Iterator[tuple[str, bytes]]
"""What the files of `observe` would hold, each with the table that it is of."""


class ForbiddenAddressError(CommandError):
    """An address that may not be read with these credentials."""


@dataclass(frozen=True)
class RequestedRead:
    """A read that is run to see what it costs: rows of a table whose keys begin alike."""

    table: str
    prefix: bytes
    row_filter: str = ""
    """A RowFilter as JSON, as the code for keys gives it; empty: whole rows."""
    most_rows: int = ROWS_MAX


@dataclass
class LiveInstance:
    """One instance of a project, and the clients that ask about it."""

    project: str
    instance: str
    instances: Any = field(repr=False)
    tables: Any = field(repr=False)
    data: Any = field(repr=False)
    monitoring: Any = field(repr=False)
    """None at an emulator, which measures nothing."""
    fetch: Fetch | None = field(repr=False)
    """Asks the REST API; None at an emulator, which has none."""
    left_out: list[str] = field(default_factory=list)
    """What could not be asked, and why."""

    @classmethod
    def from_name(cls, name: str) -> "LiveInstance":
        """Return the instance PROJECT/INSTANCE, at an emulator that the environment names or in the cloud.

        Raises
        ------
        CommandError
            If the name has another form, or the credentials are missing.
        ModuleNotFoundError
            If the client library is missing; the command line says with which extra it comes.
        """
        project, slash, instance = name.partition("/")
        if not (project and slash and instance) or "/" in instance:
            raise CommandError("--live needs PROJECT/INSTANCE", returncode=UNUSABLE)
        # Before credentials are looked for: where Google's own clients would go to an emulator, nothing of the cloud is
        # asked.
        address = os.environ.get(EMULATOR)
        return cls.at_address(project, instance, address) if address else cls._in_cloud(project, instance)

    @classmethod
    def at_address(
        cls, project: str, instance: str, address: str, *, is_emulator: bool = True, fetch: Fetch | None = None
    ) -> "LiveInstance":
        """Return an instance that a server on this machine speaks for; ImportError without the client library."""
        from google.cloud.bigtable_admin_v2.services import bigtable_instance_admin, bigtable_table_admin
        from google.cloud.bigtable_v2.services import bigtable
        from google.cloud.monitoring_v3.services import metric_service
        from grpc import insecure_channel

        # An emulator speaks gRPC without TLS and takes no credentials.
        channel = insecure_channel(address)
        instances = bigtable_instance_admin.transports.BigtableInstanceAdminGrpcTransport(channel=channel)
        tables = bigtable_table_admin.transports.BigtableTableAdminGrpcTransport(channel=channel)
        metrics = metric_service.transports.MetricServiceGrpcTransport(channel=channel)
        return cls(
            project, instance, bigtable_instance_admin.BigtableInstanceAdminClient(transport=instances),
            bigtable_table_admin.BaseBigtableTableAdminClient(transport=tables),
            bigtable.BigtableClient(transport=bigtable.transports.BigtableGrpcTransport(channel=channel)),
            None if is_emulator else metric_service.MetricServiceClient(transport=metrics), fetch,
        )  # fmt: skip

    @classmethod
    def _in_cloud(cls, project: str, instance: str) -> "LiveInstance":
        import google.auth
        from google.cloud.bigtable_admin_v2 import BaseBigtableTableAdminClient, BigtableInstanceAdminClient
        from google.cloud.bigtable_v2 import BigtableClient
        from google.cloud.monitoring_v3 import MetricServiceClient

        try:
            credentials, _ = google.auth.default(scopes=SCOPES)
        except google.auth.exceptions.GoogleAuthError as error:
            message = "there are no credentials: gcloud auth application-default login"
            raise CommandError(message, returncode=UNUSABLE) from error
        return cls(
            project, instance, BigtableInstanceAdminClient(credentials=credentials),
            BaseBigtableTableAdminClient(credentials=credentials), BigtableClient(credentials=credentials),
            MetricServiceClient(credentials=credentials), _authorized_fetch(credentials),
        )  # fmt: skip

    @property
    def path(self) -> str:
        """Its resource name."""
        return f"projects/{self.project}/instances/{self.instance}"

    @property
    def options(self) -> dict[str, Any]:
        """Patience of a client: a server on this machine answers at once, or not at all."""
        # The clients retry UNAVAILABLE by themselves, so that an emulator that is not running would be waited for.
        return {"timeout": EMULATOR_SECONDS, "retry": None} if self.monitoring is None else {"timeout": TIMEOUT_SECONDS}

    def contents(self, tables: Sequence[str], now: datetime.datetime) -> Told:
        """Yield what the clients tell of the instance and of those of these tables that are there."""
        yield from self._of_clusters()
        # Tables that are designed but not made yet are no error: only those that exist are asked about.
        answers = self._ask("tables", partial(self.tables.list_tables, parent=self.path, **self.options))
        there = {api_table.name.rpartition("/")[2] for api_table in answers}
        for table in tables:
            if table in there:
                yield from self._of_table(table)
        if self.monitoring is None:
            self.left_out.append("monitoring and table stats: an emulator has none")
        else:
            yield from self._of_monitoring(now)

    def _of_clusters(self) -> Told:
        clusters = self._ask(
            "clusters", lambda: self.instances.list_clusters(parent=self.path, **self.options).clusters
        )
        if clusters:
            yield "", _json(clusters)
        for cluster in clusters:
            what = f"hot tablets of {cluster.name.rpartition('/')[2]}"
            tablets = self._ask(what, partial(self.instances.list_hot_tablets, parent=cluster.name, **self.options))
            if tablets:
                yield "", _json(tablets)

    def _of_table(self, table: str) -> Told:
        name = f"{self.path}/tables/{table}"
        # quote: a table's name is the design's, and can hold "?" or "#", which would end the path.
        address = f"{ADMIN}/v2/{quote(name)}?view=STATS_VIEW"
        try:
            stats = self.fetch(address) if self.fetch else None
        except ForbiddenAddressError as error:
            self.left_out.append(f"table stats of {table}: {error}")
            stats = None
        if stats and "stats" in stats:
            yield table, json.dumps(stats).encode()
        samples = self._ask(
            f"sampled row keys of {table}",
            partial(self.data.sample_row_keys, table_name=name, **self.options),
        )
        if any(sample.row_key or sample.offset_bytes for sample in samples):
            yield table, _json(samples)
        elif samples:
            self.left_out.append(f"sampled row keys of {table}: the table is empty")

    def request_stats(self, requested_read: RequestedRead) -> Told:
        """Run one read, and yield what the server says of it; its rows are dropped as they come.

        Raises
        ------
        CommandError
            If its filter is none, or there is no answer.
        """
        from google.cloud.bigtable_v2.types import ReadRowsRequest, RowFilter
        from google.protobuf.json_format import ParseError

        # The first key after all that begin with the prefix: its last byte plus one. 0xff cannot be raised, so it is
        # cut off; of nothing but 0xff, or of no prefix, the range has no end.
        end = requested_read.prefix.rstrip(b"\xff")
        bounds = {"end_key_open": end[:-1] + bytes([end[-1] + 1])} if end else {}
        request: dict[str, Any] = {
            "table_name": f"{self.path}/tables/{requested_read.table}", "rows_limit": requested_read.most_rows,
            "rows": {"row_ranges": [{"start_key_closed": requested_read.prefix, **bounds}]},
            "request_stats_view": ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL,
        }  # fmt: skip
        try:
            request |= {"filter": RowFilter.from_json(requested_read.row_filter)} if requested_read.row_filter else {}
        except ParseError as error:
            raise CommandError(f"--filter: {_first_line(error)}", returncode=UNUSABLE) from error
        answers = partial(self.data.read_rows, request=request, **self.options)
        # The stats come with the last answer; the rows before it are not kept.
        stats = self._ask(
            "request stats", lambda: (answer.request_stats for answer in answers() if "request_stats" in answer)
        )
        if stats:
            yield requested_read.table, type(stats[-1]).to_json(stats[-1], indent=None).encode()
        else:
            self.left_out.append("request stats: the server gave none for this read")

    def _of_monitoring(self, now: datetime.datetime) -> Told:
        # Whole hours, as the alignment counts them: a begun hour would be a value that is too small.
        end = now.replace(minute=0, second=0, microsecond=0)
        start = end - datetime.timedelta(days=DAYS)
        for metric, aligner in ALIGNED.items():
            request = {
                "name": f"projects/{self.project}",
                "filter": f'metric.type="bigtable.googleapis.com/{metric}" '
                f'AND resource.labels.instance="{self.instance}"',
                "interval": {"start_time": start, "end_time": end},
                "aggregation": {"alignment_period": {"seconds": 3600}, "per_series_aligner": aligner},
            }
            for page in self._ask(metric, partial(self._pages, request)):
                if page.time_series:
                    yield "", _json([page])

    def _pages(self, request: dict[str, Any]) -> Iterator[Any]:
        # A project with thousands of clusters and tables has no end of pages that a person would wait for.
        return itertools.islice(self.monitoring.list_time_series(request=request, **self.options).pages, PAGES_MAX)

    def _ask(self, what: str, ask: Callable[[], Iterable[Any]]) -> list[Any]:
        """Return the messages that answer a question; none where it may not be asked, which is then told.

        Raises
        ------
        CommandError
            If there is no answer, with the reason that the client gives.
        """
        from google.api_core.exceptions import GoogleAPIError, MethodNotImplemented, NotFound, PermissionDenied
        from google.auth.exceptions import GoogleAuthError

        try:
            return list(ask())
        except (MethodNotImplemented, PermissionDenied) as error:
            self.left_out.append(f"{what}: {_first_line(error)}")
            return []
        except NotFound as error:
            raise CommandError(f"{self.path}, {what}: {_first_line(error)}", returncode=UNUSABLE) from error
        except (GoogleAPIError, GoogleAuthError) as error:
            raise CommandError(f"{what}: {_first_line(error)}", returncode=UNUSABLE) from error


def _json(messages: Sequence[Any]) -> bytes:
    """Return messages as the library's own JSON mapping prints them."""
    # Without empty fields: a zero that was never measured would be compared with the design.
    printed = (
        type(message).to_json(message, always_print_fields_with_no_presence=False, indent=None) for message in messages
    )
    return f"[{','.join(printed)}]".encode()


def _authorized_fetch(credentials: Any) -> Fetch:
    """Return a function that asks by REST: nothing but GET is ever sent."""
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import AuthorizedSession

    session = cast(Any, AuthorizedSession)(credentials)  # without types, where it is installed

    def fetch(address: str) -> Any:
        try:
            answer = session.get(address, timeout=TIMEOUT_SECONDS)
        except (GoogleAuthError, OSError) as error:
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
        If it is refused, or no JSON, with the reason that the service gives; `ForbiddenAddressError` if it may not be
        read.
    """
    refusal = ForbiddenAddressError if status == 403 else CommandError
    place = address.partition("?")[0]
    if status == 404:
        return None
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise refusal(f"{place}: no JSON, status {status}", returncode=UNUSABLE) from None
    if status >= 400:
        error = answer[0] if isinstance(answer, list) and answer else answer
        details = error.get("error") if isinstance(error, dict) else None
        reason = details.get("message") if isinstance(details, dict) else details
        raise refusal(f"{place}: {reason or f'status {status}'}", returncode=UNUSABLE)
    return answer
