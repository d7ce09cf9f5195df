"""Configuration: settings that users write once, instead of with each command.

    an option of the command > a DAYPACK_* variable > the project's files > the user's file > the default

The user's file is `config.toml` in `$XDG_CONFIG_HOME/daypack`. The files of the project around the working folder are
`.daypack/config.toml` and, after it, `[tool.daypack]` in pyproject.toml. These come with a clone, from its authors. So a
setting that chooses a model, an address, the owner of memories or the fetching of pages has no effect until the user runs
`daypack trust`, and none again after the files change. No setting names a command, or a path to write to.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from daypack.errors import BadConfiguration
from daypack.projects import STORE_FOLDER
from daypack.settings import Settings
from daypack.settings.former import todays
from daypack.system import replacing
from daypack.text.checks import did_you_mean, likely_or_all
from daypack.types.servers import holds_password, is_server, shown

LARGEST_FILE = 1 << 20  # bytes; a larger file is not a file of settings


class Setting(NamedTuple):
    """One setting. The name of its variable is `DAYPACK_` and its name in capitals."""

    name: str
    default: str | int | bool
    about: str
    choices: tuple[str, ...] = ()
    waits: bool = True  # in a project's file it has no effect before `daypack trust`
    in_files: bool = True
    secret: bool = False
    read: Callable[[str], object] | None = None  # parses; ValueError has the accepted values

    @property
    def variable(self) -> str:
        return f"DAYPACK_{self.name.upper()}"


SETTINGS = (
    Setting(
        "store", "", "the store to use, instead of the nearest .daypack upwards; in a file, postgresql://…"
    ),
    Setting("embedder", "minilm", "minilm, hashing, folder:PATH or endpoint:URL"),
    Setting("embedder_model", "", "the model's name at an endpoint"),
    Setting("embedder_key", "", "the key of an endpoint", in_files=False, secret=True),
    Setting("web", False, "true lets Daypack fetch pages"),
    Setting("owner", "user", "the owner of memories and sources"),
    Setting("project", "", "the project, in a store that several share"),
    Setting("budget", 4000, "largest size of a pack, in tokens", waits=False),
    Setting(
        "tokenizer",
        "o200k",
        "the tokenizer that counts a budget",
        ("o200k", "cl100k", "approx", "chars", "bytes"),
        waits=False,
    ),
    Setting("packing", "auto", "the rule that fills a pack", ("auto", "skip", "prefix"), waits=False),
    Setting(
        "vectors",
        "auto",
        "words and meaning at once, all vectors made first, or words alone",
        ("auto", "all", "none"),
        waits=False,
    ),
    Setting("processes", 0, "processes that index a large folder, at most one a core; 0: at most 4"),
)


class Level(Enum):
    """The kind of a value's origin, the weakest first."""

    DEFAULT = "default"
    USER = "user"
    PROJECT = "project"
    VARIABLE = "variable"


class Configured(NamedTuple):
    """A setting's value and its origin: the name of a variable, the path of a file, or "" for a default."""

    setting: Setting
    value: str | int | bool
    level: Level
    origin: str = ""

    @property
    def shown(self) -> str | int | bool:
        if isinstance(self.value, str) and is_server(self.value):
            return shown(self.value)
        return "(set)" if self.setting.secret and self.value else self.value


