"""Datasets in one layout: a folder with corpus.jsonl(.xz) and queries.jsonl(.xz), and qrels.tsv where grades
differ.

    records     documents, chunked by the system that indexes them; one collection for the whole set
    trees       files of a repository at a commit, for sets that ship questions only; one collection a tree (evals/quality/trees.py)

Only `text` of a query and the corpus fields reach a system. Everything else of a query is an answer: it is
read here, kept apart, and given to the measures alone. The `history` of a conversation is read on request.
"""

from __future__ import annotations

import enum
import hashlib
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.quality.trees import Tree, tree_of

CODE_SETS = {"cosqa-dev": "python", "codebase-chunks-a": "rust"}
"""Sets whose documents are source code, and its language; a README that says "functions" of Python means
Python.
"""

LONGEST_QUERY_BYTES = 8 << 10  # what Daypack reads of a question; a longer one is cut, for every system

Interval = tuple[int, int]


class GoldKind(enum.StrEnum):
    """Kinds of evidence in a set."""

    DOCUMENTS = "documents"
    SPANS = "spans"  # half-open characters of documents
    FILES = "files"  # files of a tree, and lines of them where the set knows those


@dataclass(frozen=True, slots=True)
class EvalQuery:
    """One query. `scope` restricts retrieval to the documents of that scope, `collection` names what is
    searched.
    """

    id: str
    text: str
    scope: str | None
    category: str
    collection: str = ""
    history: tuple[str, ...] = ()  # the turns before it, oldest first, as "user: …" and "agent: …"

    @property
    def with_history(self) -> str:
        """The turns before the query and its text, for a system that takes one text."""
        return "\n".join((*(turn.partition(": ")[2] for turn in self.history), self.text))


