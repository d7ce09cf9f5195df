"""The command `daypack`.

Exit status: 0 ok · 1 nothing found, or a check failed · 2 bad input · 3 the store cannot be used · 130
interrupted. Heavy imports wait inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NoReturn
from zipimport import zipimporter

# One query is one small matrix product: a pool of BLAS threads costs start-up time and gains nothing.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json

import click
from click.core import ParameterSource

from daypack import __version__
from daypack.errors import DaypackError
from daypack.guard.fences import both_ends
from daypack.surfaces.cli.build import Group
from daypack.surfaces.cli.context import CliContext
from daypack.surfaces.cli.helping import WIDTH, FirstScreen
from daypack.surfaces.cli.options import shell_folders
from daypack.surfaces.cli.seeds import adopt_variables
from daypack.surfaces.cli.terminal import be_quiet, lost_output, mark, note, write
from daypack.system import has_room
from daypack.types.servers import PasswordShown, holds_password

NO_MEMORY = "memory ran out; finished work is stored: give it more (ulimit -v), or less at a time"
NO_FOLDER = "the working folder was deleted; change to another folder, and run this again"
TOO_MANY_FILES = "this process may open no more files; finished work is stored: allow more (ulimit -n)"
IN_A_ZIP = "Daypack runs from a folder, not from a zip file; install it with pip, pipx or uv"
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.ENOSPC)
"""Errors of a place that the user named or owns, not of the program."""
_LINES = r"-[^=\s]*:\d+(-\d+)?(\s*@.*)?"
_HERE, _DOORS = "daypack.surfaces.cli", "daypack.doors"
CORE, AGENTS, SETTINGS = f"{_HERE}.core", f"{_HERE}.agents", f"{_HERE}.configuring"
CHECKING, KEEPING, STORES = (f"{_HERE}.upkeep.{name}" for name in ("checking", "safekeeping", "stores"))
ADDING, MEMORIES = f"{_DOORS}.knowledge.commands", f"{_DOORS}.memories.commands"
CODE, TEAM = f"{_DOORS}.code.commands", "daypack.surfaces.team.commands"


def _group(
    words: str, members: Mapping[str, str | click.Command], about: str, example: str, *, epilog: str = ""
) -> Group:
    return Group(words, members, help=about, example=example, epilog=epilog or None)


TEAM_GROUPS = {
    "user": ("Add, list, change and remove the users of a team server.", "daypack team user add ana"),
    "project": ("Add, list and change the projects of a team server.", "daypack team project add pay"),
    "member": ("Give users roles in projects.", "daypack team member add ana pay --role write"),
    "token": ("Create, list and revoke personal tokens.", "daypack team token create ana"),
    "remote": ("Let a store follow a team.", "daypack team remote list"),
}
"""Group → what it does, and an example."""
MEMBERS: dict[str, str | click.Command] = {
    "pack": CORE,
    "search": CORE,
    "get": CORE,
    "add": ADDING,
    "remove": ADDING,
    "run": ADDING,
    "remember": MEMORIES,
    "recall": MEMORIES,
    "forget": MEMORIES,
    "code": _group(
        "code",
        {"*": CODE},
        "Pack code with callers and tests, list symbols, map a repository.",
        example='daypack code callers "Cart.total"',
    ),
    "session": _group(
        "session",
        {"*": f"{_DOORS}.sessions.commands", "answer": "daypack.surfaces.install.answering"},
        "Record what agents do, and resume where a session stopped.",
        example="daypack session resume",
    ),
    "status": CORE,
    "stats": f"{_DOORS}.sessions.commands",
    "install": AGENTS,
    "serve": AGENTS,
    "mcp": AGENTS,
    "doctor": CHECKING,
    "config": _group(
        "config",
        {"*": SETTINGS},
        "Show settings, and which file or variable sets each.",
        example="daypack config show",
    ),
    "memory": _group(
        "memory",
        {"*": MEMORIES},
        "List, search, review, exchange and redact memories.",
        example='daypack memory search "release cadence"',
        epilog="`daypack remember`, `recall` and `forget` write, read and delete one.",
    ),
    "docs": _group(
        "docs",
        {"*": f"{_DOORS}.documents.commands"},
        "Keep JSON documents in collections, with MongoDB's filters, vectors and planned changes.",
        example="""daypack docs find teas '{"origin": "Uji"}'""",
    ),
    "source": _group(
        "source",
        {
            "*": f"{_DOORS}.sources.commands",
            "benchmark-jsonl": f"{_HERE}.measuring.benchmark",
            "* of tasks": f"{_DOORS}.sources.tasks.commands",
        },
        "Keep versioned records of a session, a user or all users, and assemble them for a task.",
        example='daypack source retrieve "when do refunds settle?"',
    ),
    "label": _group(
        "label",
        {"*": ADDING},
        "List, refresh and remove the texts, folders, pages and outputs kept under labels.",
        example="daypack label list",
    ),
    "eval": _group(
        "eval",
        {"*": f"{_HERE}.measuring.evaluate"},
        "Measure answers with questions whose answers are known.",
        example="daypack eval run suite.json",
    ),
    "audit": _group(
        "audit",
        {"*": f"{_DOORS}.sources.commands"},
        "Show who wrote, asked for and deleted scoped records.",
        example="daypack audit list",
    ),
    "team": _group(
        "team",
        {name: _group(f"team {name}", {"*": TEAM}, *said) for name, said in TEAM_GROUPS.items()}
        | {"pull": TEAM, "push": TEAM, "vectors": TEAM, "log": TEAM},
        "Keep the users, projects, roles and tokens of a team server.",
        example="daypack team user add ana",
        epilog="`daypack serve --team` serves them.",
    ),
    "uninstall": AGENTS,
    "check": CHECKING,
    "repair": CHECKING,
    "backup": KEEPING,
    "restore": KEEPING,
    "export": KEEPING,
    "import": KEEPING,
    "store": _group(
        "store", {"*": STORES}, "Copy a whole store, or compare two.", example="daypack store compare a b"
    ),
    "reindex": CORE,
    "trust": SETTINGS,
    "completion": SETTINGS,
    "help": f"{_HERE}.helping",
    "context-pack": CODE,
}
"""In the order of help."""


def _begin(context: click.Context, store: str | None, embedder: str | None, quiet: bool) -> None:
    be_quiet(quiet)
    is_given = context.get_parameter_source("store") is ParameterSource.COMMANDLINE
    if store and "://" in store and is_given and holds_password(store):
        raise PasswordShown
    for text in context.obj or ():
        note(text)
    typed = context.get_parameter_source("store") is not ParameterSource.ENVIRONMENT
    context.obj = CliContext(store, embedder, typed=typed)


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        write(f"daypack {__version__}\n")
        context.exit()


cli = FirstScreen(
    "",
    MEMBERS,
    help="Pack what a task needs: hybrid search, an exact token budget, citations.",
    example='daypack pack "how are refunds retried?"',
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    callback=click.pass_context(_begin),
    params=[
        click.Option(["--store"], metavar="FOLDER", envvar="DAYPACK_STORE", shell_complete=shell_folders, help="The store to use. [default: the nearest .daypack upwards, else the project's root]"),
        click.Option(["--embedder"], metavar="NAME", help="minilm, hashing, folder:PATH or endpoint:URL. Only an endpoint ever sends text anywhere. [default: minilm]"),
        click.Option(["--quiet"], is_flag=True, help="Print the answer and errors only."),
        click.Option(["-V", "--version"], is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show the version and exit."),
    ],
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in arguments
    try:
        notes = [*adopt_variables(os.environ)]
        status = cli.main(args=arguments, prog_name="daypack", standalone_mode=False, obj=notes)
        sys.exit(status if isinstance(status, int) else 0)
    except DaypackError as error:
        _fail(str(error), error.code, error.exit_status, as_json=as_json)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "daypack"
        fault = _fault(error)
        if name := _dashed_name(arguments, is_unknown=isinstance(error, click.NoSuchOption)):
            fault += f"{' If' if fault.endswith('?') else '; if'} {name} is a name, write -- before it"
        see = " See" if fault.endswith("?") else "; see"
        _fail(f"{fault}{see} `{command} --help`", "usage", 2, as_json=as_json)
    except click.ClickException as error:
        _fail(error.format_message(), "usage", 2, as_json=as_json)
    except (MemoryError, ImportError, OSError, SystemError) as error:
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            _fail(TOO_MANY_FILES, "too_many_files", 3, as_json=as_json)
        if _out_of_memory(error):
            _fail(NO_MEMORY, "out_of_memory", 3, as_json=as_json)
        if not isinstance(error, OSError):
            raise
        if trouble := lost_output(error):
            _fail(trouble, "output_failed", 3, as_json=as_json)
        if isinstance(error, FileNotFoundError) and _has_lost_its_folder():
            _fail(NO_FOLDER, "no_working_folder", 2, as_json=as_json)
        if isinstance(__spec__.loader, zipimporter):
            _fail(IN_A_ZIP, "in_a_zip", 3, as_json=as_json)
        if error.errno in _REFUSED and error.filename is not None:
            place = f"{os.fsdecode(error.filename)} cannot be used ({error.strerror})"
            _fail(f"{place}; check its permissions, or name another", "refused", 3, as_json=as_json)
        raise
    except (KeyboardInterrupt, click.Abort) as ended:
        said = str(ended) or str(ended.__cause__ or "")  # of an interrupt click makes an Abort without words
        state = said or "finished work is stored, run the same command again to continue"
        _fail(f"interrupted; {state}", "interrupted", 130, as_json=as_json)


def _fault(error: click.UsageError) -> str:
    """The fault in the words of a command, with the options that an unknown one probably means."""
    if not isinstance(error, click.NoSuchOption):
        return error.format_message().rstrip(".")
    near = [name for name in error.possibilities or () if name != "--help"]
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"No such option {error.option_name!r}{meant}"


def _dashed_name(arguments: Sequence[str], *, is_unknown: bool) -> str:
    """The first argument that was read as options although it names a file or, if one of its options `is_unknown`, lines;
    "" for none.
    """
    for word in takewhile(lambda word: word != "--", arguments):
        if word[:1] == "-" and (os.path.lexists(word) or (is_unknown and re.fullmatch(_LINES, word))):
            return word
    return ""


def _has_lost_its_folder() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - no path is wanted
    except FileNotFoundError:
        return True
    return False


def _out_of_memory(error: Exception) -> bool:
    """True for want of memory, also where only words tell it: a loader's, or those of an interpreter that had none
    left for the exception itself.
    """
    if isinstance(error, SystemError):
        return not has_room()
    signs = ("failed to map segment", "annot allocate memory")
    return isinstance(error, MemoryError) or any(sign in str(error) for sign in signs)


def _fail(message: str, code: str, exit_status: int, *, as_json: bool) -> NoReturn:
    said = both_ends(" ".join(message.split()))
    said = json.dumps({"error": {"code": code, "message": said}}) if as_json else f"{mark('red')} {said}"
    sys.stderr.buffer.write(said.encode("utf-8", "replace") + b"\n")
    sys.exit(exit_status)


if __name__ == "__main__":
    main()
