"""`daypack team`: the users, projects, roles and tokens of a team server, kept in its store."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from daypack.errors import InputError
from daypack.guard.fences import one_line
from daypack.shapes.plain import pick
from daypack.shapes.wording import counted, utc_minute
from daypack.team.types import Remote
from daypack.verbs.command import Command, Screen
from daypack.verbs.table import Flag, Positional, Range

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.surfaces.team.remote import Exchanged, SharedVectors
    from daypack.team.types import Act, Member, Person, Project, Token

T = TypeVar("T")
_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def size_argument(text: str) -> int:
    """Bytes of 500MB, 2GB, or of a number of bytes. Raises InputError."""
    match = re.fullmatch(r"(\d{1,15})\s*(|[KMGT]B)", text.strip().upper())
    if match is None:
        raise InputError(f"{one_line(text, 40)!r} is not a size; write 500MB or 2GB")
    return int(match[1]) * _UNITS[match[2]]


def _size(size: int) -> str:
    """A quota in the largest unit that does not make it 0, up to MB."""
    unit = next((unit for unit in ("MB", "KB") if size >= _UNITS[unit]), "")
    return f"{size / _UNITS[unit]:,.0f} {unit}" if unit else counted(size, "byte")


Name = Annotated[str, Positional(metavar="USER")]
ProjectName = Annotated[str, Positional(metavar="PROJECT")]
RoleName = Literal["read", "write", "admin"]
Writes = Annotated[
    int | None,
    "Writes that the user may begin in a minute. [default: 120]",
    Range(1, 100_000),
    Flag("--writes"),
]
Bytes = Annotated[
    int | None, "Largest size of the project's store. [default: 2 GiB]", Flag("--bytes", metavar="SIZE", read=size_argument)
]  # fmt: skip


# ---------------------------------------------------------------- users


def user_add(daypack: Daypack, name: Name, writes: Writes = None) -> Person:
    """Add a user to the team. Names are given once."""
    return daypack.team.add_person(name) if writes is None else daypack.team.add_person(name, writes=writes)


def user_change(daypack: Daypack, name: Name, writes: Annotated[int, "Writes that the user may begin in a minute.", Range(1, 100_000)]) -> Person:  # fmt: skip
    """Set the quota of a user."""
    return daypack.team.change_person(name, writes=writes)


def user_list(daypack: Daypack) -> tuple[Person, ...]:
    """List the users, removed ones included."""
    return daypack.team.people()


def user_remove(daypack: Daypack, name: Name) -> Person:
    """Remove a user and revoke their tokens; their private content stays."""
    return daypack.team.remove_person(name)


def person_text(person: Person) -> str:
    state = (
        f"removed {utc_minute(person.removed_at)}"
        if person.removed_at is not None
        else f"added {utc_minute(person.added_at)}"
    )
    return f"{person.name}  {state}, {person.writes:,} writes a minute\n"


# ---------------------------------------------------------------- projects and members


def project_add(daypack: Daypack, name: ProjectName, bytes_: Bytes = None) -> Project:
    """Add a project, whose content is a store of its own below the team's."""
    team = daypack.team
    return team.add_project(name) if bytes_ is None else team.add_project(name, most_bytes=bytes_)


def project_change(
    daypack: Daypack,
    name: ProjectName,
    bytes_: Annotated[
        int, "Largest size of the project's store.", Flag("--bytes", metavar="SIZE", read=size_argument)
    ],
) -> Project:
    """Set the quota of a project."""
    return daypack.team.change_project(name, most_bytes=bytes_)


def project_list(daypack: Daypack) -> tuple[Project, ...]:
    """List the projects and their quotas."""
    return daypack.team.projects()


def project_text(project: Project) -> str:
    return f"{project.name}  added {utc_minute(project.added_at)}, at most {_size(project.bytes)}\n"


def member_add(
    daypack: Daypack, name: Name, project: Annotated[str, Positional(metavar="PROJECT")],
    role: Annotated[RoleName, "read: ask; write: also keep and forget; admin: also delete in bulk."] = "write",
) -> Member:  # fmt: skip
    """Give a user a role in a project, in place of an earlier one."""
    return daypack.team.put_member(name, project, role)


