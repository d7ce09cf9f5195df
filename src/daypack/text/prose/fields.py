"""Fields of AsciiDoc, reStructuredText and Org that are settings, and tell a reader nothing.

:toc: left                        how to show the text; the address of a link that has a name
:revdate: 2026-11-04              no setting
"""

from __future__ import annotations

import re

_SPHINX = re.compile(r"^:(?:orphan|tocdepth|no-?search|nocomments):[^\n]*", re.MULTILINE)
_SETTINGS = {
    "asciidoc": re.compile(
        r"^:(?:[\w-]+:[ \t]*(?:https?://\S+)?$"
        r"|![\w-]+:|[\w-]+!:"
        r"|(?:toc|sect(?:num|anchor|link|id)|icon|(?:source-)?highlight|rouge|pygments|coderay|page-|pdf-|xref)[\w-]*:"
        r"|[\w-]*(?:caption|signifier):"
        r"|(?:attachments|customcss|doc|docinfo|examples|highlightjs|icons|images|imagesout|out|partials|revealjs|scripts|styles)dir:"
        r"|(?:doctype|backend|lang|stem|stylesheet|linkcss|experimental|docinfo|eqnums|idprefix|idseparator):)"
        r"[^\n]*",
        re.MULTILINE,
    ),
    "org": re.compile(
        r"^[ \t]*:(?:PROPERTIES|LOGBOOK|END|ID|CUSTOM_ID):[^\n]*", re.MULTILINE | re.IGNORECASE
    ),
    "rst": _SPHINX,
    "restructuredtext": _SPHINX,
}


def without_settings(text: str, language: str) -> str:
    """The text without the lines that are settings in its language."""
    settings = _SETTINGS.get(language)
    return text if settings is None else settings.sub("", text)
