"""The mode of vectors that earlier releases called "lazy" is accepted wherever a value comes in, and shown nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from daypack import Daypack
from daypack.doors.code.packs.profiles import BadProfile, load_profile
from daypack.doors.sources.types import RetrieveRequest
from daypack.errors import InputError
from daypack.settings.configuration import load_configuration
from daypack.types import VectorMode
from daypack.verbs.table import REQUIRED, Parameter
from support import daypack, environment

FORMER = cast(Any, "lazy")  # type checkers know today's values alone


def test_the_enum_reads_it_and_still_refuses_other_words() -> None:
    assert VectorMode("lazy") is VectorMode.AUTO
    assert [mode.value for mode in VectorMode] == ["all", "auto", "none"]
    for wrong in ("lzy", "LAZY", "", None, ["lazy"]):
        with pytest.raises(ValueError, match="is not a valid VectorMode"):
            VectorMode(wrong)


def test_the_command_line_takes_it_and_help_does_not_show_it(tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("# Tea\n\nThe kettle is descaled in May.\n")
    daypack("add", "tea.md", cwd=tmp_path)
    stats = [
        json.loads(daypack("pack", "kettle", "--json", *option, cwd=tmp_path).stdout)["stats"]["vectors"]
        for option in (["--vectors", "lazy"], [])
    ]
    assert stats == ["auto", "auto"]
    assert "lazy" not in daypack("help", "pack", cwd=tmp_path).stdout
    refused = daypack("pack", "kettle", "--vectors", "lzy", cwd=tmp_path, status=2).stderr
    assert "auto" in refused
    assert "lazy" not in refused


@pytest.mark.parametrize("level", ["variable", "file"])
def test_a_variable_and_a_file_may_say_it(tmp_path: Path, level: str) -> None:
    variables = {"DAYPACK_VECTORS": "lazy"} if level == "variable" else {}
    if level == "file":
        (tmp_path / "pyproject.toml").write_text('[tool.daypack]\nvectors = "lazy"\n')
    assert load_configuration(tmp_path, variables, tmp_path / "home")["vectors"] == "auto"
    shown = daypack("config", "show", cwd=tmp_path, env=environment(HOME=str(tmp_path), **variables)).stdout
    assert "lazy" not in shown


def test_calls_of_a_program_take_it(dp: Daypack) -> None:
    dp.records.add([{"id": "a", "text": "the kettle is hot"}])
    dp.memories.remember("tea", "the kettle is hot")
    assert dp.pack("kettle", vectors=FORMER).stats.vectors is VectorMode.AUTO
    assert dp.search("kettle", vectors=FORMER).stats.vectors is VectorMode.AUTO
    assert dp.memories.search("kettle", vectors="lazy").hits
    assert dp.memories.pack("kettle", vectors="lazy").text
    dp.sources.retrieve(RetrieveRequest("kettle", vectors="lazy"))
    with pytest.raises(InputError, match="choose from all, auto, none"):
        dp.pack("kettle", vectors=cast(Any, "some"))


def test_arguments_of_agents_are_renamed_when_they_are_checked() -> None:
    vectors = Parameter("vectors", "vectors", str, default=REQUIRED, choices=("auto", "all", "none"))
    assert vectors.checked("lazy") == "auto"
    packing = vectors._replace(name="packing", choices=("auto", "skip"))
    with pytest.raises(InputError, match="'lazy' is not one of auto, skip"):
        packing.checked("lazy")


def test_a_profile_of_code_may_say_it(tmp_path: Path) -> None:
    profile = tmp_path / "mine.toml"
    profile.write_text('extends = "fast"\nvectors = "lazy"\n')
    assert load_profile(str(profile), tmp_path).vectors is VectorMode.AUTO
    profile.write_text("vectors = [1]\n")
    with pytest.raises(BadProfile, match="choose from all, auto, none"):
        load_profile(str(profile), tmp_path)
