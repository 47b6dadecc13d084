"""Static files with a hash in their names, so that browsers may keep them for ever; collected only when stale."""

import hashlib
from functools import cached_property
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

STAMP = ".stamp"


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Files of whole pages, of which each names some seventy: what a name leads to is looked up once."""

    support_js_module_import_aggregation = True  # modules import each other by their hashed names, too

    def url(self, name: str | None, force: bool = False) -> str:
        place = (name, force, settings.DEBUG, self.base_url)
        # Django hashes and looks up each name anew, seventy times a page. DEBUG and the base address are part of the
        # place because tests change them.
        address = self._addresses.get(place)
        if address is None:
            address = self._addresses[place] = str(super().url(name, force))
        return address

    @cached_property
    def _addresses(self) -> dict[tuple[object, ...], str]:
        return {}


def collect_stale() -> bool:
    """Collect static files if any is not as it was when they were collected last; returns whether it did."""
    folder = Path(settings.STATIC_ROOT)
    stamp = folder / STAMP
    # `collectstatic` itself reads and compresses every file, which takes seconds at each start.
    if stamp.is_file() and stamp.read_bytes() == _fingerprint(folder):
        return False
    (folder / HashedStorage.manifest_name).unlink(missing_ok=True)  # a damaged one could not be read to be replaced
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    # Written last: after a crash in between, the next start collects again.
    stamp.write_bytes(_fingerprint(folder))
    return True


def _fingerprint(folder: Path) -> bytes:
    """Return what changes with any file that is to be collected, or was: somebody may delete or damage these."""
    files = [(name, Path(storage.path(name))) for finder in get_finders() for name, storage in finder.list([])]
    collected = (path for path in folder.rglob("*") if path.is_file() and path.name != STAMP)
    files += [(f"collected {path.relative_to(folder)}", path) for path in collected]
    entries = sorted((name, stat.st_size, stat.st_mtime_ns) for name, path in files if (stat := path.stat()))
    return hashlib.sha256(repr(entries).encode()).hexdigest().encode()
