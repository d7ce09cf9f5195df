"""Write the generated parts of the documentation from what the program really does.

    python scripts/docs.py            rewrite them
    python scripts/docs.py PAGE…      rewrite those of these pages, such as docs/how-to/files.md
    python scripts/docs.py --check    exit 1 when one is not current

A generated part stands between two comments, `begin:NAME` and `end:NAME`; everything else in a file is
written by hand. Every Python block of a page is run, and a `text` block right behind one holds what it
printed; every `console` block is run, command by command, in one project a page. Every run uses a copy of
examples/pay in temporary folders. Figures with a decimal point may differ in their last digits between
processors, so `masked` texts are what is compared.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import client_pages
import command_pages
import guided
import recording
import reference

ROOT = Path(__file__).resolve().parent.parent
PAY = ROOT / "examples" / "pay"
SUITE = ROOT / "examples" / "pay_suite.json"

QUIETLY = " > /dev/null"  # after a command of a page: it is run, and what it prints is left out
_PART = re.compile(r"(<!-- begin:(?P<name>[a-z-]+)[^>]*-->\n).*?(<!-- end:(?P=name) -->)", re.DOTALL)
_CONSOLE = re.compile(r"^(?P<fence>`{3,})console\n(?P<session>.*?)^(?P=fence)\n", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(
    r"^(?P<longer>````+)[^\n]*\n.*?^(?P=longer)$|^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)


# ---------------------------------------------------------------- running things


@contextlib.contextmanager
def project() -> Iterator[Path]:
    """A copy of examples/pay to work in, as the working folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        copy = guided.copy_of_pay(folder)
        shutil.copy(SUITE, copy.parent)
        os.chdir(copy)
        try:
            yield copy
        finally:
            os.chdir(before)


def environment() -> dict[str, str]:
    """The environment without settings of Daypack and a terminal's width, and with evals/ of this checkout."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("DAYPACK_") and name not in ("COLUMNS", "LINES")
    }
    path = [str(ROOT), *filter(None, [kept.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(path)}


def output_of(command: str, folder: Path) -> str:
    """The output of a daypack command to a pipe.

    Raises CalledProcessError with what it printed when it fails.
    """
    words = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        error = subprocess.CalledProcessError(
            done.returncode, command, done.stdout.decode(), done.stderr.decode()
        )
        error.add_note(done.stderr.decode())
        raise error
    return done.stdout.decode()


def vectors() -> str:
    """Under which vectors a page was made, as a comment."""
    return f"<!-- vectors {fingerprint()} -->\n"


def suite() -> str:
    return f"```json\n{SUITE.read_text(encoding='utf-8')}```\n"


def run_consoles(text: str) -> str:
    """Run the console blocks of a page in order, in one project, and renew what the commands print.

    A status other than 0 is shown.
    """

    from daypack.guard.fences import fence

    def renewed(match: re.Match[str]) -> str:
        lines = []
        for command in re.findall(r"^\$ (daypack .*)$", match["session"], re.MULTILINE):
            lines.append(f"$ {command}\n")
            try:
                printed = output_of(command.removesuffix(QUIETLY), folder)
                lines.append(
                    ""
                    if command.endswith(QUIETLY) or not printed
                    else printed
                    if printed.endswith("\n")
                    else f"{printed}\n"
                )
            except subprocess.CalledProcessError as error:
                if error.returncode != 1:  # 1 is an answer; anything else is a mistake in the page
                    raise
                lines.append(f"{error.stdout}[exit status 1]\n")
        shown = "".join(lines)
        ticks = fence(shown)
        return f"{ticks}console\n{shown}{ticks}\n"

    if not _CONSOLE.search(_PART.sub("", text)):
        return text
    with project() as folder:
        return by_hand(text, lambda written: _CONSOLE.sub(renewed, written))


def by_hand(text: str, renewed: Callable[[str], str]) -> str:
    """A text of which what was written by hand is renewed, in order.

    Packs show Python and commands as well; what was generated is not run.
    """
    pieces, at = [], 0
    for part in _PART.finditer(text):
        pieces += [renewed(text[at : part.start()]), part[0]]
        at = part.end()
    return "".join([*pieces, renewed(text[at:])])


def fingerprint() -> str:
    """Of the vectors that this processor makes.

    Others round differently, and then close candidates may change places.
    """
    from daypack.embed import open_embedder
    from daypack.embed.quantize import quantize

    texts = [path.read_text(encoding="utf-8") for path in sorted((PAY / "docs").glob("*.md"))]
    _, codes = quantize(open_embedder().embed(texts))
    return hashlib.sha256(codes.tobytes()).hexdigest()[:8]


def run_blocks(text: str) -> str:
    """Run the Python blocks of a page in order, in one namespace, and renew the output behind those that have
    one.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}

    def renewed(match: re.Match[str]) -> str:
        if match["longer"]:  # a session, whose packs show Python as well
            return match[0]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match["code"], "a Python block of the documentation", "exec"), namespace)
        block = f"```python\n{match['code']}```\n"
        return block if match["output"] is None else f"{block}\n```text\n{printed.getvalue()}```\n"

    with project():
        try:
            return by_hand(text, lambda written: _PYTHON.sub(renewed, written))
        finally:
            opened = namespace.get("dp")
            if opened is not None:
                opened.close()  # type: ignore[attr-defined]


# ---------------------------------------------------------------- figures


