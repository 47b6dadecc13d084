"""Stored links, comments, verdicts."""

from .links import Link
from .mails import Following, Mail
from .talk import Comment, Thread
from .verdicts import Asked, Verdict

__all__ = ["Asked", "Comment", "Following", "Link", "Mail", "Thread", "Verdict"]