class ConfigFile(NamedTuple):
    """The checked settings of a file."""

    path: Path
    level: Level
    table: Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of all settings, and the settings that wait for the user's trust."""

    values: Mapping[str, Configured]
    waiting: tuple[Configured, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.values[name].value

    def settings(self, *, embedder: str | None = None) -> Settings:
        """The settings with which to open an engine. `embedder` is the one that a command's option names, if any."""
        return Settings(
            embedder=embedder or self["embedder"],
            embedder_model=self["embedder_model"],
            embedder_key=self["embedder_key"],
            web=self["web"],
            processes=self["processes"],
            of_doors=tuple(
                (name, str(one.value))
                for name, one in self.values.items()
                if one.setting.read is not None and one.level is not Level.DEFAULT
            ),
        )


def merged(
    files: list[ConfigFile],
    variables: Mapping[str, str],
    settings: Sequence[Setting] = SETTINGS,
    *,
    trusted: bool,
) -> Configuration:
    """A value for each setting. `files` come with the weakest first; an empty variable counts as unset."""
    values = {setting.name: Configured(setting, setting.default, Level.DEFAULT) for setting in settings}
    waiting: dict[str, Configured] = {}
    for file in files:
        for name, value in file.table.items():
            found = Configured(values[name].setting, todays(name, value), file.level, str(file.path))
            if file.level is Level.PROJECT and found.setting.waits and not trusted:
                waiting[name] = found
            else:
                values[name] = found
    for setting in settings:
        if text := variables.get(setting.variable):
            values[setting.name] = Configured(
                setting, todays(setting.name, _of_text(setting, text)), Level.VARIABLE, setting.variable
            )
    return Configuration(values, tuple(waiting.values()))


def load_configuration(
    root: Path, variables: Mapping[str, str], home: Path, settings: Sequence[Setting] = SETTINGS
) -> Configuration:
    """The values of `settings` in the project `root`. Raises BadConfiguration, which names the setting, and its file or
    variable.
    """
    project = project_files(root, settings)
    trusted = bool(project) and TrustedProjects(state_folder(variables, home)).holds(root, project)
    users = _file(user_folder(variables, home) / "config.toml", Level.USER, settings)
    return merged([*users, *project], variables, settings, trusted=trusted)


def project_files(root: Path, settings: Sequence[Setting] = SETTINGS) -> list[ConfigFile]:
    """The files of the project that have settings, the weakest first."""
    return [
        *_file(root / "pyproject.toml", Level.PROJECT, settings, "tool", "daypack"),
        *_file(root / STORE_FOLDER / "config.toml", Level.PROJECT, settings),
    ]


def user_folder(variables: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """The folder of the user's settings: by XDG base directories, on Windows in the roaming application data."""
    if platform == "win32" and (roaming := variables.get("APPDATA")):
        return Path(roaming) / "daypack"
    return Path(variables.get("XDG_CONFIG_HOME") or home / ".config") / "daypack"


def state_folder(variables: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """The folder of the user's state outside of stores: by XDG base directories, on Windows in the local application data."""
    if platform == "win32" and (local := variables.get("LOCALAPPDATA")):
        return Path(local) / "daypack"
    return Path(variables.get("XDG_STATE_HOME") or home / ".local" / "state") / "daypack"


class TrustedProjects:
    """The trusted projects: the folder of each, and the hash that its files had when the user trusted them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "trusted.json"

    def holds(self, root: Path, files: list[ConfigFile]) -> bool:
        return self._read().get(str(root)) == _hash(files)

    def give(self, root: Path, files: list[ConfigFile]) -> None:
        self._write({**self._read(), str(root): _hash(files)})

    def withdraw(self, root: Path) -> bool:
        """Revoke the trust in a project. Returns True when the project was trusted."""
        known = self._read()
        found = known.pop(str(root), None)
        if found is not None:
            self._write(known)
        return found is not None

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise BadConfiguration(
                str(self._path), f"cannot be read ({error}); remove it, and trust your projects again"
            ) from error
        return found if isinstance(found, dict) else {}

    def _write(self, known: Mapping[str, str]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(self._path, synced=False) as stream:
            stream.write(json.dumps(known, indent=1, sort_keys=True).encode() + b"\n")


def _hash(files: list[ConfigFile]) -> str:
    import hashlib  # here, because few projects have files that wait for trust

    tables = [[file.path.name, dict(file.table)] for file in files]
    return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()


def _file(path: Path, level: Level, settings: Sequence[Setting], *tables: str) -> list[ConfigFile]:
    """The settings in a table of a file, in a list; an empty list for a missing file or table."""
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        if not os.access(path.parent, os.X_OK):
            return []  # the folder of another user, as in an inherited home: its files are not read
        raise BadConfiguration(str(path), f"cannot be read ({error.strerror})") from error
    if tables and ".".join(tables).encode() not in content:
        return []  # a file of another program's settings: its faults are not reported
    if len(content) > LARGEST_FILE:
        raise BadConfiguration(str(path), f"is longer than {LARGEST_FILE:,} bytes; settings need a few lines")
    import tomllib

    try:
        table: Any = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadConfiguration(str(path), f"is not TOML ({error})") from error
    for name in tables:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    return [ConfigFile(path, level, _checked(path, table, settings))] if table else []


def _checked(path: Path, table: Any, settings: Sequence[Setting]) -> dict[str, str | int | bool]:
    known = {setting.name: setting for setting in settings}
    if not isinstance(table, dict):
        raise BadConfiguration(str(path), "daypack is not a table of settings")
    for name, value in [*table.items()]:
        setting = known.get(name)
        if setting is None:
            raise BadConfiguration(
                str(path), f"unknown setting {name!r}; {did_you_mean(name, known, 'see those there are')}"
            )
        if not setting.in_files:
            raise BadConfiguration(str(path), f"{name} is not read from files; set {setting.variable}")
        if name == "store":
            _check_server(str(path), value)
        if setting.read is not None and type(value) in (int, float):
            table = {**table, name: str(value)}
        elif type(value) is not type(setting.default) or (isinstance(value, int) and value < 0):
            raise BadConfiguration(
                str(path), f"{name} must be {_KINDS[type(setting.default)]}, not {value!r}"
            )
        _check_choice(str(path), setting, table[name])
    return dict(table)


def _check_server(path: str, value: object) -> None:
    """Check the address of a server: a file must not contain a password. Raises BadConfiguration."""
    if isinstance(value, str) and not is_server(value):
        raise BadConfiguration(path, "store must be a server, postgresql://…; set DAYPACK_STORE for a folder")
    if isinstance(value, str) and holds_password(value):
        raise BadConfiguration(path, "store holds a password; put it into ~/.pgpass or PGPASSWORD")


_KINDS: dict[type, str] = {str: "a text", int: "a whole number from 0 on", bool: "true or false"}
_TRUTHS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


def _of_text(setting: Setting, text: str) -> str | int | bool:
    value: str | int | bool | None = text
    if isinstance(setting.default, bool):
        value = _TRUTHS.get(text.lower())
    elif isinstance(setting.default, int):
        digits = text.replace("_", "").replace(",", "")
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 1_000 else None
    if value is None:
        raise BadConfiguration(setting.variable, f"must be {_KINDS[type(setting.default)]}, not {text!r}")
    _check_choice(setting.variable, setting, value)
    return value


def _check_choice(where: str, setting: Setting, value: str | int | bool) -> None:
    if setting.choices and todays(setting.name, value) not in setting.choices:
        raise BadConfiguration(
            where,
            f"{setting.name} {value!r} is not a valid value; {likely_or_all(str(value), setting.choices)}",
        )
    if setting.read is not None:
        try:
            setting.read(str(value))
        except ValueError as error:
            raise BadConfiguration(
                where, f"{setting.name} {value!r} is not valid; it may be {error}"
            ) from None
