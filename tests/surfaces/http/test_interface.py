"""The shape of the HTTP interface: problems, reads by GET, events, limits and bounds, and its page."""

from __future__ import annotations

import http.client
import json
import re
from typing import Any
from urllib.parse import urlencode

import jsonschema
import pytest
from server import Page

from daypack.surfaces.http import problems
from daypack.surfaces.http.gate import LARGEST_BODY
from daypack.surfaces.mcp.bounds import MOST_CHARACTERS
from support import daypack

QUESTION = "how are refunds retried?"


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "code"),
    [
        ("GET", "/v1/none", None, {}, 404, "not_found"),
        ("GET", "/nowhere", None, {}, 404, "not_found"),
        ("GET", "/v1/get?reference=docs/none.md", None, {}, 404, "not_found"),
        ("POST", "/v1/get", {"reference": "docs/none.md"}, {}, 404, "not_found"),
        ("GET", "/v1/remember?key=a&value=b", None, {}, 405, "wrong_method"),
        ("DELETE", "/v1/pack", None, {}, 405, "wrong_method"),
        ("POST", "/v1/pack", b"[", {}, 400, "not_json"),
        ("POST", "/v1/pack", {"query": 3}, {}, 422, "bad_input"),
        ("GET", "/v1/pack?query=a&budget=many", None, {}, 422, "bad_input"),
        ("GET", "/v1/find?collection=teas&filter={", None, {}, 422, "bad_input"),
        ("GET", "/v1/pack?query=a&budgett=3", None, {}, 422, "bad_input"),
        ("GET", "/v1/pack?query=a&query=b", None, {}, 422, "bad_input"),
        ("POST", "/v1/pack", b"x" * (5 << 20), {}, 413, "too_large"),
        ("POST", "/v1/pack", None, {"Content_Length": str(LARGEST_BODY + 1)}, 413, "too_large"),
        ("POST", "/v1/pack", b"a", {"Content_Type": "text/plain"}, 415, "not_json"),
        ("GET", "/v1/status", None, {"Authorization": "Bearer wrong"}, 401, "no_token"),
        ("GET", "/v1/status", None, {"Origin": "http://evil.example"}, 403, "other_origin"),
        ("GET", "/v1/status", None, {"Host": "evil.example"}, 421, "other_name"),
        ("GET", "/v1/status", None, {"X_Long": "a" * (33 << 10)}, 431, "large_head"),
    ],
)  # fmt: skip
def test_every_error_is_a_problem(
    page: Page, method: str, path: str, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    found, given, text = page.ask(method, path, body, **headers)
    told = json.loads(text)
    assert (found, told["code"], given["content-type"]) == (status, code, "application/problem+json")
    jsonschema.validate(told, problems.SCHEMA)
    assert told["status"] == status
    if status == 405:
        assert given["allow"] in told["detail"]


def test_what_reads_answers_get_as_post(page: Page) -> None:
    for name, arguments in {
        "pack": {"query": QUESTION, "budget": 300, "source": ["docs/**", "src/**"], "format": "xml"},
        "search": {"queries": ["refunds", "retry"], "limit": 2},
        "find": {"collection": "teas", "filter": {"year": {"$gt": 2020}}, "limit": 1},
        "list_memories": {"limit": 2},
    }.items():
        sent = [
            (key, json.dumps(item) if isinstance(item, dict) else item)
            for key, value in arguments.items()
            for item in (value if isinstance(value, list) else [value])
        ]
        by_get = page.ask("GET", f"/v1/{name}?{urlencode(sent)}")
        by_post = page.ask("POST", f"/v1/{name}", arguments)
        assert (by_get[0], by_get[2]) == (by_post[0], by_post[2])
        assert by_get[0] == 200, by_get[2]


def test_results_are_typed_with_name_and_text(page: Page) -> None:
    found = json.loads(page.ask("GET", "/v1/search?queries=refunds&limit=2")[2])
    assert found["name"] == "search"
    for result in found["details"]["answers"][0]["results"]:
        whole = json.loads(page.ask("GET", f"/v1/get?{urlencode({'reference': result['reference']})}")[2])
        assert result["text"].strip() in whole["text"]
        assert {"name", "uri", "start_line", "end_line", "score"} <= result.keys()


def events_of(page: Page, path: str, body: dict[str, Any]) -> list[tuple[str, Any]]:
    status, headers, text = page.ask("POST", path, body, Accept="text/event-stream")
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    return [(match[1], json.loads(match[2])) for match in re.finditer(r"event: (\w+)\ndata: (.*)\n\n", text)]


def test_progress_comes_as_events_before_the_result(page: Page, project: Any) -> None:
    (project / "docs" / "news.md").write_text("# News\n\nRefunds have a page of their own.\n")
    *steps, (last, added) = events_of(page, "/v1/add", {"paths": ["docs"]})
    assert (last, added["added"]) == ("result", 1)
    assert steps
    assert all(name == "progress" and 0 <= step["done"] <= step["total"] for name, step in steps)
    *steps, (last, embedded) = events_of(page, "/v1/embed", {})
    assert last == "result"
    assert embedded["embedded"] >= 0
    ((last, found),) = events_of(page, "/v1/get", {"reference": "docs/none.md"})
    assert (last, found["status"]) == ("problem", 404)
    assert page.ask("POST", "/v1/add", {"paths": ["/etc/passwd"]})[0] == 422
    (project / "docs" / "news.md").unlink()
    *_, (_, again) = events_of(page, "/v1/add", {"paths": ["docs"]})
    assert again["removed"] == 1  # now, and not by the first question of another test


def test_a_reader_of_events_that_leaves_stops_nothing_else(page: Page) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=120)
    headers = {"Authorization": f"Bearer {page.token}", "Accept": "text/event-stream"}
    connection.request("GET", f"/v1/pack?{urlencode({'query': QUESTION})}", headers=headers)
    assert connection.getresponse().status == 200
    connection.close()
    assert page.ask("GET", "/v1/status")[0] == 200


