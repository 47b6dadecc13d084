"""Stored links, comments, verdicts, results of trials."""

from .links import Link
from .mails import Following, Mail
from .talk import Comment, Thread
from .trials import KeptTrial
from .verdicts import Asked, Verdict

__all__ = ["Asked", "Comment", "Following", "KeptTrial", "Link", "Mail", "Thread", "Verdict"]
