"""The nouns of the code door's answers: packs, listings, maps and the state of the project."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from daypack.types import reference_of
from daypack.types.shown import ShownItems

if TYPE_CHECKING:
    from daypack.doors.code.graph.facts import CodeSymbol
    from daypack.doors.code.packs.profiles import CodeProfile

Row = TypeVar("Row")

# ---------------------------------------------------------------- a pack of code


class ItemRole(enum.StrEnum):
    """The role of an item in a pack: found by the search, or related to an item that the search found."""

    PRIMARY = "primary"
    RELATED = "related"


class Strategy(enum.StrEnum):
    """The distance from the primaries up to which a pack adds neighbours: one, two or three steps."""

    DIRECT = "direct"
    EXTENDED = "extended"
    DEEP = "deep"

    @property
    def depth(self) -> int:
        return [*Strategy].index(self) + 1


class RelatedMode(enum.StrEnum):
    """The neighbours that a pack adds: all, or those that contain words of the query."""

    EXPLORE = "explore"
    FOCUS = "focus"


class Preference(enum.StrEnum):
    """The preferred kind of text: code, documentation, or neither."""

    NONE = "none"
    CODE = "code"
    DOCS = "docs"


class AnchorPolicy(enum.StrEnum):
    """The effect of a name, path or quotation that is not stored: the pack is empty, or it is ignored."""

    AUTO = "auto"
    OFF = "off"


class Rows(list[Row]):
    """The first rows of a listing, the number of those that its limit left out, and whether it `asked` for any."""

    def __init__(self, rows: Iterable[Row], limit: int, seen: Seen | None = None) -> None:
        found = [*rows]
        super().__init__(found[:limit])
        self.left_out = max(0, len(found) - limit)
        self.asked = limit > 0
        self.seen = seen or ALL_SEEN


@dataclass(frozen=True, slots=True)
class PackOptions:
    """The options of a pack."""

    max_chars: int
    limit: int
    related_per_primary: int
    strategy: Strategy
    related_mode: RelatedMode
    prefer: Preference
    policy: AnchorPolicy
    profile: CodeProfile
    trace: bool


@dataclass(frozen=True, slots=True)
class CodeItem:
    """One excerpt: whole lines of a file. `imports` lists the import statements that the excerpt needs.

    `score`, in [0, 1], is 1 for the best primary; for a related item it is the relevance. `changed` is True when the file has
    changed since it was read.
    """

    role: ItemRole
    file: str
    start_line: int
    end_line: int
    symbol: str
    type: str
    score: float
    imports: tuple[str, ...]
    body: str
    variant: str = "full"
    relationship: tuple[str, ...] = ()
    distance: int = 0
    of: str = ""  # for a related item: the id of its primary
    ambiguous: bool = False
    changed: bool = False

    @property
    def id(self) -> str:
        return f"{self.file}:{self.start_line}:{self.end_line}"

    @property
    def content(self) -> str:
        return "\n".join(self.imports) + "\n\n" + self.body if self.imports else self.body

    @property
    def cost(self) -> int:
        """The characters that the item takes of the budget: content, imports with a line end each, and ITEM_OVERHEAD."""
        return item_cost(len(self.content), self.imports)


ITEM_OVERHEAD = 128


def item_cost(content: int, imports: tuple[str, ...]) -> int:
    return content + sum(len(line) + 1 for line in imports) + ITEM_OVERHEAD


@dataclass(frozen=True, slots=True, repr=False)
class CodePack(ShownItems[CodeItem], facts="items query used_chars max_chars dropped_items"):
    """Context Pack v1: primaries, best first, then neighbours. `used_chars` is the sum of the costs. A pack is a sequence of
    items, and prints each item below its place.
    """

    query: str
    model_id: str
    profile: str
    items: tuple[CodeItem, ...]
    max_chars: int
    dropped_items: int
    empty_reason: str = ""
    min_chars: int = 0  # the smallest `max_chars` that shows an item, where it is too small for one
    anchors_missing: tuple[str, ...] = ()
    hints: tuple[tuple[str, str], ...] = ()  # (type, text)
    next_actions: tuple[tuple[str, str, str], ...] = ()  # (tool, argument, reason)
    state: object = None  # ProjectState
    timings: tuple[tuple[str, float], ...] = ()  # (stage, milliseconds)
    trace: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return "\n\n".join(f"{item.id}\n{item.content}" for item in self.items)

    @property
    def used_chars(self) -> int:
        return sum(item.cost for item in self.items)

    @property
    def truncated(self) -> bool:
        return self.dropped_items > 0 or any(item.variant != "full" for item in self.items)


@dataclass(frozen=True, slots=True)
class ProjectState:
    """The state that an answer used: commit, uncommitted changes, files, and the reason why it is stale."""

    git_head: str = ""
    git_branch: str = ""
    git_dirty: bool | None = None  # None without git
    files: int = 0
    newest_ns: int = 0
    bytes: int = 0
    stale_files: int = 0
    stale_reasons: tuple[str, ...] = ()

    @property
    def watermark(self) -> str:
        return f"{self.files}-{self.bytes}-{self.newest_ns}"


class Seen(NamedTuple):
    """The remarks on an answer that did not see the files as they are: hints as (type, text), and the state of the files where
    some changed since they were read.
    """

    hints: tuple[tuple[str, str], ...] = ()
    state: ProjectState | None = None


ALL_SEEN = Seen()


FILE = "file"  # the kind of a row for a file itself


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol in a listing."""

    name: str
    kind: str
    file: str
    line: int
    end_line: int
    signature: str
    doc: str
    in_graph: bool = True  # False for a language whose relations are not read

    @classmethod
    def of(cls, uri: str, symbol: CodeSymbol) -> SymbolRow:
        """The row of a symbol in the file `uri`."""
        lines = (symbol.start_line, symbol.end_line)
        return cls(symbol.qualified, symbol.kind.value, uri, *lines, symbol.signature, symbol.doc)

    @classmethod
    def of_file(cls, uri: str) -> SymbolRow:
        """The row of a file: its first line."""
        return cls(uri, FILE, uri, 1, 1, "", "")

    @property
    def reference(self) -> str:
        return reference_of(self.file, self.line, self.end_line)

    @property
    def bare(self) -> str:
        """The last name of a qualified one; for a file its name without the ending."""
        return (
            PurePosixPath(self.file).name.partition(".")[0]
            if self.kind == FILE
            else self.name.rpartition(".")[2]
        )


@dataclass(frozen=True, slots=True)
class NearRow:
    """A symbol near another: the labels of the steps between them, and the file and line of the last step; for a caller, the member
    of a base `through` which it may call.
    """

    symbol: SymbolRow
    relationship: tuple[str, ...]
    distance: int
    relevance: float
    at: str = ""
    ambiguous: bool = False
    through: str = ""


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A relation between two symbols or files, on a line of the first; `ambiguous` when the name may also mean others."""

    line: int
    relation: str
    source: SymbolRow
    target: SymbolRow
    ambiguous: bool


@dataclass(frozen=True, slots=True, repr=False)
class CodeMap(ShownItems[SymbolRow], text="text", facts="shown symbols tokens limit"):
    """The symbols of a repository by rank, as many as fit into `limit` tokens. A map is a sequence of symbols, and prints as
    its text. `mass` is the share of all rank, in [0, 1], that the shown symbols have.
    """

    text: str
    limit: int
    tokens: int
    shown: tuple[SymbolRow, ...]
    symbols: int  # in the repository
    files: int
    mass: float
    seen: Seen = ALL_SEEN
