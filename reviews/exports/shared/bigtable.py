"""Bigtable's tables as they are to be made: valid names, families with their rules, split keys as bytes.

What Bigtable takes from no tool is refused here, for every format alike.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.family import Family
from designer.document.key import as_bytes
from designer.document.rotation import NAME_PATTERNS
from designer.document.table import Backup, Table
from designer.document.texts import N_

from . import gc
from .names import FAMILY, TABLE, assign_names
from .result import ExportRemarks

MOST_KEY_BYTES = 4096
MOST_SPLITS = 100
"""Row keys to split a new table at ("Create and manage tables", read 2026-11-21)."""
DAILY_HOURS = 24.0
LEAST_COLD_DAYS = 30
"""Of infrequent access (tiered storage page, read 2026-11-20)."""
ENGINE = N_("this design is for Tablestore; Bigtable cannot create its tables")
INDEX = N_("secondary indexes are Tablestore's; on Bigtable an index is a table that the application writes")
ROTATING = N_("{name} is the first table of a set; create the next one before its period begins")
ROTATING_KEPT = N_(
    "{name} is the first table of a set; create the next one before its period begins, and then delete all but the "
    "newest {tables}"
)
VIEW = N_("a materialised view requires a query, which the design does not contain")


@dataclass(frozen=True)
class PlannedFamily:
    """A column family with the name and the rule that it gets."""

    family: Family
    name: str
    rule: gc.Rule | None

    @property
    def type(self) -> str | None:
        """The value type of an aggregate, as tools call it."""
        return None if self.family.kind == "ordinary" else f"int{self.family.kind}"


@dataclass(frozen=True)
class RotatingName:
    """The names of the tables of a set: what they begin with, and what those end with that are made first."""

    prefix: str
    periods: tuple[str, ...]
    pattern: str
    """Of the end, as `date` and Python take it."""
    variable: str
    """Of a script, that holds the end."""

    @property
    def label(self) -> str:
        """Name that stands for all of them."""
        return f"{self.prefix}*"

    def includes(self, name: str) -> bool:
        """Return whether a table belongs to the set, or a resource of Terraform makes all of them."""
        if name.strip('"') == f"{self.prefix}${{each.key}}":
            return True
        # Any table of the set, not only that of the period in which the design starts.
        digits = re.sub("%G|%Y", r"\\d{4}", re.sub("%[mdV]", r"\\d\\d", self.pattern))
        return re.fullmatch(re.escape(self.prefix) + digits, name) is not None


@dataclass(frozen=True)
class ExportTable:
    """A table with the names that it gets."""

    table: Table
    name: str
    """Of a set that of the table in which the design starts."""
    families: tuple[PlannedFamily, ...]
    splits: tuple[bytes, ...]
    left_out: tuple[str, ...]
    """What of it is refused, in sentences for a comment."""
    change_stream_hours: int | None
    backup_days: int | None
    """How long its automated daily backups are kept."""
    cold_seconds: int | None
    """After which age cells go to infrequent access."""
    rotating: RotatingName | None = None
    """How the tables of a set are called; None: it is one table."""


def refuse_other_engine(spec: Spec, remarks: ExportRemarks, message: str = ENGINE) -> bool:
    """Return whether the design is for an engine other than Bigtable, and add a refusal if it is."""
    if spec.engine != "bigtable":
        remarks.refuse("", message)
    return spec.engine != "bigtable"


def plan_tables(spec: Spec, remarks: ExportRemarks) -> Iterator[ExportTable]:
    """Yield the tables of a design for Bigtable, in their order."""
    ends = {table.id: table_suffixes(spec, table) for table in spec.tables}
    target_names = ((table.id, "_".join((table.name, *ends[table.id][:1]))) for table in spec.tables)
    names = assign_names(target_names, TABLE, remarks)
    for table in spec.tables:
        if table.derived_from and table.derived_from.how == "materialised_view":
            remarks.refuse(table.id, VIEW)
        elif table.derived_from and table.derived_from.is_secondary_index:
            remarks.refuse(table.id, INDEX)
        else:
            plan = _plan_table(spec, table, names[table.id], remarks)
            yield replace(plan, rotating=_rotating_name(table, plan.name, ends[table.id], remarks))


def table_suffixes(spec: Spec, table: Table) -> tuple[str, ...]:
    """Return the ends of the names of the first two tables of a set; none of a table that does not rotate."""
    return () if table.rotation is None else table.rotation.suffixes(effective_value(spec, spec, "start"), 2)


def _rotating_name(table: Table, name: str, ends: tuple[str, ...], remarks: ExportRemarks) -> RotatingName | None:
    rotation = table.rotation
    # The name was made unique or cut: then it shows no period any more, and it is one table.
    if rotation is None or not name.endswith(f"_{ends[0]}"):
        return None
    message = ROTATING if rotation.kept_tables is None else ROTATING_KEPT
    remarks.note(table.id, message, name=name, tables=rotation.kept_tables)
    return RotatingName(name.removesuffix(ends[0]), ends, NAME_PATTERNS[rotation.period], rotation.period.upper())


def _plan_table(spec: Spec, table: Table, name: str, remarks: ExportRemarks) -> ExportTable:
    left_out: list[str] = []
    families = tuple(_families(table, remarks, left_out))
    # Bigtable refuses a split key that is there twice.
    splits = tuple(sorted(set(_splits(table, remarks, left_out))))
    stream = _change_stream_hours(table, remarks, left_out)
    backups = _backup_days(table, remarks, left_out)
    cold = _cold_seconds(spec, table, remarks, left_out)
    return ExportTable(table, name, families, splits, tuple(left_out), stream, backups, cold)


def _families(table: Table, remarks: ExportRemarks, left_out: list[str]) -> Iterator[PlannedFamily]:
    names = assign_names(((family.id, family.name) for family in table.families), FAMILY, remarks)
    for family in table.families:
        why = gc.rejection_reason(family.gc)
        if why:
            reason = remarks.refuse(family.id, why[0], **why[1])
            left_out.append(f"family {names[family.id]}: {reason}")
        else:
            yield PlannedFamily(family, names[family.id], gc.rule_of(family.gc))


def _splits(table: Table, remarks: ExportRemarks, left_out: list[str]) -> Iterator[bytes]:
    if len(table.split_keys) > MOST_SPLITS:
        message = N_("a table can be created with at most 100 split keys, but it has {count}: the others are omitted")
        left_out.append(remarks.refuse(table.id, message, count=len(table.split_keys)))
    for text in table.split_keys[:MOST_SPLITS]:
        key = as_bytes(text)
        if 1 <= len(key) <= MOST_KEY_BYTES:
            yield key
        else:
            message = N_("the split key {key} is {key_bytes} long; a key must have 1 B to 4 KiB")
            left_out.append(remarks.refuse(table.id, message, key=text[:40], key_bytes=len(key)))


def _change_stream_hours(table: Table, remarks: ExportRemarks, left_out: list[str]) -> int | None:
    days = table.change_stream_days
    if days is None:
        return None
    # Tools write hours; a value that was rounded would not be the one that was reviewed.
    if not 1 <= days <= 7 or days * 24 != int(days * 24):
        message = N_("change stream retention must be 1 to 7 days in whole hours, not {kept_days}")
        left_out.append(remarks.refuse(table.id, message, kept_days=days))
        return None
    return int(days * 24)


def _cold_seconds(spec: Spec, table: Table, remarks: ExportRemarks, left_out: list[str]) -> int | None:
    days = table.infrequent_access_days
    if days is None:
        return None
    seconds = round(days * DAY_SECONDS)
    if (
        days < LEAST_COLD_DAYS
        or seconds != days * DAY_SECONDS
        or effective_value(spec, spec.instance, "storage") != "ssd"
    ):
        message = N_("infrequent access requires SSD and an age of at least 30 days, in whole seconds")
        left_out.append(remarks.refuse(table.id, message))
        return None
    return seconds


def _backup_days(table: Table, remarks: ExportRemarks, left_out: list[str]) -> int | None:
    days = None
    for backup in table.backups:
        why = manual_backup_reason(backup) if days is None else N_("a table can have only one automated backup policy")
        if why:
            left_out.append(f"backup: {remarks.refuse(backup.id, why)}")
        else:
            days = int(7 if backup.kept_days is None else backup.kept_days)
            if backup.kept_days is None:
                remarks.note_guess(backup.id, Backup, "kept_days", days)
    return days


def manual_backup_reason(backup: Backup) -> str | None:
    """Return the reason why a table's own policy cannot make a backup, or None if it can."""
    days = 7 if backup.kept_days is None else backup.kept_days
    if not backup.automated:
        return N_("only automated backups belong to a table; schedule other backups separately")
    if backup.kind == "hot":
        return N_("automated backups must be standard, not hot")
    if backup.every_hours not in (None, DAILY_HOURS):
        return N_("automated backups are created every 24 hours; other intervals are not supported")
    if backup.copies:
        return N_("automated backups cannot be copied to other regions")
    if not 3 <= days <= 90 or days != int(days):
        return N_("automated backups must be retained for 3 to 90 whole days")
    return None
