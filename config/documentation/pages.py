"""Pages of the documentation site: files, places in its menu, and the form of links on them."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MENU = "docs/README.md"
"""The first page: its headings and lists of links are the menu."""
AT_ROOT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "SECURITY.md": "reporting.md"}
"""Documents beside the program, and where they stand in the site."""
GENERATED = {
    "estimator/advice/rules": "rules/index.md",
    "config/commandline/catalogue.py": "commands/index.md",
    "reviews/api/operations": "api/index.md",
    "docs/decisions": "decisions/index.md",
}
"""Where the repository has the source of generated pages: a link to it leads to them in the site."""
BLOCK = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)|(?<=\n\n)(?: {4}[^\n]*\n)+", re.DOTALL | re.MULTILINE)
"""Blocks of code."""
LINK = re.compile(
    r"(?P<head>!?\[(?P<text>[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*)\]\()(?P<target>[^()\s]+)\)|(?P<ticks>`+)[^`].*?(?P=ticks)",
    re.DOTALL,
)
"""A link, or code within a line, which has none."""


class BrokenLinkError(Exception):
    """A page names a file that the repository does not have."""


@dataclass(frozen=True)
class MenuPart:
    """A heading of the menu with the pages under it, as paths of the repository."""

    title: str
    pages: tuple[str, ...]


def menu(root: Path) -> tuple[MenuPart, ...]:
    """Return the menu of the site, read from the first page."""
    text = (root / MENU).read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return tuple(
        MenuPart(title, tuple(dict.fromkeys(_linked_pages(body, root))))
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    )


def _linked_pages(text: str, root: Path) -> Iterator[str]:
    paths = site_paths(root)
    for entry in re.findall(r"^- \[[^\]]+\]\(([^)#\s]+)", text, flags=re.MULTILINE):
        path = posixpath.normpath(posixpath.join("docs", entry))
        if path in paths:
            yield path


def repository_pages(root: Path) -> tuple[str, ...]:
    """Return the documents that are pages, as paths of the repository."""
    paths = (path.relative_to(root).as_posix() for path in sorted((root / "docs").rglob("*.md")))
    return (*AT_ROOT, *paths)


def site_paths(root: Path) -> Mapping[str, str]:
    """Return where in the site a path of the repository stands."""
    paths = {path: path.removeprefix("docs/") for path in repository_pages(root)}
    return {**paths, **AT_ROOT, **GENERATED, MENU: "index.md", "README.md": "index.md"}


@dataclass(frozen=True)
class Linker:
    """Writes the links of repository files as links of the site; `source_url` is where files that are no pages are."""

    root: Path
    source_url: str = ""

    def rewrite(self, text: str, path: str) -> str:
        """Return the text of a file with its links as the site has them; raise BrokenLinkError."""
        paths = site_paths(self.root)
        parts, at = [], 0
        for code in BLOCK.finditer(text):
            parts += [self._rewrite_prose(text[at : code.start()], path, paths), code[0]]
            at = code.end()
        return "".join([*parts, self._rewrite_prose(text[at:], path, paths)])

    def _rewrite_prose(self, text: str, path: str, paths: Mapping[str, str]) -> str:
        def link(match: re.Match[str]) -> str:
            target, hash_mark, place = (match["target"] or "").partition("#")
            if not target or "://" in target or target.startswith("mailto:"):
                return match[0]
            file = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            if file in paths:
                here = posixpath.dirname(paths.get(path, ""))
                return f"{match['head']}{posixpath.relpath(paths[file], here or '.')}{hash_mark}{place})"
            if not (self.root / file).exists():
                raise BrokenLinkError(f"{path}: there is no {file}")
            if match["head"].startswith("!"):
                return match[0]
            return f"{match['head']}{self.source_url}/{file})" if self.source_url else match["text"]

        return LINK.sub(link, text)
