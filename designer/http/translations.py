"""Translations without gettext on the machine: .po files are committed and compiled to .mo files when stale."""

from pathlib import Path

from django.conf import settings


def po_files() -> list[Path]:
    return sorted(path for folder in settings.LOCALE_PATHS for path in Path(folder).glob("*/LC_MESSAGES/*.po"))


def compile_stale() -> list[Path]:
    """Compile every .po file that is newer than its .mo file; returns the files made."""
    mo_files = []
    for po in po_files():
        mo = po.with_suffix(".mo")
        if mo.is_file() and mo.stat().st_mtime_ns >= po.stat().st_mtime_ns:
            continue
        import polib  # only when needed: commands start faster without it

        polib.pofile(str(po)).save_as_mofile(str(mo))
        mo_files.append(mo)
    return mo_files
