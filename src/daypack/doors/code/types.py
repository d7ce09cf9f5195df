"""The nouns of the code door's answers: packs, listings, maps and the state of the project."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from daypack.types import reference_of
from daypack.types.shown import ShownItems

if TYPE_CHECKING:
    from daypack.doors.code.graph.facts import CodeSymbol
    from daypack.doors.code.profiles import CodeProfile

# ---------------------------------------------------------------- a pack of code


class ItemRole(enum.StrEnum):
    """Role of an item in a pack: the search found it, or it is near a found one."""

    PRIMARY = "primary"
    RELATED = "related"


class Strategy(enum.StrEnum):
    """The distance from the primaries at which a pack looks: one, two or three steps."""

    DIRECT = "direct"
    EXTENDED = "extended"
    DEEP = "deep"

    @property
    def depth(self) -> int:
        return [*Strategy].index(self) + 1


class RelatedMode(enum.StrEnum):
    """The neighbours that count: all, or those that also hold words of the query."""

    EXPLORE = "explore"
    FOCUS = "focus"


class Preference(enum.StrEnum):
    """The preferred side where code and documentation say the same."""

    NONE = "none"
    CODE = "code"
    DOCS = "docs"


class AnchorPolicy(enum.StrEnum):
    """The treatment of an unknown name, path or quotation: it empties the pack, or is ignored."""

    AUTO = "auto"
    OFF = "off"


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
    """One excerpt: whole lines of a file, without its imports, which `imports` lists as far as the excerpt
    needs them.

    `score` is 1 for the best primary; that of a related item is its relevance. `changed`: the file has
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
    of: str = ""  # the item that a related one is near
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
        """Characters that the item counts: content, imports with a line end each, and ITEM_OVERHEAD."""
        return item_cost(len(self.content), self.imports)


ITEM_OVERHEAD = 128


def item_cost(content: int, imports: tuple[str, ...]) -> int:
    return content + sum(len(line) + 1 for line in imports) + ITEM_OVERHEAD


@dataclass(frozen=True, slots=True, repr=False)
class CodePack(ShownItems[CodeItem], facts="items query used_chars max_chars dropped_items"):
    """Context Pack v1: primaries best first, then neighbours. `used_chars` is the sum of the costs. A pack is a
    sequence of items, and prints each below its place.
    """

    query: str
    model_id: str
    profile: str
    items: tuple[CodeItem, ...]
    max_chars: int
    dropped_items: int
    empty_reason: str = ""
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
    """The state that an answer saw: commit, uncommitted changes, files, and why it is stale."""

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


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol as a listing shows it."""

    name: str
    kind: str
    file: str
    line: int
    end_line: int
    signature: str
    doc: str

    @classmethod
    def of(cls, uri: str, symbol: CodeSymbol) -> SymbolRow:
        """The row of a symbol of the file `uri`."""
        lines = (symbol.start_line, symbol.end_line)
        return cls(symbol.qualified, symbol.kind.value, uri, *lines, symbol.signature, symbol.doc)

    @property
    def reference(self) -> str:
        return reference_of(self.file, self.line, self.end_line)


@dataclass(frozen=True, slots=True)
class NearRow:
    """A symbol near another: the labels of the way there, and the file and line of its last step."""

    symbol: SymbolRow
    relationship: tuple[str, ...]
    distance: int
    relevance: float
    at: str = ""
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One relation between two symbols or files, on a line of the first; `ambiguous` where the name may mean
    others as well.
    """

    line: int
    relation: str
    source: SymbolRow
    target: SymbolRow
    ambiguous: bool


@dataclass(frozen=True, slots=True, repr=False)
class CodeMap(ShownItems[SymbolRow], text="text", facts="shown symbols tokens limit"):
    """The repository in `limit` tokens: its symbols by rank, as far as they fit. A map is a sequence of symbols, and
    prints as its text.

    `mass` is the share of all rank that is shown.
    """

    text: str
    limit: int
    tokens: int
    shown: tuple[SymbolRow, ...]
    symbols: int  # in the repository
    files: int
    mass: float
