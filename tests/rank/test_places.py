"""Priors by place: tests, pages, code and old versions are held back from questions that do not ask for them."""

from __future__ import annotations

import numpy as np
import pytest

from daypack.query import parse_query
from daypack.rank.places import (
    ASIDE_PRIOR,
    CHANGELOG_PRIOR,
    FORM_PRIOR,
    GENERATED_PRIOR,
    IMPORTS_PRIOR,
    OPEN_PAGE_PRIOR,
    PAGE_PRIOR,
    SUPERSEDED_PRIOR,
    TEST_PRIOR,
    USAGE_CODE_PRIOR,
    asked_for,
    form_priors,
    is_free_page,
    named_tests,
    place_prior,
    version_folders,
    version_priors,
)
from daypack.rank.views import ChunkFlag
from support import EPOCH


def prior(question: str, **flags: bool) -> float:
    column = np.asarray([sum(ChunkFlag[name.upper()] for name in flags)], dtype=np.uint8)
    return float(place_prior(column, parse_query(question, now=EPOCH), side_by_side=1.0)[0])


def test_ordinary_chunks_are_not_held_back() -> None:
    assert prior("how are refunds retried?") == 1


def test_tests_are_held_back_unless_they_are_asked_for() -> None:
    assert prior("how are refunds retried?", test=True) == pytest.approx(TEST_PRIOR)
    assert prior("which tests cover refunds?", test=True) == 1
    assert prior("what does tests/test_retry.py check?", test=True) == 1


def test_what_stands_aside_is_held_back_unless_documentation_is_asked_for() -> None:
    assert prior("how are refunds retried?", aside=True) == pytest.approx(ASIDE_PRIOR)
    assert prior("where is the tutorial on refunds?", aside=True) == 1


def test_what_a_program_wrote_counts_a_tenth_whatever_is_asked() -> None:
    assert prior("how are refunds retried?", code=True, generated=True) == pytest.approx(GENERATED_PRIOR)
    assert prior("where is the tutorial on refunds?", generated=True) == pytest.approx(GENERATED_PRIOR)


@pytest.mark.parametrize(
    "question",
    [
        "fix the retry budget",
        "RetryBudget.allow never ends",
        "how does allow() work?",
        "where are refunds made?",
        "retry budget",
    ],
)
def test_pages_beside_code_are_held_back_from_questions_about_its_insides(question: str) -> None:
    assert prior(question, page=True) == pytest.approx(PAGE_PRIOR)
    assert prior(question, code=True) == 1
    assert prior(f"{question}, and document it in the README", page=True) == 1


@pytest.mark.parametrize(
    "question", ["how are refunds retried?", "how do I retry?", "where is the tutorial on refunds?"]
)
def test_a_page_is_free_where_nothing_but_its_kind_holds_it_back(question: str) -> None:
    query = parse_query(question, now=EPOCH)
    page, settings, code = ChunkFlag.PAGE, ChunkFlag.SETTINGS, ChunkFlag.CODE
    flags = np.asarray(
        [page, page, page | ChunkFlag.TEST, page | ChunkFlag.GENERATED, settings, settings, code], np.uint8
    )
    prior = place_prior(flags, query, side_by_side=1.0)
    prior[[1, 5]] *= CHANGELOG_PRIOR
    assert is_free_page(flags, prior, query, side_by_side=1.0).tolist() == [
        True,
        *[False] * 3,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "question", ["how do I retry a refund?", "my refunds are not retried", "can i retry it?"]
)
def test_code_beside_pages_is_held_back_from_questions_about_its_use(question: str) -> None:
    assert prior(question, code=True) == pytest.approx(USAGE_CODE_PRIOR)
    assert prior(question, page=True) == 1


@pytest.mark.parametrize(
    "question", ["why does `allow` return None", "what is a retry budget?", "Is it safe?"]
)
def test_a_question_of_open_form_holds_pages_back_a_little(question: str) -> None:
    assert prior(question, page=True) == pytest.approx(OPEN_PAGE_PRIOR)
    assert prior(question, code=True) == 1