def figures() -> str:
    """Three lines about quality and speed, the weakest result among them."""
    report = json.loads((ROOT / "docs" / "evaluation" / "evaluation.json").read_text(encoding="utf-8"))

    def share(of: str, system: str, measure: str) -> str:
        (run,) = (run for run in report["runs"] if (run["set"], run["system"]) == (of, system))
        return f"{run['measures'][measure]['mean']:.0%}".replace("%", " %")

    def against(of: str, measure: str) -> str:
        return f"{share(of, 'daypack-auto', measure)} (BM25 {share(of, 'bm25', measure)})"

    return (
        f"- **Evidence inside a pack of 1,000 tokens:** conversations {against('locomo-a', 'ER@1000')}, a code base "
        f"{against('codebase-chunks-a', 'ER@1000')}. [All sets, with intervals](docs/evaluation/index.md)\n"
        f"- **Files that a commit changed, the right one first:** {against('commit-loc-dev', 'Acc@1')}; of the lines that a fix changes, "
        f"1,000 tokens hold {against('swe-loc-dev', 'Lines@1000')}. "
        "[What is not reached](docs/evaluation/index.md#what-is-not-reached)\n"
        "- **Speed on two cores, no GPU:** 2.3 s for the first pack in a project of 524 files, 0.29 s for the next, 24 ms in a running server. "
        "[How it was measured](docs/evaluation/speed.md)\n"
    )


def bench_tiers() -> str:
    """The tiers of the benchmark, as they are made."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from evals.bench.questions import TIERS, By

    says = {By.STATUS: "party and outcome", By.NOTHING: "nothing"}
    rows = [
        "| | Tier | Cases a run | Budget | Keys | Other words | Asked by topic and | Searched |",
        "|---|---|---|---:|---|---:|---|---|",
    ]
    for name, tiers in TIERS.items():
        for number, tier in enumerate(tiers):
            by = " or ".join(says.get(one, one.value) for one in tier.by)
            low, high = tier.keys
            keys = f"{low}" if low == high else f"{low} to {high}"
            rows.append(
                f"| {name if not number else ''} | `{tier.name}` | {tier.cases[0]} to {tier.cases[1]} | {tier.budget:,} | {keys} | {tier.paraphrased:.0%} "
                f"| {by}, as {'words' if tier.form == 'keywords' else 'a sentence' if tier.form == 'sentence' else 'its name'} "
                f"| {'the session' if tier.session_only else 'all'} |"
            )
    return "\n".join(rows) + "\n"


# ---------------------------------------------------------------- pages

PARTS: dict[str, Callable[[], str]] = {
    "figures": figures,
    "commands": command_pages.table,
    "verbs": reference.verbs,
    "python": reference.python,
    "settings": reference.settings,
    "vectors": vectors,
    "suite": suite,
    "guided-query": guided.query,
    "guided-ingest": guided.ingest,
    "bench-tiers": bench_tiers,
    **client_pages.parts(),
}
ELSEWHERE = ("docs/how-to/frameworks.md",)  # tests/adapters run it beside the frameworks


def pages() -> list[str]:
    """Paths from the root of the pages whose parts and blocks are renewed here."""
    found = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = (path.relative_to(ROOT).as_posix() for path in found)
    return [name for name in names if name not in ELSEWHERE and not is_generated(name)]


def is_generated(page: str) -> bool:
    """True for a page that is made from the program alone, with nothing written by hand."""
    return page.startswith(f"{command_pages.FOLDER}/") and not page.endswith("/index.md")


def current(page: str) -> str:
    """The text that a page should have now."""
    if is_generated(page):
        return command_pages.pages().get(page, "")
    text = (ROOT / page).read_text(encoding="utf-8")
    text = _PART.sub(lambda match: f"{match[1]}{PARTS[match['name']]()}{match[3]}", text)
    return run_consoles(run_blocks(text))


def stale(only: Collection[str] = ()) -> Iterator[tuple[str, str, str]]:
    """Each page that differs from the program: its path, its text, and the text that it should have.

    A page that is to go has an empty one. `only` names the pages to look at; without it, all of them.
    """
    generated = command_pages.pages()
    kept = {path.relative_to(ROOT).as_posix() for path in (ROOT / command_pages.FOLDER).glob("*.md")}
    for page in [*pages(), *sorted({*generated, *filter(is_generated, kept)})]:
        if only and page not in only:
            continue
        path = ROOT / page
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = generated.get(page, "") if is_generated(page) else current(page)
        if masked(before) != masked(after):
            yield page, before, after
    if only and recording.OUT not in only:
        return
    before = (ROOT / recording.OUT).read_text(encoding="utf-8") if (ROOT / recording.OUT).exists() else ""
    if recording.masked(before) != recording.masked(after := recorded()):
        yield recording.OUT, before, after


def recorded() -> str:
    """The drawing of the recorded terminal, with the vectors that it was made under."""
    with project() as folder:
        return recording.made(folder, environment(), vectors())


_DATE = (
    r"\b20\d\d-\d\d-\d\d( \d\d:\d\d)?\b"
    r"|(?<= )\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?=[ \]])"  # of the year above, in a pack
)


def masked(text: str) -> str:
    """A page in which figures that depend on the processor's arithmetic, and moments, are all alike."""
    return re.sub(r"-?\d+\.\d+", "0.0", re.sub(_DATE, "2026-01-01", text))


def main() -> int:
    found = list(stale([word for word in sys.argv[1:] if not word.startswith("-")]))
    for page, before, after in found:
        if "--check" in sys.argv:
            sys.stdout.writelines(
                difflib.unified_diff(
                    before.splitlines(True), after.splitlines(True), page, f"{page} (current)"
                )
            )
        elif after:
            (ROOT / page).write_text(after, encoding="utf-8")
            print(f"renewed {page}")
        else:
            (ROOT / page).unlink()
            print(f"removed {page}")
    if not found:
        print("everything is current")
    return 1 if found and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
