"""The names by which a server is asked, the cookies of two servers on one host, its static files and its forms."""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from server import FORM, Page, served

from daypack.surfaces.http.gate import is_loopback
from daypack.surfaces.http.listen import CannotListen, listening
from support import command, end, environment


@contextmanager
def started(project: Path, *arguments: str) -> Iterator[tuple[Page, str]]:
    """A server at any address, and its first line on the standard error."""
    with subprocess.Popen(
        command("serve", "--port", "0", "--no-open", *arguments),
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            link, said = process.stdout.readline().strip(), process.stderr.readline()
            port = re.search(r":(\d+)/enter", link)
            assert port, said
            yield Page(int(port[1]), link, (project / ".daypack" / "token").read_text().strip()), said
        finally:
            end(process)


def test_a_browser_stays_admitted_to_a_server_when_it_enters_another(project: Path) -> None:
    with served(project) as one, served(project) as other:
        jar = dict(
            page.enter().split("=", 1) for page in (one, other)
        )  # a host has one jar for all its ports
        cookies = "; ".join(f"{name}={value}" for name, value in jar.items())
        assert [page.ask("GET", "/settings", Cookie=cookies)[0] for page in (one, other)] == [200, 200]
        assert "this one" in one.ask("GET", "/settings", Cookie=cookies)[2]


def test_a_refused_name_and_the_start_say_how_to_add_a_name(project: Path) -> None:
    wide = ("--host", "0.0.0.0", "--beyond-this-machine")
    with started(project, *wide) as (page, said):
        assert "--host-name HOST" in said
        status, _, text = page.ask("GET", "/health", Host=f"192.0.2.7:{page.port}")
        assert status == 421
        assert "--host-name HOST" in text
    with started(project, *wide, "--host-name", "192.0.2.7") as (page, said):
        assert "--host-name" not in said
        assert page.ask("GET", "/health", Host=f"192.0.2.7:{page.port}")[0] == 200


def test_every_address_of_this_machine_alone_needs_no_permission(tmp_path: Path) -> None:
    assert all(is_loopback(one) for one in ("localhost", "127.0.0.1", "127.0.0.2", "127.255.255.254", "::1"))
    assert not any(
        is_loopback(one) for one in ("0.0.0.0", "::", "192.0.2.7", "128.0.0.1", "localhost.example")
    )
    with contextlib.suppress(CannotListen):  # not every system has a second address for itself
        found = listening(tmp_path, address="127.0.0.2", port=0, beyond=False, names=())
        assert found.url.startswith("http://127.0.0.2:")
        found.sock.close()
    with pytest.raises(CannotListen, match="can be reached from other machines"):
        listening(tmp_path, address="192.0.2.7", port=0, beyond=False, names=())


def test_the_address_of_a_static_file_changes_with_the_file(project: Path) -> None:
    with served(project) as page:
        text = page.ask("GET", "/")[2]
        addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
        assert len(addresses) == 2
        for address in addresses:
            assert re.fullmatch(r"/static/\S+\?v=[0-9a-f]{12}", address)
            assert page.ask("GET", address, Authorization="")[0] == 200


def test_a_form_that_is_too_large_says_its_size_and_the_limit(project: Path) -> None:
    with served(project) as page:
        status, _, text = page.ask("POST", "/memories/supersede", b"value=" + b"x" * 70_000, **FORM)
        assert status == 400
        assert "The form has 69 KB as sent; at most 64 KB are allowed" in text
