"""Users, projects, roles and tokens: who a token is, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from daypack import Daypack
from daypack.errors import InputError
from daypack.team import secret
from daypack.team.errors import NameTaken, NoPerson, NoProject, NotAMember, NoToken, TokenEnded
from daypack.team.people import Fact, Team
from daypack.team.types import Role
from support import WORDS, Clock, files_of


@pytest.fixture
def team(tmp_path: Path, clock: Clock) -> Iterator[Team]:
    with Daypack.open(tmp_path / "s", settings=WORDS, clock=clock) as dp:
        found = dp.team
        for name in ("ana", "ben"):
            found.add_person(name)
        for project in ("pay", "ship"):
            found.add_project(project)
        found.put_member("ana", "pay", "admin")
        found.put_member("ana", "ship", "read")
        found.put_member("ben", "pay", "write")
        yield found


def test_a_token_is_its_person_in_the_project_that_is_named(team: Team) -> None:
    _, token = team.make_token("ana")
    caller = team.caller(token, "ship")
    assert caller is not None
    assert (caller.person.name, caller.project.name, caller.role) == ("ana", "ship", Role.READ)
    assert team.caller_again(caller, "pay") == caller._replace(project=team.projects()[0], role=Role.ADMIN)


def test_who_has_one_project_need_not_name_it(team: Team) -> None:
    _, token = team.make_token("ben")
    caller = team.caller(token)
    assert caller is not None
    assert (caller.project.name, caller.role) == ("pay", Role.WRITE)


def test_a_project_of_others_is_refused_in_the_words_of_one_that_does_not_exist(team: Team) -> None:
    _, token = team.make_token("ben")
    said = []
    for name in ("ship", "nope"):
        with pytest.raises(NotAMember) as refused:
            team.caller(token, name)
        said.append(str(refused.value).replace(name, "X"))
    assert said[0] == said[1]


def test_a_token_grants_no_more_than_it_was_made_for(team: Team) -> None:
    _, token = team.make_token("ana", project="pay", role="read")
    caller = team.caller(token)
    assert caller is not None
    assert caller.role is Role.READ
    with pytest.raises(NotAMember):
        team.caller(token, "ship")
    _, high = team.make_token("ben", role="admin")
    raised = team.caller(high)
    assert raised is not None
    assert raised.role is Role.WRITE, "a token raises no role"


def test_a_token_ends_when_it_expires_is_revoked_or_its_person_leaves(team: Team, clock: Clock) -> None:
    _, short = team.make_token("ben", seconds=60)
    revoked, text = team.make_token("ben")
    _, last = team.make_token("ben")
    known = team.caller(text)
    assert known is not None
    team.revoke_token(revoked.id)
    with pytest.raises(
        TokenEnded, match=r"was revoked on .*; ask an administrator of the team for a new one"
    ):
        team.caller(text)
    with pytest.raises(TokenEnded):
        team.caller_again(known, "pay")
    clock.now += 59
    assert team.caller(short) is not None
    clock.now += 1
    with pytest.raises(TokenEnded, match="this token expired on "):
        team.caller(short)
    assert team.caller(last) is not None
    team.remove_person("ben")
    with pytest.raises(TokenEnded, match="is of ben, who has left the team"):
        team.caller(last)
    with pytest.raises(NoPerson):
        team.make_token("ben")


def test_a_token_that_would_never_count_is_not_made(team: Team) -> None:
    with pytest.raises(
        InputError, match="ben is not a member of ship; run `daypack team member add ben ship`"
    ):
        team.make_token("ben", project="ship")
    with pytest.raises(InputError, match="0 seconds never counts; write 12h, 30d or 2w"):
        team.make_token("ben", seconds=0)
    for endless in (float("nan"), float("inf"), -float("inf"), 10**400, -(10**400)):
        with pytest.raises(
            InputError, match="a token needs a finite number of seconds; write 12h, 30d or 2w"
        ):
            team.make_token("ben", seconds=endless)
    assert team.tokens() == ()


def test_a_membership_ends_with_the_next_request(team: Team) -> None:
    _, token = team.make_token("ben")
    team.drop_member("ben", "pay")
    with pytest.raises(NotAMember, match="ask an administrator"):
        team.caller(token)
    with pytest.raises(NoPerson):
        team.drop_member("ben", "pay")


@pytest.mark.parametrize("change", ["id", "secret", "prefix", "short", "long", "other"])
def test_a_changed_token_is_nobody(team: Team, change: str) -> None:
    _, token = team.make_token("ana")
    _, other = team.make_token("ana")
    prefix, token_id, own = token.split("_", 2)
    own_of_other = other.split("_", 2)[2]
    wrong = {
        "id": f"{prefix}_{'0' * len(token_id)}_{own}",
        "secret": f"{prefix}_{token_id}_{'A' * len(own)}",
        "prefix": f"dpx_{token_id}_{own}",
        "short": token[:-1],
        "long": f"{token}A",
        "other": f"{prefix}_{token_id}_{own_of_other}",
    }[change]
    assert team.caller(wrong, "pay") is None
    assert team.caller(token, "pay") is not None


def test_no_byte_of_the_store_is_a_token(team: Team, tmp_path: Path) -> None:
    _, token = team.make_token("ana")
    own = token.split("_", 2)[2]
    assert len(own) == 43
    kept = b"".join(content for _, content in files_of(tmp_path / "s").values())
    assert own.encode() not in kept
    assert secret.hashed(own, bytes(16)) not in kept, "the salt is the token's own"


def test_a_name_is_given_once(team: Team) -> None:
    with pytest.raises(NameTaken, match="exists"):
        team.add_person("ana")
    team.remove_person("ben")
    with pytest.raises(NameTaken, match="was removed"):
        team.add_person("ben")
    with pytest.raises(NameTaken):
        team.add_project("pay")


@pytest.mark.parametrize(
    "name", ["", "Ana", "a b", "../x", "a/b", "user", "*", "operator", "-a", "a" * 41, "ana\n", "än"]
)
def test_a_name_that_could_mean_something_else_is_refused(team: Team, name: str) -> None:
    with pytest.raises(InputError):
        team.add_person(name)
    with pytest.raises(InputError):
        team.add_project(name)


def test_unknown_names_are_told(team: Team) -> None:
    with pytest.raises(NoProject, match="team project list"):
        team.put_member("ana", "nope", "read")
    with pytest.raises(NoPerson, match="team user list"):
        team.put_member("nope", "pay", "read")
    with pytest.raises(NoToken, match="team token list"):
        team.revoke_token("nope")
    with pytest.raises(InputError, match="choose from read, write, admin"):
        team.put_member("ana", "pay", "owner")


def test_the_log_tells_who_did_what_and_when_a_line_was_changed(team: Team, tmp_path: Path) -> None:
    team.note([Fact("write", "ana", "pay", {"verb": "remember", "status": 200})])
    team.note([Fact("ask", "ben", "pay", {"verb": "pack", "status": 200})])
    (act,) = team.acts(person="ana")
    assert (act.action, act.project, act.details) == ("write", "pay", {"verb": "remember", "status": 200})
    assert [one.action for one in team.acts(limit=2)] == ["ask", "write"]
    assert team.broken_lines() == 0
    db = apsw.Connection(str(tmp_path / "s" / "daypack.db"))
    db.execute("UPDATE team_audit SET person = 'ben' WHERE person = 'ana'")
    db.close()
    assert team.broken_lines() == 1
