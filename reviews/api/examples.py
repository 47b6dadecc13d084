"""An example of each type that people read or write by hand, and of each request: a test sends every one."""

from collections.abc import Mapping
from typing import Any

SHA256 = "05d5ca573b73c9092f183da993e52481ae370f4a0b456a80da4f3aed0848dc6d"
KEY = "3f9a1c0b7d2e"
AT = "2026-11-20T09:30:00Z"

LINK: Mapping[str, Any] = {
    "id": 3, "name": "Review of November", "role": "link_view", "revision": None, "compares": True, "hides_cost": True,
    "hides_samples": False, "allows_files": False, "has_password": False, "state": "open", "made": AT,
    "made_by": "ana", "ends": AT, "revoked": None, "visits": 2, "last_visit": AT,
}  # fmt: skip

WEBHOOK: Mapping[str, Any] = {
    "id": 3, "address": "https://example.com/hooks", "events": ["run.ended"], "enabled": True, "why": "", "made": AT,
    "made_by": "ana",
}  # fmt: skip

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "DesignInfo": {
        "key": KEY, "name": "Weather balloons", "revision": 7, "sha256": SHA256, "made": AT, "edited": AT,
        "edited_by": "ana", "archived": False, "variant_of": None,
    },
    "RevisionInfo": {
        "number": 7, "name": "for the review", "sha256": SHA256, "at": AT, "by": "ana", "what": "Name of readings",
    },
    "FindingInfo": {
        "rule": "K004", "severity": "warning", "at": "readings-key-time", "place": "readings › row key",
        "field": "", "sentence": "The key begins with a time: 91 % of writes hit one range.", "effect": 0.91,
        "fix": None, "fix_safe": False, "choices": [], "accepted": None, "consequences": [],
    },
    "Change": {"changed": True, "revision": 8, "sha256": SHA256},
    "Failure": {
        "type": "/api/#problem-invalid-document", "title": "The design is invalid", "status": 422,
        "detail": "The design is invalid. Fix these errors.", "error": "The design is invalid. Fix these errors.",
        "problems": [
            {"sentence": "there is no such key", "place": "tables[0].nam", "pointer": "#/tables/0/nam", "line": 4},
        ],
    },
    "RunInfo": {
        "id": 12, "kind": "simulate", "what": "Simulation of a day", "parameters": {}, "sha256": SHA256,
        "state": "running", "fraction": 0.4, "doing": "counting", "reason": "", "asked": AT, "asked_by": "ana",
        "ended": None, "expected_end": AT,
    },
    "ReplayRunInfo": {
        "id": SHA256, "state": "running", "fraction": 0.6, "asked": AT, "reason": "", "result": None,
    },
    "FormatInfo": {
        "name": "terraform", "title": "Terraform", "about": "A Terraform file that makes the instance and its tables.",
        "engines": ["bigtable"], "media_type": "text/plain",
    },
    "ExportInfo": {
        "format": "cbt", "sha256": SHA256, "revision": 7,
        "files": [{"name": "weather-balloons-tables.sh", "text": "cbt createtable …", "base64": None}],
        "notes": [], "refusals": [
            {"at": "readings", "place": "readings", "sentence": 'cbt has no words for "Deletion protection"'},
        ],
    },
    "MeasuredInfo": {
        "kept": True, "empty_files": [],
        "report": {
            "format": "keywright-observe/1", "date": "2026-11-20", "is_date_stated": True, "later_start": None,
            "tables": [],
            "clusters": [], "reads": [], "unknown_tables": [], "unused_metrics": [],
            "read": [], "not_compared": [],
        },
    },
    "TraceInfo": {
        "report": {
            "format": 1, "events": 1, "first": "2026-09-21T14:13:20Z", "last": "2026-09-21T14:13:20Z",
            "left_out_events": 0, "columns": {}, "unread": [],
            "lines": {"all": 1, "requests": 1, "headers": 0, "blank": 0, "unread": 0, "unread_sizes": 0},
            "is_cut": False, "tables": [],
        },
        "document": {"format": 1, "name": "Readings", "tables": [{"id": "t1", "name": "rows"}]},
        "assumed": [{"at": "t1", "field": "history_months", "value": 0, "why": "the table starts empty"}],
    },
    "DriftInfo": {
        "has_drift": False,
        "report": {
            "format": "keywright-drift/1", "design": "k3j5x", "differences": [], "not_designed": [],
            "not_told": [], "not_compared": [],
        },
    },
    "WebhookInfo": WEBHOOK,
    "WebhookMade": {**WEBHOOK, "secret": "whsec_bm90IGEgc2VjcmV0IGJ1dCBhbiBleGFtcGxl"},
    "DeliveryInfo": {
        "id": 41, "message": "msg_9fJx2QvC1sYh7TqLw0aZbKde", "event": "run.ended", "state": "delivered",
        "attempts": 1, "status": 204, "problem": "", "made": AT, "due": None,
    },
    "TrialInfo": {
        "plan": {
            "format": "keywright-try/1", "design": "k3j5x", "sha256": SHA256, "engine": "bigtable", "target": "",
            "date": "", "rows_per_kind": 1_000, "tables": [], "reads": [], "findings": [], "not_tried": [],
        },
        "results": [],
    },
    "ImportInfo": {
        "format": "cbt", "document": {"format": 1, "tables": [{"id": "table1", "name": "table1"}]},
        "not_understood": [{"where": "line 1", "sentence": "the output does not say the table's name"}],
    },
    "Wrong": {
        "sentence": "there is no such key", "place": "tables[0].nam", "pointer": "#/tables/0/nam", "line": 4,
    },
    "LinkInfo": LINK,
    "LinkMade": {**LINK, "address": "https://keywright.example.com/review/Zk2…/"},
    "ThreadInfo": {
        "number": 1, "on": ["element", "readings", ""], "label": "table “readings”", "place": "on table “readings”",
        "section": "keys", "resolved": None, "resolved_by": "",
        "comments": [{"by": "ana (API token CI)", "text": "Why so many?", "at": AT, "visitor": False, "link": ""}],
    },
    "SectionInfo": {
        "section": "keys", "title": "Tables and keys", "state": "approved", "mark": SHA256,
        "verdicts": [
            {"verdict": "approve", "by": "ben", "text": "", "at": AT, "revision": 7, "stale": False, "own": False,
             "link": ""},
        ],
        "asked": [],
    },
    "ObservationInfo": {"date": "2026-11-20", "figures": {"readings": {"rows": 75600000.0}}, "at": AT, "by": "ana"},
}  # fmt: skip
"""By the type's name."""

