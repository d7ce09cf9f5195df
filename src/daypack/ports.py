"""The seams of the project, on one page.

An implementation of one is held to its conformance suite in `daypack.testing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from daypack.types import Candidate, Pack
from daypack.types.arrays import Vectors

if TYPE_CHECKING:
    from daypack.text.numbering import ReadTexts

Progress: TypeAlias = Callable[[int, int], None]
"""Takes (done, total), again and again while a work lasts."""
Working: TypeAlias = Callable[[str], AbstractContextManager[Progress | None]]
"""The name of a work that may last → the function that shows its progress while the context is open; None where no terminal does."""


class Embedder(Protocol):
    """Texts to vectors. Equal text has an equal vector on one machine. Threads may share an embedder.

    One whose vectors have changed may have `former_ids`, the ids of its former versions: their vectors are deleted
    when its own are complete. Those of other embedders stay, for the user may return to them.
    """

    @property
    def model_id(self) -> str:
        """Name, version and shape; vectors of two ids are never compared."""

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Row i belongs to texts[i]. A text without any token gives a row of zeros. Raises ModelError."""


class StaticTable(Embedder, Protocol):
    """A vector for every word, trained into the space of an encoder: a text's vector for a hundredth of the work."""

    @property
    def line(self) -> tuple[float, float]:
        """(slope, intercept): the encoder's cosine of a question and a text ≈ intercept + slope · theirs here."""

    def has_word(self, word: str) -> bool:
        """Tell whether a lower-case word is a piece by itself, as common words are. Raises ModelError."""

    def words_of(self, text: str) -> list[str]:
        """The different words of a text as `embed` reads it, in lower case and in order."""

    def embed_words(self, words: Sequence[str]) -> Vectors:
        """The vectors that `embed` gives for single words, all at once. Raises ModelError."""

    @property
    def longest(self) -> int:
        """Characters of a text that `embed` reads."""

    def embed_read(self, texts: ReadTexts) -> Vectors:
        """The vectors that `embed` gives for texts of at most `longest` characters whose words were read already.
        Raises ModelError.
        """

    def project(self, vector: Vectors) -> Vectors:
        """An encoder's vector (its dim,) as a unit vector (dim,) of the table's space."""


CountTokens: TypeAlias = Callable[[str], int]
"""The number of tokens of a text by one named tokenizer; never negative, 0 for the empty text."""

Shape: TypeAlias = Callable[[Pack], str]
"""A pack as text. Pure; must accept a pack without excerpts."""


class Ladder(NamedTuple):
    """The forms of a shape, longest first."""

    forms: Sequence[Shape]
    """Forms with the excerpts; a shorter one has less around the texts."""
    stubs: Sequence[Shape]
    """Forms for a pack without room for an excerpt; the last gives ""."""


Clock: TypeAlias = Callable[[], float]
"""Unix seconds."""

FILES = "files"
"""The `record.door` of files on disk, and of a record that names no other door."""

Part: TypeAlias = tuple[int, int]
"""A part of a value of bytes: the place of its first byte, and its number of bytes."""


class Rows(Protocol):
    """The rows of a statement, each handed out once."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    @property
    def get(self) -> Any:
        """None without a row, the value or the tuple of a single row, else a list of such."""


class Connection(Protocol):
    """A store's connection: SQL of the kind that both SQLite and PostgreSQL understand, with `?` for parameters. A list goes
    in as JSON and comes apart by `json_each`; what else differs is in `daypack.index.postgres.dialect`.
    """

    @property
    def store_name(self) -> str:
        """The name of the store in messages."""

    @property
    def mend(self) -> str:
        """The step that mends damaged rows, at the end of a message."""

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> Rows: ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object: ...

    def changes(self) -> int:
        """The number of rows that the last statement inserted, changed or deleted."""

    def last_insert_rowid(self) -> int:
        """The number that the last insert gave to its row."""

    def new_ids(self, table: str, count: int) -> range:
        """The next numbers of a table whose numbers are never used again; the caller inserts rows with them."""

    def problems(self, most: int) -> list[str]:
        """The complaints of the database's own check of its pages, at most `most`."""

    def dangling_rows(self) -> int:
        """The number of rows whose foreign key refers to a missing row."""

    def read_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> list[bytes]:
        """Parts of the bytes in one column of the row with a number."""

    def clear_parts(self, table: str, column: str, row: int, parts: Sequence[Part]) -> None:
        """Overwrite parts of the bytes in one column of the row with a number by zeros."""

    def read_into(self, table: str, column: str, row: int, target: memoryview) -> None:
        """Fill `target` with the bytes in one column of the row with a number, which are as many."""


Condition: TypeAlias = tuple[str, Sequence[Any]]
"""A condition in SQL over the table `record`, and its parameters."""


Revise: TypeAlias = Callable[[list[Candidate]], list[Candidate]]
"""Candidates → the candidates in another order, without some, or with others."""


class Viewer(NamedTuple):
    """The user and the session that ask, and the scopes of memories that they may see.

    "" means no particular user, and no session.
    """

    user_id: str = ""
    session_id: str = ""
    scopes: tuple[str, ...] = ()


class Handling(NamedTuple):
    """Rules by which the core treats records of one `record.door`."""

    path: bool = False
    """Its uri is the path of a file: words and folders of the path rank."""
    read_time: bool = False
    """Its time is that of the reading, which makes no difference between two versions."""
    scoped: bool = False
    """Its scope is the folder of its project, in a store that several projects share."""
    private: bool = False
    """Some viewers may not see it: no vector is shared with a record of another scope."""
    by_hand: bool = False
    """Users write its texts one by one: each is embedded as it is written."""
    alias: str = ""
    """The name that the doctor shows in place of its uri, where the uri itself is private."""
