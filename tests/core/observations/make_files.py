"""Makes the files in `files/`, of the message types of Google's own tools, as their JSON mapping prints them.

    python tests/core/observations/make_files.py SDK

SDK is the folder of the Google Cloud SDK, whose message types table stats and hot tablets are made of. The others need
google-cloud-bigtable 2.50 and google-cloud-monitoring 2.32.
"""

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "files"
NAME = "projects/fleet/instances/main"


def of_gcloud(sdk: Path) -> None:
    """Write what gcloud prints."""
    sys.path[:0] = [str(sdk / "lib"), str(sdk / "lib" / "third_party")]
    from apitools.base.py import encoding  # type: ignore[import-not-found]
    from googlecloudsdk.generated_clients.apis.bigtableadmin.v2 import (  # type: ignore[import-not-found]
        bigtableadmin_v2_messages as admin,
    )

    def plain(message: Any) -> Any:
        return json.loads(encoding.MessageToJson(message))

    families = admin.Table.ColumnFamiliesValue
    stats = admin.ColumnFamilyStats(
        averageColumnsPerRow=1.0, averageCellsPerColumn=1.0, logicalDataBytes=11_836_800_000
    )
    family = admin.ColumnFamily(gcRule=admin.GcRule(maxNumVersions=1), stats=stats)
    table = admin.Table(
        name=f"{NAME}/tables/readings",
        columnFamilies=families(additionalProperties=[families.AdditionalProperty(key="my_d", value=family)]),
        stats=admin.TableStats(
            rowCount=75_600_000, averageColumnsPerRow=1.0, averageCellsPerColumn=1.0, logicalDataBytes=11_836_800_000
        ),
        deletionProtection=True,
    )
    write("table_stats.json", plain(table))
    hot = [("d0007#1795132800000", "d0012#1795132800000", 71.5), ("d0400#", "", 20.25)]
    tablets = [
        admin.HotTablet(
            name=f"{NAME}/clusters/one/hotTablets/{number}", tableName=f"{NAME}/tables/readings", startKey=first,
            endKey=last, nodeCpuUsagePercent=cpu, startTime="2026-11-20T09:00:00Z", endTime="2026-11-20T09:01:00Z",
        )
        for number, (first, last, cpu) in enumerate(hot)
    ]  # fmt: skip
    write("hot_tablets.json", [plain(tablet) for tablet in tablets])


def of_clients() -> None:
    """Write what the client libraries make of their messages."""
    from google.api.metric_pb2 import Metric, MetricDescriptor  # type: ignore[import-untyped]
    from google.api.monitored_resource_pb2 import MonitoredResource  # type: ignore[import-untyped]
    from google.cloud.bigtable_admin_v2.types import Cluster  # type: ignore[import-not-found]
    from google.cloud.bigtable_v2.types import (  # type: ignore[import-not-found]
        FullReadStatsView,
        ReadIterationStats,
        RequestLatencyStats,
        RequestStats,
        SampleRowKeysResponse,
    )
    from google.cloud.monitoring_v3.types import (  # type: ignore[import-not-found]
        ListTimeSeriesResponse,
        Point,
        TimeInterval,
        TimeSeries,
        TypedValue,
    )

    def plain(message: Any) -> Any:
        return json.loads(type(message).to_json(message, always_print_fields_with_no_presence=False))

    zone = "projects/fleet/locations/europe-west1-b"
    write("clusters.json", [plain(Cluster(name=f"{NAME}/clusters/one", location=zone, serve_nodes=3))])
    stats = ReadIterationStats(rows_seen_count=60, rows_returned_count=30, cells_seen_count=60, cells_returned_count=30)
    latency = RequestLatencyStats(frontend_server_latency={"nanos": 4_000_000})
    view = FullReadStatsView(read_iteration_stats=stats, request_latency_stats=latency)
    write("request_stats.json", plain(RequestStats(full_read_stats_view=view)))
    samples = [(b"d0250#1795132800000", 3_000_000_000), (b"d0500#1795132800000", 4_000_000_000), (b"", 5_000_000_000)]
    write("sampled_keys.json", [plain(SampleRowKeysResponse(row_key=key, offset_bytes=at)) for key, at in samples])

    def series(metric: str, kind: Any, values: list[Any], **labels: str) -> Any:
        resource = {name: labels.pop(name) for name in ("table", "cluster") if name in labels}
        places = {"project_id": "fleet", "instance": "main", **resource}
        points = [
            Point(
                interval=TimeInterval(
                    start_time={"seconds": at - (3_600 if kind == DELTA else 0)}, end_time={"seconds": at}
                ),
                value=TypedValue(int64_value=value) if isinstance(value, int) else TypedValue(double_value=value),
            )
            for at, value in zip(
                range(1_795_132_800 + 3_600, 1_795_132_801 + 3_600 * len(values), 3_600), values, strict=True
            )
        ]
        return TimeSeries(
            metric=Metric(type=f"bigtable.googleapis.com/{metric}", labels=labels),
            resource=MonitoredResource(type=f"bigtable_{'table' if 'table' in resource else 'cluster'}", labels=places),
            metric_kind=kind, points=points[::-1],
        )  # fmt: skip

    DELTA, GAUGE = MetricDescriptor.MetricKind.DELTA, MetricDescriptor.MetricKind.GAUGE  # noqa: N806
    table = {"table": "readings", "cluster": "one"}
    found = [
        series("cluster/cpu_load", GAUGE, [0.2, 0.35, 0.3], cluster="one"),
        series("cluster/cpu_load_hottest_node", GAUGE, [0.5, 0.8, 0.7], cluster="one"),
        series("cluster/node_count", GAUGE, [2, 3, 3], cluster="one"),
        series("table/bytes_used", GAUGE, [4_000_000_000, 5_000_000_000], storage_type="SSD", **table),
        series("server/request_count", DELTA, [7_200, 7_200], method="ReadRows", **table),
        series("server/request_count", DELTA, [90, 90], method="MutateRows", **table),
        series("server/returned_rows_count", DELTA, [144_000, 144_000], method="ReadRows", **table),
        series("server/modified_rows_count", DELTA, [90_000, 90_000], method="MutateRows", **table),
        series("backup/bytes_used", GAUGE, [1], **table),
    ]
    write("time_series.json", plain(ListTimeSeriesResponse(time_series=found)))


def write(name: str, data: Any) -> None:
    """Write one file."""
    (FOLDER / name).write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    of_clients()  # first: the SDK brings another package named google
    of_gcloud(Path(sys.argv[1]))
