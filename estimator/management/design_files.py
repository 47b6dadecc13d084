"""The canonical text of a design's file."""

import json

from designer.document import InvalidDocumentError, Spec, dump, load
from designer.document.load import is_compact
from designer.management.base import CommandError
from estimator.management.commandline import FAILED

SCHEMA = "$schema"


def canonical_text(text: str, spec: Spec, form: str, file: str) -> str:
    """Return the design's canonical text, which is read back before it replaces anything.

    Raises
    ------
    CommandError
        If it is not read back as this design.
    """
    is_yaml = is_compact(text, file)
    if form == "json":
        # A schema named in YAML is a comment for the editor's language server; JSON has it as a field.
        new_text = _with_schema(dump(spec), text) if not is_yaml else dump(spec)
    else:
        from designer.document.compact import dump_compact, format_compact

        new_text = format_compact(spec, text) if is_yaml else dump_compact(spec)
    try:
        # A defect of the writer must not replace the only copy of a design by another design.
        again = load(new_text, name=f"design.{form}")
    except InvalidDocumentError:
        again = None
    if again != spec:
        reason = f"{file} is left as it is: its canonical form would not be read as the same design. "
        raise CommandError(f"{reason}This is an error in Keywright, not in the design.", returncode=FAILED)
    return new_text


def _with_schema(canonical: str, text: str) -> str:
    """Keep the name of the schema that an editor reads, at the beginning."""
    # Windows editors begin a file with a byte order mark, which `json.loads` refuses in a text.
    schema = json.loads(text.removeprefix("\ufeff")).get(SCHEMA)
    if schema is None:
        return canonical
    # The first brace is that of the whole document.
    return canonical.replace("{", f"{{\n  {json.dumps(SCHEMA)}: {json.dumps(schema, ensure_ascii=False)},", 1)
