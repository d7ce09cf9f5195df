"""The command `daypack`.

Exit status: 0 ok · 1 nothing found, or a check failed · 2 bad input · 3 the store cannot be used · 130
interrupted. Heavy imports wait inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

# One query is one small matrix product: a pool of BLAS threads costs start-up time and gains nothing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click

from daypack import __version__
from daypack.surfaces.cli.build import Group
from daypack.surfaces.cli.context import CliContext

EPILOG = """\b
Start here:
  daypack pack "how are refunds retried?"       indexes the project on first use
  daypack search "retry budget" --explain       why each result is where it is
  daypack get src/pay/retry.py:40-88            the exact text behind a citation
\b
Exit status: 0 ok, 1 nothing found or a check failed, 2 bad input, 3 the store cannot be used."""


_HERE, _DOORS = "daypack.surfaces.cli", "daypack.doors"
CORE, AGENTS, SETTINGS = f"{_HERE}.core", f"{_HERE}.agents", f"{_HERE}.configuring"
ADDING, BENCH = f"{_DOORS}.knowledge.commands", f"{_HERE}.bench"


def _group(words: str, members: Mapping[str, str | click.Command], about: str) -> Group:
    return Group(words, members, help=about)


BENCHMARK = _group(
    "eval bench",
    {"*": BENCH},
    "A benchmark of sources: sets that are made from a seed, and questions in tiers.",
)
MEMBERS: dict[str, str | click.Command] = {
    "pack": CORE, "search": CORE, "get": CORE, "add": ADDING, "run": ADDING,
    "label": _group("label", {"*": ADDING}, "Labelled sources: texts, files, folders, output of commands."),
    "source": _group(
        "source",
        {"*": f"{_DOORS}.sources.commands", "benchmark-jsonl": BENCH, "* of tasks": f"{_DOORS}.sources.tasks.commands"},
        "Records of a session, a user or all users, with versions and a policy; retrieved and "
            "assembled for a task.",
    ),
    "audit": _group("audit", {"*": f"{_DOORS}.sources.commands"}, "The log of writes, questions and "
        "deletions of sources."),
    "eval": _group(
        "eval", {"*": f"{_HERE}.evaluate", "bench": BENCHMARK}, "Measure the quality of answers by "
            "questions with known answers."
    ),
    "session": _group(
        "session", {"*": f"{_DOORS}.sessions.commands"}, "Events of agent sessions: captured by "
            "hooks, imported from transcripts."
    ),
    "code": _group(
        "code",
        {"*": f"{_DOORS}.code.commands"},
        "Packs of code with its callers, users, subclasses and tests; a map of the repository.",
    ),
    "memory": _group(
        "memory", {"*": f"{_DOORS}.memories.commands"}, "Memories by key, each with its history."
    ),
    "docs": _group(
        "docs",
        {"*": f"{_DOORS}.documents.commands"},
        "Collections of JSON documents: filters as MongoDB's, vectors, planned changes, texts for a task.",
    ),
    "mcp": AGENTS, "serve": AGENTS, "install": AGENTS, "uninstall": AGENTS,
    "status": CORE, "doctor": CORE, "reindex": CORE,
    "config": _group("config", {"*": SETTINGS}, "Settings from files and variables."), "trust": SETTINGS, "completion": SETTINGS,
}  # fmt: skip
"""In the order of help."""


def _begin(context: click.Context, store: str | None, embedder: str | None) -> None:
    context.obj = CliContext(store, embedder)


cli = Group(
    "",
    MEMBERS,
    help="Pack the context for a task: local files, hybrid search, an exact token budget, checkable "
        "citations.",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    callback=click.pass_context(_begin),
    params=[
        click.Option(["--store"], metavar="FOLDER", envvar="DAYPACK_STORE", help="The store to use. [default: the nearest .daypack upwards, else the project's root]"),
        click.Option(["--embedder"], metavar="NAME", help="minilm, hashing, folder:PATH or endpoint:URL. Only an endpoint ever sends text anywhere. [default: minilm]"),
    ],
)  # fmt: skip
cli = click.version_option(__version__, "-V", "--version", message="daypack %(version)s")(cli)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    from daypack.errors import DaypackError

    arguments = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in arguments
    try:
        status = cli.main(args=arguments, prog_name="daypack", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except DaypackError as error:
        _fail(str(error), error.code, error.exit_status, as_json=as_json)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "daypack"
        _fail(f"{error.format_message().rstrip('.')}; see `{command} --help`", "usage", 2, as_json=as_json)
    except click.ClickException as error:
        _fail(error.format_message(), "usage", 2, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        _fail(
            "interrupted; finished work is stored, run the same command again to continue",
            "interrupted",
            130,
            as_json=as_json,
        )


def _fail(message: str, code: str, exit_status: int, *, as_json: bool) -> NoReturn:
    said = " ".join(message.split())
    if as_json:
        import json

        said = json.dumps({"error": {"code": code, "message": said}})
    else:
        said = f"daypack: {said}"
    sys.stderr.buffer.write(said.encode("utf-8", "replace") + b"\n")
    sys.exit(exit_status)


if __name__ == "__main__":
    main()
