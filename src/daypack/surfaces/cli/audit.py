"""The commands of `daypack audit`: what a user wrote, asked and deleted among sources."""

from __future__ import annotations

import click

from daypack.surfaces.cli.common import opened, print_json
from daypack.surfaces.cli.main import audit


@audit.command("list")
@click.option(
    "--limit", "-n", type=click.IntRange(1, 1000), default=100, show_default=True, help="At most so many."
)
@click.option("--user-id", metavar="ID", help="Whose. [default: DAYPACK_OWNER, else user]")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def audit_list(context: click.Context, /, limit: int, user_id: str | None, store: str | None) -> None:
    """What a user wrote, asked and deleted among sources, the latest first: ids and counts, no text."""
    from daypack.doors.sources import serialize as source_data

    with opened(context, store, create=False) as daypack:
        found = daypack.sources.audit(user_id=user_id, limit=limit)
    print_json({"entries": [*map(source_data.audit_entry_to_dict, found)]})
    context.exit(0 if found else 1)


@audit.command()
@click.argument("audit_id", type=int)
@click.option("--user-id", metavar="ID", help="Whose. [default: DAYPACK_OWNER, else user]")
@click.option("--store", metavar="FOLDER", help="The store to use.")
@click.pass_context
def show(context: click.Context, /, audit_id: int, user_id: str | None, store: str | None) -> None:
    """One entry of the log."""
    from daypack.doors.sources import serialize as source_data
    from daypack.errors import NotFound

    with opened(context, store, create=False) as daypack:
        found = daypack.sources.audit(user_id=user_id, audit_id=audit_id)
    if not found:
        raise NotFound(f"entry {audit_id}", "`daypack audit list` shows those of this user")
    print_json(source_data.audit_entry_to_dict(found[0]))
