"""What is stored of reviews: links, what was said, verdicts, who was asked, who wants mail."""

from .links import Link
from .mails import Following, Mail
from .talk import Comment, Thread
from .verdicts import Asked, Verdict

__all__ = ["Asked", "Comment", "Following", "Link", "Mail", "Thread", "Verdict"]
