"""Commands for the HBase shell. It knows versions, a time to live and least versions per family, and nothing else.

Of garbage collection it can say: none, v, age, age or v, age and m, (age and m) or v. Split keys are written as HBase
prints bytes, `\\xNN` with capital digits, for so it reads them. Source: HBase's guide and shell (read 2026-11-20).
"""

from collections.abc import Iterator

from designer.document.instance import Instance
from designer.document.table import Table
from designer.document.texts import N_

from .shared import gc
from .shared.bigtable import ExportTable, PlannedFamily, plan_tables, refuse_other_engine
from .shared.comments import comment
from .shared.content import ExportContent
from .shared.names import NameRules, assign_names, stem
from .shared.omissions import NOT_TERRAFORM, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

FAMILY = NameRules(r"(?!recovered\.edits$)[-_a-zA-Z0-9][-_.a-zA-Z0-9]*", 64, spare="f")
OMITTED: Fields = {**NOT_TERRAFORM, Instance: tuple(Instance.model_fields)}
"""The HBase shell creates only tables."""
FOREVER = 2_147_483_647
"""A time to live of so many seconds is none, and so many versions are all."""
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.,:;#/|@!?*+=~^()[]<>&%$")


def make(content: ExportContent) -> ExportResult:
    """One file of commands."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    lines = [comment(content.origin)]
    lines.append("# hbase shell -n THIS-FILE")
    for table in plan_tables(content.spec, remarks):
        lines += ["", *_table(table, remarks)]
    note_omissions(content.spec, remarks, OMITTED)
    return remarks.build_result(File.of(f"{stem(content.spec.name)}.hbase.rb", "\n".join(lines) + "\n"))


def _table(table: ExportTable, remarks: ExportRemarks) -> Iterator[str]:
    settings = {
        "deletion_protection": table.table.deletion_protection,
        "change_stream_days": table.change_stream_hours,
        "backups": table.backup_days,
        "infrequent_access_days": table.cold_seconds,
        "row_key_schema": table.table.row_key_schema,
    }
    refused = [remarks.refuse_field(table.table.id, "HBase", Table, name) for name, value in settings.items() if value]
    yield from (comment(f"not here: {sentence}") for sentence in (*table.left_out, *refused))
    names = assign_names(((family.family.id, family.name) for family in table.families), FAMILY, remarks)
    families = []
    for family in table.families:
        definition = _family(family, names[family.family.id])
        if isinstance(definition, str):
            families.append(definition)
        else:
            yield comment(f"not here: family {family.name}: {remarks.refuse(family.family.id, definition[0])}")
    if not families:
        why = remarks.refuse(table.table.id, N_("{tool} cannot create a table without a family"), tool="HBase")
        yield comment(f"not here: table {table.name}: {why}")
        return
    parts = [f"'{table.name}'", *families]
    if table.splits:
        parts.append(f"SPLITS => [{', '.join(map(key_text, table.splits))}]")
    yield f"create {', '.join(parts)}"


def _family(family: PlannedFamily, name: str) -> str | tuple[str]:
    """Return the family, or the reason why HBase has no such family."""
    if family.type is not None:
        return (N_("HBase does not support aggregates"),)
    family_limits = limits(family.rule)
    if family_limits is None:
        return (
            N_(
                "HBase does not support this rule: use versions, an age, either of them, or an age with minimum "
                "versions"
            ),
        )
    versions, ttl_ms, least = family_limits
    # HBase takes whole seconds; its largest number means "for ever".
    if ttl_ms is not None and (ttl_ms % 1000 or ttl_ms // 1000 >= FOREVER):
        return (N_("HBase accepts ages in whole seconds, below 68 years"),)
    if versions is not None and least is not None and least >= versions:
        return (N_("HBase requires the minimum number of versions to be below the maximum"),)
    # Always written: HBase's default is one version, and Bigtable's is all of them.
    options = {"VERSIONS": FOREVER if versions is None else versions}
    options |= {"TTL": ttl_ms // 1000} if ttl_ms is not None else {}
    options |= {"MIN_VERSIONS": least} if least is not None else {}
    return f"{{NAME => '{name}', {', '.join(f'{key} => {value}' for key, value in options.items())}}}"


def limits(rule: gc.Rule | None) -> tuple[int | None, int | None, int | None] | None:
    """Versions, time to live [ms] and least versions that say the rule; None if none do."""
    match rule:
        case None:
            return None, None, None
        case gc.Versions(count):
            return count, None, None
        case gc.Age(ms):
            return None, ms, None
        case gc.AllOf((gc.Age(ms), gc.Versions(least)) | (gc.Versions(least), gc.Age(ms))):
            return None, ms, least
        case gc.AnyOf((gc.Versions(count), other) | (other, gc.Versions(count))):
            inner = limits(other)
            # Two limits of versions in one union have no form there.
            return (count, *inner[1:]) if inner is not None and inner[0] is None else None
    return None


def key_text(key: bytes) -> str:
    """Return a key as a Ruby string in HBase's own text form of bytes."""
    # Within single quotes Ruby leaves \x alone; HBase's own reader (Bytes.toBytesBinary) turns it into the byte.
    return "'" + "".join(chr(byte) if byte in _PLAIN else f"\\x{byte:02X}" for byte in key) + "'"


FORMAT = Format(
    name="hbase",
    title="HBase",
    about=N_("HBase shell commands for the parts of the design that HBase supports."),
    make=make,
    engines=("bigtable",),
    omits=OMITTED,
)
