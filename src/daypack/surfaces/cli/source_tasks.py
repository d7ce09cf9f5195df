"""The commands of `daypack source` for tasks and preferences, behind those of sources.py."""

from __future__ import annotations

import sys
from typing import Any

import click

from daypack.surfaces.cli.common import opened, print_json, query_argument, text_argument
from daypack.surfaces.cli.sources import MODES, asking, assembling, command, filters, options

# ---------------------------------------------------------------- tasks

WORKFLOWS = (
    "reply",
    "rewrite",
    "code",
    "draft",
    "summarize",
    "research",
    "analyze",
    "extract",
    "plan",
    "decide",
    "update_record",
)
workflow_option = click.option(
    "--workflow", type=click.Choice(WORKFLOWS), help="Of which workflow. [default: all]"
)
preferring = options(
    workflow_option,
    click.option("--user-id", metavar="ID", help="Whose. [default: DAYPACK_OWNER, else user]"),
    click.option("--store", metavar="FOLDER", help="The store to use."),
)


@command("prepare-task-envelope")
@click.argument("query")
@click.option(
    "--assembly-mode", type=click.Choice(MODES), help="Which sections. [default: those of the workflow]"
)
@assembling
@filters
@asking
def prepare_task_envelope(context: click.Context, /, query: str, store: str | None, **given: Any) -> None:
    """What QUERY wants, with its context and what its user prefers: workflow, target, constraints, output
    contract.

    --intent-data may declare workflow, goal, output_type, target_type and constraints.
    """
    from daypack.doors.sources.tasks import serialize as task_data
    from daypack.doors.sources.types import AssembleRequest

    asked = AssembleRequest(query_argument(query), **given)
    with opened(context, store) as daypack:
        print_json(task_data.envelope_to_dict(daypack.tasks.envelope(asked)))


@command("preferences")
@preferring
def preferences(
    context: click.Context, /, workflow: str | None, user_id: str | None, store: str | None
) -> None:
    """What a user prefers, and which phrase of which approved text taught it."""
    from daypack.doors.sources.tasks import serialize as task_data

    with opened(context, store, create=False) as daypack:
        print_json(task_data.preferences_to_dict(daypack.tasks.preferences(workflow or "", user_id=user_id)))


@command("update-preference", "update-workflow-preference")
@click.argument("approved_text", required=False)
@click.option(
    "--set",
    "edits",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a level, a style, a default or a note, whatever was learned. [repeatable]",
)
@click.option(
    "--remote-egress/--no-remote-egress",
    default=None,
    help="Whether a hosted model may get what is preferred. [default: as it is; no]",
)
@preferring
def update_preference(
    context: click.Context,
    /,
    approved_text: str | None,
    edits: tuple[str, ...],
    remote_egress: bool | None,
    workflow: str | None,
    user_id: str | None,
    store: str | None,
) -> None:
    """Learn what a user prefers from APPROVED_TEXT, a text that they approved (- reads standard input), or
    --set it.

    Of the text nothing is kept but the phrases that teach.
    """
    from daypack.doors.sources.tasks import serialize as task_data

    if not approved_text and not edits:
        raise click.UsageError("give a text that was approved, or --set NAME=VALUE")
    wrong = [edit for edit in edits if "=" not in edit]
    if wrong:
        raise click.UsageError(f"--set {wrong[0]} has no =; write --set formality=high")
    facts: dict[str, Any] = {
        "workflow": workflow or "",
        "user_id": user_id,
        "allow_remote_model_egress": remote_egress,
    }
    done = []
    with opened(context, store) as daypack:
        if approved_text:
            text = (
                sys.stdin.buffer.read().decode("utf-8", "replace")
                if approved_text == "-"
                else text_argument(approved_text)
            )
            done.append(daypack.tasks.learn(text, **facts))
        for edit in edits:
            name, _, value = text_argument(edit).partition("=")
            done.append(daypack.tasks.prefer(name.strip(), value.strip(), **facts))
    print_json(task_data.taught_to_dict(done[-1], *done[:-1]))


@command("reset-preferences")
@click.argument("name", required=False)
@preferring
def reset_preferences(
    context: click.Context, /, name: str | None, workflow: str | None, user_id: str | None, store: str | None
) -> None:
    """Forget what was learned and set: of the preference NAME, or of all. `source delete workflow_preferences
    --scope user` leaves no version.
    """
    from daypack.doors.sources.tasks import serialize as task_data

    with opened(context, store, create=False) as daypack:
        print_json(
            task_data.taught_to_dict(
                daypack.tasks.reset(name and text_argument(name), workflow=workflow, user_id=user_id)
            )
        )
