"""Datasets in one layout: a folder with corpus.jsonl(.xz), queries.jsonl and, where grades differ, qrels.tsv.

Only `text` of a query and the corpus fields reach a system. Everything else of a query is an answer: it is read here, kept
apart, and given to the measures alone.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

CODE_SETS = {"cosqa-dev": "python", "codebase-chunks-a": "rust"}
"""Sets whose documents are source code, and its language; a README that says "functions" of Python means Python."""


@dataclass(frozen=True, slots=True)
class EvalQuery:
    """One query. `scope` restricts retrieval to the documents of that scope."""

    id: str
    text: str
    scope: str | None
    category: str


@dataclass(frozen=True, slots=True)
class Qrel:
    """Document ids that answer a query, with their grades; a document without a grade has grade 0."""

    query_id: str
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus as records that any system can take, queries, and what is relevant."""

    name: str
    records: tuple[Mapping[str, Any], ...]
    queries: tuple[EvalQuery, ...]
    qrels: Mapping[str, Qrel]
    digest: str  # of corpus, queries and qrels


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")  # noqa: SIM115 (entered below)
    with opened as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def load(folder: Path) -> Dataset:
    """Read a folder. Raises FileNotFoundError that names what is missing."""
    corpus = next((folder / name for name in ("corpus.jsonl", "corpus.jsonl.xz") if (folder / name).exists()), None)
    if corpus is None:
        raise FileNotFoundError(f"{folder} holds no corpus.jsonl or corpus.jsonl.xz")
    raw_queries = list(_lines(folder / "queries.jsonl"))
    documents = list(_lines(corpus))
    scoped = any(document.get("scope") for document in documents)
    language = _language(folder)
    grades: dict[str, dict[str, int]] = {}
    if (folder / "qrels.tsv").exists():
        for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
            query_id, document_id, grade = line.split("\t")
            if int(grade) > 0:
                grades.setdefault(query_id, {})[document_id] = int(grade)
    for query in raw_queries:
        if query["id"] not in grades:
            ids = {item if isinstance(item, str) else item["doc_id"] for item in query.get("evidence", ())}
            grades[query["id"]] = dict.fromkeys(ids, 1)
    digest = hashlib.sha256()
    for name in (corpus.name, "queries.jsonl", "qrels.tsv"):
        if (folder / name).exists():
            digest.update((folder / name).read_bytes())
    return Dataset(
        name=folder.resolve().name,
        records=tuple(_record(document, language) for document in documents),
        queries=tuple(EvalQuery(q["id"], q["text"], q.get("scope") if scoped else None, str(q.get("category", ""))) for q in raw_queries),
        qrels={query["id"]: Qrel(query["id"], grades[query["id"]]) for query in raw_queries},
        digest=digest.hexdigest(),
    )


def _language(folder: Path) -> str:
    if folder.resolve().name in CODE_SETS:
        return CODE_SETS[folder.resolve().name]
    readme = folder / "README"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    return "python" if text.startswith("Functions of the Python") else ""


def _record(document: Mapping[str, Any], language: str) -> dict[str, Any]:
    """A corpus document as a ready-made record. A title that only repeats the id or scope says nothing and is left out."""
    record: dict[str, Any] = {"id": document["id"], "text": document["text"]}
    title = document.get("title") or ""
    session = document.get("session")
    if session is not None:
        record.update(session=str(session), kind="event")
    elif title and title != document["id"] and title != document.get("doc_id"):
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
