"""An example of each type that people read or write by hand."""

from collections.abc import Mapping
from typing import Any

SHA256 = "05d5ca573b73c9092f183da993e52481ae370f4a0b456a80da4f3aed0848dc6d"
AT = "2026-11-20T09:30:00Z"

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "DesignInfo": {
        "key": "k3v9q2m7", "name": "Weather balloons", "revision": 7, "sha256": SHA256, "made": AT, "edited": AT,
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
        "error": "This is no design that can be used; what is wrong is listed below.",
        "problems": [{"sentence": "there is no such key", "place": "tables[0].nam", "line": 4}],
    },
    "RunAsked": {"kind": "simulate", "parameters": {}},
    "RunInfo": {
        "id": 12, "kind": "simulate", "what": "Simulation of a day", "parameters": {}, "sha256": SHA256,
        "state": "running", "fraction": 0.4, "doing": "counting", "reason": "", "asked": AT, "asked_by": "ana",
        "ended": None, "expected_end": AT,
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
    "MeasuredAsked": {
        "files": ['{"name": "projects/p/instances/i/tables/readings", "stats": {"rowCount": "75600000"}}'],
        "date": "2026-11-20", "table": "", "read": "", "keep": True,
    },
    "MeasuredInfo": {
        "kept": True,
        "report": {"format": "keywright-observe/1", "date": "2026-11-20", "is_date_stated": True, "tables": []},
    },
    "TraceAsked": {
        "text": "time,operation,key,bytes\n2026-09-21T14:13:20Z,put,u1#1790000000,120\n",
        "columns": [], "keys": "text", "name": "Readings", "hash_keys": False,
    },
    "TraceInfo": {
        "report": {"format": 1, "events": 1, "unread": [], "tables": []},
        "document": {"format": 1, "name": "Readings", "tables": [{"id": "t1", "name": "rows"}]},
    },
    "DriftAsked": {
        "files": ['{"name": "projects/p/instances/i/tables/readings", "columnFamilies": {"m": {}}}'],
        "ignore": ["cluster/*/nodes"],
    },
    "DriftInfo": {
        "has_drift": False,
        "report": {"format": "keywright-drift/1", "design": "k3j5x", "differences": [], "not_told": []},
    },
    "WebhookAsked": {"address": "https://example.com/hooks", "events": ["run.ended", "verdict.given"]},
    "WebhookChange": {"address": "https://example.com/hooks", "events": ["run.ended"], "enabled": True},
    "WebhookInfo": {
        "id": 3, "address": "https://example.com/hooks", "events": ["run.ended"], "enabled": True, "why": "",
        "made": AT, "made_by": "ana",
    },
    "DeliveryInfo": {
        "id": 41, "message": "msg_9fJx2QvC1sYh7TqLw0aZbKde", "event": "run.ended", "state": "delivered",
        "attempts": 1, "status": 204, "problem": "", "made": AT, "due": None,
    },
    "TrialGiven": {"result": {"format": "keywright-try/1", "design": "a.json", "tables": [], "reads": []}},
    "TrialInfo": {"plan": {"format": "keywright-try/1", "design": "k3j5x", "tables": [], "reads": []}, "results": []},
    "ImportAsked": {"text": "Family Name\tGC Policy\nm\tversions() > 1\n", "format": "cbt"},
    "ImportInfo": {
        "format": "cbt", "document": {"format": 1, "tables": [{"id": "table1", "name": "table1"}]},
        "not_understood": [{"where": "line 1", "sentence": "the output does not say the table's name"}],
    },
}  # fmt: skip
"""By the type's name."""
