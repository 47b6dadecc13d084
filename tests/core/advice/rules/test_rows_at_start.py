"""G010: rows of a catalog on the start date, their answers, and what leaves no question."""

import pytest

from designer.document.edits import apply
from designer.document.load import load
from estimator.advice.rules import findings
from estimator.advice.rules.guesses.rows_at_start import FEW_ROWS, WRITTEN_SHARE
from tests.contexts import estimate
from tests.core.advice.rules.made import TODAY

SONGS = """
format: 1
name: Songs
fields:
  artist: distinct=2M, popularity=uniform
  song: distinct=50M, popularity=uniform
activities:
  A song is changed: 1/s
tables:
  songs:
    key: '{hash(song):4}#{song}'
    writes:
      - A song is changed, mode=overwrite
    reads:
      A song: 2k/s by song
    families:
      s:
        columns:
          title: text(60)
instance:
  clusters:
    main: us-central1
"""


def _asked(text):
    spec = load(text, name="songs.yaml")
    return spec, [one for one in findings(spec, estimate(spec), TODAY) if one.rule == "G010"]


def test_the_stated_number_of_songs_may_be_there_from_the_start():
    spec, (question,) = _asked(SONGS)
    loaded, empty = (apply(spec, choice.edit)[0] for choice in question.choices)

    rows = [estimate(one).tables["songs"].growth.rows for one in (loaded, empty, spec)]

    assert rows[0][[0, -1]] == pytest.approx(5e7, rel=0.01)
    assert (rows[1] == rows[2]).all()
    assert question.params["rows_written"] == rows[2][-1] < WRITTEN_SHARE * 5e7
    assert [[f for f in findings(one, estimate(one), TODAY) if f.rule == "G010"] for one in (loaded, empty)] == [[], []]


def test_songs_below_their_artist_are_one_row_each():
    text = SONGS.replace("song: distinct=50M", "song: distinct=50M, belongs_to=artist")

    (question,) = _asked(text.replace("{hash(song):4}#{song}", "{artist}#{song}"))[1]

    assert question.params["rows_stored"] == 5e7


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("distinct=50M", f"distinct={FEW_ROWS:.0f}"),
        ("1/s", "50/s"),
        ("'{hash(song):4}#{song}'", "'{song}#{time}'"),
        ("'{hash(song):4}#{song}'", "'{song}#{artist}'"),
        ("song: distinct=50M, ", "song: "),
        ("    key:", "    history_months: 3\n    key:"),
        ("    key:", "    gib_stored: 20\n    key:"),
    ],
    ids=["few", "most are written", "a time", "pairs", "not stated", "a history", "bytes"],
)
def test_what_says_how_many_there_are_leaves_no_question(old, new):
    assert old in SONGS

    assert _asked(SONGS.replace(old, new))[1] == []
