"""XML, for models that were taught to read their context between tags.

    <context query="how does retry back off" budget="4000" tokenizer="o200k" used="3712" truncated="true">
    <item n="1" ref="src/pay/retry.py:40-88" hash="1a2b3c4d" name="Retry.run">def run(self):
        …</item>
    <omitted budget="12" duplicate="3"/>
    </context>

The text between the tags of an item is exact, white space included. XML has no way to write some characters
at all, and others are not safe to show: `escaped` names the parts of an item (`ref`, `text`) in which they
are written as `\\u{XXXX}` with each backslash doubled; `crlf="true"` means that the lines of the text ended
in CR LF.
"""

from __future__ import annotations

from daypack.guard.fences import encode, escape, is_inert, one_line
from daypack.shapes import wording
from daypack.types import Excerpt, Pack, Trust


def render(pack: Pack) -> str:
    parts = [
        f'<context query="{_attribute(one_line(pack.query))}" budget="{pack.budget.limit}" tokenizer="{pack.budget.tokenizer.value}" '
        f'used="{pack.tokens_used}" truncated="{_truth(pack.truncated)}"{_chain(pack)}'
    ]
    if pack.excerpts:
        parts.append(">\n")
        if sentence := wording.opening_sentence(pack.stats):
            parts.append(f"<note>{_text(sentence)}</note>\n")
    else:
        parts.append(f' empty="{pack.empty_reason.value}">\n' if pack.empty_reason else ">\n")
        parts.append(f"<note>{_text(wording.empty_sentence(pack.empty_reason, pack.stats))}</note>\n")
    parts.extend(map(_item, pack.excerpts))
    if omitted := _omitted(pack):
        parts.append(f"<omitted{omitted}/>\n")
    parts.extend(f"<note>{_text(note)}</note>\n" for note in wording.notes(pack))
    parts.append("</context>\n")
    return "".join(parts)


def render_lean(pack: Pack) -> str:
    """The items alone, with the warning of a weak answer, or the time that was read where nothing else chose them, and the
    note on files that changed.
    """
    opening = f'<context truncated="{_truth(pack.truncated)}"{_chain(pack)}'
    if not pack.excerpts:
        return f"{opening}/>\n"
    sentence = wording.short_opening(pack.stats)
    note = f"<note>{_text(sentence)}</note>\n" if sentence else ""
    stale = "".join(f"<note>{_text(sentence)}</note>\n" for sentence in wording.stale_sentences(pack.stats))
    return f"{opening}>\n{note}{''.join(map(_item, pack.excerpts))}{stale}</context>\n"


def _item(excerpt: Excerpt) -> str:
    citation = excerpt.citation
    shown, crlf, text_escaped = encode(excerpt.text)
    reference = citation.reference
    reference_escaped = not is_inert(reference)
    if reference_escaped:
        reference = escape(reference)
    attributes = [f'<item n="{citation.label}" ref="{_attribute(reference)}"']
    if digits := wording.short_hash(citation.record_hash):
        attributes.append(f'hash="{digits}"')
    # Only the flags of the following are read back; the rest is for display, on one line and clipped.
    display = (
        ("title", wording.title_of(excerpt)),
        ("name", wording.path_of(excerpt)),
        ("author", wording.author_of(excerpt)),
        ("date", wording.date_of(excerpt)),
    )
    attributes.extend(f'{name}="{_attribute(one_line(value, 100))}"' for name, value in display if value)
    if excerpt.trust is Trust.UNTRUSTED:
        attributes.append('trust="untrusted"')
    if not excerpt.variant.is_whole:
        attributes.append(f'variant="{excerpt.variant.value}"')
    if excerpt.duplicates:
        attributes.append(f'duplicates="{excerpt.duplicates}"')
    if crlf:
        attributes.append('crlf="true"')
    if reference_escaped or text_escaped:
        attributes.append(f'escaped="{" ".join(["ref"] * reference_escaped + ["text"] * text_escaped)}"')
    return f"{' '.join(attributes)}>{_text(shown)}</item>\n"


def _chain(pack: Pack) -> str:
    """The attributes of a pack in a conversation: its ID, and labels of items that were sent before."""
    chain = pack.chain
    if chain is None or not chain.named:
        return ""
    labels = (("changed", chain.changed), ("removed", chain.removed), ("again", chain.again))
    values = [("id", pack.id), *((name, " ".join(map(str, some))) for name, some in labels)]
    return "".join(f' {name}="{value}"' for name, value in values if value)


def _omitted(pack: Pack) -> str:
    return "".join(
        f' {reason.value}="{len(left)}"' for reason, left in pack.omitted.by_reason().items() if left
    )


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    # A parser turns newlines and tabs of an attribute into spaces, unless they are written as references.
    return _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


def _truth(value: bool) -> str:
    return "true" if value else "false"
