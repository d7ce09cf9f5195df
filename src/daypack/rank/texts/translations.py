"""Files that say the same in several languages: pages, and the catalogues of texts that a program shows.

docs/en/cors.md   docs/de/cors.md         the page in the language of the question stands for the others
locales/en.json   locales/pt-BR.json      … and so does the catalogue, whose keys are the same in every language
messages.properties   messages_de.properties   values/strings.xml   values-de/strings.xml
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from daypack.text.languages import CODES
from daypack.text.name_sets import name_set

# It says the same as its original, in words that the asker may not read. Of 77 questions about apps with catalogues, .3 and .15
# change none of the measures.
TRANSLATION_PRIOR = 0.6

_ENGLISH = "en"
# Languages of documentation that the words of a text do not tell.
_UNTOLD = ("az", "be", "bg", "bn", "ca", "et", "fa", "hr", "ka", "kk", "lt", "lv", "mn", "ms", "nb", "sk", "sl", "sr", "te", "uk", "ur", "uz")  # fmt: skip
_PAGE_MARKS = frozenset([_ENGLISH, *CODES, *_UNTOLD])
# Programs are translated into more: ISO 639-1, and longer codes that projects use.
_MORE = name_set(
    "af am as ay ba bm bo br bs ce co cv cy dv ee eo eu ff fil fo fy ga gd gl gn gu ha haw ht ig ii is iu jv km kn ku ky lb lg ln lo "
    "mg mi mk ml mr mt my nd ne nn no ny oc om or pa ps qu rm rn rw sa sc sd se sg si sm sn so sq ss st su sw ta tg ti tk tl tn to "
    "ts tt tw ty ug ve vo wa wo xh yi yo zu ckb cmn crh hsb dsb ast mai kab lzh"
)
_MARKS = _PAGE_MARKS | _MORE
_PAGES = (".adoc", ".asciidoc", ".htm", ".html", ".markdown", ".md", ".mdx", ".rst", ".txt")
_CATALOGUES = (".arb", ".ftl", ".json", ".json5", ".po", ".properties", ".resx", ".strings", ".toml", ".xml", ".yaml", ".yml")  # fmt: skip
_PROGRAMS = (".js", ".mjs", ".php", ".py", ".rb", ".ts")  # some keep their texts in code, in a folder for it
_FOLDER = re.compile(r"(?i)(?:^|/)(?:[a-z]*locales?|i18n|l10n|intl|langs?|languages?|translations?)/")
# A path a line; a region or script may follow the language: pt-BR, zh_Hans, es-419, values-pt-rBR.
_MARK = re.compile(
    r"[/._\n-]([A-Za-z]{2,3})((?:[-_@](?:[A-Za-z]{2,10}|\d{3})){0,2})(?=/|\.lproj/|\.[a-z][a-z0-9]*\n)"
)
_PAGE_REGION = re.compile(r"(?:[-_][A-Za-z]{2,4})?")
# Catalogues by their place or name, also without a mark.
_CATALOGUE = re.compile(
    r"(?i)(?:^|/)(?:(?:[a-z]*locales?|i18n|l10n|intl|langs?|languages?|translations?)/[^\n]*\.(?:json5?|ya?ml|toml|properties|php|po|ftl|xml)"
    r"|values[^/\n]*/strings[^/\n]*\.xml|(?:messages|translations|labels)[^/\n]*\.(?:properties|json|ya?ml)|[^/\n]+\.(?:arb|pot?|resx|strings|xcstrings))$"
)


class _Marked(NamedTuple):
    """The path of a record without its mark, and the mark."""

    key: str
    code: str
    region: str
    is_page: bool


def translations(uris: Mapping[int, str], language: str) -> list[int]:
    """The records that are pages or catalogues in another language than that of a question (`Query.language`), and have the
    file in that language beside them: `docs/de/cors.md` beside `docs/en/cors.md`, `README.zh-CN.md`
    beside `README.md`.

    A copy has the names, the code and the numbers of its original, so it follows the original into a pack.
    """
    marked = _written_in(uris)
    if not marked:
        return []
    wanted = next((code for code, name in CODES.items() if name == language), _ENGLISH)
    originals = _originals(marked, wanted)
    # Where none is marked as written in that language, the file without a mark is the original.
    unmarked = {uri: record_id for record_id, uri in uris.items() if record_id not in marked}
    copies = []
    for record_id, mark in marked.items():
        original = originals.get(mark.key, unmarked.get(mark.key))
        if original is not None and original != record_id and (mark.code != wanted or not mark.is_page):
            copies.append(record_id)
    for uri, record_id in unmarked.items():
        # Beside a catalogue without a mark, one in the wanted language may be empty.
        if (original := originals.get(uri)) is not None and marked[original].is_page:
            copies.append(record_id)
    return copies


def catalogues(uris: Mapping[int, str]) -> list[int]:
    """The records that are catalogues of texts, in any language."""
    return [record_id for record_id, uri in uris.items() if _CATALOGUE.search(uri)]


def _originals(marked: Mapping[int, _Marked], wanted: str) -> dict[str, int]:
    """Path without mark → the record in the wanted language: that of no region or of its own, else the first."""
    order = ("", "-us", f"-{wanted}", "_us", f"_{wanted}")

    def rank(item: tuple[int, _Marked]) -> tuple[int, str]:
        region = item[1].region
        return (order.index(region) if region in order else len(order), region)

    found: dict[str, int] = {}
    for record_id, mark in sorted(marked.items(), key=rank):
        if mark.code == wanted:
            found.setdefault(mark.key, record_id)
    return found


def _written_in(uris: Mapping[int, str]) -> dict[int, _Marked]:
    """The files whose path is marked with a language; of several marks the first, of those of a catalogue the last."""
    marked: dict[int, _Marked] = {}
    for record_id, mark in _marks(uris):
        if record_id not in marked or not mark.is_page:
            marked[record_id] = mark
    codes: dict[str, set[str]] = {}
    for mark in marked.values():
        codes.setdefault(mark.key, set()).add(mark.code)
    # A single mark may mean something else, as in `tsconfig.es.json`; two languages of one file hardly do.
    return {
        record_id: mark
        for record_id, mark in marked.items()
        if mark.is_page or len(codes[mark.key]) > 1 or _FOLDER.search(uris[record_id])
    }


def _marks(uris: Mapping[int, str]) -> Iterator[tuple[int, _Marked]]:
    # All paths at once: few pools have such a file.
    records, paths = [*uris], [*uris.values()]
    starts = [*accumulate((len(path) + 1 for path in paths), initial=1)]
    for match in _MARK.finditer("\n".join(["", *paths, ""])):
        code = match[1].lower()
        if code not in _MARKS:
            continue
        place = bisect_right(starts, match.start(1)) - 1
        path, start, end = paths[place], match.start() - starts[place], match.end() - starts[place]
        is_page = path.endswith(_PAGES)
        if is_page:
            takes = code in _PAGE_MARKS and _PAGE_REGION.fullmatch(match[2]) is not None
        else:
            takes = path.endswith(_CATALOGUES) or (
                path.endswith(_PROGRAMS) and _FOLDER.search(path) is not None
            )
        if takes:
            key = path[:start] + path[end:] if start >= 0 else path[end + 1 :]
            yield records[place], _Marked(key, code, match[2].lower(), is_page)
