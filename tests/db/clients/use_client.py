"""Uses the Python client that was generated: `use_client.py ADDRESS TOKEN < DOCUMENT`; prints what it came to."""

import json
import sys

from keywright_client import AuthenticatedClient
from keywright_client.api.computed import get_advice, get_findings
from keywright_client.api.designs import apply_edit, create_design, get_document
from keywright_client.api.exports import download_export
from keywright_client.api.reviews import create_thread
from keywright_client.api.runs import start_run
from keywright_client.models import (
    DownloadExportName,
    Failure,
    SampleKeysAsked,
    SampleKeysParameters,
    Set,
    Spec,
    ThreadAsked,
)

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True)
document = Spec.from_dict(json.load(sys.stdin))
made, again = (create_design.sync(client=client, body=document, idempotency_key="python") for _ in range(2))
read = get_document.sync(made.key, client=client)
rename = Set.from_dict({"kind": "set", "at": "readings", "name": "name", "value": "events", "was": "readings"})
change = apply_edit.sync(made.key, client=client, body=rename)
findings = get_findings.sync(made.key, client=client)
fixed = [one.fix for one in findings.items if one.fix is not None]
asked = SampleKeysAsked(kind="sample_keys", parameters=SampleKeysParameters(row_kind="reading"))
run = start_run.sync(made.key, client=client, body=asked)
thread = create_thread.sync(made.key, client=client, body=ThreadAsked(on=["section", "keys"], text="Why?"))
file = download_export.sync(made.key, DownloadExportName.TERRAFORM, client=client)
advice = get_advice.sync(made.key, "reading", client=client)
missing = get_findings.sync("none", client=client)
came_to = {
    "same": made.key == again.key,
    "tables": [table.name for table in read.tables],
    "revision": change.revision,
    "fixes_are_typed": all(hasattr(fix, "to_dict") for fix in fixed),
    "advice": [advice.report.present.key, advice.report.present.measures.errors],
    "run": [run.kind, run.state],
    "thread": thread.number,
    "terraform": b'"events"' in file.payload.read(),
    "missing": [isinstance(missing, Failure), missing.status, missing.type_],
}
sys.stdout.write(json.dumps(came_to))