def member_remove(
    daypack: Daypack, name: Name, project: Annotated[str, Positional(metavar="PROJECT")]
) -> str:
    """End a user's membership of a project."""
    daypack.team.drop_member(name, project)
    return f"{name} has left {project}\n"


def member_list(daypack: Daypack) -> tuple[Member, ...]:
    """List the members of every project, with their roles."""
    return daypack.team.members()


def member_text(found: Member) -> str:
    return f"{found.project}  {found.person}  {found.role.value}\n"


# ---------------------------------------------------------------- tokens


def token_create(
    daypack: Daypack,
    name: Name,
    project: Annotated[str, "Limit it to one project.", Flag(metavar="NAME")] = "",
    role: Annotated[RoleName, "The highest role that it grants."] = "admin",
    expires: Annotated[
        float | None, "Let it end after 12h, 30d or 2w.", Flag(metavar="DURATION", read="duration")
    ] = None,
) -> tuple[Token, str]:
    """Create a personal token and print it, once: the store keeps a hash."""
    return daypack.team.make_token(name, project=project, role=role, seconds=expires)


def created_screen(made: tuple[Token, str]) -> Screen:
    token, text = made
    until = "" if token.expires_at is None else f", until {utc_minute(token.expires_at)}"
    return Screen(
        f"{text}\n", notes=(f"this token answers for {token.person}{until}; it is not shown again",)
    )


def token_list(daypack: Daypack) -> tuple[Token, ...]:
    """List the tokens of all users: IDs, ends and limits, no secret."""
    return daypack.team.tokens()


def token_text(token: Token) -> str:
    end = (
        f"revoked {utc_minute(token.revoked_at)}" if token.revoked_at is not None
        else f"until {utc_minute(token.expires_at)}" if token.expires_at is not None else "without end"
    )  # fmt: skip
    return (
        f"{token.id}  {token.person}  {token.project or 'all projects'}  at most {token.role.value}, {end}\n"
    )


def token_revoke(daypack: Daypack, token: Annotated[str, Positional(metavar="ID")]) -> str:
    """Revoke a token by its ID; the next request with it is refused."""
    daypack.team.revoke_token(token)
    return f"revoked {token}\n"


# ---------------------------------------------------------------- the teams that a store follows

RemoteName = Annotated[str, Positional(metavar="[NAME]")]


def remote_add(
    daypack: Daypack,
    name: Annotated[str, Positional(metavar="NAME")],
    url: Annotated[str, Positional(metavar="URL")],
    token_file: Annotated[
        str, "The file of your personal token, which you alone can read.", Flag(metavar="FILE", read="path")
    ],
    project: Annotated[str, "The project, where you have several.", Flag(metavar="NAME")] = "",
) -> Remote:
    """Let this store follow a team server under NAME: `pull` and `push` exchange shared memories with it.

    The store keeps the path of the token, not the token.
    """
    from daypack.surfaces.http.gate import stored_token
    from daypack.surfaces.team.remote import checked_url

    file = Path(token_file).absolute()
    stored_token(file, personal=True)
    return daypack.team.put_remote(Remote(name, checked_url(url), str(file), project))


def remote_list(daypack: Daypack) -> tuple[Remote, ...]:
    """List the teams that this store follows."""
    return daypack.team.remotes()


def remote_remove(daypack: Daypack, name: Annotated[str, Positional(metavar="NAME")]) -> str:
    """Follow a team no more; memories stay on both sides."""
    daypack.team.drop_remote(name)
    return f"removed {name}\n"


def remote_text(remote: Remote) -> str:
    project = f", project {remote.project}" if remote.project else ""
    return f"{remote.name}  {remote.url}{project}, token in {one_line(remote.token_file, 200)}\n"


def pull(daypack: Daypack, name: RemoteName = "") -> Exchanged:
    """Take over the shared memories of a team: new versions, and forgotten keys."""
    from daypack.surfaces.team import remote

    return remote.pull(daypack, remote.only(daypack.team.remotes(), name))


def push(daypack: Daypack, name: RemoteName = "") -> Exchanged:
    """Hand over shared memories (`remember --shared`) that a team does not have yet. Private ones stay."""
    from daypack.surfaces.team import remote

    return remote.push(daypack, remote.only(daypack.team.remotes(), name))


