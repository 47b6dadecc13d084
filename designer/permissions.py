"""The table of permissions: which role may do what."""

from collections.abc import Mapping
from typing import Literal, get_args

Role = Literal["owner", "editor", "viewer"]
"""Of a member of a team."""

LinkRole = Literal["link_view", "link_comment"]
"""Of somebody who came by a review link."""

TokenScope = Literal["read", "write", "review"]
TokenRole = Literal["token_read", "token_write", "token_review"]
"""Of a program that shows an API token."""

ROLES: tuple[Role, ...] = get_args(Role)
TOKEN_SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)
TOKEN_ROLES: Mapping[str, TokenRole] = {"read": "token_read", "write": "token_write", "review": "token_review"}
"""By scope."""

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
    "view": frozenset((*_ALL, "link_view", "link_comment", *get_args(TokenRole))),
    "comment": frozenset((*_ALL, "link_comment", "token_review")),
    "edit": frozenset(("owner", "editor", "token_write", "token_review")),
    "keep": frozenset(("owner", "editor", "token_write", "token_review")),
    "share": frozenset(("owner", "editor", "token_review")),
    "manage": frozenset(("owner",)),
    "notify": frozenset(("owner", "token_write", "token_review")),
}


OF_DESIGNS: tuple[Action, ...] = ("view", "comment", "edit", "keep", "share")


def rights_of(role: Role | None) -> tuple[bool, ...]:
    """Return what a role may do with a design. Members with the same rights see the same pages of it."""
    return tuple(is_allowed(role, action) for action in OF_DESIGNS)


def is_allowed(role: Role | LinkRole | TokenRole | None, action: Action) -> bool:
    """Return whether a role permits an action; the role None is a stranger."""
    return role in MAY[action]
