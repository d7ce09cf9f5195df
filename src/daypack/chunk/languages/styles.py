"""Style sheets, in which the name of a rule is its selector."""

from __future__ import annotations

from daypack.chunk.languages.language import language

_CSS = language(
    "css",
    functions="rule_set keyframes_statement",
    modules="media_statement supports_statement at_rule",
    imports="import_statement",
    needs_body="at_rule",
    labels="selectors keyframes_name",
    runs=True,
)

STYLES = (
    _CSS,
    language(
        "scss",
        _CSS,
        functions="mixin_statement function_statement placeholder",
        labels="name",
        imports="use_statement forward_statement",
    ),
)
