"""Collecting texts for translation, and what makes a catalogue whole."""

from pathlib import Path

import polib

from config import messages
from config.messages import Message, MessageIndex


def in_template(source: str) -> dict[Message, set[str]]:
    found = MessageIndex({})
    messages.collect_from_template(found, source, "page.html")
    return found.places


def in_python(folder: Path, source: str) -> set[Message]:
    (folder / "module.py").write_text(source)
    found = MessageIndex({})
    messages.collect_from_python(found, folder / "module.py", "module.py")
    return set(found.places)


def catalogue(*entries: polib.POEntry) -> polib.POFile:
    po = polib.POFile()
    po.extend(entries)
    return po


def test_texts_of_a_template_are_found_with_their_context_and_plural() -> None:
    source = """{% load i18n %}{% translate "It's here" %} {% translate "Light" context "colour scheme" %}
      {% blocktranslate trimmed with name=table.name %}
        The table {{ name }}
        is empty
      {% endblocktranslate %}
      {% blocktranslate count n=rows %}{{ n }} row{% plural %}{{ n }} rows{% endblocktranslate %}
      {% include "x.html" with title=_("Reads") %}"""

    assert set(in_template(source)) == {
        Message("", "It's here", ""),
        Message("colour scheme", "Light", ""),
        Message("", "The table %(name)s is empty", ""),
        Message("", "%(n)s row", "%(n)s rows"),
        Message("", "Reads", ""),
    }


def test_texts_of_python_are_found_also_when_they_are_only_marked(tmp_path: Path) -> None:
    source = """a = N_("one " "text")
b = pgettext("verb", "share")
c = ngettext("{n} row", "{n} rows", n)
d = _(variable)
"""

    assert in_python(tmp_path, source) == {
        Message("", "one text", ""),
        Message("verb", "share", ""),
        Message("", "{n} row", "{n} rows"),
    }


def test_labels_of_the_design_document_are_messages() -> None:
    found = MessageIndex({})
    messages.collect_from_fields(found)

    assert Message("", "Row key", "") in found.places or Message("", "Activities", "") in found.places


def test_explanations_of_rules_are_messages() -> None:
    found = MessageIndex({})
    messages.collect_from_rules(found)

    assert any("K004" in place for places in found.places.values() for place in places)


def test_a_missing_an_unsure_and_a_differing_translation_are_gaps() -> None:
    po = catalogue(
        polib.POEntry(msgid="{count} rows", msgstr="{count} 行"),
        polib.POEntry(msgid="{share} of writes", msgstr="書き込みの {part}"),
        polib.POEntry(msgid="Reads", msgstr="読み取り", flags=["fuzzy"]),
    )
    found = [Message("", text, "") for text in ("{count} rows", "{share} of writes", "Reads", "Writes")]

    assert messages.find_gaps(po, found) == [
        "marked as unsure: 'Reads'",
        "no translation: 'Writes'",
        "other placeholders than its text: '{share} of writes'",
    ]


def test_updating_keeps_translations_and_drops_what_is_gone() -> None:
    po = catalogue(polib.POEntry(msgid="Reads", msgstr="読み取り"), polib.POEntry(msgid="Old", msgstr="古い"))

    fresh = messages.update_catalogue(po, {Message("", "Reads", ""): {"a.html"}, Message("", "New", ""): {"b.html"}})

    assert [(entry.msgid, entry.msgstr) for entry in fresh] == [("New", ""), ("Reads", "読み取り")]
