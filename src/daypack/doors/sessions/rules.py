"""The tables by which steps become events: change a row, not the code that reads it (`daypack.doors.sessions.meaning.events`).

The importance of an event is 1 (evicted last) to 5 (evicted first), that of its most important part.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.doors.sessions.types import Category as C

IMPORTANCE: dict[C, int] = {
    C.PROMPT: 1, C.DECISION: 1, C.CONSTRAINT: 1, C.TASK: 1, C.PLAN: 1, C.BLOCKER: 1, C.REJECTED: 2, C.ERROR: 2, C.FIX: 2, C.FILE: 2, C.GIT: 2,
    C.ENVIRONMENT: 3, C.ANSWER: 3, C.DELEGATION: 3, C.TEST: 4, C.WEB: 4, C.COMMAND: 5, C.TOOL: 5, C.READ: 5, C.SESSION: 5,
}  # fmt: skip

# Words by which users ask for a category. They are indexed with the event, so that "what was the first request?" finds
# prompts.
ASKED_AS: dict[C, tuple[str, ...]] = {
    C.PROMPT: ("request", "asked", "user"),
    C.DECISION: ("decided", "chose", "agreed"),
    C.CONSTRAINT: ("requirement", "rule", "limit"),
    C.TASK: ("todo",),
    C.REJECTED: ("abandoned", "instead", "tried", "attempt"),
    C.BLOCKER: ("blocked", "waiting"),
    C.ERROR: ("failed", "failure"),
    C.FIX: ("fixed", "solved"),
    C.FILE: ("changed", "edited"),
    C.ENVIRONMENT: ("installed", "setup"),
    C.PLAN: ("steps",),
    C.DELEGATION: ("sub-agent", "subagent", "found", "reported"),
}
WRITTEN_AS = {"Wrote": "created", "Created": "created", "Deleted": "deleted"}
"""Words by which users ask for a change of a file, by the verb that begins its text."""
FIRST = "first request"
"""The title of the first prompt of a session, because people ask for it in words that it does not contain."""


class ToolRule(NamedTuple):
    """The category of a tool by its lower-case name after the last `__`; the first matching rule decides."""

    tools: frozenset[str]
    category: C


TOOLS: tuple[ToolRule, ...] = (
    ToolRule(frozenset({"edit", "multiedit", "write", "notebookedit", "apply_patch", "create", "str_replace_editor", "str_replace_based_edit_tool",
                        "write_file", "edit_file", "replace", "write_to_file", "replace_in_file", "create_file", "replace_string_in_file",
                        "insert_edit_into_file", "editfiles", "strreplace"}), C.FILE),
    ToolRule(frozenset({"read", "glob", "grep", "rg", "ls", "view", "read_file", "search", "list", "notebookread", "view_image", "list_dir",
                        "list_directory", "read_many_files", "search_file_content", "grep_search", "file_search", "search_files", "list_files"}), C.READ),
    ToolRule(frozenset({"todowrite", "taskcreate", "taskupdate", "update_plan", "todo_write", "write_todos", "manage_todo_list"}), C.TASK),
    ToolRule(frozenset({"exitplanmode", "exit_plan_mode"}), C.PLAN),
    ToolRule(frozenset({"askuserquestion", "ask_user_question", "ask_user", "request_user_input"}), C.DECISION),
    ToolRule(frozenset({"bash", "shell", "shell_command", "exec_command", "local_shell", "run_shell_command", "container.exec", "powershell", "run_in_terminal",
                        "execute_command"}), C.COMMAND),
    ToolRule(frozenset({"webfetch", "websearch", "web_search", "web_fetch", "fetch", "google_web_search", "fetch_webpage"}), C.WEB),
    ToolRule(frozenset({"task", "agent", "spawn_agent"}), C.DELEGATION),
)  # fmt: skip


class CommandRule(NamedTuple):
    """The category of a shell command by its text; the first matching rule decides. Other commands are plain commands."""

    pattern: re.Pattern[str]
    category: C


RUNNERS = r"sudo|env|time|timeout\s+\S+|npx(?:\s+--?\w\S*)*|bunx|(?:pnpm|yarn|npm|bundle)\s+exec|(?:uv|poetry|pipenv|hatch|rye|pdm)\s+run|\w+=\S*"
"""Words before a command that leave it the same command."""


def _at_start(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|&&|;|\|\|)\s*(?:(?:{RUNNERS})\s+)*(?:{words})\b")


COMMANDS: tuple[CommandRule, ...] = (
    CommandRule(_at_start(r"git\s+(?:-C\s+\S+\s+)?(?:commit|push|merge|rebase|checkout|switch|branch|tag|revert|reset|cherry-pick|stash|pull)|gh\s+pr"), C.GIT),
    CommandRule(_at_start(
        r"(?:uv\s+)?pip3?\s+install|uv\s+(?:add|sync)|npm\s+(?:i|install|ci)|pnpm\s+(?:add|install)|yarn\s+(?:add|install)|apt(?:-get)?\s+install"
        r"|brew\s+install|cargo\s+add|go\s+get|poetry\s+add|conda\s+install|docker(?:\s+compose|-compose)?\s+(?:run|up|build|pull|start)|export"
        r"|source|nvm\s+use|pyenv|systemctl|createdb|alembic|python3?\s+-m\s+venv"), C.ENVIRONMENT),
    CommandRule(_at_start(
        r"(?:\S*/)?(?:pytest|tox|nox|jest|vitest|rspec|phpunit|ctest)|(?:\S*/)?python3?\s+-m\s+(?:pytest|unittest)|npm\s+(?:run\s+)?test|pnpm\s+test"
        r"|yarn\s+test|go\s+test|cargo\s+test|make\s+(?:test|check)|mvn\s+test|(?:\S*/)?gradlew?\s+test|(?:bun|deno|dotnet|swift|mix)\s+test|(?:\S*/)?(?:mypy|ruff|eslint|tsc)"), C.TEST),
)  # fmt: skip


REFUSED = re.compile(
    r"\A.{0,80}?\buser (?:doesn't want to (?:proceed|take this action)|denied|rejected|declined)|\A.{0,80}?\b(?:rejected|denied|declined) by (?:the )?user\b",
    re.IGNORECASE | re.DOTALL,
)
"""The answer of a call that a person did not allow. Their own words stand behind `SAID`, where they gave some."""
REFUSED_ALONE = re.compile(
    r"\A\W*(?:\w+\W+){0,8}?rejected by (?:the )?user\W*\Z|\AThe user denied this operation\b", re.IGNORECASE
)
"""An answer without a report of success or failure, which says no more than that."""
SAID = re.compile(r"\bthe user said:\s*|\b[Rr]eason:\s*|<feedback>\s*")

OUTSIDE_TOOLS = re.compile(r"web|brows|fetch|http|url|curl")
"""Tools, by their lower-case names, whose answers come from outside the project."""
OUTSIDE_COMMANDS = _at_start(
    r"(?:\S*/)?(?:curl|wget|httpie|https?|lynx|w3m|links|aria2c|gh|glab|ssh|scp|nc|telnet)|git\s+(?:clone|fetch|pull)|daypack\s+run"
)
"""Shell commands whose output comes from outside the project, as far as their text tells."""
OWN_TOOLS, MARK = re.compile(r"daypack"), "untrusted"
"""Tools and commands of Daypack, whose answers mark untrusted texts by this word."""


class MarkRule(NamedTuple):
    """The category of a sentence of the authors `who`, by its text; questions never match."""

    who: frozenset[str]
    pattern: re.Pattern[str]
    category: C


_BOTH, _USER, _ASSISTANT = frozenset({"user", "assistant"}), frozenset({"user"}), frozenset({"assistant"})


def _reads(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


MARKS: tuple[MarkRule, ...] = (
    MarkRule(_BOTH, _reads(
        r"\b(?:we|i|they|it was|have|has|was)(?:'ve|'ll)? (?:\w+ )?(?:decided|agreed|chose|settled on|opted)\b|^\W*(?:decision\b|decided\s*:)|\bdecided (?:to|on|that|against|not)\b"
    ), C.DECISION),
    MarkRule(_USER, _reads(
        r"\blet'?s (?:go|use|keep|do|make|stick|take|call|drop|put|move|have)\b|\b(?:go|going|went) (?:with|for)\b|\bstick (?:with|to)\b|\bwe(?:'ll| will| should)? (?:use|keep|go)\b"
        r"|\b(?:i|we) (?:prefer|pick|choose|approve)\b|\bapproved\b|\bagreed\b"
    ), C.DECISION),
    MarkRule(_ASSISTANT, _reads(
        r"\b(?:i'll|i will|we'll|we will|i'm going to) (?:use|go with|keep|stick|adopt|switch to)\b|\bgoing with\b|\bthe (?:right|best|chosen) (?:approach|choice|option) is\b"
    ), C.DECISION),
    MarkRule(_USER, _reads(
        r"\b(?:must(?:n't)?|never|always|only ever|no more than|at most|at least|under no|may not|should(?:n't| not)|has to|have to|needs? to (?:stay|be|remain)|required?|requirement"
        r"|constraint|make sure|ensure|avoid|do not|don't|cannot exceed|without (?:adding|changing|breaking|touching|using))\b|\bkeep\b.{1,60}\b(?:under|below|within|compatible|unchanged)\b"
    ), C.CONSTRAINT),
    MarkRule(_ASSISTANT, _reads(r"^\W*constraints?\b|\bthe (?:constraint|requirement) (?:is|was)\b|\b(?:as you (?:asked|required)|per your constraint)\b"), C.CONSTRAINT),
    MarkRule(_BOTH, _reads(
        r"\b(?:rejected|ruled out|gave up on|abandon(?:ed|ing)?|rolled back|reverted|discarded|dropped the idea|decided against)\b|\b(?:did not|didn't|does not|doesn't|won't|will not) work\b"
        r"|\btried\b.{1,120}\bbut\b|\bis (?:a )?dead end\b"
    ), C.REJECTED),
    MarkRule(_BOTH, _reads(
        r"\bblocked (?:by|on|until)\b|^\W*blocked\s*:|\bblocker\b|\bwaiting (?:for|on)\b|\b(?:can't|cannot|can not) (?:proceed|continue|go on)\b|\b(?:missing|need|needs|lacks?) (?:\w+ ){0,2}(?:credentials|permission|access|approval)\b"
        r"|\bstuck (?:on|at)\b"
    ), C.BLOCKER),
    MarkRule(_ASSISTANT, _reads(
        r"^\W*(?:the )?(?:plan|next steps?)\b\W*:?|\bmy plan\b|^\W*(?:what(?:'s|’s| is) )?(?:next|to-?dos?|left(?: to do)?|remaining(?: (?:work|tasks?|steps?))?"
        r"|(?:still )?(?:open|missing|to do)(?: (?:points|items|tasks))?)\b[\s*_]*:"
    ), C.PLAN),
)  # fmt: skip

AFTER_CHANGES = ", after changes to "
"""The words in the text of a fix before the files that were changed since the failure."""

MOST_EVENTS = 1000
"""Maximum number of events of one session; beyond it the least important and oldest are evicted."""
MOST_MARKS = 24  # per turn

# Turns that a program wrote as the user.
NOT_A_PROMPT = _reads(
    r"\A\s*(?:<(?:command-|local-command|environment_context|user_instructions|user-prompt-submit-hook|task-notification|bash-|turn_aborted|INSTRUCTIONS)|Caveat: The messages below"
    r"|\[Request interrupted|# AGENTS\.md|This session is being continued"
    r"|<(skill|subagent_notification|goal_context|extension_context|recommended_plugins|hook_prompt)\b[^<>]*>(?s:.*)</\1>\s*\Z)"
)
CONTINUED = _reads(r"\A\s*This session is being continued")
"""A turn that a program wrote: the summary of an earlier conversation."""
INSERTED = re.compile(
    r"<(system-reminder|ide_opened_file|ide_selection)>.*?</\1>"
    r"|\A\s*# (?:Context from my IDE setup|Files mentioned by the user):\n.*?^## My request(?: for Codex)?:[ \t]*$"
    r"|^--- Content from referenced files ---$.*\Z",  # to the end: a file may itself hold the closing line
    re.DOTALL | re.MULTILINE,
)
