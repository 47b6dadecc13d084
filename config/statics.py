"""Static files with a hash in their names, so that browsers may keep them for ever; collected only when stale."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True  # modules import each other by their hashed names, too


def collect_stale() -> bool:
    """Collect static files if any differs from what was collected last; returns whether it did."""
    found = sorted(
        (path, stat.st_size, stat.st_mtime_ns)
        for finder in get_finders()
        for path, storage in finder.list([])
        if (stat := Path(storage.path(path)).stat())
    )
    stamp = Path(settings.STATIC_ROOT) / ".stamp"
    wanted = hashlib.sha256(repr(found).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True
