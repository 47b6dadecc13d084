"""Schemas of stores with partition keys (Tablestore, Cassandra, ScyllaDB, DynamoDB), read on 2026-11-29.

Where a source replaces a schema, or warns of one, both are here; most on both engines.
"""

from typing import Any

from . import EVEN, SOME_LEAD, Published, read_data

DAY_SECONDS = 86_400
THINGSBOARD = (
    "https://github.com/thingsboard/thingsboard, WriterBuilder.java: PRIMARY KEY ((entity_type, entity_id, key, "
    "partition), ts); issue 1006: partitions of a month by default"
)
HAWKULAR = (
    "https://github.com/hawkular/hawkular-metrics, pull 595: blocks of 2 hours of a metric, 7 days kept, "
    "100,000 metrics"
)
SIGNAL = (
    "https://github.com/signalapp/Signal-Server, MessagesDynamoDb.java: account as H; device, time and id as S; "
    "deleted when acknowledged"
)
SHARDED_INDEX = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-gsi-sharding.html: 0…N before the "
    "state and the time, read from all"
)
REPORTS = (
    "https://blog.codevev.com/posts/we-were-deleting-history-to-avoid-a-dynamodb-limit: keys of customers exceeded "
    "10 GB"
)
SCYLLA = "https://docs.scylladb.com/stable/get-started/data-modeling/best-practices.html"
NOTIFICATIONS = (
    "https://leetdezine.com/03-Case-Studies/02-Ascent/01-Notification-System/02-Deep-Dives/01-DB/02-Schema/: the "
    "status is read all the time, 300 B of content with it"
)
ORDERS = "https://help.aliyun.com/zh/tablestore/use-cases/massive-order-system: MD5 of the order's number as key"

TELEMETRY: dict[str, Any] = {
    "entity_type": {"distinct": 3, "busiest_share": 0.95},
    "entity_id": {"kind": "uuid", "distinct": 100_000, "belongs_to": "entity_type", **EVEN},
    "key": {"distinct": 20, "belongs_to": "-", **EVEN},
}
TELEMETRY_READ = (read_data(200, "entity_type", "entity_id", "key", time={"days": 1}),)
POINT = ({"qualifier": "v", "value": {"kind": "float"}},)
INBOX: dict[str, Any] = {
    "account": {"kind": "uuid", "distinct": 50_000_000, **SOME_LEAD},
    "device": {"kind": "integer", "distinct": 100_000_000, "unique_within": "account", **EVEN},
    "message_guid": {"kind": "uuid"},
}
ENVELOPE = ({"qualifier": "EB", "value": {"kind": "random", "typical_bytes": 500}},)
EVENTS: dict[str, Any] = {
    "state": {
        "values": {
            "kind": "enumeration",
            "items": [{"value": name} for name in ("INFO", "WARNING", "CRITICAL", "RESOLVED")],
        }
    },
    "event_id": {"kind": "uuid"},
}
OF_REPORTS: dict[str, Any] = {
    "customer": {"distinct": 10_000, "busiest_share": 0.01},
    "report_id": {"kind": "uuid"},
}
REPORT = ({"qualifier": "r", "value": {"kind": "json", "typical_bytes": 1_000}},)
OF_USERS: dict[str, Any] = {"user_id": {"kind": "uuid", "distinct": 5_000_000, "busiest_share": 0.3}}
STATUS = {"id": "status", "qualifier": "s", "value": {"kind": "json", "typical_bytes": 60}}
CONTENT = {"id": "content", "qualifier": "c", "value": {"kind": "json", "typical_bytes": 300}}
NOTICES: dict[str, Any] = {
    "user_id": {"kind": "uuid", "distinct": 50_000_000, **SOME_LEAD},
    "notification_id": {"kind": "uuid"},
}
STATUS_READ = read_data(500_000, "user_id", "notification_id", exact_time=True, columns=["status"])
NUMBERED: dict[str, Any] = {"order_id": {"kind": "integer", "assigned": "sequential"}}


def tablestore(days: float | None = None) -> dict[str, Any]:
    """Return what all designs on Tablestore share, with a time to live."""
    seconds = -1 if days is None else int(days * DAY_SECONDS)
    return {"engine": "tablestore", "clusters": 1, "gc": None, "table": {"tablestore": {"ttl_seconds": seconds}}}


