"""Languages of builds: their definitions are targets and rules."""

from __future__ import annotations

from daypack.chunk.languages.language import language

_CMAKE_TARGETS = "add_executable add_library add_custom_target add_test"

BUILDS = (
    language(
        "cmake",
        functions=f"function_def macro_def {_CMAKE_TARGETS} {_CMAKE_TARGETS.upper()}",
        scopes="if_condition foreach_loop while_loop block_def body",
        imports="include INCLUDE find_package FIND_PACKAGE add_subdirectory ADD_SUBDIRECTORY",
        calls="normal_command",
        labels="argument",
        ends=r"\s*\n",
    ),
    language(
        "make",
        functions="rule define_directive",
        scopes="conditional elsif_directive else_directive",
        imports="include_directive",
        needs_body="rule",
        calls="rule",
        labels="targets",
        leads=(".PHONY",),
    ),
)
