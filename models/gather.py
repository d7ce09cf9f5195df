"""Collects the training texts from public repositories into one file of JSON lines.

    python gather.py sources.tsv MIRRORS OUT.jsonl --exclude FOLDER [--exclude-jsonl FILE]

`sources.tsv` names each repository, the commit that is read, its licence and the reader of its files. MIRRORS holds a bare git
directory for each, as OWNER+NAME/repo. `--exclude` names the folder of the evaluation sets: no text that occurs in them comes out.

A line is {"a": …, "b": …, "k": kind}: a short text that asks for a longer one, such as a docstring and its function, or
{"t": …, "k": kind}: a text by itself. OUT.counts.tsv says how many came from which source.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import lzma
import random
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from exclusion import Exclusion

LONGEST = 1_000  # characters of a passage: about 250 word pieces
MOST_FILES = 1_200
MOST_LINES = {"wordnet": 70_000, "turns": 30_000, "summaries": 30_000}  # of one source, by its reader; else:
MOST_LINES_ELSE = 14_000
SKIPPED = re.compile(
    r"(^|/)(vendor|third_party|thirdparty|node_modules|dist|testdata|fixtures|locale|licenses?)/|\.min\.|_pb2|\.pb\.go",
    re.I,
)

Row = dict[str, str]

warnings.filterwarnings("ignore")


# ---------------------------------------------------------------- files of a commit


def files(repository: Path, commit: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """(path, text) of the files of a commit, in a fixed random order."""
    listed = _git(repository, "ls-tree", "-r", "-l", "-z", commit).split("\0")
    entries = []
    for line in listed:
        about, _, path = line.partition("\t")
        parts = about.split()
        if (
            len(parts) == 4
            and parts[1] == "blob"
            and parts[3].isdigit()
            and 200 < int(parts[3]) < 5_000_000
            and wanted(path)
            and not SKIPPED.search(path)
        ):
            entries.append((path, parts[2]))
    random.Random(7).shuffle(entries)
    entries = entries[:MOST_FILES]
    batch = subprocess.Popen(
        ["git", "-C", str(repository), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert batch.stdin is not None and batch.stdout is not None
    for path, blob in entries:
        batch.stdin.write(blob.encode() + b"\n")
        batch.stdin.flush()
        head = batch.stdout.readline().split()
        if len(head) < 3:
            continue  # a large file may be listed and absent
        content = batch.stdout.read(int(head[2]))
        batch.stdout.read(1)
        yield path, content.decode("utf-8", "replace")
    batch.stdin.close()
    batch.wait()


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, check=True
    ).stdout.decode("utf-8", "replace")


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


# ---------------------------------------------------------------- code

DECLARATION = re.compile(
    r"^\s*(?:export |default |public |private |protected |internal |open |static |final |abstract |async |unsafe |pub(?:\([a-z]+\))? |override |virtual |inline |const |suspend |sealed |synchronized |constexpr |extern )*"
    r"(?:func|fn|function|def|defmacro|class|struct|enum|interface|trait|impl|type|object|record|module|[A-Za-z_][\w:<>,\[\]\*& \.]*?[\s\*&])\s*[\(\w].*"
)
BRACES = {
    "java",
    "js",
    "ts",
    "tsx",
    "go",
    "rs",
    "c",
    "h",
    "cc",
    "cpp",
    "hpp",
    "cs",
    "php",
    "swift",
    "kt",
    "scala",
}


def python_rows(text: str) -> Iterator[Row]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        document = ast.get_docstring(node)
        if not document or node.end_lineno is None:
            continue
        first = node.body[0]
        assert first.end_lineno is not None
        body = lines[node.lineno - 1 : first.lineno - 1] + lines[first.end_lineno : node.end_lineno]
        code = textwrap.dedent("\n".join(body))[:LONGEST]
        head = _squeezed(document.split("\n\n")[0])[:300]
        if len(head) >= 20 and len(body) >= 3 and len(code) >= 60:
            yield {"a": head, "b": code, "k": "py"}
            rest = _squeezed(document)[len(head) :].strip()
            if len(rest) > 120:
                yield {"a": head, "b": rest[:LONGEST], "k": "doc"}


def braces_rows(text: str, kind: str) -> Iterator[Row]:
    """A comment and the declaration below it, with its body up to the brace that ends it."""
    lines = text.splitlines()
    comment: list[str] = []
    inside = False
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        if inside or line.startswith("/*"):
            comment.append(line.strip("/* \t"))
            inside = "*/" not in line
        elif line.startswith("//"):
            comment.append(line.lstrip("/! \t"))
        elif line.startswith(("@", "#[", "[", "template")) and comment:
            continue
        else:
            if (
                comment
                and DECLARATION.match(line)
                and not line.startswith(("import", "return", "package", "use ", "if", "for"))
            ):
                head = _comment_head(comment)
                body, number = _balanced(lines, number - 1)
                code = textwrap.dedent("\n".join(body))[:LONGEST]
                if len(head) >= 20 and len(body) >= 3 and len(code) >= 60:
                    yield {"a": head[:300], "b": code, "k": kind}
            comment = []


def _comment_head(comment: list[str]) -> str:
    kept = []
    for line in comment:
        if line.startswith(
            (
                "@param",
                "@return",
                "@throws",
                "@since",
                "@author",
                "\\param",
                "# Example",
                "Copyright",
                "SPDX",
                "Licensed",
            )
        ):
            break
        kept.append(line)
    text = re.sub(r"</?\w+[^>]*>|\{@\w+ ([^}]*)\}", r"\1", "\n".join(kept)).strip()
    return _squeezed(text.split("\n\n")[0])


def _balanced(lines: list[str], start: int) -> tuple[list[str], int]:
    depth, opened = 0, False
    for number in range(start, min(start + 60, len(lines))):
        depth += lines[number].count("{") - lines[number].count("}")
        opened = opened or "{" in lines[number]
        if (opened and depth <= 0) or (not opened and lines[number].rstrip().endswith(";")):
            return lines[start : number + 1], number + 1
        if not opened and number - start > 5:
            return lines[start : number + 1], number + 1
    return lines[start : start + 60], start + 60


def hash_rows(text: str, kind: str) -> Iterator[Row]:
    """A run of # comments, or Elixir's @doc, and the definition below it."""
    for found in re.finditer(
        r"((?:^[ \t]*#[^\n]*\n){1,30})([ \t]*)((?:def|class|module)[^\n]*\n(?:.*\n){1,40}?)\2end", text, re.M
    ):
        head = _comment_head([line.strip().lstrip("# ") for line in found[1].splitlines()])
        if len(head) >= 20:
            yield {"a": head[:300], "b": textwrap.dedent(found[2] + found[3])[:LONGEST], "k": kind}
    for found in re.finditer(
        r'@doc """\n(.*?)"""\n((?:\s*@[^\n]*\n)*\s*def[^\n]*\n(?:.*\n){1,25}?)\n', text, re.S
    ):
        head = _squeezed(found[1].strip().split("\n\n")[0])
        if len(head) >= 20:
            yield {"a": head[:300], "b": textwrap.dedent(found[2])[:LONGEST], "k": kind}


