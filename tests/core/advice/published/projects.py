"""Schemas of open projects, with what their code, documents and issues say of them; read on 2026-11-29.

Where a project has replaced a schema, both are here: the old one with its fault, and the new one.
"""

from typing import Any

from . import EVEN, NEWEST_ONLY, SOME_LEAD, Published, read_data

GITHUB = "https://github.com"
READ = "2026-11-29"
FOREVER = {"gc": {"kind": "never"}, "table": {"keep_forever": True}}
EMPTY = ({"qualifier": "x", "value": {"kind": "empty"}},)
MINUTE, HOUR = 1 / 1440, 1 / 24
EPOCH_DAYS = 384 / 86_400
BEACON = f"{GITHUB}/gobitfly/eth2-beaconchain-explorer ({READ})"
VALIDATORS: dict[str, Any] = {"validator": {"kind": "integer", "distinct": 1_000_000, **EVEN}}
BALANCES = {"kind": "every", "seconds": 384, "field": "validator"}
SERIES = {
    "user": {"distinct": 20, **EVEN},
    # The busiest metric has 300,000 of the 50 million series of a day, each of which is written once.
    "metric": {
        "distinct": 100_000,
        "belongs_to": "user",
        "popularity": {"kind": "weights", "weights": [0.6], "rest": 99.4},
    },
    "series": {"distinct": 50_000_000, "belongs_to": "metric"},
}
LABELS = ({"qualifier_from": "{series}", "value": {"kind": "text", "typical_bytes": 350}},)
SPANS = {"service_name": {"distinct": 200, "busiest_share": 0.3}}
WORKFLOWS = {
    "domain_id": {"distinct": 50, "busiest_share": 0.5},
    "workflow_id": {"kind": "uuid"},
    "run_id": {"kind": "uuid"},
}

