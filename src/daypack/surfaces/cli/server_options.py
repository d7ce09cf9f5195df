"""Options of every command that serves; they cost no import of a server."""

from __future__ import annotations

from typing import Annotated, TypedDict

from daypack.verbs.table import Flag, Range

ACCESS = "[read|write|dangerous]"


class ServerOptions(TypedDict, total=False):
    """The store to serve, its viewer, and its address."""

    access: Annotated[str, "Access that tools get.", Flag(metavar=ACCESS, default="write", seed="--scope")]
    tools: Annotated[list[str], "A toolset to offer, or all.", Flag(metavar="NAME", default=("core",))]
    roots: Annotated[
        list[str], "The only folders where stores may be.", Flag("--root", metavar="FOLDER", read="path")
    ]
    owner: Annotated[str, "The owner whose memories are visible. [default: user]", Flag(metavar="NAME")]
    project: Annotated[str, "The project, in a store that several share.", Flag(metavar="NAME")]
    address: Annotated[str, "The address to listen on.", Flag("--host", default="127.0.0.1")]
    port: Annotated[int, "The port; 0 takes a free one.", Range(0, 65535), Flag(default=8377)]
    names: Annotated[
        list[str], "Another name of this server.", Flag("--host-name", metavar="HOST", retired="--name")
    ]
    beyond: Annotated[
        bool, "Allow an address that other machines can reach.", Flag("--beyond-this-machine", default=False)
    ]
    store: Annotated[str, "The store to use.", Flag(metavar="FOLDER", read="path")]
