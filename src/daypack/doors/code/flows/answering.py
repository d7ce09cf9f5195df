"""A work-flow question, from its text to the query and the candidates of a pack."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import compress
from typing import NamedTuple

import numpy as np

from daypack.doors.code.flows.evidence import Gathering, Near
from daypack.doors.code.flows.json_traces import unrolled
from daypack.doors.code.flows.routes import NOT_REGISTERED, handlers_and_requests, names_request
from daypack.doors.code.flows.subjects import Subject, names_of, subject_of
from daypack.doors.code.flows.weights import candidate, tests_before_heads, weighed
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.graph.users import callers_of
from daypack.doors.code.mentions import Mentions
from daypack.doors.code.project import StoredProject
from daypack.doors.code.references import Spellings, check_line, is_folder, nothing_named, spelled
from daypack.engine.engine import Engine
from daypack.engine.questions import Question
from daypack.errors import InputError, NotFound
from daypack.filters import Filter, OneOf
from daypack.index.postings.lexical import postings
from daypack.ports import FILES
from daypack.query import parse_query
from daypack.text import analysis
from daypack.text.paths import is_aside_path, is_test_path, names_path
from daypack.types import Candidate, SearchStats, Task

WANTED = {
    Task.TRACE: "a stack trace, or the output of a failing test",
    Task.IMPACT: "a diff, a name, path:line or path:Name",
    Task.TESTS: "a diff, a name, path:line or path:Name",
    Task.USES: "a name, path:line or path:Name",
}
NOTHING_NAMED = "the text has no diff or name of indexed code"
NOT_STORED = "the diff changes no place in the stored code"
NOT_TESTED = "no test calls or uses it"
NOT_USED = "no call or use is known"
NO_FRAME = "no frame of the trace is in a stored file"
CHANGE_NOT_TESTED = "no test calls or uses the changed code"
_REVISIONS = re.compile(
    r"[^\s./:][^\s:]*(?:\.\.\.?(?:[^\s./:][^\s:]*)?|~\d*|\^+|@\{[^\s{}]+\})"
)  # main..topic, HEAD~1
DEPTH = 400  # candidates by words for which evidence is collected, about as many as a pool has
MOST_USES = 40  # calls of a name in the answer
SAME_FILE = 0.5  # the factor of a call's chance for each better call in the same file
READS_LIKE = 0.45  # the chance of text that looks like a call of the name
BESIDE = 0.7  # the factor of the chance of a call in a test, an example or a built copy


def asked_for(
    task: Task,
    text: str,
    engine: Engine,
    graph: CodeGraph,
    project: StoredProject,
    question: Question,
    spellings: Spellings,
) -> Question:
    """The question with the query and the candidates of a task. Without a place of the code its answer is weak.

    Raises NotFound for a single word that is not stored or is a folder, and InputError for no word.
    """
    store, now = engine.store, engine.now()
    if not text.strip():
        raise InputError(f"the text is empty; give {WANTED[task]}")

    text = unrolled(text) if task is Task.TRACE else text
    mentions = Mentions(engine, graph, project)
    with store.reading():
        handlers, requests = handlers_and_requests(text, mentions, graph)
    text = " ".join(handlers) if handlers and task is not Task.TRACE else text
    word = text.strip().strip("`'\",;")
    # A question in Chinese or Japanese is one word, too: it has no spaces.
    is_name = task is not Task.TRACE and word.isascii() and len(word.split()) == 1
    if is_name:
        text = text.replace(word, word := spelled(project, word, spellings))
    parsed = parse_query(text, now=now, whole=True)
    with store.reading():
        subject = subject_of(
            text, project, mentions.lines, spellings, parsed.frames, is_trace=task is Task.TRACE
        )
        if handlers:
            subject = subject._replace(said=tuple(requests), is_route=True)
        elif is_name and not subject.places:
            subject = subject._replace(said=tuple(mentions.places_saying(word)))
    asked = _Asked(task, subject, is_name, engine, graph, project)
    if is_name:
        asked.check_name(word)
    query = subject.query(now=now)
    if task is Task.TRACE:
        query = query._replace(asks_for_tests=False, asks_for_docs=False)
    question = question._replace(
        query=query, revised=partial(asked.revised, condition=question.condition), depth=DEPTH
    )
    if not subject.places and task is Task.TRACE:
        # A message is answered by its words, which tell whether the answer is weak; of a trace of other programs it is.
        if not parsed.frames:
            return question._replace(by_words=True)
        because = NO_FRAME
    elif not subject.places and names_request(text):
        because = NOT_REGISTERED
    else:
        because = asked.weak_because()
    if because:
        return question._replace(stats=(question.stats or SearchStats())._replace(weak_because=because))
    return question


class _Asked(NamedTuple):
    """A task with its subject, in a project."""

    task: Task
    subject: Subject
    is_name: bool  # the text was one word
    engine: Engine
    graph: CodeGraph
    project: StoredProject

    def check_name(self, word: str) -> None:
        """Raise NotFound, with the next step, for a word that names no code."""
        check_line(self.project, word)
        if self.subject.places or self.subject.said:
            return
        if self.task in (Task.IMPACT, Task.TESTS) and (step := _diff_meant(self.task, word)):
            raise NotFound(f"{word!r} is not a diff", step)
        if is_folder(self.project, word) or not _is_known(word, self.engine, self.project):
            raise nothing_named(self.graph, self.project, word, word)

    def revised(self, candidates: list[Candidate], condition: Filter | None) -> list[Candidate]:
        """The candidates by words, and those that the graph adds, as the task weighs them."""
        gathering = self._gathering()
        named = self.task is Task.IMPACT or (
            self.task is Task.TESTS and gathering.has_tests(self.subject, paired=False)
        )
        near = gathering.near(
            self.subject,
            candidates,
            tests_apart=self.task is Task.TESTS,
            # Words lead to code that a diff changes without naming it; a name changes only what has to do with it.
            of_name=named and not self.subject.is_diff,
        )
        if self.task is Task.TESTS:
            near = [entry for entry in near if _is_of_tests(entry, self.project)]
            ranked = tests_before_heads(weighed(self.task, near))
        elif self.task is Task.USES and gathering.is_named(self.subject):
            ranked = _uses(near, sorted(names_of(self.project, self.subject)))
        else:
            ranked = weighed(self.task, near, is_diff=self.subject.is_diff)
        return _inside(self.engine, ranked, condition)

    def weak_because(self) -> str:
        """The reason for which an answer can only be weak, or ""."""
        if self.subject.said and self.task is not Task.TESTS:
            return ""
        if not self.subject.places and not self.subject.said:
            return NOT_STORED if self.subject.is_diff else f"{NOTHING_NAMED} (give {WANTED[self.task]})"
        if self.task is Task.USES and (self.is_name or self.subject.is_route):
            with self.engine.store.reading():
                used = any(callers_of(self.graph, place) for place in self.subject.places) or (
                    self._gathering().has_mentions(self.subject)
                )
            return "" if used else NOT_USED
        if self.task is Task.TESTS:
            with self.engine.store.reading():
                tested = self._gathering().has_tests(self.subject, paired=not self.is_name)
            return "" if tested else CHANGE_NOT_TESTED if self.subject.is_diff else NOT_TESTED
        return ""

    def _gathering(self) -> Gathering:
        return Gathering(self.engine, self.graph, self.project)


def _diff_meant(task: Task, word: str) -> str:
    """The next step for the name of a diff, as a file or as revisions of git; "" for another word."""
    if word.endswith((".diff", ".patch")):
        return f"give its text; `daypack code {task} - < {shlex.quote(word)}` reads it"
    if _REVISIONS.fullmatch(word):
        return f"`daypack code {task} -` reads the output of `git diff {shlex.quote(word)}`"
    return ""


def _is_of_tests(near: Near, project: StoredProject) -> bool:
    """True for code of tests, for code that tests the subject, and for code with a test inside."""
    if near.numbers["test"] or near.numbers.get("tests"):
        return True
    facts, span = project.facts(near.chunk.uri), near.chunk.span
    tests = (facts.symbols[index] for index in facts.tests) if facts is not None else ()
    return any(test.start_line <= span.end_line and span.start_line <= test.end_line for test in tests)


def _is_known(word: str, engine: Engine, project: StoredProject) -> bool:
    """True when each part of a path, a name, path:line or path:Name is a stored file or folder, or a term of a file's text."""
    with engine.store.reading() as db:
        snapshot = engine.snapshots.current(vectors=False)
        files = engine.snapshots.mask(db, snapshot, OneOf("door", (FILES,)))

        def stands(term: str) -> bool:
            return bool(files[postings(db, snapshot.view, term).positions].any())

        for part in re.split(r"(?<!:):(?!:)", word):
            parsed = parse_query(part, now=engine.now())
            if parsed.paths:
                known = any(_is_at(uri, path) for path in parsed.paths for uri in project.files.uris)
            elif parsed.mentions:
                known = stands(analysis.terms(re.split(r"\W+", part.rstrip("()"))[-1])[0])
            else:
                known = not part.strip("0123456789-") or any(map(stands, analysis.terms(part)))
            if not known:
                return False
    return True


