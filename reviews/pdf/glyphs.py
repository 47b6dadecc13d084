"""Characters of the embedded fonts; others are written as their numbers, so that no text is lost."""

import struct
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import noto_cjk_sans_jp_bold
import noto_cjk_sans_jp_regular

FOLDERS = tuple(Path(font.__file__).parent for font in (noto_cjk_sans_jp_regular, noto_cjk_sans_jp_bold))
_TURNING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F}
"""Characters that turn the order of those around them: a name with one could make a sentence read otherwise."""


@cache
def font_characters() -> frozenset[int]:
    """Return the characters of the Japanese font.

    They come from the font's own table (OpenType `cmap`, format 12).
    """
    data = Path(noto_cjk_sans_jp_regular.FONT_PATH).read_bytes()
    tables = (struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(struct.unpack_from(">H", data, 4)[0]))
    start = next(offset for name, _, offset, _ in tables if name == b"cmap")
    count = struct.unpack_from(">H", data, start + 2)[0]
    places = (start + struct.unpack_from(">HHI", data, start + 4 + 8 * i)[2] for i in range(count))
    at = next(place for place in places if struct.unpack_from(">H", data, place)[0] == 12)
    groups = (
        struct.unpack_from(">III", data, at + 16 + 12 * i) for i in range(struct.unpack_from(">I", data, at + 12)[0])
    )
    return frozenset(code for first, last, _ in groups for code in range(first, last + 1))


def make_legible(text: str, *, certain: bool = False) -> str:
    """Return the text with its control characters written out.

    With `certain`, all other characters that the Japanese font lacks are written out, too.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_legible_characters(text.replace("\r\n", "\n"), certain))  # browsers end lines so


def _legible_characters(text: str, certain: bool) -> Iterator[str]:
    for letter in text:
        point = ord(letter)
        if letter in "\n\t":
            yield " "
        elif point in _TURNING or point < 0x20 or 0x7F <= point < 0xA0 or point & 0xFFFE == 0xFFFE:
            yield f"[U+{point:04X}]"
        elif certain and point not in font_characters():
            yield "" if 0xFE00 <= point <= 0xFE0F or point == 0x200D else f"[U+{point:04X}]"
        else:
            yield letter
