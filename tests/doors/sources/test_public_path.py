"""What a user of `dp.sources` needs is exported from one place."""

from __future__ import annotations

import subprocess
import sys

import pytest

import daypack
from daypack.doors import sources
from daypack.doors.sources import types
from daypack.doors.sources.tasks import types as task_types


@pytest.mark.parametrize("name", sources.__all__)
def test_a_name_of_the_public_path_is_a_noun_of_the_door(name: str) -> None:
    found = getattr(sources, name)
    assert found is getattr(types, name, None) or found is getattr(task_types, name, None)


def test_every_noun_of_the_door_is_exported() -> None:
    for module in (types, task_types):
        nouns = {
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        }
        assert nouns
        assert nouns <= {*sources.__all__}


def test_the_names_of_the_service_are_the_same_classes() -> None:
    assert daypack.DaypackPolicy is sources.SourcePolicy
    assert daypack.DaypackSourceCreate is sources.SourceDraft
    assert daypack.DaypackRetrieveRequest is sources.RetrieveRequest
    assert daypack.DaypackAssembleRequest is sources.AssembleRequest


def test_an_unknown_name_is_refused_and_known_ones_are_listed() -> None:
    with pytest.raises(AttributeError, match="no attribute 'SourceDrafts'"):
        _ = sources.SourceDrafts
    assert dir(sources) == sorted(sources.__all__)


def test_the_package_imports_no_noun_before_it_is_used() -> None:
    code = "import sys, daypack.doors.sources; print('daypack.doors.sources.types' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
