"""One opened store as several owners see it, for a server that answers each caller as themselves."""

from __future__ import annotations

from daypack.api import Daypack
from daypack.doors.memories.rules import check_owner
from daypack.doors.memories.spaces import visible_scopes
from daypack.ports import Viewer


def seen_by(daypack: Daypack, owner: str, *, notes_use: bool) -> Daypack:
    """The store as `owner` sees it, over the connection and the model of `daypack`. It belongs to the same thread; end it
    with `close_doors`, not with `close`. Without `notes_use` reading leaves no trace on memories. Raises InputError.
    """
    opened = daypack._opened
    viewer = Viewer(check_owner(owner), scopes=visible_scopes(owner, opened.project))
    return Daypack(
        opened.engine.seen_by(viewer),
        opened.root,
        rules=opened.rules,
        owner=owner,
        project=opened.project,
        notes_use=notes_use,
        shared=opened.shared,
    )
