"""The pages of each table of a damaged database: those that its tree reaches, and those that have lost their tree.

A page without a tree belongs to the only table that all of its rows fit. Pages on the free list hold rows that were
deleted; where that list is damaged too, a row without a tree counts only when an index of its table names it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from functools import lru_cache

from daypack.index.salvage.cells import Cell, CellKind, Page, Unreadable, Value, read_page
from daypack.index.salvage.image import Image
from daypack.index.salvage.shapes import Shape

_INNER = (CellKind.INDEX_INNER, CellKind.TABLE_INNER)


class Survey:
    """A look at every page of an image. `unreadable` has the numbers of pages whose content is lost, `cells` counts rows
    that could not be read on other pages, `stale` rows that were taken for deleted ones.
    """

    def __init__(self, image: Image, tables: Mapping[str, Shape], indexes: Mapping[str, Shape]) -> None:
        self.tables, self.indexes = tables, indexes
        self.unreadable: set[int] = set()
        self.cells = self.stale = 0
        self._image = image
        self._owner: dict[int, str] = {}
        self._overflows: set[int] = set()
        self._pages: dict[str, list[int]] = {name: [] for name in (*tables, *indexes)}
        self._strays: dict[str, list[int]] = {name: [] for name in tables}
        self._whole: set[str] = set()
        self._read = lru_cache(maxsize=64)(self._read_page)
        roots = self._roots()
        for name, root in roots.items():
            self._walk(name, root)
        self._free = self._freelist()
        self._witnesses = {name: self._entries(name) for name in indexes}
        self._find_strays()

    # ------------------------------------------------------------ answers

    def rows(self, table: str) -> Iterator[tuple[Cell, bool]]:
        """The rows of a table, and whether their page had lost its tree; those of the tree first."""
        shape = self.tables[table]
        for number in self._pages[table]:
            for cell in self._read(number).cells:
                if shape.fits(cell):
                    yield cell, False
                else:
                    self.cells += 1
        named = self._named(table)
        for number in self._strays[table]:
            for cell in self._read(number).cells:
                if shape.fits(cell):
                    if named is None or cell.rowid in named:
                        yield cell, True
                    else:
                        self.stale += 1

    def keys(self, table: str) -> dict[int, dict[str, tuple[Value, ...]]]:
        """Row id → the key of that row in each unique index of a table, as far as those can be read."""
        found: dict[int, dict[str, tuple[Value, ...]]] = {}
        for name, shape in self.indexes.items():
            if shape.keys == table and shape.unique:
                for rowid, key in self._witnesses[name].items():
                    found.setdefault(rowid, {})[name] = key
        return found

    # ------------------------------------------------------------ trees

    def _roots(self) -> dict[str, int]:
        """Name → root page, for what the list of tables still says."""
        found: dict[str, int] = {}
        waiting, seen = [1], {1}
        while waiting:
            number = waiting.pop()
            page = self._page_or_loss(number, (CellKind.TABLE_INNER, CellKind.TABLE_LEAF))
            if page is None:
                continue
            self._owner[number] = "sqlite_schema"
            for child in page.children:
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
            for cell in page.cells:
                match cell.values:
                    case (str(), str(name), str(), int(root), *_) if root > 1:
                        found[name] = root
        return found

    def _walk(self, name: str, root: int) -> None:
        shape = self.tables.get(name) or self.indexes.get(name)
        kinds: tuple[CellKind, ...] = (CellKind.INDEX_INNER, CellKind.INDEX_LEAF)
        if shape is None:  # an index on an expression or on some rows, a table of another program
            kinds = tuple(CellKind)
        elif name in self.tables and shape.rowid:
            kinds = (CellKind.TABLE_INNER, CellKind.TABLE_LEAF)
        whole = True
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._owner or not 1 < number <= self._image.size:
                whole = False  # the child of a damaged page
                continue
            page = self._page_or_loss(number, kinds)
            if page is None or (shape is not None and not _belongs(page, shape)):
                whole = False
                continue
            whole = whole and not page.unreadable
            self._claim(number, name, page)
            waiting.extend(reversed(page.children))
        if whole:
            self._whole.add(name)

    def _claim(self, number: int, name: str, page: Page) -> None:
        self.unreadable.discard(number)
        self._owner[number] = name
        self._pages.setdefault(name, []).append(number)
        self.cells += page.unreadable if name in self.tables else 0
        self._overflows.update(more for cell in page.cells for more in cell.overflow)

    def _page_or_loss(self, number: int, kinds: tuple[CellKind, ...]) -> Page | None:
        try:
            page = self._read(number)
        except Unreadable:
            self.unreadable.add(number)
            return None
        return page if page.kind in kinds else None

    def _read_page(self, number: int) -> Page:
        return read_page(number, self._image.page(number), self._image.header.usable, self._image.page)

    # ------------------------------------------------------------ pages without a tree

    def _freelist(self) -> set[int]:
        """The pages of the free list, as far as it can be read."""
        free: set[int] = set()
        trunk, size = self._image.header.freelist, self._image.header.page_size
        while trunk:
            content = self._image.page(trunk)
            if not content or trunk in free or trunk in self._owner:
                return free
            following, count = struct.unpack_from(">II", content)
            if count > size // 4 - 2:
                return free
            leaves = struct.unpack_from(f">{count}I", content, 8)
            free |= {trunk, *(number for number in leaves if number not in self._owner)}
            trunk = following
        return free

    def _find_strays(self) -> None:
        known = self._owner.keys() | self._free | self._overflows
        rest = [number for number in self._image.numbers if number not in known]
        for number in rest:
            try:
                page = self._read(number)
            except Unreadable:
                continue
            name = self._owner_of(page)
            if name:
                self._owner[number] = name
                if name in self._strays:
                    self._strays[name].append(number)
                    self.cells += page.unreadable
                self._overflows.update(more for cell in page.cells for more in cell.overflow)
        self.unreadable |= {n for n in rest if n not in self._owner and n not in self._overflows}
        self.unreadable -= self._free
        self.unreadable -= self._owner.keys() | self._overflows
        last = self._image.header.pages
        if self._image.size < last < self._image.size * 1000:
            self.unreadable |= {*range(self._image.size + 1, last + 1)}

    def _owner_of(self, page: Page) -> str:
        """The only table or index that every row of a page fits; "" without one, "inner" for a page without rows."""
        if page.kind is CellKind.TABLE_INNER:
            return "inner"
        in_table = page.kind is CellKind.TABLE_LEAF
        shapes = [
            shape
            for shape in (*self.tables.values(), *self.indexes.values())
            if (shape.rowid and not shape.keys) == in_table and not shape.name.startswith("sqlite_seq")
        ]
        fitting = [shape.name for shape in shapes if page.cells and all(map(shape.fits, page.cells))]
        if len(fitting) > 1:
            fitting = [name for name in fitting if self._is_named(name, page)] or fitting
        # Several indexes hold no row that is lost.
        return fitting[0] if len(fitting) == 1 or (fitting and {*fitting} <= self.indexes.keys()) else ""

    def _is_named(self, name: str, page: Page) -> bool:
        named = self._named(name, least=True) if name in self.tables else None
        return named is not None and all(cell.rowid in named for cell in page.cells)

    def _entries(self, index: str) -> dict[int, tuple[Value, ...]]:
        """Row id → key, for every entry of an index that its tree reaches."""
        shape = self.indexes[index]
        return {
            cell.values[-1]: cell.values[:-1]
            for number in self._pages[index]
            for cell in self._read(number).cells
            if shape.fits(cell) and isinstance(cell.values[-1], int)
        }

    def _named(self, table: str, *, least: bool = False) -> set[int] | None:
        """Ids that an index of a table names, when one was read to its end; with `least`, of any index.

        None without such an index: then every row counts.
        """
        for name, shape in self.indexes.items():
            if shape.keys == table and (least or name in self._whole):
                return {*self._witnesses[name]}
        return None


def _belongs(page: Page, shape: Shape) -> bool:
    """True unless most rows of a page are of another table: a damaged parent leads anywhere."""
    fitting = sum(map(shape.fits, page.cells))
    return page.kind in _INNER or 2 * fitting >= len(page.cells)
