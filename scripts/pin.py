"""Pin every dependency, with the hashes of all its files, into requirements/*.txt.

    runtime.txt    what the package and its build backend need
    serve.txt      … and what the page needs on top
    office.txt     … and what reading PDF, Excel and rich text files needs on top
    watch.txt      … and what following files needs on top
    postgres.txt   … and what a store on a server needs on top
    test.txt       … and what the tests need on top
    lint.txt       … and the linter and type checker
    site.txt       … and what makes the site of docs/
    page.txt       … and what drives the page in a browser
    bench.txt      … and the baselines of the benchmarks
    evals.txt      … and what checks measures and draws their report

Each file holds only what the files before it do not, and names them, so `-r requirements/test.txt` is all
that tests need. No line names an index or a host: where packages come from is the business of the installing
user.

    python -m pip install pip-tools && python scripts/pin.py            adds what is missing, keeps the rest
    python -m pip install pip-tools && python scripts/pin.py --upgrade  takes the newest of everything
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
BUILD = "hatchling>=1.27\neditables>=0.5\npip>=24\n"  # editable installs without build isolation
LAYERS = {
    "runtime": None,
    "serve": "serve",
    "office": "office",
    "watch": "watch",
    "postgres": "postgres",
    "test": "test",
    "lint": "lint",
    "site": "site",
    "page": "page",
    "bench": "bench",
    "evals": "evals",
}
ABOUT = {
    "runtime": "Requirements of the package and its build backend.",
    "serve": "Requirements of the page, beyond runtime.txt.",
    "office": "Requirements for reading PDF, Excel and rich text files, beyond serve.txt.",
    "watch": "Requirements for following files, beyond office.txt.",
    "postgres": "The driver for a store on a server.",
    "test": "Requirements of the test suite, beyond postgres.txt.",
    "lint": "The linter and the type checker.",
    "site": "Tools that make the site of docs/.",
    "page": "Tools that drive the page in a real browser.",
    "bench": "Baselines that the benchmarks compare with.",
    "evals": "A second opinion on measures of quality, and the plots of their report.",
}
# `pip` itself is asked for so that the resolver sees it, and left out: a pinned pip would replace the one
# that is running.
_LEFT_OUT = {"pip", "setuptools"}


def entries(text: str) -> dict[str, str]:
    """Name → the pinned requirement with its hashes, as written."""
    found = re.finditer(r"^([A-Za-z0-9._-]+)==.*(?:\n    --hash=.*)*", text, re.MULTILINE)
    return {match[1].lower(): match[0] for match in found}


def compiled(extras: list[str], known: str, *, upgrade: bool) -> dict[str, str]:
    """Everything that the package with these extras needs; versions of `known` are kept unless `upgrade`."""
    with tempfile.TemporaryDirectory() as folder:
        build, out = Path(folder) / "build.in", Path(folder) / "out.txt"
        build.write_text(BUILD, encoding="utf-8")
        out.write_text(known, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "piptools",
            "compile",
            "--quiet",
            "--generate-hashes",
            "--no-emit-index-url",
            "--no-emit-trusted-host",
            "--no-emit-find-links",
            "--no-emit-options",
            "--no-header",
            "--no-annotate",
            "--strip-extras",
            "--allow-unsafe",
            *(["--upgrade"] if upgrade else []),
            *(f"--extra={extra}" for extra in extras),
            f"--output-file={out}",
            str(ROOT / "pyproject.toml"),
            str(build),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return entries(out.read_text(encoding="utf-8"))


def main() -> None:
    upgrade = "--upgrade" in sys.argv
    FOLDER.mkdir(exist_ok=True)
    known = (
        ""
        if upgrade
        else "\n".join(
            "\n".join(entries(path.read_text(encoding="utf-8")).values())
            for path in sorted(FOLDER.glob("*.txt"))
        )
    )
    everything = compiled([extra for extra in LAYERS.values() if extra], known, upgrade=upgrade)
    pinned = "\n".join(everything.values())
    extras: list[str] = []
    earlier: set[str] = set(_LEFT_OUT)
    previous = ""
    for layer, extra in LAYERS.items():
        extras += [extra] if extra else []
        names = compiled(extras, pinned, upgrade=False)
        lines = [
            f"# {ABOUT[layer]} Written by scripts/pin.py; `make pin` renews it.",
            *([f"-r {previous}.txt"] if previous else []),
        ]
        lines += [everything[name] for name in sorted(names) if name not in earlier]
        (FOLDER / f"{layer}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"requirements/{layer}.txt: {len(set(names) - earlier)} packages")
        earlier |= set(names)
        previous = layer


if __name__ == "__main__":
    main()