KEPT = (
    Published(
        "Balances of a validator",
        f"{BEACON}, pull 2490: chain, validator in reverse, kind, newest epoch first",
        "1:{validator:pad9:reverse}:vb:{time:bucket=384s:rev}",
        0,
        VALIDATORS,
        (read_data(20, "validator 100", time={"days": 100 * EPOCH_DAYS}),),
        columns=({"qualifier": "b", "value": {"kind": "random", "typical_bytes": 9}},),
        arrival=BALANCES,
        rows=82.125e9,  # 1M × 225/d × 365
        **FOREVER,
    ),
    Published(
        "Metrics of a machine as versions",
        f"{BEACON}, db/bigtable.go and bigtable_config.md: a cell a minute, 31 days, 180 are read",
        "u:{user:from=9223372036854775807:pad19}:p:{process}:m:{machine}",
        1_000,
        {
            "user": {"kind": "integer", "distinct": 20_000, **EVEN, "assigned": "arbitrary"},
            "process": {"distinct": 3, **EVEN, "belongs_to": "-"},
            "machine": {"distinct": 20_000, **EVEN, "belongs_to": "user"},
        },
        (read_data(30, "user", "process", newest_versions=180),),
        write={"mode": "new_cell"},
        gc={"kind": "max_age", "age_days": 31},
        columns=({"qualifier": "v1", "value": {"kind": "random", "typical_bytes": 300}},),
        rows=60_000,  # 20k users × 3
    ),
    Published(
        "Transactions of an address, newest first",
        f"{BEACON}, db/bigtable.go: chain, I:TX, address, reversed time, index; the column names the row",
        "1:I:TX:{address}:TIME:{time:rev:unit=s}:{tx_index:pad4}",
        30,
        {"address": {"distinct": 300_000_000}, "tx_index": {"kind": "integer", "distinct": 200, "belongs_to": "-"}},
        (read_data(50, "address", newest_rows=25),),
        write={"mode": "append_row"},
        columns=({"qualifier_from": "1:TX:{tx_hash}", "value": {"kind": "empty"}},),
        **FOREVER,
        rows=9.461e8,  # 30/s × 365 d
    ),
    Published(
        "Log streams until they are archived",
        f"{GITHUB}/luci/luci-go ({READ}), logdog/common/storage/bigtable/doc.go: hash of the path, index of the entry",
        "{hash(path):sha256:base64:43}~{index:hex8}",
        2_000,
        {
            "path": {"distinct": 500_000, "growth_per_day": 500_000, "lifetime_days": 1},
            "index": {"kind": "integer", "unique_within": "path", "assigned": "sequential"},
        },
        (read_data(50, "path"), read_data(200, "path", row_limit=100)),
        write={"mode": "append_row"},
        gc={"kind": "max_age", "age_days": 3},
        rows=1.123e9,  # 2k/s × (3 + 3.5) d
    ),
    Published(
        "Series of a metric in sixteen rows",
        f"{GITHUB}/cortexproject/cortex/pull/1242 ({READ}): each read becomes sixteen; half the 99th percentile",
        "{salt(series):16}:{user}:d{time:day:unit=bucket}:{metric}",
        580,
        SERIES,
        (read_data(300, "user", "metric", time={"days": HOUR}),),
        write={"mode": "new_column"},
        columns=LABELS,
    ),
    Published(
        "Traces of a service in ten buckets",
        f"{GITHUB}/openzipkin/zipkin/issues/623 ({READ}): a random bucket of ten, at the cost of ten queries",
        "[service] {service_name}#{salt(trace_id):10} | [ts INTEGER] {time:unit=us} | [trace_id] {trace_id}",
        5_000,
        SPANS,
        (read_data(5, "service_name", newest_rows=20, reverse=True),),
        columns=({"qualifier": "d", "value": {"kind": "integer"}},),
        gc=None,
        engine="tablestore",
        clusters=1,
        table={"tablestore": {"ttl_seconds": 3 * 86_400}},
    ),
    Published(
        "Workflows of a domain by day",
        f"{GITHUB}/cadence-workflow/cadence/issues/877 ({READ}): the day and a hash modulo n as partition of a domain",
        '[part] {domain_id}#{time:day:"%Y%m%d"}#{salt(workflow_id):16} | [start INTEGER] {time} | [run_id] {run_id}',
        400,
        WORKFLOWS,
        (read_data(2, "domain_id", newest_rows=100, reverse=True),),
        columns=({"qualifier": "w", "value": {"kind": "text", "typical_bytes": 300}},),
        gc=None,
        engine="tablestore",
        clusters=1,
        table={"tablestore": {"ttl_seconds": 30 * 86_400}},
    ),
    Published(
        "Metrics of nodes in chunks of ten minutes",
        f"{GITHUB}/thelastpickle/cassandra-reaper/pull/856 ({READ}): node_metrics_v3",
        '{cluster}#{metric_type}#{time:bucket=10m:"%Y%m%d%H%M"}#{host}#{scope}#{time}',
        830,
        {
            "cluster": {"distinct": 20, **EVEN},
            "metric_type": {"distinct": 10, **EVEN, "belongs_to": "-"},
            "host": {"distinct": 500, **EVEN, "belongs_to": "cluster"},
            "scope": {"distinct": 20, **EVEN, "belongs_to": "-"},
        },
        (read_data(8, "cluster", "metric_type", "host", time={"days": 11 * MINUTE}),),
        gc={"kind": "max_age", "age_days": 1},
        columns=({"qualifier": "v", "value": {"kind": "float"}},),
    ),
    Published(
        "Adjacency lists",
        f"{GITHUB}/JanusGraph/janusgraph ({READ}), docs/advanced-topics/data-model.md: a row each, edges as cells",
        "{vertex_id:bytes8}",
        4_000,
        {
            "vertex_id": {"kind": "integer", "distinct": 100_000_000, "assigned": "arbitrary", **EVEN},
            "edge_label": {"distinct": 20, **EVEN, "belongs_to": "-"},
            "adjacent": {"distinct": 100_000_000, **EVEN, "belongs_to": "-"},
        },
        (read_data(5_000, "vertex_id", "edge_label"),),
        write={"mode": "new_column"},
        gc={"kind": "never"},
        columns=({"qualifier_from": "{edge_label}{adjacent}", "value": {"kind": "random", "typical_bytes": 20}},),
        rows=1e8,  # 100M vertices
    ),
    Published(
        "Increasing keys behind twenty salts",
        "https://phoenix.apache.org/salted.html (2026-11-29): SALT_BUCKETS = 20, scans are merged by the client",
        "{salt(a_key):20}{a_key:pad19}",
        20_000,
        {"a_key": {"kind": "integer", "assigned": "sequential"}},
        (read_data(5_000, "a_key"), read_data(1, "a_key 1000…", row_limit=100)),
        write={"mode": "append_row"},
        rows=5.789e10,  # 20k/s × (30 + 3.5) d
    ),
    Published(
        "Changes by partition and time",
        f"{GITHUB}/apache/phoenix/pull/2015 ({READ}): the partition of the data table before the time",
        "{partition_id}{time}{row_key}",
        20_000,
        {"partition_id": {"distinct": 200, **EVEN}, "row_key": {"kind": "uuid"}},
        (read_data(20, "partition_id", time={"days": MINUTE / 6}),),
        gc={"kind": "max_age", "age_days": 3},
        columns=EMPTY,
        rows=1.123e10,  # 20k/s × (3 + 3.5) d
    ),
    Published(
        "Ids of occurrences behind a hundred salts",
        f"{GITHUB}/gbif/pipelines/pull/157 ({READ}): 7k/s without salt, 38k/s with it, 160k/s when full",
        "{salt(occurrence):100}:{dataset}|{occurrence}",
        1_000,
        {
            "dataset": {"distinct": 50_000, **EVEN},
            "occurrence": {"distinct": 5_000_000_000, "belongs_to": "dataset", **EVEN},
        },
        (read_data(100_000, "dataset", "occurrence"),),
        write={"mode": "check_and_mutate"},
        gc=NEWEST_ONLY,
        columns=({"qualifier": "i", "value": {"kind": "integer"}},),
        clusters=1,
        rows=4.991e9,  # 5bn × (1 − e^−6.31), 1k/s × 365 d on 5bn
    ),
    Published(
        "Logs of groups, newest first",
        f"{GITHUB}/juicebox-systems/juicebox-hsm-realm ({READ}), store/bigtable.rs: group, reversed index, put once",
        "{group}{index:from=9223372036854775807:bytes8}",
        500,
        {
            "group": {"kind": "uuid", "distinct": 10, **EVEN},
            "index": {"kind": "integer", "unique_within": "group", "assigned": "sequential"},
        },
        (read_data(500, "group", newest_rows=1), read_data(500, "group", "index")),
        write={"mode": "check_and_mutate"},
        clusters=1,
        **FOREVER,
        rows=1.577e10,  # 500/s × 365 d
    ),
    Published(
        "Messages between chains by their id",
        f"{GITHUB}/wormhole-foundation/wormhole ({READ}), bigtable_event_schema.md: the sequence is padded to 16",
        "{chain}:{emitter}:{sequence:pad16}",
        0.5,
        {
            "chain": {"distinct": 30},
            "emitter": {"distinct": 500, "belongs_to": "chain"},
            "sequence": {"kind": "integer", "unique_within": "emitter", "assigned": "sequential"},
        },
        (read_data(5, "chain", "emitter", "sequence"),),
        **FOREVER,
        rows=1.577e7,  # 0.5/s × 365 d
    ),
    Published(
        "Counts as events in buckets",
        "https://sysdesign-wiki.pages.dev/patterns/bucketed-event-time-partitioning (2026-11-29): Netflix's counters",
        "{counter}#{time:bucket=10m:unit=bucket}#{salt(event_id):4}#{time:rev}#{event_id}",
        75_000,
        {"counter": {"distinct": 10_000_000, "busiest_share": 0.04}, "event_id": {"kind": "uuid"}},
        (read_data(2_000, "counter", time={"days": MINUTE}),),
        gc={"kind": "max_age", "age_days": 1},
        columns=({"qualifier": "d", "value": {"kind": "integer"}},),
        rows=2.916e10,  # 75k/s × (1 + 3.5) d
    ),
    Published(
        "Messages of a session behind its hash",
        "https://shulou.com/a52070 (2026-11-29): hash of the session, session, message in reverse",
        "{hash(session):4}|{session}|{message:from=9223372036854775807:pad19}",
        10_000,
        {"session": {"distinct": 20_000_000, **SOME_LEAD}, "message": {"kind": "integer", "assigned": "sequential"}},
        (read_data(5_000, "session", newest_rows=50),),
        write={"mode": "append_row"},
        gc={"kind": "max_age", "age_days": 365},
        rows=3.154e11,  # 10k/s × 365 d
    ),
    Published(
        "Rows by time in sixteen buckets",
        "https://help.aliyun.com/zh/tablestore/best-practices-for-table-operations (2026-11-29): reads merge them",
        "[bucket INTEGER] {salt:16} | [ts INTEGER] {time} | [ip] {ip}",
        1_000,
        {"ip": {"distinct": 20_000, **EVEN}},
        (read_data(1, time={"days": MINUTE}),),
        gc=None,
        engine="tablestore",
        clusters=1,
        table={"tablestore": {"ttl_seconds": 3 * 86_400}},
    ),
)

