"""The switch of `make test-team`: with DAYPACK_TEST_SERVER set to a URL, every store that a test opens in a folder is a schema
of that server, and the folder keeps the files beside it.

It takes effect when `daypack.index.stores` is imported, in the suite and in every program that the suite starts. A file in
the place of the database says that the store exists, where commands look for one, and names its schema: in a copy of the
folder it names that of the original, whose rows are copied then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

VARIABLE = "DAYPACK_TEST_SERVER"
MODULE = "daypack.index.stores"
PREFIX = "t_"
opened_here = 0  # stores that this process opened on the server


def schema_of(folder: Path) -> str:
    """The schema in the place of a folder."""
    return PREFIX + blake2b(os.fsencode(os.path.realpath(folder)), digest_size=8).hexdigest()


class _Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != MODULE:
            return None
        found = PathFinder.find_spec(name, path, target)
        assert found is not None and found.loader is not None
        executed = found.loader.exec_module

        def executing(module: ModuleType) -> None:
            executed(module)
            _turn(module)

        found.loader.exec_module = executing  # type: ignore[method-assign]
        return found


def _turn(module: ModuleType) -> None:
    from daypack.errors import StoreNotFound
    from daypack.index.embedded.opening import FILE_NAME, MARKER, check_path, check_safety, make_folder
    from daypack.types.servers import ServerAddress

    opened = module.open_store

    def open_store(place: Any, **options: Any) -> Any:
        if not isinstance(place, Path):
            return opened(place, **options)
        file = place / FILE_NAME
        check_path(place, file)
        if not file.exists() and not options.get("create", True):
            raise StoreNotFound(str(place))
        if _is_database(file):  # made by `store migrate`, which opens no store for it
            return opened(place, **options)
        check_safety(place, file)
        if not file.exists():
            make_folder(place)
        schema = schema_of(place)
        url = f"{os.environ[VARIABLE]}?schema={schema}"
        if _said_by(file) == schema:
            store = opened(ServerAddress(url, place), **options)
        else:
            with _alone(schema):
                source = _said_by(file)  # another process may have been first
                if source != schema:
                    _drop(schema)
                if source not in ("", schema):
                    opened(ServerAddress(url, place)).close()
                    _copy(source, schema)
                store = opened(ServerAddress(url, place), **options)
                if source != schema:
                    file.touch(mode=0o600)
                    file.write_text(schema)
                    (place / MARKER).unlink(missing_ok=True)
        global opened_here
        opened_here += 1
        return store

    module.open_store = open_store  # type: ignore[attr-defined]


def _is_database(file: Path) -> bool:
    return file.is_file() and file.read_bytes()[:16] == b"SQLite format 3\0"


def _said_by(file: Path) -> str:
    return file.read_text() if file.exists() else ""


@contextmanager
def _alone(schema: str) -> Iterator[None]:
    """While one process makes a schema, others that want it wait."""
    import psycopg

    with psycopg.connect(os.environ[VARIABLE], autocommit=True) as db:
        db.execute("SELECT pg_advisory_lock(hashtext(%s))", [schema])
        yield


def _drop(schema: str) -> None:
    import psycopg

    with psycopg.connect(os.environ[VARIABLE], autocommit=True) as db:
        db.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def _copy(source: str, target: str) -> None:
    """Give the tables of one schema the rows and the next numbers of those of another."""
    import psycopg

    with psycopg.connect(os.environ[VARIABLE]) as db:
        db.execute("SET session_replication_role = replica")  # the order of references does not matter
        said = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        for (table,) in db.execute(said, [source]).fetchall():
            db.execute(f'DELETE FROM "{target}".{table}')
            db.execute(f'INSERT INTO "{target}".{table} SELECT * FROM "{source}".{table}')
        said = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = %s AND last_value IS NOT NULL"
        for sequence, last in db.execute(said, [source]).fetchall():
            db.execute("SELECT setval(%s::regclass, %s)", [f'"{target}".{sequence}', last])


def drop_below(folder: Path) -> None:
    """Drop the schemas of the stores in a folder: each has some hundred files on the server."""
    from daypack.index.embedded.opening import FILE_NAME

    for file in folder.rglob(FILE_NAME):
        schema = schema_of(file.parent)
        if file.is_file() and file.read_bytes() == schema.encode():
            _drop(schema)
            file.unlink()


def turn_on() -> None:
    if VARIABLE in os.environ and not any(isinstance(one, _Finder) for one in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
