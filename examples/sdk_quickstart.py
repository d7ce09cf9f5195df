"""Index a folder, pack what a question needs, check a citation.

    python examples/sdk_quickstart.py

Works on a copy of examples/pay in a temporary folder, and leaves nothing behind.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from daypack import Daypack

PAY = Path(__file__).parent / "pay"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(
            shutil.copytree(
                PAY, Path(folder) / "pay", ignore=shutil.ignore_patterns(".daypack", "__pycache__")
            )
        )
        with Daypack.open(project / ".daypack") as dp:
            report = dp.files.add(project)
            print(f"{report.added} files, {report.chunks} chunks")

            pack = dp.pack("how are refunds retried?", budget=600)
            print(pack.text)
            print(
                f"{pack.tokens_used} of {pack.budget.limit} tokens, {len(pack.omitted)} candidates left out"
            )

            # Every citation leads back to exactly the text that was packed, and says when its file has
            # changed since.
            for excerpt in pack.excerpts:
                found = dp.get(f"{excerpt.citation.reference}@{excerpt.citation.record_hash}")
                assert excerpt.text in found.text
                print(f"[{excerpt.citation.label}] {found.reference} is {found.state}")


if __name__ == "__main__":
    main()