REPLACED = (
    Published(
        "All validators of an epoch in a row",
        f"{BEACON}, pull 2490: a column per validator, so that rows grow with the validators",
        "1:e:b:{time:bucket=384s:rev}",
        0,
        VALIDATORS,
        (read_data(20, "validator", time={"days": 100 * EPOCH_DAYS}),),
        faults=("K004", "K014", "Q002"),
        write={"mode": "new_column"},
        columns=({"qualifier_from": "{validator}", "value": {"kind": "random", "typical_bytes": 16}},),
        arrival=BALANCES,
        rows=82_125,  # 225/d × 365
        **FOREVER,
    ),
    Published(
        "Traces of commits by tile",
        f"{GITHUB}/google/skia-buildbot ({READ}), perf/BIGTABLE.md: all traces of a tile for some; later an index",
        "{salt(trace):8}:{bucket(commit,256):from=4294967295:pad10}:{trace}",
        500_000 * 100 / 86_400,
        {
            "trace": {"distinct": 500_000, **EVEN},
            "commit": {"kind": "integer", "assigned": "sequential", "growth_per_day": 100, "distinct": 1},
        },
        (read_data(0.2, "commit 1000…1100", match_share=0.01),),
        faults=("Q002",),
        write={"mode": "new_column"},
        gc=NEWEST_ONLY,
        rows=71.8e6,  # 500k traces × (36,500 ÷ 256 + 1) tiles
        columns=({"qualifier_from": "{commit}", "value": {"kind": "float"}},),
    ),
    Published(
        "Series of a metric in one row",
        f"{GITHUB}/cortexproject/cortex/pull/1242 ({READ}): 300,000 series of a metric, rows over 100 MB",
        "{user}:d{time:day:unit=bucket}:{metric}",
        580,
        SERIES,
        (read_data(300, "user", "metric", time={"days": HOUR}),),
        faults=("R002",),
        write={"mode": "new_column"},
        columns=LABELS,
    ),
    Published(
        "Traces of a service in one partition",
        f"{GITHUB}/openzipkin/zipkin/issues/623 ({READ}): all spans of a busy service hit a single partition",
        "[service] {service_name} | [ts INTEGER] {time:unit=us} | [trace_id] {trace_id}",
        5_000,
        SPANS,
        (read_data(5, "service_name", newest_rows=20, reverse=True),),
        faults=("R007", "K013", "K026"),
        columns=({"qualifier": "d", "value": {"kind": "integer"}},),
        gc=None,
        engine="tablestore",
        clusters=1,
        table={"tablestore": {"ttl_seconds": 3 * 86_400}},
    ),
    Published(
        "All workflows of a domain in a partition",
        f"{GITHUB}/cadence-workflow/cadence/issues/877 ({READ}): partition 0 of a domain, 500 million workflows",
        "[part] {domain_id}#0 | [start INTEGER] {time} | [run_id] {run_id}",
        400,
        WORKFLOWS,
        (read_data(2, "domain_id", newest_rows=100, reverse=True),),
        faults=("R007", "K013"),
        columns=({"qualifier": "w", "value": {"kind": "text", "typical_bytes": 300}},),
        gc=None,
        engine="tablestore",
        clusters=1,
        table={"tablestore": {"ttl_seconds": 30 * 86_400}},
    ),
    Published(
        "Documents of a partition in a row",
        "https://accumulo.apache.org/1.6/examples/shard (2026-11-29): there rows may exceed memory; here 256 MiB",
        "{salt(doc_id):30}",
        20_000,
        {"doc_id": {"distinct": 50_000_000, **EVEN}, "term": {"distinct": 1_000_000, **SOME_LEAD, "belongs_to": "-"}},
        (read_data(1, "term"),),
        faults=("R001", "R002"),
        write={"mode": "new_column"},
        gc=NEWEST_ONLY,
        columns=({"qualifier_from": "{term}#{doc_id}", "value": {"kind": "empty"}},),
    ),
    Published(
        "Changes by time",
        f"{GITHUB}/apache/phoenix/pull/2015 ({READ}): the same index region keeps getting updated, and read",
        "{time}{row_key}",
        20_000,
        {"row_key": {"kind": "uuid"}},
        (read_data(1, time={"days": MINUTE / 6}),),
        faults=("K004",),
        gc={"kind": "max_age", "age_days": 3},
        columns=EMPTY,
    ),
    Published(
        "A counter of every id",
        f"{GITHUB}/gbif/pipelines/issues/156 ({READ}): running integers for records, one at a time",
        "{counter}",
        35_000,
        {"counter": {"distinct": 1, **EVEN}},
        (),
        faults=("K014",),
        write={"mode": "increment"},
        gc=NEWEST_ONLY,
        columns=({"qualifier": "n", "value": {"kind": "integer"}},),
        clusters=1,
    ),
    Published(
        "Messages of the last hours by a filter",
        f"{GITHUB}/wormhole-foundation/wormhole ({READ}), event_database/README.md: queryPreviousMinutes",
        "{chain}:{emitter}:{sequence:pad16}",
        0.5,
        {
            "chain": {"distinct": 30},
            "emitter": {"distinct": 500, "belongs_to": "chain"},
            "sequence": {"kind": "integer", "unique_within": "emitter", "assigned": "sequential"},
        },
        (read_data(1 / 60, time={"days": 2 * HOUR}),),
        faults=("K028",),
        **FOREVER,
    ),
    Published(
        "A row per counter",
        "https://sysdesign-wiki.pages.dev/sources/2024-11-13-netflix-netflixs-distributed-counter-abstraction/ "
        "(2026-11-29): a single row that is compared and set, rejected",
        "{counter}",
        75_000,
        {"counter": {"distinct": 10_000_000, "busiest_share": 0.04}},
        (read_data(2_000, "counter"),),
        faults=("K014", "I002"),
        write={"mode": "check_and_mutate"},
        gc=NEWEST_ONLY,
        columns=({"qualifier": "n", "value": {"kind": "integer"}},),
    ),
    Published(
        "Mails of a repository under its name",
        f"{GITHUB}/linagora/james-project/issues/5582 ({READ}): count(*) of mailrepositorykeys by name times out",
        "[name] {name} | [mail_key] {mail_key}",
        50,
        {"name": {"distinct": 5, "busiest_share": 0.9}, "mail_key": {"kind": "uuid"}},
        (read_data(0.01, "name"),),
        faults=("R007", "K013", "Q007", "Q009"),
        write={"mode": "append_row"},
        columns=EMPTY,
        gc=None,
        engine="tablestore",
        clusters=1,
    ),
)