def _is_at(uri: str, path: str) -> bool:
    """True for the file that a path names, and for files in the folder that it names."""
    return names_path(uri, path) or f"/{path.strip('/')}/" in f"/{uri}"


def _inside(engine: Engine, candidates: list[Candidate], condition: Filter | None) -> list[Candidate]:
    """The candidates that pass the filter and that the viewer may see; the graph adds candidates without these checks."""
    with engine.store.reading() as db:
        snapshot = engine.snapshots.current(vectors=False)
        mask = engine.snapshots.mask(db, snapshot, condition)
    positions = snapshot.view.positions_of(
        np.asarray([candidate.chunk.id for candidate in candidates], dtype=np.int64)
    )
    return [*compress(candidates, ((positions >= 0) & mask[positions]).tolist())]


def _uses(near: Sequence[Near], names: Sequence[str]) -> list[Candidate]:
    """Chunks that call a name, best first: certain calls before ambiguous ones and text that looks like a call, programs before
    tests, and a first call of each file before a second.
    """
    call = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})\s?[(!<]") if names else None
    calls = []
    for entry in near:
        strength = max(
            entry.numbers.get("calls", 0.0),
            READS_LIKE if call is not None and call.search(entry.chunk.text) else 0.0,
        )
        if strength and not entry.numbers.get("own"):
            uri = entry.chunk.uri
            calls.append((strength * (BESIDE if is_test_path(uri) or is_aside_path(uri) else 1.0), entry))
    calls.sort(key=lambda item: (-item[0], -item[1].numbers.get("words", 0.0), item[1].chunk.id))
    seen: Counter[str] = Counter()
    candidates = []
    for chance, entry in calls:
        numbers = {**entry.numbers, "calls": chance}
        candidates.append(
            candidate(
                entry._replace(numbers=numbers), chance * SAME_FILE ** seen[entry.chunk.uri], {"calls": 1.0}
            )
        )
        seen[entry.chunk.uri] += 1
    return sorted(candidates, key=lambda entry: -entry.score)[:MOST_USES]
