"""Contents of designs, each stored once."""

from django.db import models
from django.db.models import DEFERRED
from django.utils import timezone

from designer.document import Spec
from designer.document.dump import compact_text, fingerprint
from designer.document.load import from_data

from .jsontext import JsonSource, JsonText
from .memory import MEMORY


class Document(models.Model):
    """One content of a design, stored once however often it occurs."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = JsonText()
    first_seen = models.DateTimeField(default=timezone.now)

    _spec: Spec | None = None
    """Read by this instance, which lives for one request: each look into the memory may weigh what is there."""

    @staticmethod
    def get_or_store(spec: Spec, text: str = "") -> "Document":
        """Return the stored document with this content, and store it if it is new; `text` is its `compact_text`.

        Until the transaction around it ends, the document is not purged, even if nothing points at it yet.
        """
        text = text or compact_text(spec)
        stored = Document(sha256=fingerprint(spec, text), data=JsonSource(text))
        # Two people may store the same content at once, so a conflict is no error. A row that is there is written over
        # with what it holds: that locks it, in the same step in which it is found.
        Document.objects.bulk_create([stored], update_conflicts=True, unique_fields=["sha256"], update_fields=["data"])
        # The text need not be kept beside the document in memory; it is read from the database if it is asked for.
        document = Document(sha256=stored.sha256, data=DEFERRED, first_seen=stored.first_seen)
        if spec.start is None:  # it starts on the day on which it was first seen
            document.first_seen = Document.objects.values_list("first_seen", flat=True).get(pk=document.pk)
            spec = spec.with_default_start(document.first_seen.date())
        document._spec = cache_spec(document.sha256, spec)
        return document

    @property
    def spec(self) -> Spec:
        """The document as the cores know it; remembered by its hash.

        Without a start date it starts on the day on which it was first stored, so that its figures stay the same.
        """
        if self._spec is None:
            self._spec = find_spec(self.sha256)
        if self._spec is None:
            read = from_data(self.data).with_default_start(self.first_seen.date())
            self._spec = cache_spec(self.sha256, read)
        return self._spec


READ_SECONDS, TABLE_SECONDS = 0.02, 0.001
"""Reading a document again takes about this long, and for each of its tables: a query, its validation, its weighing."""


def find_spec(sha256: str) -> Spec | None:
    """Return the document with this hash, if it was read lately."""
    spec: Spec | None = MEMORY.find("documents", sha256)
    return spec


def cache_spec(sha256: str, spec: Spec) -> Spec:
    """Return the document, kept for the next who read it."""
    MEMORY.put("documents", sha256, spec, seconds=READ_SECONDS + TABLE_SECONDS * len(spec.tables))
    return spec
