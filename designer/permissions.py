"""The table of permissions: which role may do what."""

from collections.abc import Mapping
from typing import Literal, get_args

Role = Literal["owner", "editor", "viewer"]
"""Of a member of a team."""

LinkRole = Literal["link_view", "link_comment"]
"""Of somebody who came by a review link."""

TokenScope = Literal["read", "write"]
TokenRole = Literal["token_read", "token_write"]
"""Of a program that shows an API token."""

ROLES: tuple[Role, ...] = get_args(Role)
TOKEN_SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)

Action = Literal[
    "view",  # see a design, its history and all that is computed of it
    "comment",  # say something about it, give a verdict
    "edit",  # change it, name and restore revisions
    "keep",  # copy into the team, archive, delete and bring back designs
    "share",  # make and revoke review links
    "manage",  # rename the team, invite and remove its people
    "notify",  # make, change and remove the team's webhooks
]

_ALL: tuple[Role, ...] = ("owner", "editor", "viewer")

MAY: Mapping[Action, frozenset[Role | LinkRole | TokenRole]] = {
    "view": frozenset((*_ALL, "link_view", "link_comment", "token_read", "token_write")),
    "comment": frozenset((*_ALL, "link_comment")),
    "edit": frozenset(("owner", "editor", "token_write")),
    "keep": frozenset(("owner", "editor", "token_write")),
    "share": frozenset(("owner", "editor")),
    "manage": frozenset(("owner",)),
    "notify": frozenset(("owner", "token_write")),
}


def is_allowed(role: Role | LinkRole | TokenRole | None, action: Action) -> bool:
    """Return whether a role permits an action; the role None is a stranger."""
    return role in MAY[action]
