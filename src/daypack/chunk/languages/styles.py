"""Style sheets, in which the name of a rule is its selector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from daypack.chunk.languages.language import MODULE, Language
from daypack.text.name_sets import name_set

_CSS = Language(
    grammar="css",
    functions=name_set("rule_set keyframes_statement"),
    containers={"media_statement": MODULE, "supports_statement": MODULE, "at_rule": MODULE},
    imports=name_set("import_statement"),
    needs_body=name_set("at_rule"),
    labels=name_set("selectors keyframes_name"),
    runs=True,
)

STYLES: Mapping[str, Language] = {
    "css": _CSS,
    "scss": replace(
        _CSS,
        grammar="scss",
        functions=_CSS.functions | name_set("mixin_statement function_statement placeholder"),
        labels=_CSS.labels | {"name"},
        imports=_CSS.imports | name_set("use_statement forward_statement"),
    ),
}
