"""A design whose figures are known by hand: 1,000 devices, each a row a minute, one cell of 100 bytes in a row."""

import datetime
from functools import cache
from pathlib import Path
from typing import Any

from designer.document import Spec
from estimator.observations import (
    ComparedDesign,
    build_observation,
    compare_with_design,
    designed_state,
    read_measurements,
)
from tests.contexts import TODAY, context

FILES = Path(__file__).parent / "files"
MADE_FILES = tuple(sorted(path.name for path in FILES.iterdir()))

DESIGN: dict[str, Any] = {
    "name": "Readings",
    "start": "2026-10-01",
    "fields": [
        {
            "id": "device", "name": "device", "kind": "string", "values": {"kind": "pattern", "text": "d{n:04}"},
            "distinct": 1000, "popularity": {"kind": "uniform"},
        }
    ],
    "activities": [
        {"id": "report", "name": "A device reports", "arrival": {"kind": "every", "seconds": 60, "field": "device"}}
    ],
    "tables": [
        {
            "id": "readings", "name": "readings",
            "row_kinds": [
                {
                    "id": "reading",
                    "key": [
                        {"id": "of-device", "kind": "field", "field": "device", "after": "#"},
                        {"id": "of-time", "kind": "time", "resolution": "millisecond", "unit": "ms"},
                    ],
                    "writes": [{"id": "write", "name": "A reading", "activity": "report"}],
                    "reads": [
                        {
                            "id": "half-hour", "name": "The last half hour", "rate_per_second": 2,
                            "binds": [{"field": "device"}], "time": {"days": 30 / 1440},
                        }
                    ],
                }
            ],
            "families": [
                {
                    "id": "d", "name": "my_d", "gc": {"kind": "max_versions", "versions": 1},
                    "columns": [{"id": "v", "qualifier": "v", "value": {"typical_bytes": 100}}],
                }
            ],
        }
    ],
    "instance": {
        "clusters": [
            {"id": "one", "name": "one", "region": "europe-west1", "nodes": {"kind": "fixed", "count": 3}}
        ]
    },
}  # fmt: skip


@cache
def fleet() -> Spec:
    return Spec.model_validate(DESIGN)


def observe(
    *names: str, spec: Spec | None = None, content: bytes = b"", date: datetime.date | None = None, **read: str
) -> ComparedDesign:
    """Compare the design with files of the folder, and with a content of one's own."""
    contents = [(FILES / name).read_bytes() for name in names] + ([content] if content else [])
    found = [one for each in contents for one in read_measurements(each, **read)]
    observation = build_observation(found, today=TODAY, date=date)
    return compare_with_design(designed_state(spec or fleet(), observation.date, context()), observation)


@cache
def compare_all() -> ComparedDesign:
    """Compare the design with all files."""
    return observe(*MADE_FILES)
