"""Questions for a fact about a whole project begin with the text that states it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.index import facts
from daypack.types import VectorMode
from support import opened_project

README = """# Ledgerline

Ledgerline keeps double-entry books in plain text files.

## Features

Books are reconciled with statements of banks.

## Usage

Run `ledgerline check`. The license of a bank, the version of a statement and the owners of a book are columns.

## License

Ledgerline is under the terms of the ISC.
"""
FILES = {
    "README.md": README,
    "LICENSE": "ISC\n\nPermission to use, copy, modify, and distribute is granted to all.\n",
    "SECURITY.md": "# Holes\n\nWrite to the list of guards, and tell no one else.\n",
    "MAINTAINERS": "Ann Bell, Carl Dew\n",
    "CHANGELOG.md": "# Changelog\n\n## 2.1.0\n\n- Books are closed at night.\n\n## 2.0.0\n\n- What changed in the last release of the bank is read.\n",
    "pyproject.toml": '[project]\nname = "ledgerline"\nrequires-python = ">=3.9"\n\n[tool.pytest]\npython = "3 of them"\n\n[dependency-groups]\ndev = ["python-checks>=2"]\n',
    ".github/workflows/ci.yml": "name: quality\non: [push, pull_request]\njobs:\n  suite:\n    steps:\n      - run: make all\n",
    ".github/workflows/release.yml": "name: wheel\non: pull_request\njobs:\n  wheel:\n    steps:\n      - run: make wheel\n",
    "ledgerline/__init__.py": '"""Books."""\n\n__version__ = "2.1.0"\n',
    "ledgerline/__main__.py": "from ledgerline.books import close\n\n\ndef main() -> None:\n    close()\n\n\nmain()\n",
    "ledgerline/checks.py": 'def checks(request, ci):\n    """Run the checks of a pull request where the CI is defined, and its dependencies."""\n    return request\n',
    "ledgerline/books.py": 'def close(entry_point, main):\n    """The main function is the entry point of a book, and its license."""\n    return entry_point\n',
    "docs/licenses.md": "# Licenses of banks\n\nWhich license a bank is under, who maintains it, and its security problems to report.\n",
}


@pytest.fixture
def ledgerline(tmp_path: Path) -> Iterator[Daypack]:
    with opened_project(tmp_path, FILES) as daypack:
        yield daypack


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("Which license is it under?", "LICENSE"),
        ("¿Cuál es la licencia?", "LICENSE"),
        ("谁维护这个项目？", "MAINTAINERS"),
        ("What license does ledgerline have?", "README.md:13-15"),
        ("Which dependencies does it have?", "pyproject.toml"),
        ("Where is CI defined?", ".github/workflows/ci.yml"),
        ("Which checks run on a pull request?", ".github/workflows/ci.yml"),
        ("Who maintains this project?", "MAINTAINERS"),
        ("How do I report a security problem?", "SECURITY.md"),
        ("What changed in the last release?", "CHANGELOG.md:1-5"),
        ("Which version is this?", "ledgerline/__init__.py"),
        ("Where is the entry point?", "ledgerline/__main__.py"),
        ("Where is the main function?", "ledgerline/__main__.py"),
        ("Why should I use ledgerline?", "README.md:5-7"),
    ],
)
def test_the_text_that_states_it_leads(ledgerline: Daypack, question: str, place: str) -> None:
    found = ledgerline.search(question, limit=3, vectors=VectorMode.NONE)
    assert not found.weak
    assert found.candidates[0].chunk.reference.startswith(place)


PLAIN = {
    "README.md": README.partition("## License")[0],
    "ledgerline/books.py": FILES["ledgerline/books.py"],
    "ledgerline/checks.py": FILES["ledgerline/checks.py"],
    "docs/licenses.md": FILES["docs/licenses.md"],
}
LICENCE = "Permission to use, copy, modify, and distribute is granted to all.\n"
PEOPLE = "Bookkeepers\n===========\n\nAnn Bell, Carl Dew\n"
WORKFLOW = "name: quality\non: [push, pull_request]\njobs:\n  suite:\n    steps:\n      - run: make all\n"
PACKAGES = '<Project>\n  <ItemGroup>\n    <PackageReference Include="Csv" Version="1" />\n  </ItemGroup>\n</Project>\n'


@pytest.mark.parametrize(
    ("question", "name", "text"),
    [
        ("Which license is it under?", "LICENSE-MIT", LICENCE),
        ("Which license is it under?", "MIT-LICENSE", LICENCE),
        ("Which license is it under?", "COPYING", LICENCE),
        ("Which license is it under?", "UNLICENSE", LICENCE),
        ("Where is CI defined?", ".gitlab-ci.yml", WORKFLOW),
        ("Where is CI defined?", ".circleci/config.yml", WORKFLOW),
        ("Where is CI defined?", ".travis.yml", WORKFLOW),
        ("Where is CI defined?", ".cirrus.yml", WORKFLOW),
        ("Where is CI defined?", ".appveyor.yml", WORKFLOW),
        ("Where is CI defined?", "azure-pipelines.yml", WORKFLOW),
        ("Where is CI defined?", "Jenkinsfile", "pipeline {\n  stages {\n    sh 'make all here'\n  }\n}\n"),
        ("Who maintains this project?", ".github/CODEOWNERS", "* @annbell @carldew @edfox\n"),
        ("Who maintains this project?", "CODEOWNERS", "* @ledger/keepers"),
        ("Who maintains this project?", "docs/MAINTAINERS", PEOPLE),
        ("Who maintains this project?", "AUTHORS.rst", PEOPLE),
        ("Who maintains this project?", "CONTRIBUTORS.md", PEOPLE),
        ("How do I report a security problem?", "docs/SECURITY.md", FILES["SECURITY.md"]),
        ("How do I report a security problem?", ".github/SECURITY.md", FILES["SECURITY.md"]),
        ("Which dependencies does it have?", "ledgerline.gemspec", 'Gem::Specification.new do |it|\n  it.add_dependency "csv", "~> 2"\nend\n'),
        ("Which dependencies does it have?", "Ledgerline.csproj", PACKAGES),
        ("Which dependencies does it have?", "src/Ledgerline/Ledgerline.csproj", PACKAGES),
        ("Which dependencies does it have?", "ledgerline.cabal", "name: ledgerline\nversion: 1\nlibrary\n  build-depends: base, csv\n"),
    ],
)  # fmt: skip
def test_the_file_that_states_it_has_many_names(tmp_path: Path, question: str, name: str, text: str) -> None:
    with opened_project(tmp_path, PLAIN | {name: text}) as daypack:
        found = daypack.search(question, limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith(f"{name}:")


@pytest.mark.parametrize("name", ["AUTHORS", "MAINTAINERS"])
def test_a_file_without_an_ending_is_found_in_a_folder_with_a_dot(tmp_path: Path, name: str) -> None:
    files = {f"ledger.line/{path}": text for path, text in PLAIN.items()} | {f"ledger.line/{name}": PEOPLE}
    with opened_project(tmp_path, files) as daypack:
        found = daypack.search("Who maintains this project?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith(f"ledger.line/{name}:")


def test_any_file_without_an_ending_is_found_by_its_name_in_a_folder_with_a_dot(tmp_path: Path) -> None:
    names = {"ledger.line/MINUTES": "Carl shut the books.\n", "ledger/line": "Ann shut the books.\n"}
    with opened_project(tmp_path, names) as daypack:
        found = daypack.search("minutes", limit=1, vectors=VectorMode.NONE)
    assert [one.chunk.reference for one in found.candidates] == ["ledger.line/MINUTES:1-1"]


def test_a_changelog_has_the_version_that_no_file_states(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "ledgerline/__init__.py"}
    with opened_project(tmp_path, files) as daypack:
        found = daypack.search("Which version is this?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("CHANGELOG.md:1-5")


def test_a_question_about_a_part_is_ranked_by_its_words(ledgerline: Daypack) -> None:
    found = ledgerline.search("Which license has a bank?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("docs/licenses.md")


def test_a_memory_that_states_it_comes_before_the_files(ledgerline: Daypack) -> None:
    ledgerline.memories.remember("guards", "Report a security problem to Ann first.")
    found = ledgerline.search("How do I report a security problem?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("memory:guards")


def test_workflows_leave_room_for_the_page_that_introduces(tmp_path: Path) -> None:
    flows = {
        f".github/workflows/{number}.yml": "name: quality\non: pull_request\njobs: {}\n"
        for number in range(70)
    }
    with opened_project(tmp_path, {**FILES, **flows}) as daypack:
        found = daypack.search("What is this project?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("README.md:1")


def test_the_highest_of_very_many_files_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MOST_NAMED", 3)
    parts = {f"a/docs/{number}/index.md": "# A page of the book\n" for number in range(5)}
    with opened_project(tmp_path, {**FILES, **parts}) as daypack:
        found = daypack.search("Where is the entry point?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("ledgerline/__main__.py")


def test_one_word_of_a_memory_does_not_state_a_fact(ledgerline: Daypack) -> None:
    for number in range(3):
        ledgerline.memories.remember(f"keys-{number}", f"Never commit license key {number}.")
    found = ledgerline.search("license", limit=2, vectors=VectorMode.NONE)
    assert [one.chunk.reference.partition(":")[0] for one in found.candidates] == ["LICENSE", "README.md"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("books.py", 'import os\n\nBANK, DAY = os.environ["BOOK_BANK"], os.environ.get("BOOK_DAY", "1")\n'),
        ("books.go", 'package books\n\nvar bank, day = os.Getenv("BOOK_BANK"), os.Getenv("BOOK_DAY")\n'),
        ("books.ts", "export const bank = process.env.BOOK_BANK\nexport const day = process.env.BOOK_DAY\n"),
        ("books.rb", 'BANK = ENV.fetch("BOOK_BANK")\nDAY = ENV["BOOK_DAY"]\n'),
        ("books.rs", 'pub fn bank() -> String {\n    [env::var("BOOK_BANK"), env::var("BOOK_DAY")].join()\n}\n'),
        (".env.example", "# Where it is.\nBOOK_BANK=north\n# When it shuts.\nBOOK_DAY=1\n"),
        ("docs/shutting.md", "# Shutting\n\nThe environment variables `BOOK_BANK` and `BOOK_DAY` say where and when.\n"),
    ],
)  # fmt: skip
def test_the_text_that_names_environment_variables_leads(tmp_path: Path, name: str, text: str) -> None:
    others = {
        "environments.md": "# Environments\n\nWhich environment a book reads, and the variables of a bank it is in.\n",
        "app.py": 'def app(environ):\n    return environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"]\n',
        ".github/workflows/ci.yml": "env:\n  CI_BANK: 1\n  CI_DAY: 1\n  CI_BOOK: 1\n",
        "tests/test_books.py": 'import os\n\nos.environ["BOOK_A"] = os.environ["BOOK_B"] = os.environ["BOOK_C"]\n',
    }
    with opened_project(tmp_path, others | {name: text}) as daypack:
        found = daypack.search("Which environment variables does it read?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith(f"{name}:")


def workspace(**versions: str) -> dict[str, str]:
    """A tree of packages, each with its version."""
    packages = {
        f"packages/{name}/package.json": f'{{\n  "name": "@ledger/{name}",\n  "version": "{version}"\n}}\n'
        for name, version in versions.items()
    }
    code = {
        f"packages/{name}/src/{name}.ts": f"export function {name}(version) {{\n  return version.of({name})\n}}\n"
        for name in versions
    }
    root = '{\n  "name": "ledger",\n  "version": "0.0.0",\n  "private": true\n}\n'
    return {"README.md": "# Ledger\n\nBooks in packages.\n", "package.json": root, **packages, **code}


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("What is the current version of the bank package?", "packages/bank/package.json"),
        ("version of bank", "packages/bank/package.json"),
        ("Which version of @ledger/bank is this?", "packages/bank/package.json"),
        ("Which version is this?", "packages/"),
        ("How does bank return the version of a bank?", "packages/bank/src/bank.ts"),
    ],
)
def test_a_package_of_several_has_a_version_of_its_own(tmp_path: Path, question: str, place: str) -> None:
    with opened_project(tmp_path, workspace(book="1.4.0", bank="2.3.1", teller="1.9.0")) as daypack:
        found = daypack.search(question, limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith(place)


def test_the_version_of_all_packages_is_that_of_their_workspace(tmp_path: Path) -> None:
    files = workspace(book="1.4.0", bank="2.3.1") | {"lerna.json": '{\n  "version": "2.3.1"\n}\n'}
    with opened_project(tmp_path, files) as daypack:
        found = daypack.search("Which version is this?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("lerna.json:")


def test_the_version_of_a_project_stands_before_those_of_what_it_needs(tmp_path: Path) -> None:
    needed = "".join(
        f"    <dependency>\n      <artifactId>bank-{n}</artifactId>\n      <version>{n}.0</version>\n    </dependency>\n"
        for n in range(60)
    )
    pom = f"<project>\n  <artifactId>ledger</artifactId>\n  <version>2.9.4</version>\n  <dependencies>\n{needed}  </dependencies>\n</project>\n"
    with opened_project(tmp_path, {"pom.xml": pom}) as daypack:
        found = daypack.search("Which version is this?", limit=1, vectors=VectorMode.NONE)
    assert found.candidates[0].chunk.reference.startswith("pom.xml:1-")
