"""Write the tables of tokens in src/daypack/tokens: `python scripts/token_tables.py`.

The tokens are those that splintr carries; daypack.tokens.table says what a table looks like. Nothing is
fetched.
"""

from __future__ import annotations

import sys
from pathlib import Path
from zlib import crc32

import splintr

TABLES = Path(__file__).parents[1] / "src" / "daypack" / "tokens"
SIZES = {"o200k_base": 199_998, "cl100k_base": 100_256}  # without special tokens


def table(tokens: list[bytes], buckets: int = 1 << 16) -> bytes:
    """The table of these tokens, which are in the order of their ranks."""
    entries: list[list[bytes]] = [[] for _ in range(buckets)]
    for rank, token in enumerate(tokens):
        entries[crc32(token) % buckets].append(bytes([len(token)]) + token + rank.to_bytes(3, "little"))
    joined = [b"".join(sorted(bucket)) for bucket in entries]
    begin = 4 * (buckets + 1)
    offsets = [begin]
    for bucket in joined:
        offsets.append(offsets[-1] + len(bucket))
    return b"".join([*(offset.to_bytes(4, "little") for offset in offsets), *joined])


def main() -> None:
    for name, size in SIZES.items():
        tokenizer = splintr.Tokenizer.from_pretrained(name)
        found = [tokenizer.decode_token_bytes(rank) for rank in range(size)]
        assert len(set(found)) == size
        data = table(found)
        (TABLES / f"{name}.tokens").write_bytes(data)
        sys.stdout.write(f"{name}: {size:,} tokens, {len(data):,} bytes\n")


if __name__ == "__main__":
    main()
