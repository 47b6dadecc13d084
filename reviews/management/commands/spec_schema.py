"""`keywright spec_schema`: the JSON Schema of designs' files, and of what commands print as JSON."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from designer.document import schema as design
from designer.document.compact import schema as compact
from designer.management.base import FilesCommand
from estimator.comparison.designs import plain_data as diff
from estimator.management import json_outputs
from estimator.presentation import estimate_data as estimate
from estimator.presentation import observation_data as observe
from estimator.presentation.advice_data import schemas_schema
from estimator.presentation.lint_reports import json_data as lint
from reviews.drift import reports as drift
from reviews.presentation import webhook_schema as webhook
from reviews.trials import reports as trials

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "design": design.schema,
    "yaml": compact.schema,
    "lint": lint.schema,
    "estimate": estimate.schema,
    "propose": schemas_schema,
    "diff": diff.schema,
    "observe": observe.schema,
    "drift": drift.schema,
    "webhook": webhook.schema,
    "try": trials.schema,
    **json_outputs.SCHEMAS,
}


class Command(FilesCommand):
    """Prints one schema."""

    help = "Print the JSON Schema (2020-12) of designs as JSON or YAML, or of what commands print as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option for what the schema is of."""
        parser.add_argument("--of", choices=SCHEMAS, default="design", help="what it is of (default: design)")

    def handle(self, *, of: str = "design", **options: Any) -> None:
        """Print the schema."""
        self.stdout.write(json.dumps(SCHEMAS[of](), ensure_ascii=False, indent=1))
