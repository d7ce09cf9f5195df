"""The common parts of all views: the content policy, templates, forms, and pages about errors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import parse_qs

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from daypack.errors import InputError
from daypack.guard.fences import encode
from daypack.shapes.strict_json import canonical
from daypack.shapes.wording import counted, minute
from daypack.surfaces.failures import Failure, failure_of
from daypack.surfaces.web.messages import coded, sentence

VIEWS = (
    ("/", "Pack"), ("/why", "Why"), ("/code", "Code"), ("/sessions", "Sessions"), ("/memories", "Memories"), ("/sources", "Sources"),
    ("/documents", "Documents"), ("/evaluations", "Evaluations"), ("/store", "Store"), ("/settings", "Settings"),
)  # fmt: skip
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
    # Without any referrer a browser sends its own forms with `Origin: null`, as those of strangers.
    "Referrer-Policy": "same-origin",
}  # fmt: skip
STATIC = {"style.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8"}
ENTRANCE = "/enter"
OPEN_PATHS = (ENTRANCE, "/health", *(f"/static/{name}" for name in STATIC))
LARGEST_FORM = 64 << 10
LONGEST_IN_A_LIST = 300  # characters


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form. Raises InputError."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise InputError("a form was expected")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            raise InputError(_oversize(request.headers.get("content-length", "")))
    return {
        name: values[-1]
        for name, values in parse_qs(body.decode("utf-8", "replace"), max_num_fields=50).items()
    }


def _oversize(length: str) -> str:
    size = f"has {-(-int(length) // 1024):,} KB as sent" if length.isdigit() else "is too large"
    return f"the form {size}; at most {LARGEST_FORM >> 10} KB are allowed, so shorten its longest field or send the text in parts"


class NeedsView(InputError):
    """A form that was refused, where another view shows the next step: `view` is its address and its name."""

    def __init__(self, message: str, view: tuple[str, str]) -> None:
        super().__init__(message)
        self.view = view


def error_page(error: Exception, path: str) -> Response:
    """A page that explains why a view or a form failed, with the way back to the view."""
    failure = failure_of(error, path)
    facts = {
        "error": failure.message,
        "next_view": error.view if isinstance(error, NeedsView) else None,
        "back": next((view for view in VIEWS[::-1] if path.startswith(view[0]) and path != view[0]), None),
    }
    return html("error.html", "", facts, code=failure.status)


def refusal_page(refusal: Failure) -> Response:
    """The page for a browser whose request did not pass the gate."""
    stranger = refusal.status == 401
    facts = {
        "heading": "Not signed in" if stranger else "Refused",
        "error": refusal.message,
        "entrance": ENTRANCE if stranger else "",
    }
    response = html("error.html", "", facts, code=refusal.status)
    response.headers["Connection"] = "close"  # the body of the request stays unread
    if stranger:
        response.headers["WWW-Authenticate"] = 'Bearer realm="daypack"'
    return response


def missing_page(said: str, status: int) -> Response:
    """The page for an unknown address."""
    return html("error.html", "", {"heading": "No such page", "error": said}, code=status)


def html(template: str, here: str, facts: Mapping[str, Any], *, code: int) -> Response:
    text = _templates().get_template(template).render({**facts, "here": here, "views": VIEWS})
    return HTMLResponse(text.encode("utf-8", "replace"), code, headers=HEADERS)


def exported(template: str, facts: Mapping[str, Any], name: str) -> Response:
    """A page as a single file to save, with its style sheet inside and without scripts."""
    style = Markup(_static("style.css").decode())  # noqa: S704 - a file of the package
    text = _templates().get_template(template).render({**facts, "style": style})
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return HTMLResponse(text.encode("utf-8", "replace"), headers=headers)


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        return Response("unknown file\n", 404, headers=HEADERS)
    return Response(
        _static(name), media_type=STATIC[name], headers={**HEADERS, "Cache-Control": "max-age=3600"}
    )


@cache
def _templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("daypack.surfaces.web"),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.ChainableUndefined,
    )
    found.filters |= {
        "shown": _shown,
        "path": _path,
        "opening": _opening,
        "coded": coded,
        "counted": counted,
        "agreeing": _agreeing,
        "sentence": sentence,
        "minute": lambda at: "" if at is None else minute(at),
        "json": canonical,
        "static": _address,
    }
    return found


def _shown(text: Any) -> str:
    """Stored text that can be shown: invisible characters, and those that reverse a line, are written as escapes. HTML is escaped
    afterwards.
    """
    return encode(str(text or ""))[0]


def _path(text: str) -> Markup:
    """A path with possible line breaks after its slashes."""
    return Markup("/<wbr>").join(_shown(text).split("/"))


def _agreeing(number: int, of_one: str, of_several: str) -> str:
    """The word that agrees with a number."""
    return of_one if number == 1 else of_several


def _opening(text: str, most: int = LONGEST_IN_A_LIST) -> str:
    """The beginning of a text that fits into a list."""
    return text if len(text) <= most else f"{text[: most - 2]} …"


@cache
def _address(name: str) -> str:
    """The address of a static file. It changes with the file, so that no browser shows an older copy."""
    return f"/static/{name}?v={hashlib.sha256(_static(name)).hexdigest()[:12]}"


@cache
def _static(name: str) -> bytes:
    return (resources.files("daypack.surfaces.web") / "static" / name).read_bytes()
