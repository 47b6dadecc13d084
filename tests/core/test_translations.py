"""Every text that people see has its Japanese. (`manage.py messages --check` also finds texts that are gone.)"""

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