def test_configuration_is_held_back_less_than_pages() -> None:
    question = "how is the database checked?"
    assert prior(question, page=True) < prior(question, settings=True) < 1
    assert prior("why is it checked?", settings=True) == pytest.approx(OPEN_PAGE_PRIOR)
    assert prior("how do I retry a refund?", settings=True) == 1
    assert prior(f"{question}, and document it in the README", settings=True) == 1


def test_code_that_declares_is_held_back_less_than_other_code() -> None:
    assert prior("how do I retry a refund?", code=True) < prior("how do I retry a refund?", declares=True) < 1
    assert prior("how is the database checked?", declares=True) == 1
    assert prior("how is the database checked?", declares=True, aside=True) == pytest.approx(ASIDE_PRIOR)


def test_pages_without_code_and_code_without_pages_are_not_held_back() -> None:
    for flag, question in ((ChunkFlag.PAGE, "retry budget"), (ChunkFlag.CODE, "how do I retry?")):
        column = np.asarray([flag], dtype=np.uint8)
        assert place_prior(column, parse_query(question, now=EPOCH), side_by_side=False)[0] == 1


def final_prior(question: str, uri: str, flag: ChunkFlag) -> float:
    query, flags = parse_query(question, now=EPOCH), np.asarray([flag], dtype=np.uint8)
    back = asked_for(np.asarray([7]), {7: uri}, flags, query, side_by_side=1.0)
    return float((place_prior(flags, query, side_by_side=1.0) * back)[0])


@pytest.mark.parametrize(
    "question",
    [
        "where is the wording of the error for a late boat?",
        "where is the text for a full pier?",
        "what does somebody read who comes late?",
        "what does the page say after a wrong password?",
        "where is the German translation of berth?",
    ],
)
def test_a_catalogue_of_texts_is_not_held_back_from_questions_about_texts(question: str) -> None:
    for uri in ("web/locales/en.json", "res/values/strings.xml", "i18n/messages.properties", "django.po"):
        assert final_prior(question, uri, ChunkFlag.PAGE) == pytest.approx(1)
        assert final_prior(question, uri, ChunkFlag.SETTINGS) == pytest.approx(1)
    assert final_prior(question, "docs/berths.md", ChunkFlag.PAGE) < 1
    assert final_prior("where are late boats refused?", "web/locales/en.json", ChunkFlag.PAGE) < 1


@pytest.mark.parametrize(
    "uri", ["boats/migrations/0002_berth.py", "db/migrate/2_berth.rb", "boats/alembic/versions/2_berth.py"]
)
def test_a_migration_is_not_held_back_from_a_question_about_migrations(uri: str) -> None:
    question = "which migration added the berth of a boat?"
    assert final_prior(question, uri, ChunkFlag.ASIDE) == pytest.approx(1)
    assert final_prior(question, "vendor/boats.py", ChunkFlag.ASIDE) < 1
    assert final_prior("where is the berth of a boat?", uri, ChunkFlag.ASIDE) < 1


def test_folders_of_versions_are_told_from_names_that_begin_alike() -> None:
    assert version_folders("src/v4/core/v10/a.ts") == [("src/v", (4,)), ("src/v4/core/v", (10,))]
    assert version_folders("docs/v1.5/a.md") == [("docs/v", (1, 5))]
    assert version_folders("www/version-10.x/a.md") == [("www/version-", (10,))]
    assert version_folders("src/v4.ts") == version_folders("src/view/a.ts") == []


def test_imports_are_held_back_whatever_is_asked() -> None:
    assert prior("how are refunds retried?", imports=True) == pytest.approx(IMPORTS_PRIOR)
    assert prior("which tests and docs import refunds?", imports=True) == pytest.approx(IMPORTS_PRIOR)


