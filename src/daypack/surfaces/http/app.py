"""One application: the page, the verbs as REST, and the protocol for agents, behind one gate."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from daypack.surfaces.host import Host
from daypack.surfaces.http import rest
from daypack.surfaces.http.gate import Admission, Gate, cookie_name
from daypack.surfaces.mcp import sdk
from daypack.surfaces.mcp.server import make_server
from daypack.surfaces.team import exchange, vectors
from daypack.surfaces.team.layers import Operations, OwnSessions
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.web import reference, shell, views
from daypack.surfaces.web.visitors import Visitors


def make_app(
    host: Host | Seats,
    visitors: Visitors,
    *,
    version: str,
    admission: Admission,
    port: int,
    hosts: tuple[str, ...],
) -> Gate:
    agents = sdk.http_app(make_server(host, version=version))
    document = rest.described(host, version=version)
    app = Starlette(
        routes=[
            *rest.routes(host, document),
            reference.route(document),
            *views.routes(host, visitors, cookie_name(port)),
            *(() if isinstance(host, Host) else (*exchange.routes(host), *vectors.routes(host))),
            *agents.routes,
        ],
        lifespan=agents.router.lifespan_context,
        exception_handlers={HTTPException: _not_routed},
    )
    return Gate(
        app if isinstance(host, Host) else Operations(OwnSessions(app, sdk.PATH), host.metrics),
        admission=admission,
        port=port,
        hosts=hosts,
        open_paths=shell.OPEN_PATHS,
        visitors=visitors.cookies,
        entrance=shell.ENTRANCE,
        refusal_page=shell.refusal_page,
    )


async def _not_routed(request: Request, error: Exception) -> Response:
    """The answer to a path or method that no route takes: a page for people, a problem for programs."""
    if isinstance(error, HTTPException) and "text/html" in request.headers.get("accept", ""):
        return shell.missing_page(f"This server has no page {request.url.path}.", error.status_code)
    return await rest.not_routed(request, error)
