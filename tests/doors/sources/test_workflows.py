"""examples/workflows.py: a program for each workflow, which is taken for that workflow."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from daypack import Daypack
from daypack.doors.sources.tasks.rules import workflows
from daypack.doors.sources.tasks.types import TaskEnvelope
from support import WORDS

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "workflows.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("workflows_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_a_program_for_each_workflow() -> None:
    assert tuple(loaded().WORKFLOWS) == workflows()


@pytest.mark.parametrize("name", workflows())
def test_a_program_is_taken_for_its_workflow_and_finds_what_it_kept(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = loaded()
    asked: list[TaskEnvelope] = []
    ask = module.ask
    monkeypatch.setattr(
        module, "ask", lambda *given, **facts: asked.append(ask(*given, **facts)) or asked[-1]
    )
    with Daypack.open(tmp_path / ".daypack", root=module.PAY, settings=WORDS) as daypack:
        module.WORKFLOWS[name](daypack)
    assert {task.intent.workflow for task in asked} == {name}
    assert all(task.source_references for task in asked)
    assert capsys.readouterr().out
