"""Input that is wrong, hostile or odd, as it comes in through the command line."""

from __future__ import annotations

import errno
import json
import os
import resource
import socket
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path
from typing import NoReturn

import pytest

import daypack as daypack_package
from daypack import Daypack
from daypack.surfaces.cli import main as main_module
from support import command, daypack, environment, project

KETTLE = "# Kettle\n\nThe kettle stands beside the boiler.\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return project(tmp_path / "shop", {"kettle.md": KETTLE, "tea.md": "# Tea\n\nTea is sold by weight.\n"})


# ---------------------------------------------------------------- queries


def test_a_query_without_words_finds_nothing_and_says_why(shop: Path) -> None:
    query = "?!…"
    assert "the query has no words" in daypack("pack", query, cwd=shop, status=1).stdout
    assert "the query has no words" in daypack("search", query, cwd=shop, status=1).stdout
    done = daypack("pack", query, "--json", cwd=shop, status=1)
    assert json.loads(done.stdout)["empty_reason"] == "empty_query"
    none = daypack("search", "kettle", "--limit", "0", cwd=shop, status=1)
    assert (none.stdout, none.stderr) == ("", "daypack: --limit 0 asks for no results; give at least 1\n")


def test_a_query_that_is_too_long_is_refused_before_a_store_is_made(shop: Path) -> None:
    for verb in ("pack", "search"):
        done = daypack(verb, "kettle " * 15_000, cwd=shop, status=2)
        assert "the query has 105,000 bytes" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (shop / ".daypack").exists()


def test_bytes_that_are_no_utf_8_are_replaced_with_a_warning_and_answered(shop: Path) -> None:
    for verb in ("pack", "search"):
        done = daypack(verb, b"kettle \xff\xfe boiler", cwd=shop)
        assert "stands beside the boiler" in done.stdout
        assert "not UTF-8" in done.stderr
    assert "no language '�'" in daypack("search", "kettle", "--language", b"\xff", cwd=shop, status=2).stderr
    for option in ("--scope", "--path", "--session"):
        daypack("search", "kettle", option, b"\xff", cwd=shop, status=1)
    daypack("get", b"\xff.md", cwd=shop, status=1)
    daypack("get", b"\xff.md:1-2", cwd=shop, status=1)
    daypack("add", b"\xff.md", cwd=shop, status=2)
    daypack("status", b"\xff.md", cwd=shop, status=None)
    daypack("pack", "kettle", "--store", b"\xff", cwd=shop, status=3)
    assert "not UTF-8" in daypack("add", "-", "--name", b"\xff", cwd=shop, input=b"samovar").stderr
    assert "�:1" in daypack("search", "samovar", cwd=shop).stdout


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "*",
        '"kettle',
        "kettle*",
        "NEAR(kettle",
        "kettle AND",
        "--",
        "-kettle",
        "'; DROP TABLE record; --",
        "%s%n",
        "$(id)",
        "`id`",
        "a\nb",
    ],
)
def test_signs_of_query_languages_and_shells_are_text(shop: Path, query: str) -> None:
    done = daypack("search", "--", query, cwd=shop, status=None)
    assert done.returncode in (0, 1)
    assert "syntax" not in done.stderr
    assert ("kettle.md" in done.stdout) == ("kettle" in query)


# ---------------------------------------------------------------- budgets


@pytest.mark.parametrize(
    "budget", ["-1", "1000000000000", "nan", "12abc", "1e3", "", "0x10", "9" * 5000, "1.5"]
)
def test_a_budget_that_is_no_count_is_refused_in_one_line(shop: Path, budget: str) -> None:
    done = daypack("pack", "kettle", f"--budget={budget}", cwd=shop, status=2)
    assert "--budget 4000" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (shop / ".daypack").exists()


@pytest.mark.parametrize("tokenizer", ["o200k", "bytes"])
def test_a_budget_of_nothing_is_an_empty_answer(shop: Path, tokenizer: str) -> None:
    for budget in ("0", "1"):
        assert (
            len(
                daypack(
                    "pack", "kettle", "--budget", budget, "--tokenizer", tokenizer, cwd=shop, status=1
                ).stdout.encode()
            )
            <= int(budget) * 20
        )
    assert json.loads(daypack("pack", "kettle", "--budget", "60", "--json", cwd=shop, status=1).stdout)


# ---------------------------------------------------------------- files


