"""`daypack serve` on a small project, and its one-time link."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import command, end, environment

FORM = {"Content_Type": "application/x-www-form-urlencoded"}


@dataclass
class Page:
    port: int
    link: str
    token: str
    patience: float = 20  # seconds for an answer

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of an answer.

        The token goes along, unless another Authorization or a Cookie is given; "" leaves it out.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        defaults = {"Content-Type": "application/json"} | (
            {} if "Cookie" in named else {"Authorization": f"Bearer {self.token}"}
        )
        connection.request(
            method, path, data, {name: value for name, value in {**defaults, **named}.items() if value}
        )
        response = connection.getresponse()
        found = (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read().decode(),
        )
        connection.close()
        return found

    def enter(self) -> str:
        """A cookie, for the one-time link."""
        status, headers, _ = self.ask("GET", self.link.removeprefix(self.base), Authorization="")
        assert status == 303
        assert "HttpOnly" in headers["set-cookie"]
        assert "samesite=strict" in headers["set-cookie"].lower()
        return headers["set-cookie"].split(";")[0]


@contextmanager
def served(project: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[Page]:
    with subprocess.Popen(
        command("serve", "--port", "0", "--no-open", *arguments),
        cwd=project,
        env=environment(**(env or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            link = process.stdout.readline().decode().strip()
            match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/enter\?key=\S+", link)
            assert match, (
                link,
                process.stderr and process.stderr.read1().decode() if process.poll() is not None else "",
            )  # type: ignore[attr-defined]
            yield Page(int(match[1]), link, (project / ".daypack" / "token").read_text().strip())
        finally:
            end(process)


def seen(page: Page, path: str, status: int = 200) -> str:
    found, headers, text = page.ask("GET", path)
    assert found == status, text
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text), "nothing comes from another machine"
    assert not re.search(r"<script(?! src=\"/static/page.js\?v=\w+\")|\son\w+=|style=", text), (
        "no code and no style inside the page"
    )
    return text
