"""The views of the page: each asks the store on its thread, and hands nouns to a template. Every action is a form."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from daypack.doors import DOORS
from daypack.errors import DaypackError, InputError
from daypack.guard.fences import encode, one_line
from daypack.shapes import memory_data
from daypack.shapes.wording import empty_sentence, minute
from daypack.surfaces.failures import failure_of
from daypack.surfaces.host import Host
from daypack.surfaces.http.gate import COOKIE
from daypack.surfaces.web import bars
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.types import Pack

VIEWS = (("/", "Pack"), ("/why", "Why"), ("/timeline", "Timeline"), ("/memories", "Memories"), ("/store", "Store"))
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
}  # fmt: skip
REASONS = {"budget": "no room", "duplicate": "says the same as another", "low_score": "too far off"}
LARGEST_FORM = 64 << 10
CANDIDATES_SHOWN = 40
EVENTS_SHOWN = 500

View = Callable[[Request], Awaitable[Response]]


class Visitors:
    """The browsers that came in: a one-time key opens the door, and a cookie keeps it open until the server ends."""

    def __init__(self) -> None:
        self.cookies: set[str] = set()
        self._key: str | None = None

    def new_key(self) -> str:
        self._key = secrets.token_urlsafe(32)
        return self._key

    def admit(self, key: str) -> str | None:
        """A cookie for whoever has the key; the key is used up by it. None for another one."""
        if self._key is None or not secrets.compare_digest(key.encode(), self._key.encode()):
            return None
        self._key = None
        cookie = secrets.token_urlsafe(32)
        self.cookies.add(cookie)
        return cookie


def routes(host: Host, visitors: Visitors) -> list[Route]:
    writes = host.ceiling is not Access.READ

    async def enter(request: Request) -> Response:
        cookie = visitors.admit(request.query_params.get("key", ""))
        if cookie is None:
            return HTMLResponse("This link was used already, or is of another run. Start daypack serve anew.\n", 403, headers=HEADERS)
        response = RedirectResponse("/", 303, headers=HEADERS)
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return response

    def page(view: Callable[[Request], Awaitable[tuple[str, dict[str, Any]]]], here: str) -> View:
        async def answer(request: Request) -> Response:
            template, facts = await view(request)
            return _html(template, here, facts, code=404 if facts.get("missing") else 200)

        return answer

    def form(action: Callable[[Mapping[str, str]], Awaitable[str]]) -> View:
        """A form that changes something: it redirects to what there is to see, so that a reload does nothing again."""

        async def answer(request: Request) -> Response:
            if not writes:
                return HTMLResponse("This server was started with --scope read.\n", 403, headers=HEADERS)
            return RedirectResponse(await action(await _fields(request)), 303, headers=HEADERS)

        return answer

    # ------------------------------------------------------------ pack, why, get

    async def pack(request: Request) -> tuple[str, dict[str, Any]]:
        asked = _Asked(request)
        facts: dict[str, Any] = {"form": asked.form, "doors": [*DOORS], "reasons": REASONS, "error": asked.error}
        if not asked.form["q"] or asked.error:
            return "pack.html", facts | {"chunks": await host.run(lambda dp, _: dp.status()["chunks"])}
        try:
            found = await host.run(partial(asked.packed, host))
        except DaypackError as error:
            return "pack.html", facts | {"error": str(error)}
        return "pack.html", facts | {
            "pack": found, "segments": bars.budget_bar(found), "empty": empty_sentence(found.empty_reason) if not found.excerpts else "",
            "command": asked.command(), "next_url": asked.url("/", page=found.next_page or 1), "why_url": asked.url("/why"),
        }  # fmt: skip

    async def why(request: Request) -> tuple[str, dict[str, Any]]:
        asked = _Asked(request)
        facts: dict[str, Any] = {"form": asked.form, "doors": [*DOORS], "sides": [], "error": asked.error}
        if not asked.form["q"] or asked.error:
            return "why.html", facts
        wanted = [(asked.form["q"], asked.form["packing"])]
        if asked.form["q2"] or asked.form["packing2"]:
            wanted.append((asked.form["q2"] or asked.form["q"], asked.form["packing2"] or asked.form["packing"]))
        try:
            for query, packing in wanted:
                found = await host.run(partial(asked.packed, host, query=query, packing=packing))
                facts["sides"].append({
                    "title": f"{query} · {packing}", "pack": found, "rows": bars.score_rows(found, CANDIDATES_SHOWN),
                    "signals": bars.signals_of(found.candidates), "empty": empty_sentence(found.empty_reason),
                })  # fmt: skip
        except DaypackError as error:
            facts["error"] = str(error)
        return "why.html", facts

    async def get(request: Request) -> tuple[str, dict[str, Any]]:
        reference = request.query_params.get("ref", "")
        try:
            return "get.html", {"ref": reference, "found": await host.run(lambda dp, _: dp.get(reference))}
        except DaypackError as error:
            return "get.html", {"ref": reference, "error": str(error), "missing": True}

    # ------------------------------------------------------------ store

    async def store(request: Request) -> tuple[str, dict[str, Any]]:
        path = request.query_params.get("why", "")

        def look(dp: Daypack, _: object) -> dict[str, Any]:
            return {
                "status": dp.status(),
                "checks": dp.doctor(),
                "why": path,
                "verdict": _verdict(dp, path, writes=writes) if path.strip() else None,
            }

        return "store.html", await host.run(look)

    async def add(fields: Mapping[str, str]) -> str:
        name = fields.get("file", "")
        await host.run(lambda dp, step: dp.files.add(dp.root / dp.files.name_of(name), progress=step))
        return f"/store?{urlencode({'why': name})}#why"

    # ------------------------------------------------------------ memories

    async def memories(request: Request) -> tuple[str, dict[str, Any]]:
        query, key, cursor = (request.query_params.get(name, "") for name in ("q", "key", "cursor"))

        def look(dp: Daypack, _: object) -> dict[str, Any]:
            door = dp.memories
            facts: dict[str, Any] = {"q": query, "key": key, "waiting": door.review(), "cursor": ""}
            if query.strip():
                facts["memories"] = [hit.memory for hit in door.search(query, top_k=50).hits]
            else:
                found = door.list(limit=100, cursor=cursor)
                facts |= {"memories": found.memories, "cursor": found.cursor}
            if key:
                history = door.history(key)
                facts["memory_history"] = history if isinstance(history, tuple) else ()
            return facts

        try:
            return "memories.html", {**await host.run(look), "receipt": receipts.pop(request.query_params.get("done", ""), None)}
        except DaypackError as error:
            return "memories.html", {"q": query, "error": str(error)}

    async def forget(fields: Mapping[str, str]) -> str:
        receipt = await host.run(lambda dp, _: memory_data.of_receipt(dp.memories.forget(fields.get("key", ""))))
        number = secrets.token_urlsafe(8)
        receipts[number] = receipt
        return f"/memories?{urlencode({'done': number})}"

    async def restore(fields: Mapping[str, str]) -> str:
        key = fields.get("key", "")
        await host.run(lambda dp, _: dp.memories.restore(key, fields.get("version", "")))
        return f"/memories?{urlencode({'key': key})}#history"

    async def review(fields: Mapping[str, str]) -> str:
        accepts = fields.get("verdict") == "accept"
        key, version = fields.get("key", ""), fields.get("version", "")
        await host.run(lambda dp, _: (dp.memories.accept if accepts else dp.memories.reject)(key, version))
        return "/memories"

    receipts: dict[str, Any] = {}

    # ------------------------------------------------------------ timeline

    async def timeline(request: Request) -> tuple[str, dict[str, Any]]:
        session = request.query_params.get("session", "all") or "all"
        category = request.query_params.get("category", "")

        def look(dp: Daypack, _: object) -> dict[str, Any]:
            from daypack.session_types import Category

            names = [category.value for category in Category]
            known = [found.id for found in dp.sessions.sessions()]
            wanted = [category] if category in names else []
            chosen = dp.sessions.timeline(session=session, limit=EVENTS_SHOWN, categories=wanted).events if known else ()
            first, last = (chosen[0].last_at, chosen[-1].last_at) if chosen else (0.0, 1.0)
            rows = [
                {
                    "time": event.last_at, "category": event.category.value, "text": one_line(event.text, 400),
                    "colour": names.index(event.category.value) % bars.COLOURS,
                    "left": 99.5 * (event.last_at - first) / max(last - first, 1e-9), "about": f"{minute(event.last_at)} {event.category.value}",
                }
                for event in chosen
            ]  # fmt: skip
            return {"events": rows, "marks": rows, "sessions": known, "session": session, "categories": names, "category": category}

        try:
            return "timeline.html", await host.run(look)
        except DaypackError as error:
            return "timeline.html", {"error": str(error), "sessions": [], "categories": [], "session": session, "category": category}

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            return Response("there is no such file\n", 404, headers=HEADERS)
        return Response(_static(name), media_type=STATIC[name], headers={**HEADERS, "Cache-Control": "max-age=3600"})

    return [
        Route("/enter", enter), Route("/static/{name}", static),
        Route("/", page(pack, "/")), Route("/why", page(why, "/why")), Route("/get", page(get, "")), Route("/store", page(store, "/store")),
        Route("/memories", page(memories, "/memories")), Route("/timeline", page(timeline, "/timeline")),
        Route("/store/add", form(add), methods=["POST"]), Route("/memories/forget", form(forget), methods=["POST"]),
        Route("/memories/restore", form(restore), methods=["POST"]), Route("/memories/review", form(review), methods=["POST"]),
    ]  # fmt: skip


STATIC = {"style.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8"}
OPEN_PATHS = ("/enter", "/health", *(f"/static/{name}" for name in STATIC))


class _Asked:
    """The question form: as it is shown again, and as a call."""

    def __init__(self, request: Request) -> None:
        given = request.query_params
        self.error = ""
        self.form: dict[str, Any] = {name: given.get(name, "").strip() for name in ("q", "q2", "source", "packing2")}
        self.form |= {"tokenizer": given.get("tokenizer", "o200k"), "packing": given.get("packing", "auto") or "auto"}
        self.form["doors"] = [name for name in given.getlist("in") if name in DOORS]
        budget, page = given.get("budget", "4000") or "4000", given.get("page", "1")
        if not budget.isdigit() or len(budget) > 7:
            self.error, budget = "The budget must be a whole number.", "4000"
        self.form["budget"], self._page = int(budget), int(page) if page.isdigit() and len(page) < 3 else 1

    def packed(self, host: Host, daypack: Daypack, step: Callable[[int, int], None], *, query: str = "", packing: str = "") -> Pack:
        host.prepare(daypack, step)
        narrow: dict[str, Any] = {"door": self.form["doors"]} if self.form["doors"] else {}
        if self.form["source"]:
            narrow["source"] = [self.form["source"]]
        return daypack.pack(
            query or self.form["q"], budget=self.form["budget"], tokenizer=self.form["tokenizer"], packing=packing or self.form["packing"],
            page=max(1, self._page), **narrow,
        )  # fmt: skip

    def command(self) -> str:
        """The same question on the command line."""
        words = ["daypack", "pack", self.form["q"], "--budget", str(self.form["budget"])]
        for name, usual in (("tokenizer", "o200k"), ("packing", "auto"), ("source", "")):
            if self.form[name] != usual:
                words += [f"--{name}", self.form[name]]
        for door in self.form["doors"]:
            words += ["--in", door]
        if self._page > 1:
            words += ["--page", str(self._page)]
        return shlex.join(words)

    def url(self, path: str, **changes: Any) -> str:
        kept = [(name, value) for name, value in self.form.items() if name != "doors" and value] + [
            ("in", door) for door in self.form["doors"]
        ]
        return f"{path}?{urlencode([*kept, *changes.items()])}"


def _verdict(daypack: Daypack, path: str, *, writes: bool) -> dict[str, Any]:
    """Why a file is, or is not, in the store, and what would change that."""
    try:
        issue = daypack.files.why(path)
    except InputError as error:  # there is no such file, or it is elsewhere
        return {"text": str(error), "mend": "Paths are written as they stand below the project's root."}
    if issue is None and daypack.engine.store.find_records(daypack.files.name_of(path)):
        return {"text": f"{path} is in the store; a pack leaves it out when other texts are worth more for the question, or say the same.",
                "mend": "Ask for it by its name, raise the budget, or hold the question to it under “Files that match”."}  # fmt: skip
    if issue is None:
        return {"text": f"{path} is not in the store yet, and nothing forbids it.", "mend": "", "can_add": writes}
    why = issue.reason.value.replace("_", " ")
    return {"text": f"{path} is passed over: {why}{': ' + issue.detail if issue.detail else ''}.",
            "mend": f"If it should be found, name it: daypack add {shlex.quote(path)}"}  # fmt: skip


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form. Raises InputError."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise InputError("a form was expected")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            raise InputError("the form is too large")
    return {name: values[-1] for name, values in parse_qs(body.decode("utf-8", "replace"), max_num_fields=50).items()}


def error_page(request: Request, error: Exception) -> Response:
    """What a form could not do, in words."""
    failure = failure_of(error, request.url.path)
    return _html("error.html", "", {"error": failure.message}, code=failure.status)


def _html(template: str, here: str, facts: Mapping[str, Any], *, code: int) -> Response:
    text = _templates().get_template(template).render({**facts, "here": here, "views": VIEWS})
    return HTMLResponse(text.encode("utf-8", "replace"), code, headers=HEADERS)


@cache
def _templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("daypack.surfaces.web"), autoescape=True, trim_blocks=True, undefined=jinja2.ChainableUndefined
    )
    found.filters |= {"shown": _shown, "minute": lambda at: "" if at is None else minute(at)}
    return found


def _shown(text: Any) -> str:
    """Stored text as it can be shown: what is invisible, or turns a line around, is written out. Escaping of HTML comes after."""
    return encode(str(text or ""))[0]


@cache
def _static(name: str) -> bytes:
    return (resources.files("daypack.surfaces.web") / "static" / name).read_bytes()
