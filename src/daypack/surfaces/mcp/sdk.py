"""The protocol's SDK, of either generation: what a server answers is plain data in the form of the wire, and only this
module knows the classes around it.

The second generation has the package `mcp_types` and takes its handlers at once; the first (langchain-mcp-adapters
brings it) has `mcp.types` and a table of handlers by the class of the request.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from importlib.util import find_spec
from typing import Any, Protocol

IS_FIRST = find_spec("mcp_types") is None
types: Any = importlib.import_module("mcp.types" if IS_FIRST else "mcp_types")

INVALID_PARAMS: int = types.INVALID_PARAMS
PATH = "/mcp"  # of a server over HTTP


class Session(Protocol):
    """A client's session: its name, and messages that the handler of a request may send beside its answer."""

    conversation: str  # over HTTP; "" where it has none, as on standard streams
    scope: Mapping[str, Any] | None  # of ASGI, of the request that is answered; None on standard streams

    async def report(self, done: int, total: int) -> None:
        """Progress of a request, where the client asked for it."""

    async def tools_changed(self) -> None:
        """Tell the client that the list of tools is another one."""


Handler = Callable[[dict[str, Any], Session], Awaitable[dict[str, Any]]]

# Method → the names of its request, its result, and its handler in the second generation.
_METHODS = {
    "tools/list": ("ListToolsRequest", "ListToolsResult", "on_list_tools"),
    "tools/call": ("CallToolRequest", "CallToolResult", "on_call_tool"),
    "resources/list": ("ListResourcesRequest", "ListResourcesResult", "on_list_resources"),
    "resources/templates/list": ("ListResourceTemplatesRequest", "ListResourceTemplatesResult", "on_list_resource_templates"),
    "resources/read": ("ReadResourceRequest", "ReadResourceResult", "on_read_resource"),
    "prompts/list": ("ListPromptsRequest", "ListPromptsResult", "on_list_prompts"),
    "prompts/get": ("GetPromptRequest", "GetPromptResult", "on_get_prompt"),
    "completion/complete": ("CompleteRequest", "CompleteResult", "on_completion"),
}  # fmt: skip


def refusal(message: str) -> Exception:
    """The error that a client gets as "invalid params"."""
    errors = importlib.import_module("mcp.shared.exceptions")
    if IS_FIRST:
        found: Exception = errors.McpError(types.ErrorData(code=INVALID_PARAMS, message=message))
    else:
        found = errors.MCPError(INVALID_PARAMS, message)
    return found


def server(name: str, handlers: Mapping[str, Handler], *, version: str, title: str, instructions: str) -> Any:
    """A server of the SDK that answers each method by its handler."""
    lowlevel = importlib.import_module("mcp.server.lowlevel")
    if not IS_FIRST:
        made = {_METHODS[method][2]: _second(method, handler) for method, handler in handlers.items()}
        return lowlevel.Server(name, version=version, title=title, instructions=instructions, **made)
    found = lowlevel.Server(name, version=version, instructions=instructions)
    for method, handler in handlers.items():
        request = getattr(types, _METHODS[method][0])
        found.request_handlers[request] = _first(found, method, handler)
    return found


def options(server: Any) -> Any:
    """The options of a session with a server whose list of tools may grow."""
    lowlevel = importlib.import_module("mcp.server.lowlevel")
    return server.create_initialization_options(lowlevel.NotificationOptions(tools_changed=True))


def _second(method: str, handler: Handler) -> Callable[[Any, Any], Awaitable[Any]]:
    result = getattr(types, _METHODS[method][1])

    async def handle(context: Any, params: Any) -> Any:
        return result.model_validate(await handler(_plain(params), _SecondSession(context)))

    return handle


def _first(server: Any, method: str, handler: Handler) -> Callable[[Any], Awaitable[Any]]:
    result = getattr(types, _METHODS[method][1])

    async def handle(request: Any) -> Any:
        context = server.request_context
        answer = await handler(_plain(request.params), _FirstSession(context))
        return types.ServerResult(result.model_validate(answer))

    return handle


def _plain(params: Any) -> dict[str, Any]:
    return {} if params is None else dict(params.model_dump(mode="json", by_alias=True, exclude_none=True))


class _SecondSession:
    def __init__(self, context: Any) -> None:
        self._session = context.session
        headers = getattr(context.request, "headers", None)
        self.scope: Mapping[str, Any] | None = getattr(context.request, "scope", None)
        self.conversation: str = headers.get("mcp-session-id", "") if headers is not None else ""

    async def report(self, done: int, total: int) -> None:
        await self._session.report_progress(done, total or None)

    async def tools_changed(self) -> None:
        await self._session.send_tool_list_changed()


class _FirstSession(_SecondSession):
    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._token = context.meta.progressToken if context.meta else None

    async def report(self, done: int, total: int) -> None:
        if self._token is not None:
            await self._session.send_progress_notification(self._token, done, total or None)


# ---------------------------------------------------------------- messages


def message_of(data: Any) -> Any:
    """The message of parsed JSON. Raises pydantic's ValidationError, ValueError, RecursionError."""
    if IS_FIRST:
        return types.JSONRPCMessage.model_validate(data)
    return types.jsonrpc_message_adapter.validate_python(data, by_name=False)


def http_app(server: Any) -> Any:
    """The protocol over streamable HTTP, without checks of Host and Origin: the gate before it makes these."""
    security = importlib.import_module("mcp.server.transport_security")
    unchecked = security.TransportSecuritySettings(enable_dns_rebinding_protection=False)
    if not IS_FIRST:
        return server.streamable_http_app(streamable_http_path=PATH, transport_security=unchecked)
    from starlette.applications import Starlette
    from starlette.routing import Route

    manager = importlib.import_module("mcp.server.streamable_http_manager").StreamableHTTPSessionManager(
        server, security_settings=unchecked
    )

    class Endpoint:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    return Starlette(routes=[Route(PATH, Endpoint())], lifespan=lambda _: manager.run())