SPREAD = (
    Published(
        "Telemetry of a device by month",
        THINGSBOARD,
        '{entity_type}#{entity_id}#{key}#{time:month:"%Y%m"}#{time}',
        20_000,
        TELEMETRY,
        TELEMETRY_READ,
        write={"mode": "append_row"},
        columns=POINT,
        gc={"kind": "max_age", "age_days": 365},
    ),
    Published(
        "Telemetry of a device in partitions of a month",
        THINGSBOARD,
        '[part] {entity_type}#{entity_id}#{key}#{time:month:"%Y%m"} | [ts INTEGER] {time}',
        20_000,
        TELEMETRY,
        TELEMETRY_READ,
        write={"mode": "append_row"},
        columns=POINT,
        **tablestore(365),
    ),
    Published(
        "Compressed blocks of a metric",
        HAWKULAR,
        "{tenant}#{type}#{metric}#{time:bucket=2h:rev}",
        0,
        {
            "tenant": {"distinct": 100, **SOME_LEAD},
            "type": {"kind": "integer", "distinct": 4, "belongs_to": "-", **EVEN},
            "metric": {"distinct": 100_000, "belongs_to": "tenant", **EVEN},
        },
        (read_data(50, "tenant", "type", "metric", time={"days": 1}),),
        arrival={"kind": "every", "seconds": 7_200, "field": "metric"},
        write={"mode": "append_row"},
        columns=({"qualifier": "c", "value": {"kind": "random", "typical_bytes": 1_500}},),
        gc={"kind": "max_age", "age_days": 7},
        rows=12.6e6,  # 100k × 12/d × (7 + 3.5) d
    ),
    Published(
        "Messages until a device has them",
        SIGNAL,
        "{account}#{device}#{time}#{message_guid}",
        5_000,
        INBOX,
        (read_data(5_000, "account", "device", row_limit=100),),
        write={"mode": "append_row"},
        more_writes=({"mode": "delete_row"},),
        columns=ENVELOPE,
    ),
    Published(
        "Messages of an account until they are acknowledged",
        SIGNAL,
        "[account] {account} | [sort] {device}#{time}#{message_guid}",
        5_000,
        INBOX,
        (read_data(5_000, "account", "device", row_limit=100),),
        write={"mode": "append_row"},
        more_writes=({"mode": "delete_row"},),
        columns=ENVELOPE,
        **tablestore(30),
    ),
    Published(
        "Events by state in shards",
        SHARDED_INDEX,
        "{salt(event_id):16}#{state}#{time}#{event_id}",
        20_000,
        EVENTS,
        (read_data(1, "state", time={"days": 1 / 1440}),),
        write={"mode": "append_row"},
    ),
    Published(
        "Events by state in partitions",
        SHARDED_INDEX,
        "[shard INTEGER] {salt(event_id):256} | [state] {state} | [time INTEGER] {time} | [event_id] {event_id}",
        20_000,
        EVENTS,
        (read_data(1, "state", time={"days": 1 / 1440}),),
        write={"mode": "append_row"},
        **tablestore(1),
    ),
    Published(
        "Reports of a customer in shards",
        REPORTS,
        "[part] {customer}#{salt(report_id):32} | [created INTEGER] {time} | [report_id] {report_id}",
        40,
        OF_REPORTS,
        (read_data(1, "customer", time={"days": 30}, latency="batch"),),
        write={"mode": "append_row"},
        columns=REPORT,
        **tablestore(),
    ),
    Published(
        "Messages by their id",
        f"{SCYLLA}: evenly distributed, also those of popular users",
        "{message_id}",
        5_000,
        {"message_id": {"kind": "uuid"}},
        (read_data(5_000, "message_id"),),
        write={"mode": "append_row"},
        gc={"kind": "never"},
    ),
    Published(
        "Status of notifications in a family of its own",
        NOTIFICATIONS,
        "{user_id}#{time:rev}#{notification_id}",
        10_000,
        NOTICES,
        (STATUS_READ, read_data(1_000, "user_id", newest_rows=20)),
        write={"mode": "append_row"},
        table={
            "families": [
                {"id": "family", "name": "s", "gc": {"kind": "max_age", "age_days": 90}, "columns": [STATUS]},
                {"id": "other", "name": "c", "gc": {"kind": "max_age", "age_days": 90}, "columns": [CONTENT]},
            ]
        },
    ),
    Published(
        "Orders by the MD5 of their number",
        ORDERS,
        "[_id] {hash(order_id):md5:32}",
        3_000,
        NUMBERED,
        (read_data(5_000, "order_id"),),
        write={"mode": "append_row"},
        **tablestore(),
        rows=9.461e10,  # 3k/s × 365 d
    ),
)

CROWDED = (
    Published(
        "Reports of a customer in one partition",
        REPORTS,
        "[part] {customer} | [created INTEGER] {time} | [report_id] {report_id}",
        40,
        OF_REPORTS,
        (read_data(1, "customer", time={"days": 30}, latency="batch"),),
        faults=("R007",),
        write={"mode": "append_row"},
        columns=REPORT,
        **tablestore(),
    ),
    Published(
        "Messages of a user in one partition",
        f"{SCYLLA}: messages of popular users make hot partitions",
        "[user_id] {user_id} | [message_id] {message_id}",
        5_000,
        OF_USERS | {"message_id": {"kind": "uuid"}},
        (read_data(1_000, "user_id", "message_id"),),
        faults=("K013", "R007"),
        write={"mode": "append_row"},
        **tablestore(),
    ),
    Published(
        "Status and content of notifications together",
        NOTIFICATIONS,
        "{user_id}#{time:rev}#{notification_id}",
        10_000,
        NOTICES,
        (STATUS_READ, read_data(1_000, "user_id", newest_rows=20)),
        faults=("F008",),
        write={"mode": "append_row"},
        table={
            "families": [
                {"id": "family", "name": "d", "gc": {"kind": "max_age", "age_days": 90}, "columns": [STATUS, CONTENT]},
            ]
        },
    ),
    Published(
        "Orders by their number",
        f"{ORDERS}, so that numbers in sequence do not meet in one place",
        "[order_id INTEGER] {order_id}",
        3_000,
        NUMBERED,
        (read_data(5_000, "order_id"),),
        faults=("K005",),
        write={"mode": "append_row"},
        **tablestore(),
    ),
    Published(
        "Events of a day under its date",
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html: today's date",
        '[date] {time:day:"%Y-%m-%d"} | [event_id] {event_id}',
        20_000,
        {"event_id": {"kind": "uuid"}},
        (read_data(1, "event_id", exact_time=True),),
        faults=("K004", "R007"),
        write={"mode": "append_row"},
        **tablestore(30),
    ),
)
