"""The team that a store follows: its address, and the exchange of shared memories with it.

Only what is marked as shared leaves: versions and forgotten keys of the project's shared memory. A line in which a secret
is found stays here. https everywhere, plain http to this machine; redirects are refused, for the token would follow them.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from daypack.errors import ConfigError, DaypackError, InputError
from daypack.guard.fences import one_line
from daypack.guard.secrets import redact
from daypack.surfaces.http.gate import stored_token
from daypack.surfaces.team.lines import PATH, VECTORS, vector_in, vector_out, versions
from daypack.team.proofs import key_of, proof_of
from daypack.text.hosts import is_safe

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.team.types import Remote

SECONDS = 30.0
LARGEST_ANSWER = 256 << 20
BATCH_BYTES = 1 << 20


class RemoteFailed(DaypackError, code="remote_failed", exit_status=3):
    """The team server cannot be reached, or refused the exchange."""


class Exchanged(NamedTuple):
    """Versions that were new there or here, those known already, those forgotten there, and lines that stayed."""

    added: int = 0
    unchanged: int = 0
    refused: int = 0
    issues: tuple[str, ...] = ()


def checked_url(url: str) -> str:
    """The address of a team server without a path. Raises ConfigError."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # a wrong one raises
    except ValueError as error:
        raise ConfigError("that is not a valid URL; write https://team.example.org") from error
    if parts.username or parts.password or parts.query or parts.fragment or parts.path not in ("", "/"):
        raise ConfigError("write the server alone, as https://team.example.org; the token stands in its file")
    if not is_safe(parts):
        raise ConfigError(
            f"{one_line(url, 80)} is neither https nor http to this machine; no token and no text is sent to it"
        )
    return f"{parts.scheme}://{parts.netloc}"


def pull(daypack: Daypack, remote: Remote) -> Exchanged:
    """Take over the shared memories of a team. Raises RemoteFailed, UnsafeToken, InputError."""
    _check_follows(daypack)
    lines = _lines_of(_asked(remote, "GET"))
    report = daypack.memories.files.import_lines(lines, shared=True, name=remote.name)
    issues = tuple(f"{issue.uri}: {issue.detail}" for issue in report.issues)
    return Exchanged(report.added, report.unchanged, report.refused, issues)


def push(daypack: Daypack, remote: Remote) -> Exchanged:
    """Hand over the shared memories that the team does not have. Raises RemoteFailed, UnsafeToken, InputError."""
    _check_follows(daypack)
    known = {*_lines_of(_asked(remote, "GET"))}
    local = versions(daypack.memories.files.export(shared=True))
    new = [line for line in local if line not in known]
    clean = [line for line in new if not redact(line).count]
    exchanged = Exchanged(
        0,
        len(local) - len(new),
        0,
        tuple(f"{_key(line)}: not sent, for it holds a secret" for line in new if line not in {*clean}),
    )
    for batch in _batches(clean):
        answer = _asked(remote, "POST", {"lines": batch})
        issues = tuple(one_line(str(issue), 200) for issue in answer["issues"])
        exchanged = Exchanged(
            exchanged.added + answer["added"],
            exchanged.unchanged + answer["unchanged"],
            exchanged.refused + answer["refused"],
            (*exchanged.issues, *issues),
        )
    return exchanged


class SharedVectors(NamedTuple):
    """Vectors that came from the team, texts that were embedded here, and vectors that were new to the team."""

    taken: int
    embedded: int
    given: int