def test_reasons_to_hold_back_multiply() -> None:
    assert prior("how are refunds retried?", test=True, aside=True, imports=True) == pytest.approx(
        TEST_PRIOR * ASIDE_PRIOR * IMPORTS_PRIOR
    )


def test_a_superseded_version_is_held_back_unless_the_question_names_it() -> None:
    records, uris = np.asarray([1, 2, 3]), {1: "src/v3/types.ts", 2: "src/v4/types.ts", 3: "src/v3.md"}
    assert version_priors(records, uris, "union types").tolist() == pytest.approx([SUPERSEDED_PRIOR, 1, 1])
    for question in ("union types of v3", "version 3 of union types"):
        assert version_priors(records, uris, question).tolist() == [1, 1, 1]
    assert version_priors(records[:1], {1: uris[1]}, "union types").tolist() == [1]  # nothing newer is there


def test_pages_of_an_older_release_are_held_back_unless_it_is_named() -> None:
    uris = {
        1: "manual/v1.5/a.yml",
        2: "manual/v1.10/a.yml",
        3: "www/versioned_docs/version-9.x/a.md",
        4: "www/versioned_docs/version-10.x/a.md",
        5: "www/docs/a.md",
    }
    records = np.asarray([*uris])
    held = SUPERSEDED_PRIOR
    assert version_priors(records, uris, "links").tolist() == pytest.approx([held, 1, held, held, 1])
    assert version_priors(records, uris, "links in 1.5").tolist() == pytest.approx([1, 1, held, held, 1])
    assert version_priors(records, uris, "links of v10").tolist() == pytest.approx([held, 1, held, 1, 1])


@pytest.mark.parametrize(
    "path",
    [
        *(
            "CHANGELOG.md",
            "docs/changes_1.x.rst",
            "CHANGES",
            "NEWS",
            "lib/HISTORY.rst",
            "CHANGELOG.rdoc",
            "doc/release-notes.md",
        ),
        *(
            "docs/whatsnew-3.0.rst",
            "doc/what's_new.md",
            "changelog_unreleased/css/17.md",
            "whatsnew/v1.2.rst",
        ),
        *("docs/releases/4.2.txt", "blog/2017-04-13-1.0.0.md", "website/blog/2024/v2.4.mdx"),
        *(".changeset/brave-cranes-sing.md", ".changelog/4728.fixed", "changelog.d/12.feature.rst"),
        "src/newsfragments/77.bugfix",
    ],
)
def test_a_changelog_is_held_back_unless_the_question_asks_for_changes(path: str) -> None:
    records, uris = np.asarray([1, 2]), {1: path, 2: "docs/logging.md"}
    asked = "How do I log in colour?"
    assert version_priors(records, uris, asked).tolist() == pytest.approx([CHANGELOG_PRIOR, 1])
    assert version_priors(records[:1], {1: path}, asked).tolist() == [1]  # nothing else is there
    for question in ("Which option was added for colours?", "What's new in logging?", "colours in 2.4"):
        assert version_priors(records, uris, question).tolist() == [1, 1]


@pytest.mark.parametrize(
    "asked",
    [
        "what was the crane renamed to?",
        "what replaces the crane?",
        "what is the crane called now?",
        "the crane in v3",
        "where did the crane go?",
        "what happened to the crane?",
        "why was the crane sold?",
    ],
)
def test_a_new_name_is_in_a_changelog(asked: str) -> None:
    assert version_priors(np.asarray([1, 2]), {1: "CHANGELOG.md", 2: "docs/crane.md"}, asked).tolist() == [
        1,
        1,
    ]


def test_a_changelog_is_held_back_by_its_contents_too() -> None:
    records, uris = np.asarray([1, 2]), {1: "change-archive.txt", 2: "docs/logging.md"}
    flags = np.asarray([ChunkFlag.PAGE | ChunkFlag.CHANGELOG, ChunkFlag.PAGE], dtype=np.uint8)
    held = version_priors(records, uris, "How do I log in colour?", flags)
    assert held.tolist() == pytest.approx([CHANGELOG_PRIOR, 1])
    assert version_priors(records, uris, "What's new in logging?", flags).tolist() == [1, 1]
    assert version_priors(records[:1], {1: uris[1]}, "colours", flags[:1]).tolist() == [1]


