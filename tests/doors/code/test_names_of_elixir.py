"""Names of Elixir: functions of foreign modules, types in specifications, and heads with maps."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.extract import extract


def test_a_function_of_a_foreign_module_is_none_of_the_project(tmp_path: Path) -> None:
    files = {
        "lib/store.ex": "defmodule Shop.Store do\n  def put(key, value), do: {key, value}\n  def save(key), do: put(key, 1)\nend\n",
        "lib/user.ex": "defmodule Shop.User do\n  alias Shop.Store\n  def rename(user, name), do: Map.put(user, :name, name)\n  def keep(user), do: Store.put(:user, user)\n  def full(user), do: Shop.Store.put(:user, user)\nend\n",
    }
    with opened(tmp_path / "app", files) as dp:
        callers = [(row.at, row.ambiguous) for row in dp.code.callers("Store.put")]
        assert sorted(callers) == [
            ("lib/store.ex:3", False),
            ("lib/user.ex:4", False),
            ("lib/user.ex:5", False),
        ]


def test_a_type_in_a_specification_is_no_call(tmp_path: Path) -> None:
    files = {
        "lib/utils.ex": "defmodule Utils do\n  @type params :: map()\n  @opaque text :: params()\n  def params(text), do: String.split(text)\nend\n",
        "lib/parser.ex": "defmodule Parser do\n  @callback parse(Utils.params()) :: {:ok, Utils.params()}\n  @spec run(Utils.params()) :: a when a: Utils.params()\n  def run(text), do: Utils.params(text)\nend\n",
    }
    with opened(tmp_path / "app", files) as dp:
        assert [row.at for row in dp.code.callers("Utils.params")] == ["lib/parser.ex:4"]
        assert [row.at for row in dp.code.callers("Utils")] == [
            "lib/parser.ex:2",
            "lib/parser.ex:3",
            "lib/parser.ex:4",
        ]


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("def last([%{id: id} | _rest]), do: id", "def last([%{id: id} | _rest])"),
        ("def put(key, value), do: {key, value}", "def put(key, value)"),
        ("def put(key, value) when key != %{},\n  do: {key, value}", "def put(key, value) when key != %{}"),
        ("def put(key, value \\\\ %{})", "def put(key, value \\\\ %{})"),
        ("defp label(conn, %{name: name}) do\n  name\nend", "defp label(conn, %{name: name})"),
        ("def empty, do: %{}", "def empty"),
    ],
)
def test_the_signature_of_a_function_ends_where_its_body_begins(text: str, signature: str) -> None:
    assert [symbol.signature for symbol in extract(text, "elixir").symbols] == [signature]


USER = "defmodule My.Acc.User do\n  def go(value), do: value\nend\n"
OTHER = "defmodule My.Other do\n  def go(value), do: value\nend\n"


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("defmodule My.Acc do\n  alias __MODULE__.User\n  def f(x), do: User.go(x)\nend\n", True),
        ("defmodule My.Acc do\n  alias __MODULE__.User, as: U\n  def f(x), do: U.go(x)\nend\n", True),
        ("defmodule My.Acc do\n  alias __MODULE__.{User, Rest}\n  def f(x), do: User.go(x)\nend\n", True),
        ("defmodule My do\n  defmodule Acc do\n    alias __MODULE__.User\n    def f(x), do: User.go(x)\n  end\nend\n", True),
        ("defmodule My.Desk do\n  def f(x), do: Elixir.My.Acc.User.go(x)\nend\n", True),
        ("defmodule My.Desk do\n  alias Elixir.My.Acc.User\n  def f(x), do: User.go(x)\nend\n", True),
        ("defmodule My.Desk do\n  use My.Case\n  def f(x), do: Acc.User.go(x)\nend\n", False),
        ("defmodule My.Desk do\n  use My.Case\n  def f(x), do: Map.go(x)\nend\n", None),
    ],
)  # fmt: skip
def test_a_module_of_the_project_is_found_under_each_name_that_elixir_gives_it(
    tmp_path: Path, text: str, certain: bool | None
) -> None:
    files = {"lib/user.ex": USER, "lib/other.ex": OTHER, "lib/desk.ex": text}
    with opened(tmp_path / "app", files) as dp:
        callers = [row for row in dp.code.callers("User.go") if row.at.startswith("lib/desk.ex")]
        assert [not row.ambiguous for row in callers] == ([] if certain is None else [certain])


def test_a_module_has_an_alias_of_its_own(tmp_path: Path) -> None:
    text = (
        "defmodule My.Acc do\n  alias __MODULE__, as: T\n  def f(x), do: T.go(x)\n  def go(x), do: x\nend\n"
    )
    with opened(tmp_path / "app", {"lib/acc.ex": text, "lib/other.ex": OTHER}) as dp:
        assert [(row.at, row.ambiguous) for row in dp.code.callers("Acc.go")] == [("lib/acc.ex:3", False)]
