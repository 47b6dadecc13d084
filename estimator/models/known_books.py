"""Price books that this site has seen, so that a new one is an event."""

from typing import ClassVar

from django.db import models, transaction

from designer.models import publish
from estimator.price_books.shelf import list_shelf


class KnownBooks(models.Manager["KnownBook"]):
    """Notes the books that there are."""

    def announce(self) -> int:
        """Store an event for each book that was not there yet, to the webhooks of all teams; how many books.

        The first books that a site sees are no news.
        """
        there = {book.name for book in list_shelf()}
        known_names = set(self.values_list("name", flat=True))
        for name in sorted(there - known_names):
            with transaction.atomic():
                if self.get_or_create(name=name)[1] and known_names:
                    publish("price_book.added", {"price_book": name}, team=None)
        return len(there - known_names)


class KnownBook(models.Model):
    """The name of a book, which always means the same prices."""

    name = models.CharField(max_length=200, unique=True)

    objects: ClassVar[KnownBooks] = KnownBooks()