def code_rows(path: str, text: str) -> Iterator[Row]:
    kind = path.rpartition(".")[2].lower()
    if kind == "py":
        yield from python_rows(text)
    elif kind in BRACES:
        yield from braces_rows(text, kind)
    elif kind in {"rb", "ex", "exs"}:
        yield from hash_rows(text, kind)
    elif kind in {"md", "rst", "adoc", "mdx"}:
        yield from prose_rows(path, text)


def commit_rows(repository: Path, commit: str) -> Iterator[Row]:
    """The subject of a commit, and each of the first places that it changed, as they are afterwards."""
    log = subprocess.Popen(
        ["git", "-C", str(repository), "log", "-p", "-U7", "--no-merges", "--diff-filter=M", "-n", "600", "--format=%x01%s", commit, "--",
         *(f"*.{kind}" for kind in ("py", "go", "rs", "java", "ts", "js", "rb", "c", "cc", "cpp", "php", "ex", "kt", "swift", "cs"))],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert log.stdout is not None
    content = log.stdout.read(25_000_000).decode("utf-8", "replace")
    log.kill()
    log.wait()
    for entry in content.split("\x01")[1:]:
        subject, _, difference = entry.partition("\n")
        subject = re.sub(
            r"^(?:\[[^\]]*\]|\w+(?:\([^)]*\))?!?:|\w+-\d+:?)\s*|\s*\(#\d+\)$|^Fixed #\d+ -- ", "", subject
        )
        hunks = re.findall(r"^@@[^@]*@@([^\n]*)\n((?:[ +\-\\][^\n]*\n?)+)", difference, re.M)
        if not 20 <= len(subject) <= 200 or not hunks or len(hunks) > 12:
            continue
        for about, hunk in hunks[:2]:
            lines = [line[1:] for line in hunk.splitlines() if line[:1] in " +"]
            code = textwrap.dedent("\n".join(lines))
            if len(code) > 120:
                yield {"a": subject, "b": (about.strip() + "\n" + code)[:LONGEST], "k": "commit"}


# ---------------------------------------------------------------- prose


def prose_rows(path: str, text: str) -> Iterator[Row]:
    """Headings and the text below them; markup is taken off lightly."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^([^\n]{3,90})\n[=\-~^]{3,}$", r"## \1", text, flags=re.M)
    text = re.sub(r"^=+ ", "## ", text, flags=re.M)
    parts = re.split(r"^#{1,5} +(.+?)\s*#*$", text, flags=re.M)
    title = parts[1].strip() if len(parts) > 1 else ""
    for heading, section in zip(parts[1::2], parts[2::2], strict=True):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*_]|\{#?[^}]*\}", r"\1", heading).strip()
        section = re.sub(r"<[^>\n]{1,200}>|^\.\. .*$|^:\w+:.*$", "", section, flags=re.M)
        section = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", section)
        section = re.sub(r"[`*]{1,3}", "", section).strip()
        if len(section) < 100 or len(heading) < 4:
            continue
        label = (
            heading if heading == title or len(heading) > 40 else f"{title}: {heading}" if title else heading
        )
        pieces = _pieces(section)
        yield {"a": label[:200], "b": pieces[0], "k": "head"}
        for piece in pieces[1:6]:
            yield {"t": piece, "k": "prose"}


def _pieces(section: str) -> list[str]:
    """Paragraphs, joined up to the longest passage."""
    pieces = [""]
    for paragraph in re.split(r"\n\s*\n", section):
        paragraph = paragraph.strip()
        if len(pieces[-1]) + len(paragraph) > LONGEST and pieces[-1]:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]}\n{paragraph}".strip()[:LONGEST]
    return [piece for piece in pieces if len(piece) > 60] or [section[:LONGEST]]


def book_rows(path: str, text: str) -> Iterator[Row]:
    """OpenStax modules: titles, paragraphs and glossaries."""
    plain = lambda part: _squeezed(
        re.sub(
            r"<[^>]+>",
            "",
            re.sub(r"<(?:m:)?math.*?</(?:m:)?math>|<figure.*?</figure>", " ", part, flags=re.S),
        )
    )  # noqa: E731
    found = re.search(r"<title>(.*?)</title>", text, re.S)
    title = plain(found[1]) if found else ""
    for section in re.split(r"<section", text):
        heading = re.search(r"<title>(.*?)</title>", section, re.S)
        label = plain(heading[1]) if heading else title
        label = label if label == title or len(label) > 40 else f"{title}: {label}"
        paragraphs = [plain(part) for part in re.findall(r"<para[^>]*>(.*?)</para>", section, re.S)]
        paragraphs = [part[:LONGEST] for part in paragraphs if len(part) > 100]
        for number, part in enumerate(paragraphs):
            yield {"a": label, "b": part, "k": "book"} if number == 0 else {"t": part, "k": "book"}
    for term, meaning in re.findall(
        r"<definition[^>]*>\s*<term[^>]*>(.*?)</term>\s*<meaning[^>]*>(.*?)</meaning>", text, re.S
    ):
        yield {"a": plain(term), "b": plain(meaning), "k": "term"}
    problems = re.findall(
        r"<exercise[^>]*>.*?<problem[^>]*>(.*?)</problem>\s*<solution[^>]*>(.*?)</solution>", text, re.S
    )
    for question, answer in problems:
        question, answer = plain(question)[:300], plain(answer)[:LONGEST]
        if len(question) > 30 and len(answer) > 60 and "?" in question:
            yield {"a": question, "b": answer, "k": "question"}


# ---------------------------------------------------------------- collections with a form of their own


def wordnet_rows(path: str, text: str) -> Iterator[Row]:
    for entry in re.split(r"^(?=\d{8}-\w:)", text, flags=re.M):
        definition = re.search(r"^  definition:\n  - (.*(?:\n    .*)*)", entry, re.M)
        members = re.search(r"^  members:\n((?:  - .*\n)+)", entry, re.M)
        if definition and members:
            names = ", ".join(name[4:].strip("'\" ") for name in members[1].splitlines())
            yield {"a": names, "b": _squeezed(definition[1]).strip("'\""), "k": "gloss"}


def tldr_rows(path: str, text: str) -> Iterator[Row]:
    if not path.startswith("pages/"):
        return
    name = Path(path).stem
    about = _squeezed(
        " ".join(line[2:] for line in text.splitlines() if line.startswith("> ") and "http" not in line)
    )
    commands = re.findall(r"^- (.*?):?\n\n`(.*?)`", text, re.M)
    if about and commands:
        yield {
            "a": about,
            "b": f"{name}\n" + "\n".join(f"{what}: {command}" for what, command in commands)[:LONGEST],
            "k": "man",
        }
    for what, command in commands:
        yield {"a": what, "b": f"{name}: {command}", "k": "man"}


def json_text_rows(path: str, text: str) -> Iterator[Row]:
    """Turns of conversations, in JSON of any form: every value of a key that names what was said."""
    conversations = json.loads(text)
    for conversation in conversations.values() if isinstance(conversations, dict) else conversations:
        turns = [_squeezed(str(value)) for value in _values(conversation, {"text", "utterance"})]
        turns = [turn for turn in turns if len(turn) > 25]
        for first, second in zip(turns, turns[1:], strict=False):
            if first.endswith("?") and len(second) > 40:
                yield {"a": first, "b": second, "k": "turn"}
            else:
                yield {"t": first, "k": "turn"}


def _values(value: object, keys: set[str]) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key in keys and isinstance(below, str):
                yield below
            else:
                yield from _values(below, keys)
    elif isinstance(value, list):
        for below in value:
            yield from _values(below, keys)


def facts_rows(path: str, text: str) -> Iterator[Row]:
    """The world factbook: the heading of an entry, and its text."""
    country = json.loads(text)
    name = (
        country.get("Government", {})
        .get("Country name", {})
        .get("conventional short form", {})
        .get("text", "")
    )

    def below(value: object, trail: list[str]) -> Iterator[Row]:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "text" and isinstance(inner, str) and len(inner) > 60:
                    yield {
                        "a": f"{name}: {', '.join(trail[-2:])}",
                        "b": _squeezed(re.sub(r"<[^>]+>", " ", inner))[:LONGEST],
                        "k": "fact",
                    }
                else:
                    yield from below(inner, [*trail, key])

    if name:
        yield from below(country, [])


def summaries_rows(path: str, text: str) -> Iterator[Row]:
    """SciTLDR: one sentence about a paper, and its abstract."""
    for line in text.splitlines():
        paper = json.loads(line)
        abstract = _squeezed(" ".join(paper["source"]))[:LONGEST]
        for summary in paper["target"][:2]:
            yield {"a": _squeezed(summary)[:300], "b": abstract, "k": "abstract"}


def intents_rows(path: str, text: str) -> Iterator[Row]:
    """Two ways to say one thing: sentences of one intent, from CSV or JSON."""
    groups: dict[str, list[str]] = {}
    if path.endswith(".json"):
        for split in json.loads(text).values():
            for pair in split if isinstance(split, list) else []:
                if isinstance(pair, list) and len(pair) == 2 and pair[1] != "oos":
                    groups.setdefault(pair[1], []).append(pair[0])
    else:
        delimiter = ";" if text.count(";") > text.count(",") else ","
        for row in csv.DictReader(text.splitlines(), delimiter=delimiter):
            sentence = (
                row.get("answer_from_user")
                or row.get("answer")
                or row.get("text")
                or row.get("question")
                or ""
            )
            group = row.get("intent") or row.get("category") or row.get("label") or ""
            if sentence and group and sentence != "null":
                groups.setdefault(f"{row.get('scenario', '')} {group}", []).append(sentence)
    for sentences in groups.values():
        random.Random(7).shuffle(sentences)
        for first, second in zip(sentences[::2], sentences[1::2], strict=False):
            yield {"a": first, "b": second, "k": "intent"}


def science_rows(path: str, text: str) -> Iterator[Row]:
    """QASC: a question of school science, and the fact that answers it."""
    for line in text.splitlines():
        item = json.loads(line)
        for key in ("combinedfact", "fact1", "fact2"):
            if item.get(key):
                yield {"a": item["question"]["stem"], "b": item[key], "k": "science"}


def endings(*kinds: str) -> Callable[[str], bool]:
    return lambda path: path.lower().endswith(kinds)


READERS: dict[str, tuple[Callable[[str], bool], Callable[[str, str], Iterator[Row]]]] = {
    "code": (endings(".py", ".java", ".js", ".ts", ".tsx", ".go", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".php", ".swift", ".kt", ".scala", ".rb", ".ex", ".exs", ".md", ".rst", ".adoc"), code_rows),
    "prose": (endings(".md", ".rst", ".adoc", ".txt", ".mdx"), prose_rows),
    "book": (endings(".cnxml"), book_rows),
    "wordnet": (lambda path: path.startswith("src/yaml/") and "entries-" not in path, wordnet_rows),
    "tldr": (endings(".md"), tldr_rows),
    "turns": (lambda path: path.endswith(".json") and "ontology" not in path, json_text_rows),
    "facts": (endings(".json"), facts_rows),
    "summaries": (lambda path: "SciTLDR-A/" in path and path.endswith(".jsonl"), summaries_rows),
    "intents": (endings(".csv", "data_full.json"), intents_rows),
    "science": (endings(".jsonl"), science_rows),
}  # fmt: skip


# ---------------------------------------------------------------- all of it


def rows_of(source: dict[str, str], mirrors: Path) -> Iterator[Row]:
    folder = mirrors / source["repository"].replace("/", "+") / "repo"
    repository = folder / ".git" if (folder / ".git").exists() else folder
    wanted, reader = READERS[source["reader"]]
    for path, text in files(repository, source["commit"], wanted):
        try:
            yield from reader(path, text)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            print(f"{source['repository']}: {path}: {type(error).__name__}: {error}", file=sys.stderr)
    if source["reader"] == "code":
        yield from commit_rows(repository, source["commit"])


def excluded_texts(folders: list[Path], lines: list[Path]) -> Iterator[str]:
    """Every text and question of the evaluation sets."""
    for folder in folders:
        for path in sorted(folder.glob("*/corpus.jsonl.xz")):
            with lzma.open(path, "rt", encoding="utf-8") as rows:
                for row in rows:
                    yield json.loads(row)["text"]
        lines = [*lines, *sorted(folder.glob("*/queries.jsonl"))]
    for path in lines:
        with path.open(encoding="utf-8") as rows:
            for row in rows:
                yield json.loads(row)["text"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--exclude", type=Path, action="append", default=[])
    parser.add_argument("--exclude-jsonl", type=Path, action="append", default=[])
    options = parser.parse_args()
    exclusion = Exclusion(excluded_texts(options.exclude, options.exclude_jsonl))
    sources = [*csv.DictReader(options.sources.open(encoding="utf-8"), delimiter="\t")]
    seen: set[int] = set()
    counts = []
    with options.out.open("w", encoding="utf-8") as out:
        for source in sources:
            kept = dropped = 0
            rows = [*rows_of(source, options.mirrors)]
            random.Random(7).shuffle(rows)
            for row in rows:
                if kept >= MOST_LINES.get(source["reader"], MOST_LINES_ELSE):
                    break
                text = row.get("t") or row["a"] + "\n" + row["b"]
                key = hash(row.get("t") or row["b"])
                if key in seen or len(text) < 40:
                    continue
                seen.add(key)
                if exclusion.covers(text) or any(exclusion.covers(row[side]) for side in "ab" if side in row):
                    dropped += 1
                    continue
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                kept += 1
            counts.append(
                (source["repository"], source["commit"], source["licence"], str(kept), str(dropped))
            )
            print("\t".join(counts[-1]), flush=True)
    with options.out.with_suffix(".counts.tsv").open("w", encoding="utf-8") as table:
        table.write("repository\tcommit\tlicence\tlines\tleft out\n")
        table.writelines("\t".join(row) + "\n" for row in counts)


if __name__ == "__main__":
    main()
