"""Contents of designs, each stored once."""

from django.db import models
from django.utils import timezone

from designer.document import Spec
from designer.document.dump import digest, plain
from designer.document.load import from_data

from .jsontext import JsonText


class Document(models.Model):
    """One content of a design, stored once however often it occurs."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    data = JsonText()
    first_seen = models.DateTimeField(default=timezone.now)

    @staticmethod
    def of(spec: Spec) -> "Document":
        """The stored document with this content, stored now if it is new."""
        data = plain(spec)
        document = Document(sha256=spec.remembered.setdefault("fingerprint", digest(data)), data=data)
        Document.objects.bulk_create([document], ignore_conflicts=True)
        remembered(document.sha256, spec)
        return document

    @property
    def spec(self) -> Spec:
        """The document as the cores know it; remembered by its hash."""
        return in_memory(self.sha256) or remembered(self.sha256, from_data(self.data))


_RECENT: dict[str, Spec] = {}
_RECENT_MOST = 64


def in_memory(sha256: str) -> Spec | None:
    """The document with this hash, if it was read lately."""
    return _RECENT.get(sha256)


def remembered(sha256: str, spec: Spec) -> Spec:
    """The document, kept for those who ask next."""
    _RECENT.pop(sha256, None)
    _RECENT[sha256] = spec
    while len(_RECENT) > _RECENT_MOST:
        _RECENT.pop(next(iter(_RECENT)), None)
    return spec
