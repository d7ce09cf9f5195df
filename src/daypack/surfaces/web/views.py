"""The views of the page: each asks the store on its thread, and hands nouns to a template.

Every action is a form.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from daypack.doors.memories import serialize as memory_data
from daypack.doors.registry import door_names
from daypack.errors import DaypackError, InputError
from daypack.shapes.wording import empty_sentence, minute
from daypack.surfaces.host import Host, Progress
from daypack.surfaces.http.gate import COOKIE
from daypack.surfaces.web import bars, documents, evaluations, memories, timeline
from daypack.surfaces.web.asked import Asked
from daypack.surfaces.web.plots import Plot, plot, rounded_up
from daypack.surfaces.web.shell import HEADERS, Visitors, error_page, form_fields, html, static
from daypack.types import RecordKind, SkipReason
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.memories.types import Receipt

REASONS = {"budget": "no room", "duplicate": "a duplicate of another", "low_score": "not relevant enough"}
PIPED = "To find its text anyway, keep it under its name: daypack add - --name {quoted} < {quoted}"
MENDS = {
    SkipReason.IGNORED: "Remove that line, or overrule it with a line in .daypackignore: !{name}",
    SkipReason.SECRET_FILE: "Such files are never opened. Put text that may be found into a file of "
    "another name.",
    SkipReason.BINARY: "Only text is found. Put its content into a text file beside it.",
    SkipReason.EMPTY: "As soon as it contains text, the next question finds it.",
    SkipReason.UNREADABLE: "Once it is readable, the next question finds it.",
    SkipReason.CHANGED_WHILE_READING: "The next question reads it again.",
    SkipReason.LOCKED_OR_DAMAGED: "Save it without a password, and the next question finds it.",
    SkipReason.NEEDS_EXTRA: "Then the next question finds it.",
    SkipReason.NOT_A_FILE: "Only files are read.",
    SkipReason.OUTSIDE_ROOT: "Links are not followed. A copy inside the project is found.",
}
CANDIDATES_SHOWN = 40
RECEIPTS_KEPT = 32
DAY = 86_400

Facts = dict[str, Any]
View = Callable[[Request], Awaitable[Response]]
Look = Callable[["Daypack", Mapping[str, str]], Facts]
Action = Callable[["Daypack", Mapping[str, str], Progress], str]


def routes(host: Host, visitors: Visitors) -> list[Route]:
    writes = host.ceiling is not Access.READ
    receipts: dict[str, Any] = {}

    async def enter(request: Request) -> Response:
        """The one-time link, and a form for the token, by which a further browser comes in."""
        if request.method == "POST":
            try:
                cookie = visitors.admit_by_token((await form_fields(request)).get("token", "").strip())
            except DaypackError as error:
                return error_page(error, "/enter")
            refused = "That is not the token of this server."
        else:
            cookie = visitors.admit(request.query_params.get("key", ""))
            refused = (
                "This link was used already, or belongs to another run."
                if "key" in request.query_params
                else ""
            )
        if cookie is None:
            facts = {"error": refused, "file": visitors.token_file}
            return html("enter.html", "/enter", facts, code=403 if refused else 200)
        response = RedirectResponse("/", 303, headers=HEADERS)
        response.set_cookie(COOKIE, cookie, httponly=True, samesite="strict")
        return response

    def page(path: str, view: Callable[[Request], Awaitable[tuple[str, Facts]]]) -> Route:
        async def answer(request: Request) -> Response:
            try:
                template, facts = await view(request)
                return html(
                    template, path, {"writes": writes, **facts}, code=404 if facts.get("missing") else 200
                )
            except Exception as error:
                return error_page(error, path)

        return Route(path, answer)

    def looks(path: str, template: str, look: Look) -> Route:
        """A view that reads the store once; a faulty request is explained above the view."""

        async def view(request: Request) -> tuple[str, Facts]:
            given = dict(request.query_params)
            try:
                facts = await host.run(lambda daypack, _: look(daypack, given))
            except DaypackError as error:
                facts = {**await host.run(lambda daypack, _: look(daypack, {})), "error": str(error)}
            return template, {**facts, "receipt": receipts.pop(given.get("done", ""), None)}

        return page(path, view)

    def form(path: str, action: Action) -> Route:
        """A form that changes something: it redirects to the result, so that a reload repeats nothing."""

        async def answer(request: Request) -> Response:
            if not writes:
                return HTMLResponse("This server was started with --access read.\n", 403, headers=HEADERS)
            try:
                fields = await form_fields(request)
                seen = await host.run(lambda daypack, step: action(daypack, fields, step))
                return RedirectResponse(seen, 303, headers=HEADERS)
            except Exception as error:
                return error_page(error, path)

        return Route(path, answer, methods=["POST"])

    # ------------------------------------------------------------ pack, why, get

    def question(asked: Asked) -> Facts:
        return {
            "form": asked.form,
            "special": asked.is_special,
            "doors": [*door_names()],
            "kinds": [kind.value for kind in RecordKind],
            "error": asked.error,
        }

    async def pack(request: Request) -> tuple[str, Facts]:
        asked = Asked(request)
        facts = question(asked) | {"reasons": REASONS}
        if not asked.form["q"] or asked.error:
            # this view asks the store nothing: the first page appears at once, however large the store is
            return "pack.html", facts
        try:
            found = await host.run(partial(asked.packed, host))
        except DaypackError as error:
            return "pack.html", facts | {"error": str(error)}
        return "pack.html", facts | {
            "pack": found,
            "segments": bars.budget_bar(found),
            "empty": empty_sentence(found.empty_reason) if not found.excerpts else "",
            "why": bars.reasons(found),
            "best": bars.best_score(found),
            "command": asked.command(),
            "next_url": asked.url("/", page=found.next_page or 1),
            "json_url": asked.url("/pack.json", page=asked.page),
            "why_url": asked.url("/why"),
            "beside_url": asked.url(
                "/why", packing2="prefix" if asked.form["packing"] != "prefix" else "auto"
            ),
        }

    async def pack_json(request: Request) -> Response:
        """The pack of the first view as JSON, which is as long as the view itself and rarely wanted."""
        asked = Asked(request)
        try:
            found = await host.run(partial(asked.packed, host))
        except DaypackError as error:
            return error_page(error, "/")
        return Response(found.to("json"), media_type="application/json", headers=HEADERS)

    async def why(request: Request) -> tuple[str, Facts]:
        asked = Asked(request)
        facts = question(asked) | {"sides": []}
        if not asked.form["q"] or asked.error:
            return "why.html", facts
        wanted = [(asked.form["q"], asked.form["packing"])]
        if asked.form["q2"] or asked.form["packing2"]:
            wanted.append(
                (asked.form["q2"] or asked.form["q"], asked.form["packing2"] or asked.form["packing"])
            )
        try:
            for query, packing in wanted:
                found = await host.run(partial(asked.packed, host, query=query, packing=packing))
                facts["sides"].append(
                    {
                        "title": f"{query} · {packing}",
                        "pack": found,
                        "rows": bars.score_rows(found, CANDIDATES_SHOWN),
                        "signals": bars.signals_of(found.candidates),
                        "empty": empty_sentence(found.empty_reason),
                    }
                )
        except DaypackError as error:
            facts["error"] = str(error)
        return "why.html", facts

    async def get(request: Request) -> tuple[str, Facts]:
        reference = request.query_params.get("ref", "")
        try:
            return "get.html", {
                "ref": reference,
                "found": await host.run(lambda daypack, _: daypack.get(reference)),
            }
        except DaypackError as error:
            return "get.html", {"ref": reference, "error": str(error), "missing": True}

    # ------------------------------------------------------------ forms

    def add(daypack: Daypack, fields: Mapping[str, str], step: Progress) -> str:
        name = fields.get("file", "")
        daypack.files.add(daypack.root / daypack.files.name_of(name), progress=step)
        return f"/store?{urlencode({'why': name})}#why"

    def noted(receipt: Receipt) -> str:
        """The page that shows a receipt once: it names removed things, so it is kept nowhere."""
        number = secrets.token_urlsafe(8)
        receipts[number] = memory_data.receipt_to_dict(receipt)
        while len(receipts) > RECEIPTS_KEPT:
            del receipts[next(iter(receipts))]
        return f"/memories?{urlencode({'done': number})}"

    def forget(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        return noted(daypack.memories.forget(fields.get("key", ""), shared="shared" in fields))

    def redact(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        key, reason = fields.get("key", ""), fields.get("reason", "")
        return noted(daypack.memories.redact(key, reason=reason, shared="shared" in fields))

    def supersede(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        key, value, version = fields.get("key", ""), fields.get("value", ""), fields.get("version", "")
        # The version that the user saw comes with a correction, so that it cannot replace a newer value
        # unseen.
        expected = version if version or "new" in fields else None
        text, shared = value.replace("\r\n", "\n"), "shared" in fields
        daypack.memories.remember(key, text, version=expected, shared=shared)
        return f"/memories?{urlencode({'key': key})}#history"

    def restore(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        key = fields.get("key", "")
        daypack.memories.restore(key, fields.get("version", ""))
        return f"/memories?{urlencode({'key': key})}#history"

    def review(daypack: Daypack, fields: Mapping[str, str], _: Progress) -> str:
        door = daypack.memories
        judge = door.accept if fields.get("verdict") == "accept" else door.reject
        judge(fields.get("key", ""), fields.get("version", ""), shared="shared" in fields)
        return "/memories"

    return [
        Route("/enter", enter, methods=["GET", "POST"]),
        Route("/static/{name}", static),
        Route("/pack.json", pack_json),
        page("/", pack),
        page("/why", why),
        page("/get", get),
        looks("/store", "store.html", partial(_store, writes=writes)),
        looks("/timeline", "timeline.html", timeline.look),
        looks("/memories", "memories.html", memories.look),
        looks("/documents", "documents.html", documents.look),
        looks(
            "/evaluations",
            "evaluations.html",
            lambda daypack, given: evaluations.look(daypack.engine.store.folder, given),
        ),
        form("/store/add", add),
        form("/memories/forget", forget),
        form("/memories/redact", redact),
        form("/memories/supersede", supersede),
        form("/memories/restore", restore),
        form("/memories/review", review),
    ]


def _store(daypack: Daypack, given: Mapping[str, str], *, writes: bool) -> Facts:
    path, grown = given.get("why", ""), daypack.growth()
    return {
        "status": daypack.status(),
        "checks": daypack.doctor() if given.get("doctor") else None,
        "why": path,
        "growth": _growth(grown) if grown else None,
        "verdict": _verdict(daypack, path, writes=writes) if path.strip() else None,
    }


def _growth(grown: list[tuple[float, int]]) -> Plot:
    (first, _), (last, most) = grown[0], grown[-1]
    clock = slice(11, None) if last - first < DAY else slice(10)
    return plot(
        {"records": grown},
        top=rounded_up(most),
        about=f"{most:,} records, the first of {minute(first)}, the last of {minute(last)}",
        across=lambda at: minute(at)[clock],
        up=lambda count: f"{count:,.0f}",
        steps=True,
        marked=False,
    )


def _verdict(daypack: Daypack, path: str, *, writes: bool) -> Facts:
    """The reason why a file is or is not in the store, and the remedy."""
    try:
        issue = daypack.files.why(path)
    except InputError as error:  # the file does not exist, or is elsewhere
        return {"text": str(error), "mend": "Write paths relative to the project's root."}
    if issue is None and daypack.engine.store.find_records(daypack.files.name_of(path)):
        return {
            "text": f"{path} is in the store; a pack leaves it out when other texts are worth more "
            f"for the question, or duplicate it.",
            "mend": "Ask for it by its name, raise the budget, or limit the question to it under "
            "“Only files”.",
        }
    if issue is None:
        return {"text": f"{path} is not in the store yet, but can be added.", "mend": "", "can_add": writes}
    why, name = issue.reason.value.replace("_", " "), daypack.files.name_of(path)
    return {
        "text": f"{path} is skipped: {why}{': ' + issue.detail if issue.detail else ''}.",
        "mend": MENDS.get(issue.reason, PIPED).format(name=name, quoted=shlex.quote(name)),
    }
