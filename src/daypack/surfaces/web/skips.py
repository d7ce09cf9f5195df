"""Remedies for skipped files: a sentence for each reason."""

from __future__ import annotations

import shlex

from daypack.types import IngestIssue, SkipReason

PIPED = "To find its text anyway, keep it under its name: daypack add - --name {quoted} < {quoted}"
OF_A_FOLDER = (
    "To find a file of it anyway, keep it under its name: daypack add - --name {quoted}FILE < {quoted}FILE"
)
MENDS = {
    SkipReason.IGNORED: "Remove that line, or overrule it with a line in .daypackignore: !{name}",
    SkipReason.SECRET_FILE: "Such files are never opened. Put text that may be found into a file of "
    "another name.",
    SkipReason.BINARY: "Only text is found. Put its content into a text file beside it.",
    SkipReason.EMPTY: "As soon as it contains text, the next question finds it.",
    SkipReason.UNREADABLE: "Once it is readable, the next question finds it.",
    SkipReason.CHANGED_WHILE_READING: "The next question reads it again.",
    SkipReason.LOCKED_OR_DAMAGED: "Save it without a password, and the next question finds it.",
    SkipReason.NEEDS_EXTRA: "Then the next question finds it.",
    SkipReason.NOT_A_FILE: "Only files are read.",
    SkipReason.OUTSIDE_ROOT: "Links are not followed. A copy inside the project is found.",
}


def mend(issue: IngestIssue) -> str:
    """The remedy for a skipped file, with the name of the file; the name of a folder ends with a slash."""
    otherwise = OF_A_FOLDER if issue.uri.endswith("/") else PIPED
    return MENDS.get(issue.reason, otherwise).format(name=issue.uri, quoted=shlex.quote(issue.uri))
