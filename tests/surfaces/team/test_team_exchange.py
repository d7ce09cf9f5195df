"""Stores that follow a team: what is shared goes out and comes in by version, and nothing else."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.errors import ConfigError, InputError
from daypack.guard.secrets import redact as really_redact
from daypack.surfaces.http.gate import UnsafeToken
from daypack.surfaces.team import remote as module
from daypack.surfaces.team.remote import (
    Exchanged,
    RemoteFailed,
    SharedVectors,
    checked_url,
    exchange_vectors,
    pull,
    push,
)
from daypack.team.types import Remote
from support import TOPICS, WORDS, command, daypack, end, environment, files_of


@dataclass
class Team:
    folder: Path
    port: int

    def remote(self, person: str) -> Remote:
        return Remote("pay", f"http://127.0.0.1:{self.port}", str(self.folder / f"{person}.token"), "")

    def store(self, person: str) -> Daypack:
        """The store of a person's laptop."""
        return Daypack.open(self.folder / f"laptop-{person}", settings=WORDS)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    folder = tmp_path / "team"
    folder.mkdir()
    with Daypack.open(folder / "server", settings=WORDS) as dp:
        dp.team.add_project("pay")
        for person, role in (("ana", "write"), ("ben", "write"), ("rita", "read")):
            dp.team.add_person(person)
            dp.team.put_member(person, "pay", role)
            file = folder / f"{person}.token"
            file.touch(mode=0o600)
            file.write_text(dp.team.make_token(person)[1] + "\n")
    with serving(folder) as port:
        yield Team(folder, port)


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = command("--store", str(folder / "server"), "serve", "--team", "--port", str(port), "--no-open")
    with subprocess.Popen(words, cwd=folder, env=environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield port
        assert end(process) in (0, -15)


def test_shared_memories_go_out_and_come_in_and_private_ones_stay(team: Team) -> None:
    with team.store("ana") as ana, team.store("ben") as ben:
        ana.memories.remember("release/day", "we release on Mondays", shared=True)
        ana.memories.remember("release/day", "we release on Thursdays", shared=True)
        ana.memories.remember("diary", "the quokkaria sleeps at noon")
        assert push(ana, team.remote("ana")).added == 2
        assert push(ana, team.remote("ana")).added == 0
        assert pull(ben, team.remote("ben")).added == 2
        assert pull(ben, team.remote("ben")) == Exchanged(0, 2, 0, ())
        found = ben.memories.recall("release/day")
        assert (found.value, found.shared) == ("we release on Thursdays", True)
        assert [one.version.value for one in ben.memories.history("release/day")] == [
            "we release on Thursdays",
            "we release on Mondays",
        ]
    everything = b"".join(content for _, content in files_of(team.folder / "server").values())
    assert b"release on Thursdays" in everything
    assert b"quokkaria" not in everything


def test_what_was_written_apart_is_kept_and_shown_as_a_conflict(team: Team) -> None:
    with team.store("ana") as ana, team.store("ben") as ben:
        ana.memories.remember("cadence", "weekly", shared=True)
        push(ana, team.remote("ana"))
        pull(ben, team.remote("ben"))
        ana.memories.remember("cadence", "every second week", shared=True)  # both are offline
        ben.memories.remember("cadence", "monthly", shared=True)
        push(ben, team.remote("ben"))
        pull(ana, team.remote("ana"))
        push(ana, team.remote("ana"))
        pull(ben, team.remote("ben"))
        histories = [
            [(one.version.token, one.version.value, one.conflict) for one in dp.memories.history("cadence")]
            for dp in (ana, ben)
        ]
        assert histories[0] == histories[1]
        assert {value for _, value, conflict in histories[0] if conflict} == {"every second week", "monthly"}
        assert ana.memories.recall("cadence").value == ben.memories.recall("cadence").value


def test_a_key_that_was_forgotten_here_is_forgotten_there(team: Team) -> None:
    with team.store("ana") as ana, team.store("ben") as ben:
        ana.memories.remember("old/plan", "the numbat dances", shared=True)
        push(ana, team.remote("ana"))
        pull(ben, team.remote("ben"))
        ana.memories.forget("old/plan", shared=True)
        push(ana, team.remote("ana"))
        pull(ben, team.remote("ben"))
        assert ben.memories.recall("old/plan").state.value == "forgotten"
    everything = b"".join(content for _, content in files_of(team.folder).values())
    assert b"numbat" not in everything


def test_a_reader_takes_and_does_not_give(team: Team) -> None:
    with team.store("rita") as rita:
        rita.memories.remember("mine", "a wish", shared=True)
        with pytest.raises(RemoteFailed, match=r"403: .*needs the role write"):
            push(rita, team.remote("rita"))
        pull(rita, team.remote("rita"))
        assert len(rita.memories) >= 1


def test_a_line_with_a_secret_stays_here(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    with team.store("ana") as ana:
        ana.memories.remember("pass/word", "open sesame bandicoot", shared=True)
        ana.memories.remember("pass/other", "closed", shared=True)
        # a form of secret that the store did not know when it kept the text
        monkeypatch.setattr(
            module,
            "redact",
            lambda text: really_redact(
                text.replace("open sesame", "ghp_Qm4Xt7Rk2Wv9Zp1Ls5Nd8Hc3Jf6Bg0AyEuIo")
            ),
        )
        done = push(ana, team.remote("ana"))
        assert done.added == 1
        assert done.issues == ("pass/word: not sent, for it holds a secret",)
    assert b"bandicoot" not in b"".join(content for _, content in files_of(team.folder / "server").values())


@pytest.mark.parametrize(
    "url", ["http://team.example.org", "ftp://127.0.0.1", "https://ana:pw@team.example.org", "https://a/b", "team", "http://[", "https://a?x=1"]
)  # fmt: skip
def test_a_token_is_sent_to_no_unsafe_address(url: str) -> None:
    with pytest.raises(ConfigError):
        checked_url(url)
    assert checked_url("https://team.example.org/") == "https://team.example.org"
    assert checked_url("http://[::1]:8377") == "http://[::1]:8377"


def test_a_personal_token_that_cannot_be_used_is_never_called_replaceable(tmp_path: Path) -> None:
    def refusal() -> str:
        arguments = ("team", "remote", "add", "x", "https://team.example.org", "--token-file", "ana.tok")
        return daypack(*arguments, cwd=tmp_path, status=2).stderr

    token = tmp_path / "ana.tok"
    assert "ask an administrator of the team for a new one" in refusal()
    token.write_text("")
    token.chmod(0o600)
    assert "holds no token; name the file that holds your token" in refusal()
    token.write_text("x" * 60)
    token.chmod(0o644)
    assert f"others can read the token file {token}; run `chmod 600 {token}`" in refusal()


def test_faults_name_the_next_step(team: Team, tmp_path: Path) -> None:
    with team.store("ana") as ana:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        away = team.remote("ana")._replace(url=f"http://127.0.0.1:{port}")
        with pytest.raises(RemoteFailed, match=r"cannot be reached .* run the command again"):
            pull(ana, away)
        loose = tmp_path / "token"
        loose.write_text("x" * 60)
        loose.chmod(0o644)
        with pytest.raises(UnsafeToken, match=f"others can read .*; run `chmod 600 {loose}`"):
            pull(ana, team.remote("ana")._replace(token_file=str(loose)))
        loose.chmod(0o600)
        with pytest.raises(RemoteFailed, match="401: a personal token is needed"):
            pull(ana, team.remote("ana")._replace(token_file=str(loose)))
        with pytest.raises(RemoteFailed, match="403: no project 'ship' of yours"):
            pull(ana, team.remote("ana")._replace(project="ship"))
    with Daypack.open(tmp_path / "s", settings=WORDS, project="other") as dp, pytest.raises(InputError, match="follows no team"):  # fmt: skip
        pull(dp, team.remote("ana"))


def test_the_commands_follow_a_team(team: Team, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{team.port}"
    none = daypack("--store", "s", "team", "pull", cwd=tmp_path, status=3)
    assert "no store" in none.stderr or "s" in none.stderr
    added = daypack("--store", "s", "team", "remote", "add", "pay", url, "--token-file", str(team.folder / "ben.token"), cwd=tmp_path)  # fmt: skip
    assert url in added.stdout
    daypack("--store", "s", "remember", "lunch", "at noon", "--shared", cwd=tmp_path)
    assert daypack("--store", "s", "team", "push", cwd=tmp_path).stdout.startswith("1 new")
    assert "known" in daypack("--store", "s", "team", "pull", "pay", cwd=tmp_path).stdout
    secret = (team.folder / "ben.token").read_text().strip().encode()
    assert secret not in b"".join(content for _, content in files_of(tmp_path / "s").values())
    daypack("--store", "s", "team", "remote", "remove", "pay", cwd=tmp_path)
    assert "follows no team" in daypack("--store", "s", "team", "push", cwd=tmp_path, status=2).stderr


# ---------------------------------------------------------------- vectors

PAGES = {
    f"page{n}.md": f"# Page {n}\n\nThe {word} of the quokkaria number {n}.\n"
    for n, word in enumerate(TOPICS[:6])
}


def written(folder: Path, pages: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in pages.items():
        (folder / name).write_text(text)
    return folder


def vectors_in(dp: Daypack) -> set[tuple[bytes, float, bytes]]:
    with dp.engine.store.reading() as db:
        return {*db.execute("SELECT hash, scale, codes FROM vec")}


def test_what_a_colleague_embedded_is_taken_and_not_embedded_again(team: Team, tmp_path: Path) -> None:
    own = {**PAGES, "own.md": "# Own\n\nNo other machine has this page about a samovar.\n"}
    with team.store("ana") as ana, team.store("ben") as ben:
        ana.files.add(written(tmp_path / "a", PAGES))
        assert exchange_vectors(ana, team.remote("ana")) == SharedVectors(0, 6, 6)
        assert exchange_vectors(ana, team.remote("ana")) == SharedVectors(0, 0, 0)
        ben.files.add(written(tmp_path / "b", own))
        assert exchange_vectors(ben, team.remote("ben"), gives=False) == SharedVectors(6, 1, 0)
        assert vectors_in(ana) < vectors_in(ben)
        before = vectors_in(ben)
        ben.embed()
        assert vectors_in(ben) == before
        assert ben.search("samovar quokkaria", vectors="all").candidates


def test_only_vectors_of_files_are_given_and_no_text(team: Team, tmp_path: Path) -> None:
    with team.store("ana") as ana:
        ana.memories.remember("diary", "the wallaby sleeps at noon")
        ana.records.add([{"id": "note", "text": "a wallaby leaps over the harbour"}])
        ana.files.add(written(tmp_path / "a", PAGES))
        assert exchange_vectors(ana, team.remote("ana")).given == 6
    held = b"".join(data for _, data in files_of(team.folder / "server" / "projects").values())
    assert b"quokkaria" not in held and b"wallaby" not in held
    with Daypack.open(team.folder / "server" / "projects" / "pay_", settings=WORDS) as dp:
        assert len(vectors_in(dp)) == 6


def test_a_reader_takes_vectors_and_gives_none(team: Team, tmp_path: Path) -> None:
    with team.store("ana") as ana, team.store("rita") as rita:
        ana.files.add(written(tmp_path / "a", PAGES))
        exchange_vectors(ana, team.remote("ana"))
        rita.files.add(written(tmp_path / "r", {**PAGES, "more.md": "# More\n\nA page of its own.\n"}))
        with pytest.raises(RemoteFailed, match="needs the role write"):
            exchange_vectors(rita, team.remote("rita"))
        assert vectors_in(ana) < vectors_in(rita)
