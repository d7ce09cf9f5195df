"""Configuration and builds are cut at their natural units, which have their names: blocks, targets, templates, instructions."""

import pytest
from chunk_checks import cut_text, texts

from daypack.doors.reading.languages import detect_language
from daypack.types import RecordKind, SymbolKind

WORDS = "some words to fill the line " * 4


def _named(text, language):
    result = cut_text(text, language, kind=RecordKind.CODE)
    return dict(zip([piece.name for piece in result.pieces], texts(text, result), strict=True))


NGINX = f"""\
user www-data;

http {{
  # {WORDS}
  # How long an idle connection stays open.
  keepalive_timeout 20s;

  # {WORDS}
  # {WORDS}
  server {{
    listen 80;
    location /static {{
      expires 7d;  # {WORDS}
    }}
    location /api {{
      proxy_pass http://backend;  # {WORDS}
      # {WORDS}{WORDS}{WORDS}
      proxy_set_header Host $host;
      # {WORDS}{WORDS}{WORDS}
      proxy_read_timeout 30s;
      # {WORDS}{WORDS}{WORDS}
      proxy_buffering off;
    }}
    # {WORDS}
    error_page 404 /404.html;
  }}
}}
"""


def test_a_configuration_of_nginx_is_cut_at_its_blocks():
    assert detect_language("shop.conf", NGINX) == ("nginx", RecordKind.DOCUMENT)
    result = cut_text(NGINX, "nginx", kind=RecordKind.DOCUMENT)
    named = dict(zip([piece.name for piece in result.pieces], texts(NGINX, result), strict=True))
    assert any(name.startswith("http.server.location /") for name in named)
    idle = next(part for part in named.values() if "keepalive_timeout" in part)
    assert "# How long an idle connection stays open.\n  keepalive_timeout 20s;" in idle


def test_sections_of_ini_are_no_blocks_of_nginx():
    assert detect_language("my.conf", "[mysqld]\nport=3306\nskip-grant-tables;\n")[0] == "ini"
    assert detect_language("app.conf", "timeout = 3\nname = shop\n")[0] == "ini"


def test_a_set_of_nix_is_cut_at_its_options():
    options = "".join(
        f'    {name} = lib.mkOption {{\n      description = "{WORDS}{WORDS}";\n      default = 1;\n    }};\n'
        for name in ("port", "host", "user", "home", "group")
    )
    text = f"{{ lib, config, ... }}:\n\n{{\n  options.services.shop = {{\n{options}  }};\n}}\n"
    named = _named(text, "nix")
    assert any(name.startswith("options.services.shop") for name in named)
    for part in named.values():
        assert part.count("mkOption") == part.count("default = 1;")  # no option is cut


def test_an_object_of_jsonnet_is_cut_at_its_fields():
    fields = "".join(
        f"  {name}:: {{\n    text: '{WORDS}{WORDS}',\n    size: 1,\n  }},\n" for name in "abcdefgh"
    )
    text = f"local defaults = {{\n{fields}}};\n\nfunction(params) {{ config: defaults + params }}\n"
    result = cut_text(text, "jsonnet", kind=RecordKind.CODE)
    assert result.pieces[0].name.startswith("defaults")
    assert all(part.count("text:") == part.count("size: 1") for part in texts(text, result))


BUILD = """\
load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")

package(default_visibility = ["//visibility:public"])

# Says what time it is.
cc_library(
    name = "clock",
    srcs = ["clock.cc"],
)

cc_binary(
    name = "hello-world",
    deps = [":clock"],
)
"""


def test_a_target_of_bazel_is_a_definition_with_its_name():
    result = cut_text(BUILD, "starlark", kind=RecordKind.CODE)
    named = {piece.name: piece for piece in result.pieces}
    assert named["hello-world"].symbol is SymbolKind.FUNCTION
    assert named["hello-world"].signature == 'cc_binary(name = "hello-world")'
    assert texts(BUILD, result)[1].startswith("# Says what time it is.\ncc_library(")


def test_a_file_of_bazel_that_defines_functions_is_cut_at_these():
    text = 'def _impl(ctx):\n    return []\n\nshirt = rule(\n    implementation = _impl,\n)\n\ntee(\n    name = "tee",\n)\n'
    names = [piece.name for piece in cut_text(text, "starlark", kind=RecordKind.CODE).pieces]
    assert "_impl" in names


HELPERS = """\
{{/*
The name of the chart.
*/}}
{{- define "cart.name" -}}
{{- default .Chart.Name .Values.nameOverride }}
{{- end }}

{{/* Labels of everything. */}}
{{- define "cart.labels" -}}
{{- if .Values.labels }}
app: {{ include "cart.name" . }}
{{- end }}
{{- end }}
"""


