"""`daypack eval` as a user runs it: a suite, a run, a change, a comparison, a gate."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from daypack import Daypack
from daypack.surfaces.cli.main import main
from support import WORDS, command, daypack, environment, project

REFUNDS = "# Refunds\n\nA refund is sent with an idempotency key, so it is never paid twice.\n\n## Deadlines\n\nCards can be refunded for 180 days.\n"
KETTLE = "# Kettle\n\nThe kettle stands beside the boiler and is descaled on Mondays.\n"
CODE = 'class Refund:\n    def send(self, order):\n        """Give the money back."""\n        return order.total\n'
CASES: list[dict[str, Any]] = [
    {"name": "paid-once", "query": "why is a refund never paid twice?", "expected_paths": ["docs/refunds.md"], "expected_terms": ["idempotency key"], "token_budget": 200},
    {"name": "descaling", "query": "when is the kettle descaled?", "expected_terms": ["on mondays"], "token_budget": 120, "category": "kitchen"},
    {"name": "send", "query": "give the money back", "expected_symbols": ["Refund.send"], "kind": "code"},
]  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = project(
        tmp_path / "shop", {"docs/refunds.md": REFUNDS, "docs/kettle.md": KETTLE, "src/refund.py": CODE}
    )
    write(folder, CASES)
    daypack("add", "docs", "src", cwd=folder)
    return folder


def write(folder: Path, cases: object, name: str = "suite.json") -> None:
    (folder / name).write_text(cases if isinstance(cases, str) else json.dumps(cases), encoding="utf-8")


# ---------------------------------------------------------------- run


def test_a_run_counts_the_records_that_status_counts(shop: Path) -> None:
    daypack("remember", "kettle/colour", "copper", "--owner", "somebody", cwd=shop)
    daypack("eval", "run", "suite.json", "--vectors", "none", "--name", "run.json", cwd=shop)
    asked = json.loads((shop / "run.json").read_text())["store"]
    counted = json.loads(daypack("status", "--json", cwd=shop).stdout)
    assert (asked["records"], asked["chunks"]) == (counted["records"], counted["chunks"])


def test_a_run_says_of_every_case_what_was_found_and_is_saved(shop: Path) -> None:
    done = daypack("eval", "run", "suite.json", cwd=shop)
    rows = [line.split() for line in done.stdout.splitlines()[:4]]
    assert rows[0] == ["case", "found", "rank", "packed", "tokens", "missing"]
    assert rows[1][:4] == ["paid-once", "yes", "1", "yes"]
    assert rows[2][:4] == ["descaling", "–", "1", "yes"]
    assert rows[3][:4] == ["send", "yes", "1", "yes"]
    assert "retrieval  2 of 2 cases, 100 %" in done.stdout
    assert "pack       3 of 3 cases, 100 %" in done.stdout
    assert "kitchen: packed 1 of 1" in done.stdout
    assert done.stderr == ""
    (saved,) = (shop / ".daypack" / "evals").iterdir()
    assert f"saved as   {saved.stem}" in done.stdout
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert stat.S_IMODE(saved.parent.stat().st_mode) == 0o700


def test_json_is_what_is_saved(shop: Path) -> None:
    done = daypack(
        "eval", "run", "suite.json", "--format", "json", "--name", "first", "--limit", "3", cwd=shop
    )
    assert done.stdout == (shop / ".daypack" / "evals" / "first.json").read_text(encoding="utf-8")
    run = json.loads(done.stdout)
    assert run["id"] == "first"
    assert run["options"] == {
        "limit": 3,
        "budget": 4000,
        "tokenizer": "o200k",
        "packing": "auto",
        "vectors": "auto",
    }
    assert run["store"]["records"] == 3
    assert {"daypack", "python", "sqlite"} <= set(run["versions"])
    assert [case["name"] for case in run["cases"]] == ["paid-once", "descaling", "send"]
    assert len(run["suite"]["digest"]) == 16
    assert daypack(
        "eval", "run", "suite.json", "--json", "--name", "first", "--limit", "3", cwd=shop
    ).stdout.count('"packed"') == done.stdout.count('"packed"')


def test_what_is_missing_is_named_with_its_reason(shop: Path) -> None:
    write(
        shop,
        [
            {"name": "mistyped", "query": "refund", "expected_paths": ["docs/refund.md"]},
            {
                "name": "tight",
                "query": "why is a refund never paid twice?",
                "expected_paths": ["docs/refunds.md"],
                "token_budget": 10,
            },
            {
                "name": "nobody",
                "query": "refund",
                "expected_ids": ["zzzz"],
                "expected_source_keys": ["zzzz"],
                "expected_symbols": ["zzzz"],
            },
            {"name": "filtered", "query": "kettle", "expected_paths": ["docs/kettle.md"], "kind": "code"},
        ],
    )
    lines = daypack("eval", "run", "suite.json", "--vectors", "none", cwd=shop).stdout.splitlines()
    assert "docs/refund.md (not in the store; did you mean docs/refunds.md?)" in lines[1]
    assert "docs/refunds.md (not packed: over budget)" in lines[2]
    assert lines[3].count("zzzz (not in the store)") == 3
    assert "docs/kettle.md (nothing answered)" in lines[4]


def test_records_are_known_by_id_and_by_source_key(tmp_path: Path) -> None:
    with Daypack.open(tmp_path / "store", settings=WORDS) as dp:
        dp.records.add(
            [
                {
                    "id": "r1",
                    "text": "The kettle boils.",
                    "metadata": {"source_key": "kitchen:1"},
                    "uri": "notes/kettle",
                },
                {"id": "r2", "text": "The ledger balances.", "scope": "books"},
            ]
        )
        run = dp.evaluate(
            [
                {"name": "id", "query": "kettle", "expected_ids": ["r1"]},
                {"name": "key", "query": "kettle", "expected_source_keys": ["kitchen:1"]},
                {"name": "uri", "query": "kettle", "expected_paths": ["notes/kettle"]},
                {"name": "scope", "query": "ledger", "expected_ids": ["r2"], "scope": "books"},
                {"name": "other scope", "query": "ledger", "expected_ids": ["r2"], "scope": "kitchen"},
            ],
            vectors="none",
        )
    assert [(case.name, case.first_rank, case.packed) for case in run.cases] == [
        ("id", 1, True),
        ("key", 1, True),
        ("uri", 1, True),
        ("scope", 1, True),
        ("other scope", None, False),
    ]


def test_a_run_sees_what_changed_on_disk_unless_told_not_to(shop: Path) -> None:
    (shop / "docs" / "kettle.md").write_text(KETTLE.replace("Mondays", "Fridays"), encoding="utf-8")
    assert (
        "100 %" in daypack("eval", "run", "suite.json", "--no-refresh", cwd=shop).stdout.split("pack ", 1)[1]
    )
    assert '"on mondays" (not packed: not ranked)' in daypack("eval", "run", "suite.json", cwd=shop).stdout


def test_a_suite_in_the_project_does_not_answer_its_own_questions(shop: Path) -> None:
    daypack("add", ".", cwd=shop)
    assert "suite.json" in daypack("search", CASES[0]["query"], "--vectors", "none", cwd=shop).stdout
    write(
        shop,
        [
            {
                "name": "itself",
                "query": CASES[0]["query"],
                "expected_paths": ["suite.json"],
                "expected_terms": ["expected_paths"],
            }
        ],
    )
    (case,) = json.loads(
        daypack("eval", "run", "suite.json", "--vectors", "none", "--json", cwd=shop).stdout
    )["cases"]
    assert (case["retrieved"], case["packed"], case["first_rank"]) == (False, False, None)


# ---------------------------------------------------------------- compare, gate


def test_a_comparison_lists_regressions_with_reasons_and_the_gate_fails(shop: Path) -> None:
    daypack("eval", "run", "suite.json", "--name", "before", cwd=shop)
    (shop / "docs" / "kettle.md").write_text(KETTLE.replace("on Mondays", "sometimes"), encoding="utf-8")
    write(
        shop, [{**case, **({"token_budget": 200} if case["name"] == "paid-once" else {})} for case in CASES]
    )
    daypack("eval", "run", "suite.json", "--name", "after", cwd=shop)
    out = daypack("eval", "compare", "before", "after", cwd=shop).stdout
    assert 'regressions (1)\n  descaling\n    "on mondays": term no longer present' in out
    assert "the store was written in between, so its texts may differ" in out
    assert "1 regression, 0 improvements" in out
    back = json.loads(daypack("eval", "compare", "after", "before", "--json", cwd=shop).stdout)
    assert [change["case"] for change in back["improvements"]] == ["descaling"]
    assert back["regressions"] == []

    assert "passed" in daypack("eval", "gate", "before", cwd=shop).stdout
    failed = daypack("eval", "gate", "after", "--against", "before", "--min-pack", "0.9", cwd=shop, status=1)
    assert failed.stdout.splitlines()[:2] == [
        "FAILED  pack rate    66.7 % (2 of 3), at least 90.0 % asked for",
        "FAILED  regressions  1, at most 0 asked for",
    ]
    assert "  regressions: descaling" in failed.stdout
    daypack(
        "eval", "gate", "after", "--against", "before", "--max-regressions", "1", "--min-pack", ".6", cwd=shop
    )
    verdict = json.loads(
        daypack("eval", "gate", "after", "--min-pack", "0.9", "--json", cwd=shop, status=1).stdout
    )
    assert (verdict["passed"], verdict["checks"][0]["cases"]) == (False, ["descaling"])


def test_a_gate_takes_a_suite_and_asks_it_first(shop: Path) -> None:
    daypack("eval", "gate", "suite.json", "--name", "now", cwd=shop)
    assert (shop / ".daypack" / "evals" / "now.json").exists()
    daypack("eval", "gate", "suite.json", "--budget", "5", "--name", "now", cwd=shop, status=1)


def test_runs_are_named_by_name_start_age_and_file(shop: Path) -> None:
    assert "no runs yet" in daypack("eval", "runs", cwd=shop).stdout
    daypack("eval", "run", "suite.json", "--name", "alpha", cwd=shop)
    assert "has 1 saved run;" in daypack("eval", "compare", "alpha", "latest~1", cwd=shop, status=2).stderr
    daypack("eval", "run", "suite.json", "--name", "beta", cwd=shop)
    daypack("eval", "run", "suite.json", "--name", "base.json", cwd=shop)
    assert [line.split()[0] for line in daypack("eval", "runs", cwd=shop).stdout.splitlines()] == [
        "run",
        "alpha",
        "beta",
    ]
    for names in (("alpha", "beta"), ("al", "be"), ("latest~1", "latest"), ("base.json", "./base.json")):
        assert "0 regressions" in daypack("eval", "compare", *names, cwd=shop).stdout
    for name, told in (
        ("gamma", "run gamma is not saved"),
        ("alpah", "did you mean alpha?"),
        ("latest~2", "the store has 2 saved runs"),
        ("none.json", "cannot be read (No such file"),
        ("suite.json", "is not a saved run"),
    ):
        done = daypack("eval", "compare", name, "beta", cwd=shop, status=2)
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_copied_run_has_the_name_of_its_file(shop: Path) -> None:
    daypack("eval", "run", "suite.json", "--name", "alpha", cwd=shop)
    runs = shop / ".daypack" / "evals"
    (runs / "baseline.json").write_bytes((runs / "alpha.json").read_bytes())
    listed = json.loads(daypack("eval", "runs", "--json", cwd=shop).stdout)
    assert [one["id"] for one in listed] == ["alpha", "baseline"]
    assert daypack("eval", "compare", "alpha", "baseline", cwd=shop).stdout.startswith("alpha → baseline\n")


def test_a_listed_run_has_no_rate_where_nothing_was_judged(shop: Path) -> None:
    write(shop, [CASES[1]])
    daypack("eval", "run", "suite.json", cwd=shop)
    (listed,) = json.loads(daypack("eval", "runs", "--json", cwd=shop).stdout)
    assert (listed["retrieval_rate"], listed["pack_rate"]) == (None, 1.0)


def test_a_run_never_replaces_a_file_that_is_none(shop: Path) -> None:
    before = (shop / "suite.json").read_bytes()
    assert (
        "is not a run; it was not changed"
        in daypack("eval", "run", "suite.json", "--name", "suite.json", cwd=shop, status=2).stderr
    )
    assert (shop / "suite.json").read_bytes() == before
    for name in ("../x", "a b", "latest", "", "no/such/folder.json"):
        daypack("eval", "run", "suite.json", "--name", name, cwd=shop, status=2)


# ---------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("suite", "told"),
    [
        ('{"cases": [\n  {"name": "a" "query": "b"}\n]}', "suite suite.json: line 2, column 16: is not JSON"),
        (
            [{**CASES[0], "expected_path": ["x"]}],
            "case 1 'paid-once', field expected_path is not known; did you mean expected_paths?",
        ),
        ([], "suite suite.json: cases is empty"),
        ([CASES[0], CASES[0]], "case 2, name 'paid-once' is the name of case 1 as well"),
        ([{**CASES[0], "query": "tea " * 20_000}], "case 1 'paid-once': the query has 80,000 bytes"),
        (
            [{**CASES[0], "token_budget": 10**9}],
            "case 1 'paid-once', field token_budget 1000000000 is not a whole number of tokens from 0 to 10,000,000\n",
        ),
    ],
)
def test_a_wrong_suite_is_refused_in_one_line(shop: Path, suite: object, told: str) -> None:
    write(shop, suite)
    for verb in ("run", "gate"):
        done = daypack("eval", verb, "suite.json", cwd=shop, status=2)
        assert told in done.stderr
        assert done.stderr.count("\n") == 1
    assert (
        json.loads(daypack("eval", "run", "suite.json", "--json", cwd=shop, status=2).stderr)["error"]["code"]
        == "bad_suite"
    )
    assert not (shop / ".daypack" / "evals").exists()


def test_a_suite_that_cannot_be_read_is_said(shop: Path) -> None:
    assert (
        "suite none.json: cannot be read (No such file or directory)"
        in daypack("eval", "run", "none.json", cwd=shop, status=2).stderr
    )
    assert "cannot be read (Is a directory)" in daypack("eval", "run", "docs", cwd=shop, status=2).stderr
    (shop / "bytes.json").write_bytes(b'[{"name": "\xff"}]')
    assert "is not UTF-8 text" in daypack("eval", "run", "bytes.json", cwd=shop, status=2).stderr


def test_without_a_store_there_is_nothing_to_ask(tmp_path: Path) -> None:
    write(tmp_path, CASES)
    assert "no store at" in daypack("eval", "run", "suite.json", cwd=tmp_path, status=3).stderr
    assert not (tmp_path / ".daypack").exists()


def test_a_gate_needs_a_run_to_count_regressions_against(shop: Path) -> None:
    assert (
        "--max-regressions needs the run to compare with"
        in daypack("eval", "gate", "suite.json", "--max-regressions", "0", cwd=shop, status=2).stderr
    )
    daypack("eval", "gate", "suite.json", "--min-pack", "1.5", cwd=shop, status=2)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_cannot_be_written_is_asked_and_its_run_is_not_saved(shop: Path) -> None:
    (shop / ".daypack").chmod(0o500)
    try:
        done = daypack("eval", "run", "suite.json", cwd=shop)
    finally:
        (shop / ".daypack").chmod(0o700)
    assert "was not saved" in done.stderr
    assert "100 %" in done.stdout


# ---------------------------------------------------------------- shells, start-up


def completions(folder: Path, *words: str) -> list[str]:
    """The names that a shell is given; without one, "file" or "dir" for those that it finds itself."""
    env = environment(
        _DAYPACK_COMPLETE="bash_complete",
        COMP_WORDS=" ".join(["daypack", *words]),
        COMP_CWORD=str(len(words)),
    )
    code = "import sys; sys.argv[0] = 'daypack'; from daypack.surfaces.cli.main import cli; cli.main(prog_name='daypack')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    found = [line.split(",", 1) for line in done.stdout.splitlines() if line]
    return [name if kind == "plain" else kind for kind, name in found]


def test_shells_complete_the_commands_their_options_and_saved_runs(shop: Path) -> None:
    daypack("eval", "run", "suite.json", "--name", "before", cwd=shop)
    assert {"run", "runs", "compare", "gate"} <= set(completions(shop, "eval", ""))
    assert completions(shop, "eval", "gate", "--max") == ["--max-regressions"]
    assert completions(shop, "eval", "compare", "be") == ["before"]
    assert completions(shop, "eval", "compare", "") == ["latest", "before"]
    assert completions(shop, "eval", "compare", "sui") == ["file"]


@pytest.mark.parametrize(
    "typed",
    [
        "add do", "get READ", "status ", "pack q --path src/", "code map --focus wor", "code pack q --exclude src/",
        "eval run sui", "import ba", "memory import ", "docs load teas ",
    ],
)  # fmt: skip
def test_a_path_is_completed_by_the_shell(typed: str, shop: Path) -> None:
    assert completions(shop, *typed.split(" ")) == ["file"]


def test_a_folder_is_completed_by_the_shell(shop: Path) -> None:
    assert completions(shop, "--store", "da") == ["dir"]
    assert completions(shop, "pack", "q", "--store", "da") == ["dir"]
    assert completions(shop, "run", "--label", "x") == [], "a label is no path"


def test_help_completes_the_words_of_commands(shop: Path) -> None:
    assert completions(shop, "help", "pa") == ["pack"]
    assert {"user", "token", "log"} <= set(completions(shop, "help", "team", ""))
    assert "create" in completions(shop, "help", "team", "token", "")
    assert completions(shop, "help", "pack", "") == []


def test_help_of_the_program_does_not_wait_for_the_evaluation() -> None:
    code = "import sys\nfrom daypack.surfaces.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    print([name for name in sys.modules if 'evaluate' in name or 'trials' in name], file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert "eval" in done.stdout
    assert done.stderr == "[]\n"


def test_a_mistyped_command_of_the_group_is_understood(shop: Path) -> None:
    assert "Did you mean 'compare'?" in daypack("eval", "compar", cwd=shop, status=2).stderr
    done = subprocess.run(
        command("eval", "--help"), cwd=shop, env=environment(), capture_output=True, text=True, check=True
    )
    assert "Exit with status 1 when a run is below" in done.stdout


@pytest.mark.parametrize(
    ("words", "method", "kept"),
    [
        (("eval", "run", "suite.json"), "evaluate", "the run is not saved"),
        (("eval", "gate", "suite.json"), "evaluate", "the run is not saved"),
        (("eval", "self-check"), "self_check", "the check is not complete"),
        (("eval", "fit-ranker", "suite.json"), "fit_ranker", "the weights are as before"),
    ],
)
def test_an_interrupt_says_that_nothing_was_kept(
    shop: Path, words: tuple[str, ...], method: str, kept: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It said that finished work is stored, and that the command would continue."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.chdir(shop)
        patch.setenv("DAYPACK_EMBEDDER", "hashing")
        patch.setattr(Daypack, method, interrupted)
        main(words)
    assert ended.value.code == 130
    said = capfd.readouterr().err.strip()
    assert said == f"daypack: interrupted; {kept}; the same command starts from the beginning"
    assert not (shop / ".daypack" / "evals").exists()


@pytest.mark.parametrize(
    "option",
    [("--budget", "4000"), ("-b", "100"), ("--limit", "1"), ("--vectors", "none"), ("--no-refresh",)],
)
def test_a_gate_on_a_saved_run_refuses_options_that_only_a_suite_follows(
    shop: Path, option: tuple[str, ...]
) -> None:
    """It passed by the answers of the run, which had another budget."""
    daypack("eval", "run", "suite.json", "--name", "before", cwd=shop)
    refused = daypack("eval", "gate", "before", *option, cwd=shop, status=2).stderr
    named = "--budget" if option[0] == "-b" else option[0]
    assert f"{named} is for a SUITE, and before is a saved run" in refused
    daypack("eval", "gate", "before", "--min-pack", "0", "--format", "json", cwd=shop)
