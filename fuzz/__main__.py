"""Fuzz a target, or with FILE run it once: `python -m fuzz TARGET [FILE | --seconds N]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fuzz")
    parser.add_argument("target")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    if given.file is not None:
        from fuzz.targets import run

        run(given.target, given.file.read_bytes())
        return
    import atheris

    with atheris.instrument_imports(include=["daypack"]):
        from fuzz.targets import TARGETS, run
    if given.target not in TARGETS:
        parser.error(f"choose from {', '.join(TARGETS)}")
    found, corpus = HERE / "found" / given.target, HERE / "corpus" / given.target
    found.mkdir(parents=True, exist_ok=True)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={given.seconds}",
            "-max_len=4096",
            "-rss_limit_mb=2048",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            str(found),  # new inputs are written to the first folder
            str(corpus),
        ],
        lambda data: run(given.target, data),
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
