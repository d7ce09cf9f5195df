"""Cuts a record into pieces: the spans that are indexed, ranked and packed.

    turn or memory     one piece, or its paragraphs when it is long
    code               functions, class headers, runs of lines          code.py, languages/
    templates          elements of the markup, and the code in it       templates.py
    data               groups of entries of the top level               data.py
    nested blocks      groups of entries, by their indentation          nested.py
    other texts        paragraphs under headings                        texts/

`cut` chooses a cutter by the record's kind and language; `sizing.finish` turns the drafts that it returns into pieces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from daypack.chunk import bibtex, data, logs, nested, yaml
from daypack.chunk.sizing import PIECE_TOKENS, Draft, Drafts, blocks, characters, finish
from daypack.chunk.texts import latex, manual, markup, plain, prose
from daypack.text.name_sets import name_set
from daypack.text.prose.markdown import is_markdown
from daypack.types import JOINED, Cut, FileLines, Pages, PieceKind, Record, RecordKind, places_from

__all__ = ["cut"]


def _cut_unnamed(text: str) -> Iterator[Draft]:
    """A text whose format is not named: Markdown where its lines show that, else plain."""
    return (prose.cut_markdown if is_markdown(text) else plain.cut_plain)(text)


PROSE: dict[str, Callable[[str], Iterator[Draft]]] = {
    **dict.fromkeys(("markdown", "md", "mdx", "gfm"), prose.cut_markdown),
    **dict.fromkeys(("rst", "restructuredtext"), prose.cut_restructured),
    "asciidoc": markup.cut_asciidoc,
    "org": markup.cut_org,
    "texinfo": markup.cut_texinfo,
    "mediawiki": markup.cut_mediawiki,
    "gherkin": markup.cut_gherkin,
    "man": markup.cut_man,
    "latex": latex.cut_latex,
    "rd": latex.cut_rd,
    "log": logs.cut_log,
    **dict.fromkeys(("text", "plaintext", "txt"), plain.cut_plain),
    "": _cut_unnamed,
}

DATA: dict[str, Callable[[str], Drafts]] = {
    **dict.fromkeys(("json", "jsonc", "json5", "geojson"), data.cut_json),
    **dict.fromkeys(("jsonl", "ndjson", "jsonlines"), data.cut_records),
    **dict.fromkeys(("yaml", "yml"), yaml.cut_yaml),
    **dict.fromkeys(("toml", "ini", "cfg", "properties"), data.cut_tables),
    "xml": data.cut_xml,
    "nginx": nested.cut_nested,
    "bibtex": bibtex.cut_bibtex,
    **dict.fromkeys(("csv", "tsv"), data.cut_rows),
}

TEMPLATES = name_set(
    "vue svelte astro html embedded_template eex razor blade twig handlebars liquid jsp freemarker velocity haml slim pug xaml"
    " jinja2 gotmpl"
)
"""Languages of markup with code in it. Records of kind document in them are pages or configuration."""


def cut(record: Record) -> Cut:
    """All pieces of a record, in order and without overlaps; together they cover all non-blank characters. Never raises."""
    try:
        return _cut(record)
    except Exception as trouble:  # one odd file must not stop the ingest of ten thousand; tests call _cut
        fallback = f"cutting failed: {type(trouble).__name__}"
        return Cut(finish(record.text, blocks(record.text)), fallback=fallback)


def _cut(record: Record) -> Cut:
    cut = _drafts(record)
    return Cut(finish(record.text, cut.drafts), cut.imports, cut.fallback)


def _drafts(record: Record) -> Drafts:
    text, language = record.text, record.language.lower()
    if record.rendered and "pages" in record.metadata:
        pages = places_from(record.metadata["pages"])
        return Drafts(_by_page(text, pages, PROSE[language]))
    if record.kind in (RecordKind.EVENT, RecordKind.MEMORY):
        return Drafts(_turns(text))
    if record.rendered == "man":
        return Drafts(manual.cut_manual(text))
    is_document = record.kind is RecordKind.DOCUMENT
    if language in PROSE and (language or (is_document and not record.rendered)):
        return Drafts(PROSE[language](text))
    if language in DATA and not record.rendered:
        return DATA[language](text)
    if is_document:
        return Drafts((prose.cut_markdown if record.rendered else plain.cut_plain)(text))
    # Here, because they import tree-sitter.
    if language in TEMPLATES:
        from daypack.chunk.templates import cut_template

        return cut_template(text)
    from daypack.chunk.code import cut_code

    return cut_code(text, language)


def _by_page(
    text: str, pages: Pages | FileLines, drafts_of: Callable[[str], Iterator[Draft]]
) -> Iterator[Draft]:
    """The drafts of each page, slide, sheet or chapter, so that a citation names it; paragraphs, cells and lines may be joined.
    The text above the first heading of a page belongs to the last heading before it.
    """
    if isinstance(pages, FileLines) or pages.unit in JOINED:
        yield from drafts_of(text)
        return
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    begins = [starts[line - 1] for line in pages.lines if line <= len(starts)]
    section, name, trail = 0, "", tuple[str, ...]()
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        last = section
        for draft in drafts_of(text[begin:end]):
            last = section + max(0, draft.section)
            if draft.name or draft.trail or pages.unit != "page":
                name, trail = draft.name, draft.trail
            else:
                draft = draft._replace(name=name, trail=trail)
            yield draft._replace(start=begin + draft.start, end=begin + draft.end, section=last)
        section = last + 1


def _turns(text: str) -> Iterator[Draft]:
    """A turn as one draft, a long turn as its paragraphs."""
    if len(text) <= characters(text, PIECE_TOKENS):
        yield Draft(0, len(text), PieceKind.TURN)
        return
    for draft in prose.cut_markdown(text):
        yield draft._replace(kind=PieceKind.TURN, name="", trail=(), section=0)
