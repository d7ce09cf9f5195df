"""`/v1/team/memories`: the shared memories of a project as lines of versions, for stores that follow it.

A version is the same in every store: its token is a hash of all that it states. So two copies of a line are one version,
and two versions that were written apart stay two, of which the history shows both. The lines are those of
`daypack memory export`, without the use of each key. A person exchanges them, not an agent: this is not a verb.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from daypack.errors import InputError
from daypack.surfaces.http import rest
from daypack.surfaces.team.lines import PATH, versions
from daypack.surfaces.team.seats import Seats
from daypack.verbs import Access


def routes(hosts: Seats) -> list[Route]:
    async def given(request: Request) -> dict[str, Any]:
        host = hosts.of(request.scope)
        async with host.act("memories/pull", Access.READ) as facts:
            lines = await host.run(
                lambda daypack, _: versions(daypack.memories.files.export(shared=True)), reads=True
            )
            facts["lines"] = len(lines)
            return {"lines": lines}

    async def taken(request: Request) -> dict[str, Any]:
        host = hosts.of(request.scope)
        body = await rest.read_arguments(request)
        lines = body.get("lines")
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise InputError(
                "lines must be a list of strings, as `daypack memory export --shared` writes them"
            )
        async with host.act("memories/push", Access.WRITE) as facts:
            report = await host.run(
                lambda daypack, _: daypack.memories.files.import_lines(lines, shared=True, name="lines")
            )
            facts |= {"lines": len(lines), "added": report.added}
            issues = [f"{issue.uri}: {issue.detail}" for issue in report.issues]
            return {
                "added": report.added,
                "unchanged": report.unchanged,
                "refused": report.refused,
                "issues": issues,
            }

    async def answer(request: Request) -> dict[str, Any]:
        return await (taken if request.method == "POST" else given)(request)

    return [Route(PATH, rest.endpoint_of(answer, "memories"), methods=["GET", "POST"])]