@dataclass(frozen=True, slots=True)
class Qrel:
    """Evidence that answers a query; empty where nothing does.

    `grades` are of documents (or files), one without a grade has grade 0. `evidence` is what a pack should
    hold; `spans` says where in a document it stands (characters, half-open), `lines` where in a file (from 1,
    both included).
    """

    query_id: str
    grades: Mapping[str, int]
    evidence: tuple[str, ...] = ()
    spans: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)
    lines: Mapping[str, tuple[Interval, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Collection:
    """Content of one index: records that any system can take, or a tree of files."""

    name: str
    records: tuple[Mapping[str, Any], ...] = ()
    tree: Tree | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """Collections, queries, and what is relevant."""

    name: str
    kind: GoldKind
    collections: Mapping[str, Collection]
    queries: tuple[EvalQuery, ...]
    qrels: Mapping[str, Qrel]
    digest: str  # of corpus, queries and qrels

    @property
    def records(self) -> tuple[Mapping[str, Any], ...]:
        """All documents; none for a set of trees."""
        return tuple(record for collection in self.collections.values() for record in collection.records)


def load(folder: Path, *, trees: Path | None = None, history: bool = False) -> Dataset:
    """Read a folder. `trees` holds <owner>__<name>/<commit>/ for sets of code; FOLDER/trees by default. With `history`,
    queries have the turns before them.

    Raises FileNotFoundError that names what is missing and how it is made.
    """
    queries_file, corpus = _either(folder, "queries.jsonl"), _either(folder, "corpus.jsonl")
    if queries_file is None:
        raise FileNotFoundError(f"{folder} holds no queries.jsonl or queries.jsonl.xz")
    raw = list(_lines(queries_file))
    digest = hashlib.sha256()
    if corpus is None:
        if not any("gold_files" in query for query in raw):
            raise FileNotFoundError(f"{folder} holds no corpus.jsonl or corpus.jsonl.xz")
        digest.update(queries_file.read_bytes())
        return _of_trees(folder, raw, trees or folder / "trees", digest.hexdigest())
    grades = _grades(folder / "qrels.tsv")
    for path in (corpus, queries_file, folder / "qrels.tsv"):
        if path.exists():
            digest.update(path.read_bytes())
    documents = list(_lines(corpus))
    scoped = any(document.get("scope") for document in documents)
    language = _language(folder)
    spans = any(isinstance(item, dict) for query in raw for item in query.get("evidence", ()))
    name = folder.resolve().name
    return Dataset(
        name=name,
        kind=GoldKind.SPANS if spans else GoldKind.DOCUMENTS,
        collections={name: Collection(name, tuple(_record(document, language) for document in documents))},
        queries=tuple(
            EvalQuery(
                q["id"],
                _cut(q["text"]),
                q.get("scope") if scoped else None,
                str(q.get("category") or q.get("domain") or ""),
                name,
                tuple(q.get("history", ())) if history else (),
            )
            for q in raw
        ),
        qrels={q["id"]: _qrel(q, grades.get(q["id"], {}), spans=spans) for q in raw},
        digest=digest.hexdigest(),
    )


def _of_trees(folder: Path, raw: Sequence[Mapping[str, Any]], trees: Path, digest: str) -> Dataset:
    found = {
        (q["repo"], q["base_commit"]): tree_of(trees, q["repo"], q["base_commit"], folder.resolve().name)
        for q in raw
    }
    return Dataset(
        name=folder.resolve().name,
        kind=GoldKind.FILES,
        collections={tree.name: Collection(tree.name, tree=tree) for tree in found.values()},
        queries=tuple(
            EvalQuery(q["id"], _cut(q["text"]), None, _names_file(q), found[q["repo"], q["base_commit"]].name)
            for q in raw
        ),
        qrels={
            q["id"]: Qrel(
                q["id"],
                grades=dict.fromkeys(q["gold_files"], 1),
                evidence=tuple(q["gold_files"]),
                lines={
                    path: tuple((first, last) for first, last in spans)
                    for path, spans in q.get("gold_line_spans", {}).items()
                },
            )
            for q in raw
        },
        digest=digest,
    )


def _qrel(query: Mapping[str, Any], grades: Mapping[str, int], *, spans: bool) -> Qrel:
    evidence = query.get("evidence", ())
    if not spans:
        documents = tuple(evidence) or tuple(grades)
        return Qrel(query["id"], grades or dict.fromkeys(documents, 1), documents)
    where: dict[str, list[Interval]] = defaultdict(list)
    for item in evidence:
        where[item["doc_id"]].append((item["start"], item["end"]))
    if not where:
        return Qrel(query["id"], {})
    return Qrel(
        query["id"], grades, tuple(where), spans={document: tuple(found) for document, found in where.items()}
    )


def _names_file(query: Mapping[str, Any]) -> str:
    """Category of a query of a code set: its text names a wanted file, or does not."""
    named = query.get("issue_mentions", {}).get("file", "None") != "None" or query.get("mentions_file", False)
    return "names the file" if named else "does not name the file"


def _cut(text: str) -> str:
    """The text as far as it is read: a caller shortens a longer question."""
    encoded = text.encode()
    return (
        text if len(encoded) <= LONGEST_QUERY_BYTES else encoded[:LONGEST_QUERY_BYTES].decode(errors="ignore")
    )


def _either(folder: Path, name: str) -> Path | None:
    """A file of the layout, plain or packed."""
    return next((path for path in (folder / name, folder / f"{name}.xz") if path.exists()), None)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")  # noqa: SIM115 (entered below)
    with opened as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def _grades(path: Path) -> dict[str, dict[str, int]]:
    """Positive grades by query and document. A grade of 0 was judged, and is not relevant."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            query, document, grade = line.split("\t")
            if int(grade) > 0:
                grades[query][document] = int(grade)
    return grades


def _language(folder: Path) -> str:
    if folder.resolve().name in CODE_SETS:
        return CODE_SETS[folder.resolve().name]
    readme = folder / "README"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    return "python" if text.startswith("Functions of the Python") else ""


def _record(document: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A corpus document as a ready-made record.

    The title of a part is left out where it is the id of the whole, and says nothing.
    """
    record: dict[str, Any] = {"id": document["id"], "text": document["text"]}
    title = document.get("title") or ""
    session = document.get("session")
    if session is not None:
        record.update(session=str(session), kind="event")
    elif title and title != document.get("doc_id"):
        record["title"] = title
    if document.get("scope"):
        record["scope"] = document["scope"]
    if speaker := document.get("speaker") or document.get("role"):
        record["author"] = speaker
    if (time := _time(document.get("time"))) is not None:
        record["time"] = time
    if language:
        record.update(kind="code", language=language)
    return record


def _time(value: object) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    if not isinstance(value, str):
        return None
    for pattern in ("%I:%M %p on %d %B, %Y", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d", "%B-%d-%Y"):
        try:
            return datetime.strptime(value, pattern).replace(tzinfo=UTC).timestamp()
        except ValueError:
            continue
    return None
