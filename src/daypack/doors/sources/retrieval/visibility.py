"""Visibility of sources: the records that a viewer may know.

It is separate from the tables of sources because every query needs the condition.
"""

from __future__ import annotations

from typing import Any

from daypack.index import sql
from daypack.ports import Condition, Connection, Viewer

DOOR = "sources"


def visible(viewer: Viewer) -> tuple[str, list[Any]]:
    """(condition, parameters) over `source_item` of the records that a viewer may know of.

    A record of a session is seen in that session, by its user where it names one; a user's by that user; a
    global one by all users when it is shareable, else by its writer and the users that its lists name. A list
    of users or sessions, where there is one, holds for every scope.
    """
    user, session = viewer.user_id, viewer.session_id
    listed = "EXISTS (SELECT 1 FROM json_each({0}) WHERE value = ? AND value != '')"
    users, sessions = listed.format("allowed_users"), listed.format("allowed_sessions")
    return (
        "((scope = 'session' AND session_id = ? AND (user_id = '' OR user_id = ?)) OR (scope = 'user' AND user_id = ?)"
        f" OR (scope = 'global' AND (confidentiality = 'shareable' OR user_id = ? OR {users} OR {sessions})))"
        f" AND (allowed_users = '[]' OR user_id = ? OR {users}) AND (allowed_sessions = '[]' OR {sessions})",
        [session, user, user, user, user, session, user, user, session],
    )


def hides(db: Connection, viewer: Viewer) -> Condition | None:
    """The condition over `record` of sources hidden from the viewer; None without sources."""
    if not sql.exists(db, "SELECT 1 FROM source_item LIMIT 1"):
        return None
    where, parameters = visible(viewer)
    return f"door = ? AND uid NOT IN (SELECT record_id FROM source_item WHERE {where})", (DOOR, *parameters)