@pytest.mark.parametrize(
    "path",
    [
        *("src/changes.py", "lib/changes_view.tsx", "docs/history.md", "docs/exchanges.md", "news/today.md"),
        *(
            "changelog/README.md",
            ".changeset/README.md",
            ".changeset/config.json",
            "docs/whatsnew.py",
            "blog/2024-05-06.md",
            "blog/scaling-to-2.0.md",
            "docs/1.2.md",
        ),
    ],
)
def test_a_file_with_a_name_like_a_changelog_is_none(path: str) -> None:
    assert version_priors(np.asarray([1, 2]), {1: path, 2: "a.md"}, "How do I log?").tolist() == [1, 1]


FORMS = [
    ".github/ISSUE_TEMPLATE/bug_report.md",
    ".github/ISSUE_TEMPLATE/2-wish.yml",
    ".github/issue_template.md",
    "PULL_REQUEST_TEMPLATE.md",
    ".gitlab/issue_templates/Fault.md",
    ".gitlab/merge_request_templates/default.md",
]


@pytest.mark.parametrize("path", FORMS)
def test_the_form_of_a_report_is_held_back_from_reports(path: str) -> None:
    records, uris = np.asarray([1, 2]), {1: path, 2: "src/issue_templates.py"}

    def priors(text: str) -> list[float]:
        found: list[float] = form_priors(records, uris, parse_query(text, now=EPOCH)).tolist()
        return found

    body = "Describe the bug\n\nThe total of two carts is zero. See src/cart.py for the place."
    assert priors(f"Totals are zero\n\n{body}") == pytest.approx([FORM_PRIOR, 1])
    assert priors(f"The template of issues lacks a title\n\n{body}") == [1, 1]
    assert priors(f"A title is missing\n\n{path} has none.") == [1, 1]
    assert priors("How do I describe a bug?") == [1, 1]


def test_a_page_of_an_archive_is_held_back_beside_the_pages_that_replaced_it() -> None:
    uris = {
        1: "docs/archive/2024/leave.md",
        2: "docs/leave.md",
        3: "pkg/archive/zip/reader.go",
        4: "pkg/main.go",
    }
    records = np.asarray([1, 2, 3, 4])
    asked = "How many days of leave are there?"
    assert version_priors(records, uris, asked).tolist() == pytest.approx([SUPERSEDED_PRIOR, 1, 1, 1])
    assert version_priors(records, uris, "How many days were there in the old handbook?").tolist() == [1] * 4
    alone = {1: uris[1], 4: uris[4]}
    assert version_priors(np.asarray([1, 4]), alone, asked).tolist() == [1, 1]  # nothing replaced it


def test_a_page_of_an_archive_in_an_archive_is_held_back_as_well() -> None:
    uris = {1: "docs/archive/2023/archive/leave.md", 2: "docs/leave.md"}
    priors = version_priors(np.asarray([1, 2]), uris, "How many days of leave are there?")
    assert priors.tolist() == pytest.approx([SUPERSEDED_PRIOR, 1])


def test_a_test_is_named_where_nothing_but_tests_has_the_name() -> None:
    flags = np.asarray(
        [ChunkFlag.CODE, ChunkFlag.CODE | ChunkFlag.TEST, ChunkFlag.CODE | ChunkFlag.TEST], dtype=np.uint8
    )
    positions = np.asarray([3, 5, 8])
    assert named_tests(flags, positions, {"test_pay": [5]}).tolist() == [False, True, False]
    assert named_tests(flags, positions, {"pay": [3, 5]}).tolist() == [False, False, False]
    assert named_tests(flags, positions, {"pay": [3], "test_pay": [5, 8]}).tolist() == [False, True, True]
    assert named_tests(flags, positions, {}).tolist() == [False, False, False]
