"""`observe --live`: what the clients ask of a server, and what is made of its answers, in their own message types."""

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import google.auth
import grpc
import pytest
from django.core.management import call_command
from google.auth.credentials import AnonymousCredentials
from google.cloud.bigtable_admin_v2 import types as admin
from google.cloud.bigtable_v2 import types as data
from google.cloud.monitoring_v3 import types as monitoring

from designer.management.base import CommandError
from estimator.management.live_measurements import EMULATOR, LiveInstance, read_answer
from tests.core.observations.fleet import DESIGN, FILES
from tests.exports.conftest import emulator

__all__ = ["emulator"]

PROJECT = "projects/fleet/instances/main"
INSTANCES, TABLES = (f"google.bigtable.admin.v2.Bigtable{name}Admin" for name in ("Instance", "Table"))
DATA, METRICS = "google.bigtable.v2.Bigtable", "google.monitoring.v3.MetricService"


def load(name: str) -> Any:
    return json.loads((FILES / f"{name}.json").read_text())


def message(kind: Any, found: Any) -> Any:
    """Return a message of the library's own type, of its JSON."""
    return kind.from_json(json.dumps(found))


class Recording:
    """A server with recorded answers; a method that is not among them is refused, and told."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.refused: dict[str, grpc.StatusCode] = {}
        self.metrics: list[Any] = []
        self.reads: list[Any] = []
        self.stats_status, self.stats_answer = 200, load("table_stats")

    def answers(self) -> dict[str, tuple[Any, Callable[[Any], Iterator[Any]], bool]]:
        """Return the type of the request, the answer and whether it is a stream, by method."""
        tables = [{"name": f"{PROJECT}/tables/{name}"} for name in ("readings", "other")]
        return {
            f"/{INSTANCES}/ListClusters": (
                admin.ListClustersRequest,
                lambda _: iter([message(admin.ListClustersResponse, {"clusters": load("clusters")})]), False,
            ),
            f"/{INSTANCES}/ListHotTablets": (
                admin.ListHotTabletsRequest,
                lambda _: iter([message(admin.ListHotTabletsResponse, {"hotTablets": load("hot_tablets")})]), False,
            ),
            f"/{TABLES}/ListTables": (
                admin.ListTablesRequest,
                lambda _: iter([message(admin.ListTablesResponse, {"tables": tables})]), False,
            ),
            f"/{DATA}/SampleRowKeys": (
                data.SampleRowKeysRequest,
                lambda _: (message(data.SampleRowKeysResponse, one) for one in load("sampled_keys")), True,
            ),
            f"/{METRICS}/ListTimeSeries": (monitoring.ListTimeSeriesRequest, self._series, False),
            f"/{DATA}/ReadRows": (data.ReadRowsRequest, self._rows, True),
        }  # fmt: skip

    def _series(self, request: Any) -> Iterator[Any]:
        """Yield one page of the series that are asked for: the first alone, then the others."""
        self.metrics.append(request)
        asked = [one for one in load("time_series")["timeSeries"] if f'"{one["metric"]["type"]}"' in request.filter]
        is_cut = len(asked) > 1 and not request.page_token
        shown = asked[:1] if is_cut else asked[1:] if request.page_token else asked
        page = {"timeSeries": shown, "nextPageToken": "more" if is_cut else ""}
        yield message(monitoring.ListTimeSeriesResponse, page)

    def _rows(self, request: Any) -> Iterator[Any]:
        """Yield rows, and last what reading them took."""
        self.reads.append(request)
        chunk = {"rowKey": "ZDE=", "familyName": "my_d", "qualifier": "dg==", "value": "eA==", "commitRow": True}
        yield message(data.ReadRowsResponse, {"chunks": [chunk]})
        yield message(data.ReadRowsResponse, {"requestStats": load("request_stats")})

    def service(self, call: Any) -> Any:
        """Return what answers one method."""
        self.asked.append(call.method)
        found = self.answers().get(call.method)
        if found is None:
            return None
        request, answer, is_stream = found

        def stream(asked: bytes, context: Any) -> Iterator[bytes]:
            if (code := self.refused.get(call.method)) is not None:
                context.abort(code, "the recording refuses it")
            for one in answer(request.deserialize(asked)):
                yield type(one).serialize(one)

        if is_stream:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(lambda asked, context: next(stream(asked, context)))


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recording]:
    """A server that answers as the cloud does, in the place of the cloud."""
    found = Recording()
    server = grpc.server(ThreadPoolExecutor(2))
    handler: Any = type("Handler", (grpc.GenericRpcHandler,), {"service": lambda _, call: found.service(call)})
    server.add_generic_rpc_handlers((handler(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()

    def fetch(address: str) -> Any:
        place, _, question = address.partition("?")
        assert place == f"https://bigtableadmin.googleapis.com/v2/{PROJECT}/tables/readings"
        assert question == "view=STATS_VIEW"
        return read_answer(address, found.stats_status, json.dumps(found.stats_answer).encode())

    def in_cloud(project: str, instance: str) -> LiveInstance:
        return LiveInstance.at_address(project, instance, f"127.0.0.1:{port}", is_emulator=False, fetch=fetch)

    monkeypatch.delenv(EMULATOR, raising=False)
    monkeypatch.setattr(LiveInstance, "_in_cloud", in_cloud)
    yield found
    server.stop(None)


@pytest.fixture
def design(tmp_path: Any) -> str:
    path = tmp_path / "fleet.json"
    path.write_text(json.dumps({"format": 1, **DESIGN}))
    return str(path)


def observe(design: str, live: str, *more: str) -> tuple[str, str]:
    """Return what the command prints and what it warns of."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit):
        call_command("observe", design, "--live", live, *more, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_running_instance_is_read_without_files(design: str, recording: Recording) -> None:
    text, warned = observe(design, "fleet/main")

    for said in (
        "its cells hold at least 12.6 B",
        "device from d0007 to d0012",
        "before d0250#",
        "Rows written",
        "Nodes",
    ):
        assert said in text
    assert "compared with nothing" not in text  # only what is compared is asked for
    assert warned == ""


def test_a_table_without_rows_is_said_and_the_rest_is_compared(
    design: str, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = recording.answers()
    nothing = (data.SampleRowKeysRequest, lambda _: iter([data.SampleRowKeysResponse()]), True)
    monkeypatch.setattr(recording, "answers", lambda: {**answers, f"/{DATA}/SampleRowKeys": nothing})
    text, warned = observe(design, "fleet/main")

    assert "the table is empty" in warned
    assert "Nodes" in text


def test_nothing_is_called_but_methods_that_read(design: str, recording: Recording) -> None:
    observe(design, "fleet/main")

    assert set(recording.asked) == set(recording.answers()) - {f"/{DATA}/ReadRows"}
    assert recording.asked.count(f"/{DATA}/SampleRowKeys") == 1, "of the design's tables alone"
    assert len(recording.metrics) == 9, "eight metrics, one of two pages"


def test_one_read_is_run_for_its_request_stats_where_it_is_asked_for(design: str, recording: Recording) -> None:
    row_filter = '{"cellsPerColumnLimitFilter": 1}'
    text, warned = observe(design, "fleet/main", "--read", "half-hour", "--ask", "d0001#", "--filter", row_filter)

    assert warned == ""
    assert "Rows scanned" in text
    (asked,) = recording.reads
    assert asked.request_stats_view == data.ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL
    (rows,) = asked.rows.row_ranges
    assert (rows.start_key_closed, rows.end_key_open) == (b"d0001#", b"d0001$")
    assert (asked.filter.cells_per_column_limit_filter, asked.rows_limit) == (1, 10_000)
    with pytest.raises(CommandError, match="--filter: "):
        call_command("observe", design, "--live", "fleet/main", "--ask", "d0001#", "--filter", "{no")
    recording.refused[f"/{DATA}/ReadRows"] = grpc.StatusCode.PERMISSION_DENIED
    assert "not read: request stats: 403" in observe(design, "fleet/main", "--ask", "d0001#")[1]


def test_what_may_not_be_asked_is_said_and_the_rest_is_compared(design: str, recording: Recording) -> None:
    recording.refused[f"/{METRICS}/ListTimeSeries"] = grpc.StatusCode.PERMISSION_DENIED
    text, warned = observe(design, "fleet/main")

    assert "before d0250#" in text
    assert "Rows written" not in text
    assert "not read: cluster/cpu_load: 403 the recording refuses it" in warned


def test_without_the_permission_for_table_stats_the_rest_is_compared(design: str, recording: Recording) -> None:
    recording.stats_status, recording.stats_answer = 403, {"error": {"message": "Permission denied on table"}}
    text, warned = observe(design, "fleet/main")

    assert "before d0250#" in text
    assert "Rows written" in text
    assert "not read: table stats of readings: " in warned
    assert "Permission denied on table" in warned


@pytest.mark.parametrize(
    ("method", "code", "said"),
    [
        (f"/{INSTANCES}/ListClusters", grpc.StatusCode.NOT_FOUND, "instances/main, clusters: 404 the recording"),
        (f"/{TABLES}/ListTables", grpc.StatusCode.UNAUTHENTICATED, "tables: 401 the recording"),
    ],
)  # fmt: skip
def test_without_an_answer_the_reason_is_said(
    design: str, recording: Recording, method: str, code: grpc.StatusCode, said: str
) -> None:
    recording.refused[method] = code
    with pytest.raises(CommandError, match=said):
        call_command("observe", design, "--live", "fleet/main")


def test_an_instance_that_tells_nothing_is_no_measurement(design: str, recording: Recording) -> None:
    recording.refused.update(dict.fromkeys(recording.answers(), grpc.StatusCode.PERMISSION_DENIED))
    with pytest.raises(CommandError, match="has no figures of the design's tables"):
        call_command("observe", design, "--live", "fleet/main")


def test_the_emulator_is_read_where_googles_clients_find_it(
    design: str,
    emulator: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from reviews.management.bigtable_engine import BigtableEngine

    engine = BigtableEngine.at_emulator(emulator, 0)
    families = {"my_d": admin.ColumnFamily()}
    request = {"parent": PROJECT, "table_id": "readings", "table": admin.Table(column_families=families)}
    engine.admin.create_table(request=request)
    cell = {"set_cell": {"family_name": "my_d", "column_qualifier": b"v", "timestamp_micros": 0, "value": b"x" * 2_000}}
    entries = [{"row_key": f"d{n:04}#1".encode(), "mutations": [cell]} for n in range(2_000)]
    list(engine.data.mutate_rows(request={"table_name": f"{PROJECT}/tables/readings", "entries": entries}))
    monkeypatch.setenv(EMULATOR, emulator)

    text, warned = observe(design, "fleet/main")

    assert "bytes over the keys of readings" in text
    assert "largest difference" in text
    assert "not read: clusters: 501" in warned
    assert "an emulator has none" in warned


def test_an_emulator_that_is_not_there_is_said_at_once(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EMULATOR, "127.0.0.1:9")
    with pytest.raises(CommandError, match="clusters: 503"):
        call_command("observe", design, "--live", "fleet/main")


def test_credentials_are_asked_for_reading_alone(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def default(scopes: Any) -> Any:
        asked.extend(scopes)
        return AnonymousCredentials(), "fleet"

    monkeypatch.delenv(EMULATOR, raising=False)
    monkeypatch.setattr(google.auth, "default", default)
    instance = LiveInstance.from_name("fleet/main")
    assert instance.monitoring is not None
    assert all(one.endswith((".read-only", ".read")) for one in asked)

    def fail(scopes: Any) -> Any:
        raise google.auth.exceptions.DefaultCredentialsError

    monkeypatch.setattr(google.auth, "default", fail)
    with pytest.raises(CommandError, match="there are no credentials"):
        call_command("observe", design, "--live", "fleet/main")


@pytest.mark.parametrize("name", ["fleet", "fleet/", "/main", "a/b/c"])
def test_another_form_of_name_is_refused(design: str, name: str) -> None:
    with pytest.raises(CommandError, match="PROJECT/INSTANCE"):
        call_command("observe", design, "--live", name)


def test_neither_files_nor_an_instance_is_refused(design: str) -> None:
    with pytest.raises(CommandError, match="name files of measurements, or --live"):
        call_command("observe", design)


@pytest.mark.parametrize(
    ("status", "content", "said"),
    [
        (403, b'{"error": {"message": "Permission denied on table"}}', "Permission denied on table"),
        (403, b'[{"error": {"message": "in a list"}}]', "in a list"),
        (500, b"{}", "status 500"),
        (400, b'{"error": "invalid_scope"}', "invalid_scope"),
        (502, b"<html>", "no JSON, status 502"),
    ],
)
def test_what_the_cloud_refuses_is_said_with_its_address(status: int, content: bytes, said: str) -> None:
    with pytest.raises(CommandError, match=f"https://a.example/v2/x: {said}"):
        read_answer("https://a.example/v2/x?view=1", status, content)


def test_nothing_at_an_address_is_no_error() -> None:
    assert read_answer("https://a.example", 404, b"<html>") is None
    assert read_answer("https://a.example", 200, b"[1]") == [1]