def test_limits_are_said_in_headers(page: Page) -> None:
    _, headers, _ = page.ask("GET", "/v1/status")
    assert headers["ratelimit-policy"] == '"calls";q=32;qu="concurrent-requests"'
    left = re.fullmatch(r'"calls";r=(\d+)', headers["ratelimit"])
    assert left
    assert 0 <= int(left[1]) <= 32
    assert "ratelimit" in page.ask("POST", "/v1/pack", {})[1]


def test_every_answer_is_bounded_and_says_how_to_get_the_rest(page: Page, project: Any) -> None:
    body = "\n".join(json.dumps({"_id": number, "text": f"rule {number} " * 300}) for number in range(100))
    daypack("docs", "load", "long", "-", cwd=project, input=body.encode())
    status, _, text = page.ask("GET", "/v1/find?collection=long&limit=100")
    assert status == 200
    assert len(text) <= MOST_CHARACTERS + 2000
    cut = json.loads(text)["cut"]
    assert cut["characters"] > 0
    assert "limit" in cut["more"]
    ids, skip = [], 0
    while batch := json.loads(page.ask("GET", f"/v1/find?collection=long&limit=10&skip={skip}")[2])[
        "documents"
    ]:
        ids += [document["_id"] for document in batch]
        skip += 10
    assert ids == [*range(100)]
    daypack("docs", "drop", "long", cwd=project, status=None)


def test_the_reference_page_lists_every_operation_and_asks_no_other_machine(page: Page) -> None:
    status, headers, text = page.ask("GET", "/docs", Cookie=page.enter())
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    document = json.loads(page.ask("GET", "/openapi.json")[2])
    for path in document["paths"]:
        assert path in text or path == "/health"
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)


def test_operations_have_names_of_their_own(page: Page) -> None:
    document = json.loads(page.ask("GET", "/openapi.json")[2])
    names = [one["operationId"] for item in document["paths"].values() for one in item.values()]
    assert len(names) == len({*names})


def test_a_budget_below_zero_is_clamped_as_on_the_command_line(page: Page) -> None:
    arguments = {"topic": "", "ordering": "relevance", "budget_tokens": -1_000_000}
    assert page.ask("POST", "/v1/pack_context", arguments)[0] == 200