DOCUMENT: Mapping[str, Any] = {
    "format": 1, "name": "Weather balloons", "start": "2026-11-01",
    "fields": [{"id": "balloon", "name": "balloon", "values": {"kind": "pattern", "text": "b-{n:06}"}}],
    "activities": [{"id": "reports", "name": "reports", "rate_per_second": 500}],
    "tables": [
        {
            "id": "readings", "name": "readings",
            "families": [{"id": "m", "name": "m", "columns": [{"id": "value", "qualifier": "v"}]}],
            "row_kinds": [
                {
                    "id": "reading",
                    "key": [
                        {"id": "by-balloon", "kind": "field", "field": "balloon", "after": "#"},
                        {"id": "by-time", "kind": "time"},
                    ],
                    "writes": [{"id": "put", "name": "put", "activity": "reports"}],
                },
            ],
        },
    ],
}  # fmt: skip
"""A small design: what the other requests name is in it."""
LOG = "time,operation,key,bytes\n2026-09-21T14:13:20Z,put,b-000001#1790000000000,120\n"
MEASURED = '{"name": "projects/p/instances/i/tables/readings", "stats": {"rowCount": "75600000"}}'
DEFINED = '{"name": "projects/p/instances/i/tables/readings", "columnFamilies": {"m": {}}}'
TRIAL: Mapping[str, Any] = {
    "format": "keywright-try/1", "design": "balloons.json", "sha256": SHA256, "engine": "bigtable",
    "target": "localhost:8086", "date": "2026-11-26", "rows_per_kind": 1_000, "tables": [], "reads": [], "findings": [],
    "not_tried": [],
}  # fmt: skip

