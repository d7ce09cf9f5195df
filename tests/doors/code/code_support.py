"""Projects of code for tests, and the schema that every answer follows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema

from daypack import Daypack
from support import WORDS, project

SCHEMA = json.loads(
    (resources.files("daypack.doors.code") / "context_pack.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def opened(folder: Path, files: Mapping[str, str | bytes]) -> Daypack:
    """A project of these files, indexed, whose answers depend on words alone."""
    dp = Daypack.open(project(folder, files) / ".daypack", settings=WORDS)
    dp.files.add(folder)
    return dp


def checked(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, when it follows the schema."""
    VALIDATOR.validate(json.loads(json.dumps(answer)))
    return answer