def test_what_is_no_text_is_passed_over_with_its_reason(shop: Path) -> None:
    (shop / "compiled.py").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(500))
    (shop / "photo.md").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    (shop / "noise.txt").write_bytes(bytes(range(256)) * 20)
    (shop / "nothing.md").write_bytes(b"")
    (shop / "blank.md").write_bytes(b" \n\t\n")
    report = json.loads(daypack("add", ".", "--json", cwd=shop).stdout)
    reasons = {issue["uri"]: issue["reason"] for issue in report["issues"]}
    assert {name: reasons.get(name) for name in ("compiled.py", "photo.md", "noise.txt")} == dict.fromkeys(
        ["compiled.py", "photo.md", "noise.txt"], "binary"
    )
    assert reasons.get("nothing.md") == "empty"
    assert "ELF" in daypack("status", "compiled.py", cwd=shop, status=1).stdout
    daypack("check", "--deep", cwd=shop)


def test_a_file_of_a_hundred_gibibytes_is_passed_over_and_not_read(shop: Path) -> None:
    with (shop / "huge.txt").open("wb") as stream:
        stream.truncate(100 << 30)  # all of it a hole
    report = json.loads(daypack("add", ".", "--json", cwd=shop).stdout)
    assert {"uri": "huge.txt", "reason": "too_large"}.items() <= next(
        issue for issue in report["issues"] if issue["uri"] == "huge.txt"
    ).items()


