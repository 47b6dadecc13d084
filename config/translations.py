"""Compiled translations: Django reads .mo files, we commit .po files and compile them when stale, without gettext."""

from pathlib import Path

from django.conf import settings


def compile_stale() -> list[Path]:
    """Compile every .po file that is newer than its .mo file; returns the files made."""
    made = []
    for po in (path for root in settings.LOCALE_PATHS for path in Path(root).glob("*/LC_MESSAGES/*.po")):
        mo = po.with_suffix(".mo")
        if mo.is_file() and mo.stat().st_mtime_ns >= po.stat().st_mtime_ns:
            continue
        import polib  # only when needed: commands start faster without it

        polib.pofile(str(po)).save_as_mofile(str(mo))
        made.append(mo)
    return made
