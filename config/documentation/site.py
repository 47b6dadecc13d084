"""The site: pages are staged in a temporary folder, and Sphinx makes HTML of them, refusing every broken link."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from .generated import generated_pages, toctree
from .pages import MENU, Linker, menu, repository_pages, site_paths

PICTURES = ("*.svg", "*.png", "*.webp")


def site_pages(root: Path, *, source_url: str = "") -> dict[str, str]:
    """Return the text of every page by its path in the site; raise BrokenLinkError."""
    linker, paths = Linker(root, source_url), site_paths(root)
    own_pages = {
        paths[path]: linker.rewrite((root / path).read_text(encoding="utf-8"), path) for path in repository_pages(root)
    }
    pages = {**generated_pages(root), **own_pages}
    for index in ("rules", "commands", "api", "decisions"):
        names = [name.removeprefix(f"{index}/") for name in pages if name.startswith(f"{index}/")]
        pages[f"{index}/index.md"] += toctree(sorted(name for name in names if name != "index.md"))
    menu_pages = (toctree([paths[page] for page in part.pages], caption=part.title) for part in menu(root))
    pages[paths[MENU]] += "".join(menu_pages)
    return pages


def stage(root: Path, folder: Path, pages: Mapping[str, str]) -> None:
    """Write what Sphinx reads: pages, pictures, its settings and styles."""
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for pattern in PICTURES:
        for picture in (root / "docs").rglob(pattern):
            target = folder / picture.relative_to(root / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(picture, target)
    shutil.copytree(root / "docs" / "site", folder / "site")
    shutil.copyfile(root / "static" / "favicon.svg", folder / "site" / "favicon.svg")


def build(root: Path, out: Path, *, source_url: str = "") -> int:
    """Build the site into a folder; return 0, or 1 where a link is broken or a page is not in the menu."""
    return write_html(root, site_pages(root, source_url=source_url), out)


def write_html(root: Path, pages: Mapping[str, str], out: Path) -> int:
    """Make HTML of pages; return 0, or 1 where Sphinx warns of anything."""
    with TemporaryDirectory(prefix="keywright-docs-") as name:
        folder = Path(name)
        stage(root, folder / "pages", pages)
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html", "-c"]
        command += [str(folder / "pages" / "site"), "-d", str(folder / "read"), str(folder / "pages"), str(out)]
        return int(subprocess.run(command, check=False).returncode != 0)
