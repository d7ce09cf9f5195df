"""Settings in TOML: an edit changes the statements of one table, and every other byte stays."""

from __future__ import annotations

import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daypack.surfaces.install import toml

PATH = ("mcp_servers", "daypack")
OURS = '[mcp_servers.daypack]\ncommand = "daypack"\nargs = ["mcp"]\n'
FORMS = {
    "a table": OURS,
    "with comments": '[mcp_servers.daypack] # local\n# how it starts\ncommand = "daypack" # ours\n',
    "with a table in it": OURS + '\n[mcp_servers.daypack.env]\nA = "1"\n',
    "with a list in a list": '[ mcp_servers . "daypack" ]\nenv_vars = [\n["a]"], # ] no end\n]\nargs = ["mcp"]\n',
    "with long strings": '[mcp_servers.daypack]\na = """\n[no.table]\n""""\nb = \'\'\'\nc = "\'\'\'\nargs = []\n',
    "a key with dots": 'mcp_servers.daypack.command = "daypack"\nmcp_servers.daypack.args = ["mcp"]\n',
    "a table in a line": 'mcp_servers.daypack = { command = "daypack", args = ["mcp"] }\n',
}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_a_table_goes_in_each_form_and_the_rest_stays(form: str, newline: str, mark: str) -> None:
    above = f'{mark}# mine\nmodel = "o5" # good\n'.replace("\n", newline)
    below = '# my profile; keep\n[profiles.review]\nmodel = "o5"\n'.replace("\n", newline)
    ours = FORMS[form].replace("\n", newline)
    assert toml.drop(above + newline + ours + newline + below, PATH) == above + newline + below
    assert toml.drop(above + newline + ours, PATH) == above
    assert toml.drop(mark + ours + newline + below, PATH) == mark + below
    assert toml.drop(above + ours + below, PATH) == above + below


def test_a_table_that_another_one_holds_in_its_line_has_no_statement_of_its_own() -> None:
    text = 'mcp_servers = { daypack = { command = "daypack" } }\n'
    assert toml.drop(text, PATH) == text
    with pytest.raises(toml.NotToml, match="has no line"):
        toml.put(text, PATH, {"command": "other"})


@pytest.mark.parametrize("text", ["", "\ufeff", 'model = "o5"', "a = 1\r\n", "# mine\n\n\n", "[x]\n"])
def test_a_new_table_is_added_at_the_end_with_the_line_ends_of_the_file(text: str) -> None:
    after = toml.put(text, PATH, {"command": "d\x7f😀\\", "args": ["mcp"]})
    assert after.startswith(text)
    assert ("\r\n" in after) == ("\r\n" in text)
    assert "\n" not in after.replace("\r\n", "") or "\r\n" not in text
    assert toml.value_of(after)["mcp_servers"]["daypack"] == {"command": "d\x7f😀\\", "args": ["mcp"]}
    assert toml.value_of(toml.drop(after, PATH)) == toml.value_of(text)


@pytest.mark.parametrize("form", ["a table", "with comments", "with a table in it", "a key with dots"])
def test_a_changed_key_leaves_the_other_keys_and_the_comments(form: str) -> None:
    text = FORMS[form] + '\n[last]\nx = 1 # "y"\n'
    args = toml.value_of(text)["mcp_servers"]["daypack"].get("args")
    after = toml.put(text, PATH, {"command": "/bin/daypack"})
    assert after == text.replace('"daypack"', '"/bin/daypack"', 1)
    if form != "a key with dots":
        new = toml.put(after, PATH, {"args": ["mcp", "--access", "read"]})
        assert toml.value_of(new)["mcp_servers"]["daypack"]["args"] == ["mcp", "--access", "read"]
        assert args is not None or new.replace('args = ["mcp", "--access", "read"]\n', "") == after


names = st.text("ab.\"'# ]=", max_size=3)
strings = st.text("ab\"'\\#[]{}=\n,é", max_size=6)


@given(st.dictionaries(names, st.dictionaries(names, strings | st.lists(strings, max_size=2), max_size=3)))
def test_any_table_can_be_removed_from_any_file(data: dict[str, dict[str, object]]) -> None:
    text = "".join(
        f"[{toml._written(table)}]\n"
        + "".join(f"{toml._written(key)} = {toml._written(value)} # {key}\n" for key, value in keys.items())
        for table, keys in data.items()
    )
    assert tomllib.loads(text) == data
    for table in data:
        rest = {name: keys for name, keys in data.items() if name != table}
        assert toml.value_of(toml.drop(text, (table,))) == rest
    assert toml.drop(toml.put(text, PATH, {"command": "daypack"}), PATH) == text


def test_a_table_is_found_soon_behind_many_keys() -> None:
    text = "".join(f"k{number} = 1\n" for number in range(120_000)) + OURS
    began = time.process_time()
    assert "daypack" not in toml.drop(text, PATH)
    assert time.process_time() - began < 4
