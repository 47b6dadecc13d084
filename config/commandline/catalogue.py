"""Every command of Keywright, with a line for `--help`; nothing is imported before a command is run."""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command; one `of_files` reads files and nothing stored, and starts without site and database."""

    name: str
    module: str
    summary: str
    of_files: bool = False
    of_clone: bool = False
    """Whether it changes the program's own files, which an installed copy has no business with."""


def _entries(
    package: str, summaries: dict[str, str], *, of_files: bool = False, of_clone: bool = False
) -> tuple[Entry, ...]:
    return tuple(
        Entry(name, f"{package}.management.commands.{name}", summary, of_files, of_clone)
        for name, summary in summaries.items()
    )


GROUPS: dict[str, tuple[Entry, ...]] = {
    "Judge designs": (
        *_entries("estimator", {"lint": "Check designs against every rule."}, of_files=True),
        *_entries(
            "reviews",
            {
                "diff": "Compare two designs: what changed and what it leads to.",
                "drift": "Compare a design with what runs: tables, families, rules, clusters, profiles.",
                "try": "Try a design on an engine: its tables, sample rows and every read.",
                "approved": "Say whether a review has approved exactly this design.",
            },
            of_files=True,
        ),
        *_entries(
            "estimator",
            {
                "estimate": "Estimate rows, nodes and the monthly bill of a design.",
                "simulate": "Play a day or a month of a design.",
                "propose": "Propose whole schemas for what an application does, said in sentences.",
                "advise": "Measure other row keys for a table beside the present one.",
                "trace": "Read an access log: keys, rates, hours, popularity; make a design of it.",
                "observe": "Compare a design with what runs: table stats, hot tablets, monitoring.",
                "heatmap": "Draw a table's load per key range over a day.",
                "keys": "Print sample row keys of a table: the true bytes.",
                "measure_compression": "Measure the compression of a design's tables with real codecs.",
            },
            of_files=True,
        ),
    ),
    "Exchange designs": (
        *_entries(
            "estimator",
            {
                "fmt": "Write designs canonically; from JSON to compact YAML and back.",
            },
            of_files=True,
        ),
        *_entries(
            "reviews",
            {
                "spec_schema": "Print the JSON Schema of design files, or of what commands print.",
                "export": "Export a design: Terraform, cbt, gcloud, PDF and more.",
                "mcp": "Serve designs to agents, by the Model Context Protocol.",
            },
            of_files=True,
        ),
        *_entries(
            "designer",
            {"import": "Import tables from Terraform, cbt, gcloud, row key schemas or sample keys."},
            of_files=True,
        ),
    ),
    "Look up": _entries(
        "estimator",
        {
            "prices": "Import, fetch, show and compare price books.",
            "rule_docs": "Write a Markdown page for each rule.",
        },
        of_files=True,
    ),
    "Run the site": (
        *_entries(
            "config",
            {
                "serve": "Serve Keywright on this machine. Without a command, this one runs.",
                "doctor": "List the faults of this installation, each with its remedy.",
                "upgrade": "Bring the database to this version; --check changes nothing.",
                "backup": "Write everything that people made into one file.",
                "restore": "Fill the database from a backup.",
                "prepare": "Compile translations and collect static files, where they are stale.",
                "audit_log": "Print who did what to access and designs, as NDJSON.",
                "purge": "Remove what was deleted long ago, and old results.",
            },
        ),
        *_entries("reviews", {"deliver_mail": "Send the mail about reviews that is due."}),
        *_entries("estimator", {"deliver_webhooks": "Send the events that are due to webhooks."}),
    ),
    "Let people and programs in": _entries(
        "designer",
        {
            "create_owner": "Make a person and a team that they own.",
            "set_password": "Give a person another password.",
            "reset_factors": "Remove the second factors of a person who lost them.",
            "api_token": "Make an API token and print it, once.",
        },
    ),
    "Develop Keywright": (
        *_entries("estimator", {"new_rule": "Begin a new rule.", "new_chart": "Begin a new chart."}, of_clone=True),
        *_entries("reviews", {"new_export": "Begin a new export format."}, of_clone=True),
        *_entries(
            "config",
            {
                "messages": "Collect the texts to be translated.",
                "architecture": "Draw the picture of all packages.",
                "docs": "Build the documentation site.",
            },
            of_clone=True,
        ),
    ),
}
"""By purpose, in the order of `--help`."""


def commands(*, is_installed: bool) -> dict[str, Entry]:
    """Return the commands that can run here, by name."""
    entries = (entry for group in GROUPS.values() for entry in group)
    return {entry.name: entry for entry in entries if not (is_installed and entry.of_clone)}