def exchange_vectors(daypack: Daypack, remote: Remote, *, gives: bool = True) -> SharedVectors:
    """Take the vectors of files that colleagues have embedded, embed the rest, and with `gives` hand those over. Raises
    RemoteFailed, UnsafeToken and ModelError.
    """
    embedding = daypack.engine.embedding
    dim, taken = embedding.model.dim, 0
    model = {"model": embedding.model.model_id, "dim": dim}
    lacking: list[dict[bytes, str]] = []
    for texts in embedding.lacking_files():
        nonce = bytes.fromhex(_asked(remote, "POST", {}, f"{VECTORS}/challenge")["nonce"])
        proofs = {mark.hex(): proof_of(key_of(text), nonce, mark).hex() for mark, text in texts.items()}
        request = {**model, "nonce": nonce.hex(), "proofs": proofs}
        vectors = _asked(remote, "POST", request, f"{VECTORS}/take")["vectors"]
        rows = [(mark, *vector_in(vectors[mark.hex()], dim)) for mark in texts if mark.hex() in vectors]
        embedding.keep_vectors(rows)
        taken += len(rows)
        lacking.append({mark: text for mark, text in texts.items() if mark.hex() not in vectors})
    embedded, handed_over = daypack.embed(), 0
    for texts in lacking if gives else []:
        offered = [
            {"mark": mark.hex(), "key": key_of(texts[mark]).hex(), **vector_out(scale, codes)}
            for mark, scale, codes in embedding.kept_vectors(texts)
        ]
        handed_over += (
            _asked(remote, "POST", {**model, "vectors": offered}, f"{VECTORS}/give")["added"]
            if offered
            else 0
        )
    return SharedVectors(taken, embedded, handed_over)


def _check_follows(daypack: Daypack) -> None:
    """Raise InputError for a store with several projects: forgotten keys are hashes that hold the project's name."""
    if daypack.memories.project:
        raise InputError(
            "a store that several projects share follows no team; use one of the project's own (--store)"
        )


def _key(line: str) -> str:
    return one_line(str(json.loads(line).get("key", "a forgotten key")), 110)


def _batches(lines: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for line in lines:
        if batch and size + len(line.encode()) > BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += len(line.encode())
    if batch:
        yield batch


def _lines_of(answer: Mapping[str, Any]) -> list[str]:
    lines = answer.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise RemoteFailed(
            "the server answered with something else than lines; is it `daypack serve --team`?"
        )
    try:
        return versions(lines)
    except (ValueError, AttributeError) as error:
        raise RemoteFailed(
            "the server answered with a line that is not JSON; nothing was taken over"
        ) from error


def _asked(
    remote: Remote, method: str, body: Mapping[str, Any] | None = None, path: str = PATH
) -> dict[str, Any]:
    """The answer of a team server. Raises RemoteFailed, with the server's own reason where it gave one."""
    parts = urlsplit(checked_url(remote.url))
    assert parts.hostname is not None
    headers = {
        "Authorization": f"Bearer {stored_token(Path(remote.token_file), personal=True)}",
        "Accept": "application/json",
    }
    if remote.project:
        headers["Daypack-Project"] = remote.project
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=SECONDS)
    try:
        connection.request(method, path, data, headers)
        response = connection.getresponse()
        text = response.read(LARGEST_ANSWER + 1)
    except (OSError, http.client.HTTPException) as error:
        raise RemoteFailed(
            f"{remote.url} cannot be reached ({error}); what is shared here waits, run the command again"
        ) from error
    finally:
        connection.close()
    if len(text) > LARGEST_ANSWER:
        raise RemoteFailed(
            f"{remote.url} answered with more than {LARGEST_ANSWER >> 20} MB; nothing was taken over"
        )
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if response.status != 200 or not isinstance(answer, dict):
        detail = answer.get("detail") if isinstance(answer, dict) else ""
        raise RemoteFailed(
            f"{remote.url} answered {response.status}: {one_line(str(detail), 300) or 'no reason given; check the URL'}"
        )
    return answer


def only(remotes: Sequence[Remote], name: str) -> Remote:
    """The team of a name, or the only one. Raises InputError."""
    matches = [remote for remote in remotes if not name or remote.name == name]
    if len(matches) != 1:
        known = ", ".join(remote.name for remote in remotes)
        raise InputError(
            f"name one of the teams that this store follows: {known}" if known
            else "this store follows no team; `daypack team remote add NAME URL --token-file FILE` names one"
        )  # fmt: skip
    return matches[0]
