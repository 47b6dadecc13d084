"""Words of sentences as people write them, by what they do."""

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


READS = _words(
    "get fetch read show list find load lookup query search scan retrieve return display see browse view pull select"
    " give serve track access inspect"
)
"""Verbs of reads."""
WRITES = _words(
    "post send write push submit place report create upload save record log publish emit ingest insert add append"
    " produce generate put issue stream receive collect register transmit deliver make trigger perform"
)
"""Verbs whose object is a record that comes into being."""
EVENTS = _words("open click view visit like follow buy purchase play watch rate start join login download share")
"""Verbs that are an event themselves: who opens an app makes an “app open”."""
KEEPS = _words("keep store retain hold")
"""Verbs of sentences about how long records are kept, or of writes if these tell a rate."""
DELETES = _words("delete expire remove purge drop erase")
"""Verbs of sentences about how long records are kept, if they tell it."""
PASSIVES = _words(
    "added written stored inserted created posted sent received ingested recorded logged published saved placed"
    " submitted uploaded collected produced generated arrive arrives come comes"
)
"""What is said of records that come into being, after their name."""
REFUSED: Mapping[str, str] = {
    "count": "event", "number": "event", "sum": "event", "average": "event", "total": "event", "increment": "event",
    "update": "event", "change": "event", "mark": "event", "delete": "range", "erase": "range", "remove": "range",
    "purge": "range", "drop": "range", "export": "range", "authorize": "one", "check": "one", "verify": "one",
    "sort": "range", "rank": "range", "cancel": "range", "edit": "event", "modify": "event", "refresh": "event",
    "rewrite": "event", "overwrite": "event",
}  # fmt: skip
"""Verbs and first words that no kind of sentence means, and the kind that is nearest."""
COUNTS = _words("count number sum total average")
"""Those that a read of every record of a span answers."""
RECEIVES = _words("get see")
"""Verbs of reads by which a number of things come by so many records in a time: `1M users see 200 ads a day`."""
SHOWN = _words("read fetched shown listed loaded queried retrieved displayed")
"""Participles of reads."""
CREATED = _words("created added registered indexed crawled imported opened born")
"""Participles that also bring forth what lasts, such as an account."""
IRREGULAR_PARTICIPLES = _words("written rewritten overwritten taken given sent made sold bought paid put done built")
OWNING = _words("belong belongs belonging in of across for at from")
ARTICLES = _words("single a an the one each every its their our his her my some any")
EACH = _words("each every a an one")
DISTRIBUTED = _words("each every all any")
LATEST = _words("latest last newest recent")
PREPOSITIONS = _words("of for from in by on at using per to inside within")
OTHER = _words(
    "who which what when where how whose that not no never don't doesn't won't isn't aren't can't cannot without except"
    " only if unless until but or and so then than because with other random about top worst best highest lowest"
    " between chronological reverse descending ascending sorted ordered largest smallest oldest first more less"
    " most older newer as once next upcoming tomorrow now"
)
"""What no slot holds: conditions, other orders than that of time, negations."""
FILLERS = _words(
    "range we i they please"
    " need needs want wants to can must should will also our you there typically usually would"
    " it some"
)
BE = _words("is are be was were get gets being has have been")
ITEMS = _words("item items row rows entry entries record records")
EVERYTHING = _words("data it everything them rate throughput traffic")
NO_MODIFIERS = _words(
    "family reply supply anomaly assembly fly request test guest interest digest contest manifest quest"
    " latest newest rest"
)
"""Nouns that end as adverbs or superlatives do."""
MODALS = _words("can may will must should need needs want wants to")
COUNTED_READS = _words("scan scans lookup lookups read reads query queries fetch fetches search searches")
"""Nouns of reads: `scan of all orders`, `lookup by id`."""
