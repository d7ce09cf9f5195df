"""Tables of syntax-tree node types: the facts by which the code of each language is cut, a file for each family.

A node is of one of five kinds:

    function    one piece, with everything inside it
    container   a header piece; the walk goes on through its body, inside the container's scope
    wrapper     surrounds one function or container and belongs to its piece: `export`, decorators, `template <…>`
    scope       surrounds several definitions and belongs to none of them: `if`, `#ifdef`, `extern "C"`
    other       becomes runs of lines

A new language is a new entry in its family (language.py describes an entry). The other modules of this room do not know
languages by name, except for the spelling of names in a few.
"""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.classes import CLASSES
from daypack.chunk.languages.declarative import BUILDS, DECLARATIVE, STYLES
from daypack.chunk.languages.functional import FUNCTIONAL
from daypack.chunk.languages.language import Language
from daypack.chunk.languages.native import NATIVE
from daypack.chunk.languages.scripts import SCRIPTS
from daypack.chunk.languages.web import WEB
from daypack.text.syntax import plain_name

_FAMILIES = (CLASSES, NATIVE, SCRIPTS, WEB, FUNCTIONAL, DECLARATIVE, STYLES, BUILDS)
LANGUAGES: Mapping[str, Language] = {entry.grammar: entry for family in _FAMILIES for entry in family}


def language_of(name: str) -> Language | None:
    """The entry for any usual name of a language, or None."""
    return LANGUAGES.get(plain_name(name))
