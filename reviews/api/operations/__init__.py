"""What can be asked of the API. An operation finds what the token reaches, then calls what the pages call too."""

from reviews.api.site import api

from . import computed, designs, exports, imports, revisions, runs

__all__ = ["api", "computed", "designs", "exports", "imports", "revisions", "runs"]
