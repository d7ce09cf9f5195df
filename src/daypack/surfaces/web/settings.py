"""Settings: all values with their origins, and the admitted browsers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from daypack.doors.registry import context_of
from daypack.errors import DaypackError
from daypack.settings.configuration import Level
from daypack.surfaces.web.frame import Facts, Frame
from daypack.surfaces.web.shell import HEADERS, error_page, form_fields
from daypack.surfaces.web.visitors import Visitors

if TYPE_CHECKING:
    from daypack.api import Daypack

PLACES = {
    Level.DEFAULT: "default", Level.USER: "your file", Level.PROJECT: "the project", Level.VARIABLE: "the environment",
}  # fmt: skip


NONE: Facts = {"settings": [], "waiting": (), "set": 0}
BROWSERS = {"Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "Mac OS": "macOS",
    "Windows": "Windows",
    "Linux": "Linux",
}


def routes(frame: Frame, visitors: Visitors, own_cookie: str) -> list[Route]:
    async def view(request: Request) -> tuple[str, Facts]:
        own = visitors.cookies.get(request.cookies.get(own_cookie, ""))
        host = frame.host.of(request.scope)
        facts = await host.run(lambda daypack, _: read_facts(daypack)) if host.local else NONE
        return "settings.html", {**facts, "browsers": visitors.beside(own), "own": own}

    async def revoke(request: Request) -> Response:
        try:
            own = visitors.cookies.get(request.cookies.get(own_cookie, ""))
            visitors.revoke((await form_fields(request)).get("id", ""), own)
        except DaypackError as error:
            return error_page(error, "/settings")
        return RedirectResponse("/settings#browsers", 303, headers=HEADERS)

    return [frame.page("/settings", view), Route("/settings/revoke", revoke, methods=["POST"])]


def browser_name(agent: str) -> str:
    """A name for a browser from its User-Agent, such as "Firefox on Linux"; "" for an unknown one."""
    found = [
        next((name for mark, name in marks.items() if mark in agent), "") for marks in (BROWSERS, SYSTEMS)
    ]
    return " on ".join(name for name in found if name)


def read_facts(daypack: Daypack) -> Facts:
    """The facts of all settings. Raises BadConfiguration."""
    found = context_of(daypack.root, os.environ).configuration
    rows = [
        {"name": name, "value": _in_words(one.shown), "about": one.setting.about, "choices": one.setting.choices,
         "variable": one.setting.variable, "place": PLACES[one.level], "origin": one.origin,
         "is_set": one.level is not Level.DEFAULT, "waits": one.setting.waits}
        for name, one in found.values.items()
    ]  # fmt: skip
    waiting = [(one.origin, one.setting.name, _in_words(one.value)) for one in found.waiting]
    return {"settings": rows, "waiting": waiting, "set": len([row for row in rows if row["is_set"]])}


def _in_words(value: str | int | bool) -> str:
    """A value in words for users."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