def exchanged_screen(done: Exchanged) -> Screen:
    refused = f", {done.refused:,} forgotten there" if done.refused else ""
    notes = tuple(one_line(issue, 300) for issue in done.issues[:20])
    return Screen(f"{done.added:,} new, {done.unchanged:,} known{refused}\n", 1 if done.issues else 0, notes)


def vectors(
    daypack: Daypack, name: RemoteName = "", take: Annotated[bool, "Take vectors, and give none."] = False
) -> SharedVectors:
    """Take the vectors of files that colleagues have embedded, embed the rest, and give those to the team.

    The server gets hashes and vectors, no text, and gives a vector to those who prove that they hold its text.
    """
    from daypack.surfaces.team import remote

    return remote.exchange_vectors(daypack, remote.only(daypack.team.remotes(), name), gives=not take)


def vectors_text(done: SharedVectors) -> str:
    return (
        f"{done.taken:,} vectors taken, {done.embedded:,} texts embedded here, {done.given:,} vectors given\n"
    )


# ---------------------------------------------------------------- the log


def log(
    daypack: Daypack,
    person: Annotated[str, Positional(metavar="[USER]")] = "",
    limit: Annotated[int, "Maximum number of entries.", Range(1, 10_000), Flag("--limit -n")] = 100,
) -> tuple[tuple[Act, ...], int]:
    """Show who wrote, asked and deleted, the latest first: names and counts, no text. With USER: that user alone.

    Exit status 1 reports a changed log.
    """
    return daypack.team.acts(person=person, limit=limit), daypack.team.broken_lines()


def log_screen(found: tuple[tuple[Act, ...], int]) -> Screen:
    acts, broken = found
    lines = [
        f"{utc_minute(act.at)}  {act.person}  {act.project or '-'}  {act.action}"
        + "".join(f"  {name} {one_line(str(value), 60)}" for name, value in act.details.items())
        for act in acts
    ]
    notes = (f"{broken:,} lines were changed, or follow one that was taken out",) if broken else ()
    return Screen("".join(f"{line}\n" for line in lines), 1 if broken else 0, notes)


def _plain(found: Any) -> dict[str, Any]:
    return dict(found._asdict())


def _list(
    call: Callable[[Daypack], tuple[T, ...]], line: Callable[[T], str], at: str, name: str, none: str
) -> Command:
    """The row of a command that lists; `none` is its advice where nothing is there."""

    def screen(found: tuple[T, ...]) -> Screen:
        return Screen("".join(map(line, found)), hints=() if found else (none,))

    return Command(call, screen, at, lambda found: {name: [_plain(one) for one in found]})


def created_data(made: tuple[Token, str]) -> dict[str, Any]:
    return {**pick(made[0], "id person project role expires_at"), "token": made[1]}


COMMANDS = (
    Command(user_add, person_text, "team user add", _plain, opens="created"),
    _list(user_list, person_text, "team user list", "users", "no user yet; `daypack team user add USER` adds one"),
    Command(user_change, person_text, "team user change", _plain),
    Command(user_remove, person_text, "team user remove", _plain),
    Command(project_add, project_text, "team project add", _plain, opens="created"),
    _list(project_list, project_text, "team project list", "projects", "no project yet; `daypack team project add PROJECT` adds one"),
    Command(project_change, project_text, "team project change", _plain),
    Command(member_add, member_text, "team member add", _plain),
    _list(member_list, member_text, "team member list", "members", "no member yet; `daypack team member add USER PROJECT` makes one"),
    Command(member_remove, at="team member remove"),
    Command(token_create, created_screen, "team token create", created_data),
    _list(token_list, token_text, "team token list", "tokens", "no token yet; `daypack team token create USER` makes one"),
    Command(token_revoke, at="team token revoke"),
    Command(remote_add, remote_text, "team remote add", _plain, opens="created"),
    _list(remote_list, remote_text, "team remote list", "teams", "no team yet; `daypack team remote add NAME URL --token-file FILE` adds one"),
    Command(remote_remove, at="team remote remove"),
    Command(pull, exchanged_screen, "team pull", _plain),
    Command(push, exchanged_screen, "team push", _plain),
    Command(vectors, vectors_text, "team vectors", _plain),
    Command(log, log_screen, "team log", lambda found: {"acts": [_plain(act) for act in found[0]], "broken": found[1]}),
)  # fmt: skip
