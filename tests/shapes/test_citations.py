"""What Markdown prints behind a number is what `get` takes, and gives that text."""

from __future__ import annotations

import re
from pathlib import Path

from daypack import Daypack
from daypack.settings import Settings
from daypack.types import Excerpt, RecordKind

SENTENCE = "Retries of the payment client double their wait, {}, until the queue is empty again."


def printed(text: str, label: int) -> str:
    """The citation behind a number, checksum included: with the begin of the references under a common one,
    and with the uri of the file above when it is only lines.
    """
    found = re.search(rf"^\[{label} ([^\s\]]+(?: @\d{{3}})?)", text, re.MULTILINE)
    assert found is not None
    cited, above = found[1], text[: found.start()]
    if re.fullmatch(r":\d+(-\d+)?", cited) and (
        pieces := re.findall(r"^\[\d+ (\S+?):\S+ @", above, re.MULTILINE)
    ):
        cited = pieces[-1] + cited
    if cited.startswith(("/", ":", "#")):
        cited = re.findall(r"^\[([^\s\]]+)\]$", above, re.MULTILINE)[-1] + cited
    return cited


def test_every_printed_citation_resolves(tmp_path: Path) -> None:
    records: list[dict[str, object]] = [
        {
            "id": f"conv-26/D{n % 4}:{n}",
            "text": SENTENCE.format(n),
            "author": "Mel",
            "session": f"s{n % 4}",
            "time": 9e8 + 5e4 * n,
        }
        for n in range(12)
    ]
    long = "\n\n".join(f"Step {n}. " + SENTENCE.format(n) * 6 for n in range(20))
    records += [
        {"id": "conv-26/D9:1", "text": long, "author": "Ann", "session": "s9", "time": 9e8},
        {"id": "m:7", "text": "Retries of the payment client wait\nand wait.\n", "kind": "memory"},
        {"id": "guide.md", "text": f"# Retries\n\n{long}", "language": "markdown"},
    ]
    with Daypack.open(tmp_path / "store", settings=Settings(embedder="hashing")) as dp:
        dp.records.add(records)
        seen: set[tuple[RecordKind, bool]] = set()
        for budget in (120, 300, 1000, 4000):
            pack = dp.pack("why do retries of the payment client wait?", budget=budget, packing="skip")
            for excerpt in pack.excerpts:
                reference = printed(pack.text, excerpt.citation.label)
                found = dp.get(reference)
                assert shown(found.text, excerpt), reference
                assert found.span.start_line == excerpt.citation.span.start_line
                assert found.state == "current"
                bare = reference.partition(" @")[0]
                assert dp.get(f"{bare}@{excerpt.citation.record_hash[:6]}").state == "current"
                if bare != reference:
                    other = f"{(int(reference[-3:]) + 1) % 1000:03}"
                    assert dp.get(f"{reference[:-3]}{other}").state == "changed"
                seen.add((excerpt.kind, excerpt.whole))
        assert seen >= {
            (RecordKind.EVENT, True),
            (RecordKind.EVENT, False),
            (RecordKind.MEMORY, True),
            (RecordKind.DOCUMENT, False),
        }


def shown(text: str, excerpt: Excerpt) -> bool:
    """Lines are cited whole; an excerpt may be some sentences of them."""
    return excerpt.text.strip() in text and text.count("\n") - excerpt.text.count("\n") <= 1
