"""The commands of `daypack source` for tasks and preferences: all print JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from daypack.doors.sources.commands import VERB
from daypack.doors.sources.options import Owner, Workflow
from daypack.doors.sources.tasks.serialize import taught_to_dict
from daypack.verbs.command import BadUsage, Command
from daypack.verbs.table import Flag, Positional

if TYPE_CHECKING:
    from daypack.api import Daypack


def update_preference(
    daypack: Daypack,
    approved_text: Annotated[str, Positional(read="stdin")] = "",
    edits: Annotated[
        list[str] | None,
        "Set a level, a style, a default or a note, overriding learned ones.",
        Flag("--set", metavar="NAME=VALUE"),
    ] = None,
    remote_egress: Annotated[
        bool | None,
        "Allow or forbid a hosted model to get the preferences. [default: unchanged; no]",
        Flag("--remote-egress/--no-remote-egress", advanced=True),
    ] = None,
    workflow: Workflow = "",
    user_id: Owner = "",
) -> dict[str, Any]:
    """Learn a user's preferences from APPROVED_TEXT (- reads standard input), or --set one.

    Only the telling phrases of the text are stored.
    """
    if not approved_text and not edits:
        raise BadUsage("give an approved text, or --set NAME=VALUE")
    if wrong := [edit for edit in edits or () if "=" not in edit]:
        raise BadUsage(f"--set {wrong[0]} has no =; write --set formality=high")
    facts: dict[str, Any] = {
        "workflow": workflow,
        "user_id": user_id,
        "allow_remote_model_egress": remote_egress,
    }
    done = [daypack.tasks.learn(approved_text, **facts)] if approved_text else []
    for edit in edits or ():
        name, _, value = edit.partition("=")
        done.append(daypack.tasks.prefer(name.strip(), value.strip(), **facts))
    return taught_to_dict(done[-1], *done[:-1])


COMMANDS = (
    Command(
        VERB["prepare_task_envelope"],
        help="Describe the request in QUERY with its context and its user's preferences: workflow, target,\n"
        "constraints, output contract.\n\n"
        "--intent-data may declare workflow, goal, output_type, target_type and constraints.",
    ),
    Command(
        VERB["get_preferences"],
        help="Show a user's preferences, each with the phrase and the approved text that taught it.",
    ),
    Command(
        update_preference,
        at="source update-preference",
        opens="created",
        seeds=("source update-workflow-preference",),
    ),
    Command(
        VERB["reset_preferences"],
        help="Forget learned and set preferences: NAME, or all.\n\n"
        "Older versions stay in the store; `source delete workflow_preferences --scope user` leaves none.",
    ),
)
