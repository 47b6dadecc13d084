"""The picture of the program's packages, drawn from the import contracts in pyproject.toml."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

COLUMNS = {"designer": 400, "estimator": 480, "reviews": 400}
"""The packages from left to right with their widths in pixels."""
GAP, PAD, HEAD, ROOM, MARGIN = 12, 10, 26, 38, 24
"""Pixels between boxes, inside a box, and of a box's title, a room and the rim."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1f2328}.note{font-size:11px;fill:#59636e}.title{font-weight:600}"
    "rect{fill:#fff;stroke:#d1d9e0}.box{fill:#f6f8fa}path{stroke:#59636e;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.note{fill:#9198a1}"
    "rect{fill:#0d1117;stroke:#3d444d}.box{fill:#151b23}path{stroke:#9198a1}}"
)


@dataclass(frozen=True)
class Room:
    """A package or module with the layers of rooms in it, the top layer first."""

    name: str
    note: str
    layers: tuple[tuple["Room", ...], ...] = ()

    @property
    def height(self) -> int:
        """Pixels that its box takes."""
        if not self.layers:
            return ROOM
        return HEAD + PAD + sum(max(room.height for room in layer) + GAP for layer in self.layers) - GAP


def draw_packages(root: Path) -> str:
    """Return the SVG of the packages in `root`: design, estimate and review from left to right."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = {name: c["layers"] for c in contracts if c["type"] == "layers" for name in c.get("containers", [])}
    rooms = [read_room(root, name, layers) for name in COLUMNS]
    width = 2 * MARGIN + sum(COLUMNS.values()) + 2 * 3 * GAP
    height = 2 * MARGIN + ROOM + 2 * GAP + max(room.height for room in rooms) + 20
    top = Room("config", note(root, "config"))
    parts = [*boxes(top, MARGIN, MARGIN, width - 2 * MARGIN)]
    x, y = MARGIN, MARGIN + ROOM + 2 * GAP
    for each in rooms:
        parts += boxes(each, x, y, COLUMNS[each.name])
        if each is not rooms[0]:
            parts.append(f'<path d="M{x - 4} {y + 13}h-{3 * GAP - 10}m5 -4l-5 4l5 4"/>')
        x += COLUMNS[each.name] + 3 * GAP
    text = "A package imports only from packages to its left and from layers below it in its own box."
    parts.append(f'<text class="note" x="{MARGIN}" y="{height - MARGIN + 8}">{text}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="Packages of Keywright">\n<style>{STYLE}</style>\n{body}\n</svg>\n'
    )


def read_room(root: Path, name: str, layers: Mapping[str, list[str]]) -> Room:
    """Return the package `name` with the rooms that its contract lists."""
    inside = tuple(
        tuple(read_room(root, f"{name}.{part.strip()}", layers) for part in layer.split(":"))
        for layer in layers.get(name, ())
    )
    return Room(name.rpartition(".")[2], note(root, name), inside)


def note(root: Path, name: str) -> str:
    """Return the first line of a package's or module's docstring."""
    place = root / name.replace(".", "/")
    source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return (ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or "").partition("\n")[0].rstrip(".")


def boxes(box_room: Room, x: int, y: int, width: int) -> Iterator[str]:
    """Yield the shapes of a room and of all rooms inside it."""
    kind = ' class="box"' if box_room.layers else ""
    title = f"<title>{escape(box_room.note)}</title>"
    yield f'<rect{kind} x="{x}" y="{y}" width="{width}" height="{box_room.height}" rx="6">{title}</rect>'
    yield f'<text class="title" x="{x + PAD}" y="{y + 17}">{box_room.name}</text>'
    if not box_room.layers:
        yield f'<text class="note" x="{x + PAD}" y="{y + 31}">{escape(shorten(box_room.note, width))}</text>'
    y += HEAD
    for layer in box_room.layers:
        part = (width - 2 * PAD - (len(layer) - 1) * GAP) // len(layer)
        for place, inner in enumerate(layer):
            yield from boxes(inner, x + PAD + place * (part + GAP), y, part)
        y += max(inner.height for inner in layer) + GAP


def shorten(text: str, width: int) -> str:
    """Return what of a text fits into a box of `width` pixels."""
    most = (width - 2 * PAD) // 6
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
