"""Languages of builds: their definitions are targets and rules."""

from __future__ import annotations

from collections.abc import Mapping

from daypack.chunk.languages.language import Language
from daypack.text.name_sets import name_set

_CMAKE_TARGETS = "add_executable add_library add_custom_target add_test"

BUILDS: Mapping[str, Language] = {
    "cmake": Language(
        grammar="cmake",
        functions=name_set(f"function_def macro_def {_CMAKE_TARGETS} {_CMAKE_TARGETS.upper()}"),
        scopes=name_set("if_condition foreach_loop while_loop block_def body"),
        imports=name_set("include INCLUDE find_package FIND_PACKAGE add_subdirectory ADD_SUBDIRECTORY"),
        calls=name_set("normal_command"),
        labels=name_set("argument"),
        ends=r"\s*\n",
    ),
    "make": Language(
        grammar="make",
        functions=name_set("rule define_directive"),
        scopes=name_set("conditional elsif_directive else_directive"),
        imports=name_set("include_directive"),
        needs_body=name_set("rule"),
        calls=name_set("rule"),
        labels=name_set("targets"),
        leads=(".PHONY",),
    ),
}
