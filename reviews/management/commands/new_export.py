"""Writes a new export format's file and its tests from a template, and says what is left to do."""

import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from designer.management.scaffold import check_module_name, write_new_files
from reviews.exports import NAMES

ENGINES = {
    "both": {"engines": '("bigtable", "tablestore")', "imports": "", "refusal": ""},
    "bigtable": {
        "engines": '("bigtable",)',
        "imports": "from .shared.bigtable import refuse_other_engine\n",
        "refusal": """    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
""",
    },
}
"""What differs in the file of a format by the engines whose designs it takes."""

EXPORT = '''"""SAY IN ONE SENTENCE WHAT THE FILES ARE AND WHAT READS THEM.

Source: THE TOOL'S REFERENCE (read {today}).
"""

from designer.document.texts import N_

{imports}from .shared.comments import comment, one_line
from .shared.content import ExportContent
from .shared.names import stem
from .shared.omissions import KEYS_TOO, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

OMITTED = KEYS_TOO
"""SAY WHAT ELSE THE TARGET HAS NO PLACE FOR, OR TAKE AWAY WHAT IT HAS."""


def make(content: ExportContent) -> ExportResult:
    """Build one file that lists the tables; what the target cannot express is refused with `remarks`."""
    remarks = ExportRemarks()
{refusal}    note_omissions(content.spec, remarks, OMITTED)
    lines = [comment(content.origin), *(one_line(table.name) for table in content.spec.tables)]
    return remarks.build_result(File.of(f"{{stem(content.spec.name)}}.{name}.txt", "\\n".join(lines) + "\\n"))


FORMAT = Format(
    name="{name}",
    title="{name}",
    about=N_("SAY IN ONE SENTENCE WHAT ONE GETS AND HOW IT IS USED."),
    make=make,
    engines={engines},
    omits=OMITTED,
)
'''

TEST = '''"""The format {name}: what is in its file, and what it refuses."""

from designer.document.load import from_data
from reviews.exports.{name} import FORMAT, make
from tests.contexts import Content
from tests.designs import forty_tables


def test_the_file_names_every_table() -> None:
    (file,) = make(Content(forty_tables())).files

    assert [table.name for table in forty_tables().tables if table.name not in file.text] == []


def test_what_the_target_cannot_express_is_refused() -> None:
    table = {{"id": "t", "name": "t", "deletion_protection": True}}
    spec = from_data({{"engine": FORMAT.engines[0], "tables": [table]}})

    made = make(Content(spec))

    assert [(one.at, str(one)) for one in made.refusals] == [("t", "SAY WHAT THE REFUSAL READS")]
'''

LEFT = """{export} and {test} are written; the format is found by its name. Left to do:
1. Write what the target can express; refuse what it cannot by `remarks.refuse_field` or `remarks.refuse`;
   name in OMITTED the fields that it has no place for.
2. Set the title, the sentence about it and the media type of its files.
3. Run the tests in tests/exports: test_law.py names each field that is neither in a file nor in a remark.
4. Give its place in `_ORDER` of reviews/exports/__init__.py; without one it comes last. Name it in README.md.
5. Run `python3 run.py messages`, translate what it added, and add a line to CHANGELOG.md."""


class Command(BaseCommand):
    help = "Begin a new export format: its file, its tests, and a list of what is left to do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name of the format and of its module, such as row_key_schema")
        parser.add_argument("--engines", choices=tuple(ENGINES), default="both")

    def handle(self, *, name: str, engines: str, **options: Any) -> None:
        check_module_name(name, {*NAMES, "shared"})
        export, test = f"reviews/exports/{name}.py", f"tests/exports/test_{name}.py"
        today = datetime.datetime.now(datetime.UTC).date()
        text = EXPORT.format(name=name, today=today, **ENGINES[engines])
        write_new_files({export: text, test: TEST.format(name=name)})
        self.stdout.write(LEFT.format(export=export, test=test))