REQUESTS: Mapping[str, Mapping[str, Any]] = {
    "createDesign": {"A small design": DOCUMENT, "An empty design": {"format": 1, "name": "Weather balloons"}},
    "replaceDocument": {"A small design": DOCUMENT},
    "changeDesign": {"Rename": {"name": "Balloons of 2027"}, "Archive": {"archived": True}},
    "copyDesign": {"A variant": {"variant": True}, "A copy": {"name": "Weather balloons, by day"}},
    "adoptVariant": {"A variant": {"variant": KEY, "was": SHA256}},
    "applyEdit": {
        "Rename a table": {"kind": "set", "at": "readings", "name": "name", "value": "events", "was": "readings"},
        "Several at once": {
            "kind": "batch",
            "edits": [
                {"kind": "insert", "parent": "", "list": "fields", "element": {"id": "site", "name": "site"}},
                {"kind": "set", "at": "", "name": "description", "value": "With sites", "was": ""},
            ],
        },
    },
    "nameRevision": {"A name": {"name": "for the review"}},
    "startRun": {
        "A day": {"kind": "simulate", "parameters": {"period": "day"}},
        "Compression": {"kind": "compression", "parameters": {"table": "readings"}},
        "Sample keys": {"kind": "sample_keys", "parameters": {"row_kind": "reading", "count": 10_000, "form": "csv"}},
    },
    "findDrift": {"Definitions": {"files": [DEFINED], "ignore": ["cluster/*/nodes"]}},
    "compareMeasurements": {"Table stats": {"files": [MEASURED], "date": "2026-11-20", "keep": True}},
    "replayLog": {"Another key": {"text": LOG, "other_key": "{time}#{balloon}"}},
    "replayLogFile": {"A log": LOG},
    "startReplay": {"A log": LOG},
    "readTraceFile": {"A log": LOG},
    "readTrace": {"A log": {"text": LOG, "name": "Readings"}},
    "keepTrial": {"A result": {"result": TRIAL}},
    "proposeSchemas": {
        "Devices": {
            "sentences": [
                "200,000 devices each report every 10 s, kept 90 days",
                "show the latest of one device 50/s",
            ],
        },
    },
    "importText": {"Families": {"text": "Family Name\tGC Policy\nm\tversions() > 1\n", "format": "cbt"}},
    "createLink": {
        "To read": {"name": "Review of November", "role": "link_view", "hides_cost": True, "days": 30},
        "To comment": {"name": "Partners", "role": "link_comment", "days": 7, "password": "correct horse"},
    },
    "changeLink": {"A week more": {"days": 7}, "Another name": {"name": "Review of December", "hides_samples": True}},
    "createThread": {"On a table": {"on": ["element", "readings", ""], "text": "Why so many rows?"}},
    "createComment": {"An answer": {"text": "Each balloon sends every 10 s."}},
    "changeThread": {"Resolve": {"resolved": True}, "Open again": {"resolved": False}},
    "giveVerdict": {
        "Request changes": {"section": "keys", "verdict": "changes", "mark": SHA256, "text": "Put the time last."},
        "Approve": {"section": "families", "verdict": "approve", "mark": SHA256},
    },
    "createReviewRequest": {
        "A member": {"sections": ["keys", "families"], "person": "ana@example.com", "due": "2026-12-01"},
        "Visitors of a link": {"sections": ["keys"], "link": 4, "note": "Is the time in the right place?"},
    },
    "setMail": {"News": {"mail": True, "miss_percent": 20}, "None": {"mail": False}},
    "createWebhook": {
        "Runs and verdicts": {"address": "https://example.com/hooks", "events": ["run.ended", "verdict.given"]},
    },
    "changeWebhook": {
        "Other events": {"events": ["revision.created"]},
        "Another address": {"address": "https://example.com/receive", "enabled": True},
        "Disable": {"enabled": False},
    },
}
"""By operation, what can be sent; a key, hash or mark in them stands for one that was read before."""