def test_row_19_links_pipes_sockets_and_devices_are_passed_over_and_nothing_waits(
    tmp_path: Path, shop: Path
) -> None:
    (tmp_path / "secret.md").write_text("the samovar is outside")
    (shop / "out.md").symlink_to(tmp_path / "secret.md")
    (shop / "loop").symlink_to(shop)
    (shop / "self").symlink_to("self")
    (shop / "folder").symlink_to(tmp_path)
    (shop / "zero.md").symlink_to("/dev/zero")
    os.mkfifo(shop / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        old = Path.cwd()
        os.chdir(shop)
        try:
            listening.bind("socket.md")
        finally:
            os.chdir(old)
        report = json.loads(daypack("add", ".", "--json", cwd=shop).stdout)
        for path in ("pipe.md", "/dev/zero", "out.md"):
            assert json.loads(daypack("add", path, "--json", cwd=shop, status=1).stdout)["added"] == 0
    reasons = {issue["uri"].rstrip("/"): issue["reason"] for issue in report["issues"]}
    assert reasons["out.md"] == reasons["folder"] == reasons["zero.md"] == "outside_root"
    assert reasons["pipe.md"] == reasons["socket.md"] == reasons["loop"] == "not_a_file"
    assert "self" in reasons
    daypack("search", "samovar outside", "--vectors", "none", cwd=shop, status=1)


@pytest.mark.skipif(
    os.getuid() == 0, reason="root may read every folder, so there is none that it cannot read"
)
def test_row_19_a_folder_that_may_not_be_read_is_passed_over(shop: Path) -> None:
    (shop / "closed").mkdir(mode=0)
    try:
        report = json.loads(daypack("add", ".", "--json", cwd=shop).stdout)
    finally:
        (shop / "closed").chmod(0o700)
    assert {issue["uri"].rstrip("/"): issue["reason"] for issue in report["issues"]}["closed"] == "unreadable"


ODD_NAMES = [
    b"-rf",
    b"$(id).md",
    b"a;b.md",
    b"new\nline.md",
    b"quote'\".md",
    b"\xff\xfe.md",
    "日本.md".encode(),
    b"tab\t.md",
    b" space .md",
    b"back\\slash.md",
    b"a:1-2.md",
    b"x" * 200 + b".md",
]


def test_row_20_files_of_any_name_are_indexed_cited_and_found_again(shop: Path) -> None:
    for number, name in enumerate(ODD_NAMES):
        Path(os.fsdecode(os.path.join(os.fsencode(shop), name))).write_text(f"samovar number {number}\n")
    assert json.loads(daypack("add", ".", "--json", cwd=shop).stdout)["added"] == len(ODD_NAMES) + 2
    results = json.loads(daypack("search", "samovar", "--limit", "30", "--json", cwd=shop).stdout)["results"]
    assert len(results) == len(ODD_NAMES)
    for result in results:
        assert daypack("get", "--", result["reference"], cwd=shop).stdout.strip() == result["text"].strip()
    text = daypack("search", "samovar", "--limit", "30", cwd=shop).stdout
    assert len(text.splitlines()) == 2 * len(ODD_NAMES)
    assert json.loads(daypack("add", ".", "--json", cwd=shop).stdout)["unchanged"] == len(ODD_NAMES) + 2


def test_both_unicode_forms_of_a_name_and_of_a_text_are_kept_apart_and_found_together(shop: Path) -> None:
    for form in ("NFC", "NFD"):
        (shop / unicodedata.normalize(form, f"café-{form}.md")).write_text(
            unicodedata.normalize(form, "crème brûlée\n")
        )
    results = json.loads(daypack("search", "crème brûlée", "--json", cwd=shop).stdout)["results"]
    assert [unicodedata.normalize("NFC", result["uri"]) for result in results] == [
        "café-NFC.md",
        "café-NFD.md",
    ]
    for result in results:
        assert daypack("get", result["uri"], cwd=shop).stdout.encode() == (shop / result["uri"]).read_bytes()


def test_text_with_nul_bytes_by_standard_input_is_no_text(shop: Path) -> None:
    done = daypack("add", "-", "--json", cwd=shop, input=b"kettle\0boiler" * 100, status=1)
    report = json.loads(done.stdout)
    assert (report["added"], [issue["reason"] for issue in report["issues"]]) == (0, ["binary"])
    for name in ("", "two\nlines"):
        daypack("add", "-", "--name", name, cwd=shop, input=b"tea", status=2)


def test_a_store_that_others_may_write_is_refused_for_every_command(shop: Path) -> None:
    daypack("add", ".", cwd=shop)
    (shop / ".daypack").chmod(0o777)
    for arguments in (("pack", "tea"), ("get", "tea.md"), ("status",), ("doctor",), ("add", ".")):
        assert "chmod go-w" in daypack(*arguments, cwd=shop, status=3).stderr


@pytest.mark.parametrize(
    "glob", ["**/" * 30 + "x", "*a" * 30, "[", "{a,b}", "(.*)+$", "\\", "?" * 200, "***", "/", ""]
)
def test_a_glob_of_any_form_is_answered_soon(shop: Path, glob: str) -> None:
    deep = shop / "/".join("a" * 24)
    deep.mkdir(parents=True)
    (deep / ("a" * 40 + ".md")).write_text("the samovar is deep")
    daypack("search", "samovar", "--path", glob, cwd=shop, status=None)


def test_what_never_ends_is_not_read(shop: Path) -> None:
    for words in (
        ("docs", "insert", "c", "@/dev/zero"),
        ("docs", "load", "c", "/dev/zero"),
        ("source", "store", "evidence_summary", "tea", "--metadata", "@/dev/zero"),
        ("memory", "import", "/dev/zero.jsonl"),
        ("eval", "run", "/dev/zero"),
    ):
        assert (
            "cannot be read"
            in daypack("add", ".", cwd=shop).stdout + daypack(*words, cwd=shop, status=2).stderr
        )


@pytest.mark.parametrize("megabytes", [20, 30, 40, 55, 70, 95, 160])
def test_row_40_too_little_memory_is_said_in_words(shop: Path, megabytes: int) -> None:
    """Where a library of C ends the process itself, it says so in its own words, but for a narrow range at some 110 MB in which
    OpenBLAS crashes.
    """
    daypack("add", ".", cwd=shop)
    limit = megabytes << 20
    done = subprocess.run(
        command("search", "kettle"),
        cwd=shop,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0 or "emory" in done.stderr, done.stderr


@pytest.mark.parametrize("module", ["daypack.api", "daypack.surfaces.cli.main"])
def test_row_40_too_little_memory_for_an_exception_is_said_in_words(shop: Path, module: str) -> None:
    """Python then raises an error of its own interpreter, at whichever import has no memory left."""
    code = f"""
import resource, sys
class Exhausted:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            with open("/proc/self/statm") as sizes:
                held = int(sizes.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + (32 << 20), resource.RLIM_INFINITY))
            raise SystemError("error return without exception set")
sys.meta_path.insert(0, Exhausted())
sys.argv[1:] = ["search", "kettle"]
from daypack.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=shop, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stderr.startswith("daypack: memory ran out"), done.stderr
    assert done.returncode == 3


@pytest.mark.parametrize("descriptors", [5, 6, 7, 9])
def test_row_40_too_few_descriptors_are_said_in_words(shop: Path, descriptors: int) -> None:
    """With five the database cannot be opened, with six a module; the rest of the process needs three."""
    daypack("add", ".", cwd=shop)
    done = subprocess.run(
        command("search", "kettle"),
        cwd=shop,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0 or "ulimit -n" in done.stderr, done.stderr
    daypack("check", "--deep", cwd=shop)


# ---------------------------------------------------------------- names


def test_a_store_at_a_path_that_is_too_long_for_sqlite_is_told_its_length(shop: Path) -> None:
    """The message spoke of permissions and of open files."""
    deep = shop.joinpath(*["d" * 100] * 6)
    deep.mkdir(parents=True)
    said = daypack("add", ".", "--store", str(deep / "store"), cwd=shop, status=3).stderr
    assert "bytes, and SQLite takes at most 500; choose a shorter one with --store" in said


def test_a_daypack_in_a_zip_file_says_that_it_needs_a_folder(shop: Path, tmp_path: Path) -> None:
    """The message named a file of words inside the zip, and its permissions."""
    source, packed = Path(daypack_package.__file__).parent, tmp_path / "daypack.zip"
    with zipfile.ZipFile(packed, "w") as into:
        for module in source.rglob("*.py"):
            into.write(module, module.relative_to(source.parent))
    done = subprocess.run(
        [sys.executable, "-m", "daypack", "add", "."],
        cwd=shop, env=environment(PYTHONPATH=str(packed)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr.startswith("daypack: Daypack runs from a folder, not from a zip file; install it")
    assert done.returncode == 3


def test_a_program_that_is_frozen_into_one_file_is_no_zip_file(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its modules are no files either, so that it blamed a zip file for every place that cannot be used."""

    def refused(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.EROFS, "Read-only file system", "/attic")

    monkeypatch.setattr(main_module, "__file__", "/inside/the/program")
    monkeypatch.setattr(Daypack, "open", refused)
    monkeypatch.chdir(shop)
    with pytest.raises(SystemExit):
        main_module.main(["add", "."])
    assert "/attic cannot be used (Read-only file system)" in capsys.readouterr().err


def test_an_owner_with_blanks_around_it_is_refused_in_a_whole_sentence(shop: Path) -> None:
    said = daypack("remember", "tea", "green", cwd=shop, status=2, env={"DAYPACK_OWNER": " ada "}).stderr
    assert said == "daypack: the owner must be a non-empty text without surrounding blanks, not ' ada '\n"


def test_a_tilde_that_begins_no_home_is_part_of_a_name(shop: Path) -> None:
    (shop / "~samovar.md").write_text("# Samovar\n\nThe samovar hisses.\n")
    (shop / "~urns").mkdir()
    (shop / "~urns/urn.md").write_text("The urn of the house.\n")
    daypack("add", "~samovar.md", "~urns", cwd=shop)
    assert "~samovar.md is indexed" in daypack("status", "~samovar.md", cwd=shop).stdout
    assert "1 file indexed" in daypack("status", "~urns", cwd=shop).stdout
    assert "samovar hisses" in daypack("get", "~samovar.md", cwd=shop).stdout
    assert "does not exist" in daypack("add", "~urn.md", cwd=shop, status=2).stderr
    daypack("backup", "~backups", cwd=shop)
    daypack("export", "~all.daypack", cwd=shop)
    daypack("add", "--label", "urns", "~urns/urn.md", cwd=shop)
    daypack("memory", "import", "~samovar.md", cwd=shop)
    daypack("session", "import", "~samovar.md", cwd=shop, status=None)
    assert {"~backups", "~all.daypack"} <= {path.name for path in shop.iterdir()}


def test_a_store_may_have_a_name_that_begins_with_a_tilde(shop: Path) -> None:
    (shop / "~urns").mkdir()
    daypack("--store", "~urns/store", "add", "kettle.md", cwd=shop)
    assert (shop / "~urns/store/daypack.db").is_file()
    shown = daypack("status", cwd=shop, env={"DAYPACK_STORE": "~urns/store"}).stdout
    assert str(shop / "~urns/store") in shown


def test_a_name_that_begins_with_a_dash_is_told_apart_from_options(shop: Path) -> None:
    (shop / "-dash.md").write_text("# Dash\n\nThe dash is long.\n")
    daypack("add", ".", cwd=shop)
    for words in (("get", "-dash.md:1-3"), ("get", "-note.md:3 @417 (escaped)"), ("status", "-dash.md")):
        said = daypack(*words, cwd=shop, status=2).stderr
        assert f"; if {words[-1]} is a name, write -- before it; see `daypack {words[0]} --help`" in said
    assert "is long" in daypack("get", "--", "-dash.md:1-3", cwd=shop).stdout
    assert "is a name" not in daypack("get", "-x", "kettle.md", cwd=shop, status=2).stderr
    assert "is a name" not in daypack("search", "tea", "--bugdet=10:30", cwd=shop, status=2).stderr
    assert "is a name" not in daypack("search", "tea", "-n:5", cwd=shop, status=2).stderr


def test_the_status_of_a_file_names_the_encoding_that_is_not_utf_8(shop: Path) -> None:
    (shop / "old.txt").write_bytes("The café is open all day.\n".encode("cp1252"))
    (shop / "wide.txt").write_bytes("The café is open all day.\n".encode("utf-16"))
    daypack("add", ".", cwd=shop)
    shown = {name: daypack("status", name, cwd=shop).stdout for name in ("kettle.md", "old.txt", "wide.txt")}
    assert shown == {
        "kettle.md": "kettle.md is indexed\n",
        "old.txt": "old.txt is indexed, read as Windows-1252, since its bytes are not UTF-8\n",
        "wide.txt": "wide.txt is indexed, read as utf-16-le\n",
    }
    assert json.loads(daypack("status", "old.txt", "--json", cwd=shop).stdout)["encoding"] == "cp1252"
