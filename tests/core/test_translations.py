"""Every text that people see has its Japanese. (`manage.py messages --check` also finds texts that are gone.)"""

import re
from pathlib import Path

import polib
import pytest
from django.utils.translation import gettext, override

from config.messages import collect_messages, find_gaps
from designer.http.translations import po_files


@pytest.mark.parametrize("po", po_files(), ids=lambda path: path.parts[-3])
def test_every_text_is_translated_with_its_placeholders(root: Path, po: Path) -> None:
    assert not find_gaps(polib.pofile(str(po)), collect_messages(root)), (
        "translate these in the .po file (manage.py messages)"
    )


def test_compiled_translations_are_used() -> None:
    with override("ja"):
        assert gettext("Colour scheme") == "配色"


_JAPANESE = r"[\u3040-\u30ff\u4e00-\u9fff]"
_HALF_WIDTH = re.compile(rf"\([^()|]*{_JAPANESE}[^()|]*\)|{_JAPANESE}\((?!\|)|{_JAPANESE}\?|：|{_JAPANESE}, |。 ")


def test_japanese_has_its_own_punctuation(root: Path) -> None:
    """Parentheses, question marks and commas are full-width, colons are not, as in Google Cloud's documentation."""
    entries = polib.pofile(str(root / "locale/ja/LC_MESSAGES/django.po"))
    texts = [text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values())]

    assert [text for text in texts if _HALF_WIDTH.search(text)] == []
    assert _HALF_WIDTH.search("ノード(例)")
