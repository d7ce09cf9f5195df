"""Front matter that tells a reader nothing: settings of a site, and empty forms.

title: Limits            the title, which the page repeats, and settings
layout: page

author:                  a template of notes: most keys have no value
finished: {{date}}
tags:
  - book
"""

from __future__ import annotations

import re

# Lines that repeat the title or serve the site, and the keys of the others.
_TITLE = re.compile(
    r"^(?:title|nav_?title|sidebar_\w+|slug|id|layout|parent|permalink|template)[ \t]*[:=].*|^[\w-]+[ \t]*[:=]",
    re.MULTILINE,
)
# Those whose value is the path of a file or page, a map of strings, or a switch of the site; `reviewed: true` says something.
_FOR_TOOLS = re.compile(
    r"^(?:[\w-]+[ \t]*[:=][ \t]*(?:[\"']?(?:\.{0,2}/[\w./@-]*|[\w.@-]+/[\w./@-]*\.[A-Za-z]\w*)[\"']?|\{[ \t]*[\"'{].*\})"
    r"|(?:comments|draft|hidden|math|published|search|sitemap|unlisted|[\w-]*(?:children|hide|index|nav|show|sidebar|toc)[\w-]*)"
    r"[ \t]*[:=][ \t]*(?:true|false))[ \t]*$",
    re.MULTILINE,
)
_KEY = re.compile(r"^[\w-][\w -]*[:=]", re.MULTILINE)
# A key without a value, or with a mark for one; a list or a map may follow below.
_OPEN = re.compile(
    r"^[\w-][\w -]*[:=][ \t]*(?:\[[ \t]*\]|\{[ \t]*\}|\"\"|''|null|~|[\"']?(?:\{\{.*\}\}|<%.*%>)[\"']?)?[ \t]*\r?$"
    r"(?!\n(?:[ \t]+|-[ \t])[^\s])",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\W_]{2,}")
FORM = 2  # keys without a value, at least, of a form


def tells(front: str) -> bool:
    """True for front matter that has something to look for beside the title."""
    empty = len(_OPEN.findall(front))
    if empty >= FORM and 2 * empty > len(_KEY.findall(front)):
        return False
    return _WORD.search(_TITLE.sub("", _FOR_TOOLS.sub("", front))) is not None