def test_a_named_template_of_a_chart_is_a_definition():
    assert detect_language("_helpers.tpl", HELPERS) == ("gotmpl", RecordKind.CODE)
    result = cut_text(HELPERS, "gotmpl", kind=RecordKind.CODE)
    assert [piece.name for piece in result.pieces] == ["cart.name", "cart.labels"]
    assert [piece.signature for piece in result.pieces] == ['define "cart.name"', 'define "cart.labels"']
    assert texts(HELPERS, result)[1].startswith("{{/* Labels of everything. */}}\n")


def test_a_macro_in_sql_is_a_definition():
    text = (
        "{% macro cents(column) -%}\n    ({{ column }} / 100)\n{%- endmacro %}\n\n"
        "{% macro postgres__cents(column) %}\n    {{ column }}::numeric / 100\n{% endmacro %}\n"
    )
    assert [*_named(text, "sql")] == ["cents", "postgres__cents"]


def test_a_long_stage_of_an_image_is_cut_between_its_instructions():
    run = "RUN set -eux; \\\n" + "".join(f"\techo '{WORDS}'; \\\n" for _ in range(5)) + "\ttrue\n\n"
    text = f"FROM debian AS base\n\n# the first tool\n{run}# the second tool\n{run}EXPOSE 5432\n"
    assert detect_language("Dockerfile-debian.template", text)[0] == "dockerfile"
    result = cut_text(text, "dockerfile", kind=RecordKind.CODE)
    assert {piece.name for piece in result.pieces} == {"base"}
    assert any(part.startswith("# the second tool\nRUN set -eux;") for part in texts(text, result))


SECTIONS = "".join(f'  <section id="s{n}">\n    <p>{WORDS}{WORDS}</p>\n  </section>\n' for n in range(30))


def test_a_named_template_that_holds_a_page_is_cut_at_its_elements():
    text = f'{{{{ define "main" }}}}\n<main>\n{SECTIONS}</main>\n{{{{ end }}}}\n'
    result = cut_text(text, "html", kind=RecordKind.CODE)
    assert {piece.name for piece in result.pieces} == {"main"}
    assert max(map(len, texts(text, result))) < 1_500


def test_a_page_below_a_macro_does_not_have_its_name():
    text = f"{{% macro field(name) %}}\n<input name={{{{ name }}}}>\n{{% endmacro %}}\n<main>\n{SECTIONS}</main>\n"
    first, *others = cut_text(text, "jinja2", kind=RecordKind.CODE).pieces
    assert (first.name, first.span.end_line) == ("field", 3)
    assert len(others) > 5
    assert {piece.name for piece in others} == {""}


def test_a_query_below_a_macro_does_not_have_its_name():
    text = (
        "{% macro cents(c) %}\n  ({{ c }} / 100)\n{% endmacro %}\n\nselect {{ cents('fee') }} from orders\n"
    )
    assert [piece.name for piece in cut_text(text, "sql", kind=RecordKind.CODE).pieces] == ["cents", ""]


@pytest.mark.parametrize("quote", "\"'")
def test_the_name_of_a_target_may_stand_in_any_quotes(quote):
    text = f"local_resource(name={quote}web{quote}, cmd='npm start')\n\nk8s_yaml('web.yaml')\n"
    assert next(iter(_named(text, "starlark"))) == "web"


def test_a_script_inside_an_instruction_begins_no_stage():
    text = (
        "FROM debian AS base\nRUN python3 <<EOF\nfrom os import path\nprint(path)\nEOF\nFROM base\nRUN true\n"
    )
    pieces = cut_text(text, "dockerfile", kind=RecordKind.CODE).pieces
    assert [piece.span.start_line for piece in pieces] == [1, 6]


HOSTILE = {
    "blanks": " " * 200_000 + "x\n",
    "blanks inside": "x" + " " * 200_000 + "y\n",
    "comments that do not end": "{{/*" * 50_000 + '\n{{ define "a" }}\n',
    "marks that do not end": "{#\n" * 50_000 + "{% macro a() %}\n",
    "targets that do not end": 'rule(\n    name = "' * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("language", ["nginx", "nix", "jsonnet", "starlark", "dockerfile", "gotmpl", "sql"])
def test_a_hostile_file_is_cut_in_a_moment(language, text):
    cut_text(text, language, kind=RecordKind.CODE)  # hours, where each blank is tried with each other
