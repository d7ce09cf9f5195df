"""Bytes become records, or say why not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from daypack.doors.reading import formats
from daypack.doors.reading.decoding import Decoded, decode
from daypack.doors.reading.formats import read_file, record_from_bytes
from daypack.doors.reading.languages import detect_language
from daypack.doors.reading.pages import notebooks
from daypack.doors.reading.titles import find_title
from daypack.doors.reading.walk import FoundFile, WalkRules, walk
from daypack.types import IngestIssue, Record, RecordKind, SkipReason


def found(root: Path, name: str) -> FoundFile:
    path = root.resolve() / name
    return FoundFile(str(path), name, 0, 0, root.resolve())


def record(data: bytes | str, uid: str = "a.txt") -> Record:
    result = record_from_bytes(data.encode() if isinstance(data, str) else data, uid=uid)
    assert isinstance(result, Record), result
    return result


def issue(data: bytes, uid: str = "a.txt") -> IngestIssue:
    result = record_from_bytes(data, uid=uid)
    assert isinstance(result, IngestIssue), result
    return result


# ---------------------------------------------------------------- reading


def test_a_file_becomes_a_record_with_its_path_time_and_size(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("x = 1\r\n", newline="")
    os.utime(tmp_path / "src/a.py", ns=(0, 1_500_000_000_250_000_000))
    [only] = walk(tmp_path).files
    result = read_file(only)
    assert isinstance(result, Record)
    assert (result.uid, result.uri, result.door, result.title) == ("src/a.py", "src/a.py", "files", "a.py")
    assert (result.language, result.kind, result.text) == ("python", RecordKind.CODE, "x = 1\r\n")
    assert (result.time, result.mtime_ns, result.size) == (1_500_000_000.25, 1_500_000_000_250_000_000, 7)


def test_a_link_in_the_place_of_a_file_or_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.py").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").symlink_to(tmp_path / "outside/a.py")
    (root / "sub").symlink_to(tmp_path / "outside")
    for name in ("a.py", "sub/a.py"):
        result = read_file(found(root, name))
        assert isinstance(result, IngestIssue)
        assert result.reason is SkipReason.OUTSIDE_ROOT


def test_a_fifo_in_the_place_of_a_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    result = read_file(found(tmp_path, "a.py"))
    assert isinstance(result, IngestIssue)
    assert result.reason is SkipReason.NOT_A_FILE


def test_a_file_that_vanished_is_unreadable(tmp_path: Path) -> None:
    result = read_file(found(tmp_path, "gone.py"))
    assert result == IngestIssue("gone.py", SkipReason.UNREADABLE, "no such file or directory")


def test_a_file_swapped_for_an_outside_link_a_thousand_times_never_leaks(tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("LEAK")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("inside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.symlink(tmp_path / "outside.py", root / "new")
            os.replace(root / "new", root / "a.py")
            (root / "new").write_text("inside")
            os.replace(root / "new", root / "a.py")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        texts = {getattr(read_file(found(root, "a.py")), "text", "") for _ in range(1000)}
    finally:
        stop.set()
        swapper.join()
    assert texts <= {"inside", ""}


@pytest.mark.parametrize(("times", "changed"), [(1, False), (2, True)])
def test_a_file_that_changes_while_it_is_read_is_read_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, changed: bool
) -> None:
    path = tmp_path / "a.py"
    path.write_text("one")
    left = [times]
    real_read = os.read

    def read(descriptor: int, size: int) -> bytes:
        data = real_read(descriptor, size)
        if not data and left[0]:
            left[0] -= 1
            with path.open("a") as file:
                file.write(" more")
        return data

    monkeypatch.setattr(formats.os, "read", read)
    result = read_file(found(tmp_path, "a.py"))
    if changed:
        assert isinstance(result, IngestIssue)
        assert result.reason is SkipReason.CHANGED_WHILE_READING
    else:
        assert isinstance(result, Record)
        assert result.text == "one more"


@pytest.mark.slow
def test_a_huge_single_line_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as file:
        for _ in range(100):
            file.write(b"x" * (1 << 20))
    script = (
        "import resource, sys; from pathlib import Path; from daypack.doors.reading.formats import read_file; "
        "from daypack.doors.reading.walk import FoundFile, walk; root = Path(sys.argv[1]).resolve(); "
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
        "assert walk(root).issues[0].reason == 'too_large'; "
        "assert read_file(FoundFile(str(root / 'big.txt'), 'big.txt', 0, 0, root)).reason == 'too_large'; "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert int(answer.stdout) < 8_000  # kilobytes on Linux


def test_a_file_without_a_size_is_capped_as_well() -> None:
    if not Path("/proc/self/maps").exists():
        pytest.skip("no /proc")
    here = FoundFile(str(Path("/proc/self/maps").resolve()), "maps", 0, 0, Path("/proc/self").resolve())
    result = read_file(here, WalkRules(max_bytes=100))
    assert isinstance(result, IngestIssue)
    assert result.reason is SkipReason.TOO_LARGE


# ---------------------------------------------------------------- decoding


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("grün".encode(), "utf-8"),
        (b"\xef\xbb\xbf" + "grün".encode(), "utf-8"),
        (b"\xff\xfe" + "grün".encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + "grün".encode("utf-16-be"), "utf-16-be"),
        (b"\xff\xfe\0\0" + "grün".encode("utf-32-le"), "utf-32-le"),
        ("grün".encode("cp1252"), "cp1252"),
    ],
)
def test_text_is_decoded_by_mark_or_by_what_its_bytes_are(data: bytes, encoding: str) -> None:
    assert decode(data) == Decoded("grün", encoding)


def test_bytes_that_cp1252_does_not_have_are_latin_1() -> None:
    assert decode(b"the caf\xe9 on the corner \x81") == Decoded("the caf\xe9 on the corner \x81", "latin-1")


def test_a_utf_8_file_with_one_broken_byte_stays_utf_8() -> None:
    text = "Größe, Länge, Höhe und weiter".encode() + b"\xff"
    assert decode(text) == Decoded("Größe, Länge, Höhe und weiter\ufffd", "utf-8 with errors")


@pytest.mark.parametrize(
    ("text", "encoding", "looks"),
    [
        ("The office moved to 東京 in May, as the letter says.", "shift_jis", "Shift-JIS"),
        ("The menu has ラーメン and tea; nothing else is sold here.", "shift_jis", "Shift-JIS"),
        ("The office moved to 東京 in May, as the letter says.", "euc-jp", "EUC or GBK"),
        ("The office moved to 北京 in May, as the letter says.", "gbk", "EUC or GBK"),
        ("The office moved to 서울 in May, as the letter says.", "euc-kr", "EUC or GBK"),
        ("Zgłoszenie należy złożyć w ciągu miesiąca, także pocztą.", "cp1250", "Windows-1250 or ISO 8859-2"),
        (
            "Zgłoszenie należy złożyć w ciągu miesiąca, także pocztą.",
            "iso8859-2",
            "Windows-1250 or ISO 8859-2",
        ),
    ],
)
def test_a_few_words_in_another_encoding_are_not_read_as_western_ones(
    text: str, encoding: str, looks: str
) -> None:
    reason, said = decode(text.encode(encoding))  # type: ignore[misc]
    assert reason is SkipReason.UNREADABLE
    assert said == f"neither UTF-8 nor Western European text; save it as UTF-8 (it looks like {looks})"


@pytest.mark.parametrize(
    "text",
    [
        "Élève décédé, l’éléphant “blanc” coûte 3 €…", "[a-zäöüßÄÖÜ] and [áéíóúñÁÉÍÓÚÑ]", "“I don’t,” he said — “it’s cold”.",
        "jäääär, hääyöaie, pää, öö", "¿Qué año? ¡Sí! «Mañana»", "Fläche in m² und m³/h, ½ Liter, 20 °C, ±3 µm", "f(x) = a³b + c³d + e¹f",
        "© 2020 Übergrößenträger; ® §§ 3–5", "ÅNGSTRÖM ÆØÅ São João àéêõ", "———————— •••• ········",
        "escape any “@”s here", "/^[A-ZÁÉÍÓÚÑ ]+$/", "[A-ZÀÈÉÌÒÙ]", "[A-ZÁÂÃÀÇÉÊÍÓÔÕÚ][a-záâãàçéêíóôõú]", "s/[ÈÉÊË]/E/g",
        "strtr($s, 'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ', 'AAAAAACEEEEIIIINOOOOOUUUUY')", "[¢£¤¥]", "[¹²³¼½¾]", "the alphabet ends with ÅÄÖÉ",
        "".join(map(chr, range(0xA0, 0x100))), "He said “L’été” twice", "‘L’été’",
    ],
)  # fmt: skip
def test_western_text_stays_readable(text: str) -> None:
    text += "\n" + "The harbour is open all day. " * 12
    assert decode(text.encode("cp1252")) == Decoded(text, "cp1252")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Žádost podejte do konce měsíce.", "cp1250"),
        ("Başvuru ay sonuna kadar yapılır.", "cp1254"),
        ("The sign says Привет to all who come in.", "cp1251"),
    ],
)
def test_few_letters_of_another_encoding_are_read_as_western_ones_as_the_documentation_says(
    text: str, encoding: str
) -> None:
    read = decode(text.encode(encoding))
    assert isinstance(read, Decoded)
    assert read.encoding == "cp1252"


def test_text_in_another_legacy_script_is_not_turned_into_noise() -> None:
    result = decode("Привет, как дела сегодня".encode("koi8-r"))
    assert not isinstance(result, Decoded)
    assert result[0] is SkipReason.UNREADABLE


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x89PNG\r\n\x1a\n rest", "picture.md"),
        (b"\x7fELF rest", "program.py"),
        (b"PK\x03\x04 rest", "archive.json"),
        (b"x = 1\0", "a.py"),
        ("utf-16 without mark".encode("utf-16-le"), "a.txt"),
        (bytes(range(1, 32)) * 4 + b"\xff", "noise.txt"),
    ],
)
def test_a_binary_is_one_whatever_its_name(data: bytes, name: str) -> None:
    assert issue(data, name).reason is SkipReason.BINARY


@pytest.mark.parametrize("data", [b"", b"\n \t\r\n", b"\xef\xbb\xbf", "\u00a0\u2003\n".encode()])
def test_nothing_but_white_space_is_empty(data: bytes) -> None:
    assert issue(data).reason is SkipReason.EMPTY


def test_a_script_of_endless_lines_is_minified_and_a_text_of_endless_lines_is_not() -> None:
    line = "var a=1;" * 100
    assert issue(line.encode(), "bundle.js").reason is SkipReason.MINIFIED
    assert record(line, "notes.txt").text == line


def test_a_generated_file_is_kept_and_marked() -> None:
    assert record("// Code generated by x. DO NOT EDIT.\npackage a\n", "a.go").metadata == {"generated": True}
    assert record("package a\n", "a.go").metadata == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "/*\n * Licensed to all.\n */\n\n// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n",
            "a.go",
        ),
        ('#!/usr/bin/env python\n"""A parser.\n\nGenerated by the tool `yacc`.\n"""\nx = 1\n', "a.py"),
        ("/* A Bison parser, made by GNU Bison 3.8.2.  */\nint yyparse(void);\n", "a.c"),
        ("<?php\n// This file was generated by the compiler of grammars\n$x = 1;\n", "a.php"),
        (
            '#include "tool_setup.h"\n#ifndef HAVE_LIBZ\n/*\n * NEVER EVER edit this manually, fix the mkhelp.pl script instead!\n */\nint a;\n',
            "tool_hugehelp.c",
        ),
        ("// Please don't edit this file by hand.\nlet a = 1\n", "a.swift"),
        ("# This file is auto-generated from the current state of the database.\nx = 1\n", "schema.rb"),
        ("# ### stubs of tools/stubs.py - do not edit ###\nx: int\n", "a.pyi"),
        ("// Code generated by the wire compiler, do not edit.\nclass A {}\n", "A.java"),
        ("# Please do not edit.\nx = 1\n", "a.py"),
        ("//  This file is an amalgamation of multiple different files.\nint x;\n", "pay.cpp"),
        ("/*\n *  This file has been merged from multiple headers.\n */\nint x;\n", "pay.hpp"),
        ("/// Pay-cpp amalgamated source (https://pay.test).\nint x;\n", "pay.cpp"),
        ("/// Pay amalgamated forward header (https://pay.test).\nint x;\n", "pay-forwards.h"),
        ("/* auto-generated on 2024-01-01 12:00:00 -0400. Do not edit! */\nint x;\n", "pay.h"),
        ("/*\n *  Single source autogenerated distributable of Pay 2.7.\n */\nint x;\n", "pay.c"),
        (
            "=begin\n#Pay API\n\nGenerated by: https://generators.test\n\n=end\n\nmodule Pay\nend\n",
            "pay_api.rb",
        ),
        ("/*\n * ## THIS FILE WAS GENERATED VIA A CLIENT-MAKER ##\n */\nexport class Api {}\n", "api.ts"),
    ],
)
def test_a_file_whose_opening_comments_say_that_a_program_wrote_it_is_generated(text: str, name: str) -> None:
    assert record(text, name).metadata == {"generated": True}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('package gen\n\nconst head = "// Code generated by gen. DO NOT EDIT."\n', "gen.go"),
        ('import { a } from "@generated/hosts"\n', "a.ts"),
        ('"""Read the reports that are generated by the linter."""\n', "a.py"),
        ('x = """\n# This file is automatically @generated by Cargo.\n"""\n', "a.py"),
        ('"""Write the amalgamated header of all sources."""\n', "amalgamate.py"),
        ("/* A test of the amalgamated source. */\nint x;\n", "a.c"),
        (
            "// An order is an amalgamation of carts, which have been merged from multiple shops.\nint x;\n",
            "a.c",
        ),
        ("# Pages are auto-generated on every push.\nx = 1\n", "pages.py"),
        ("# Do not edit orders that were paid.\nx = 1\n", "orders.py"),
        ("# Those who do not edit, read.\nx = 1\n", "readers.py"),
        ("# Guests see a page, but do not edit\n# it before they log in.\nx = 1\n", "guests.py"),
        ('"""Pages for users who may read but do not edit."""\nx = 1\n', "readers.py"),
        ("# The editors, and those that do not edit.\nx = 1\n", "readers.py"),
        ("=begin\nReports of carts.\n=end\nHEAD = '# Generated by carts'\n", "reports.rb"),
    ],
)
def test_a_generator_and_its_users_are_not_generated(text: str, name: str) -> None:
    assert record(text, name).metadata == {}


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("shop.js", "//# sourceMappingURL=shop.js.map"),
        ("shop.js", f"//# sourceMappingURL=data:application/json;base64,{'A' * 400}\n\n"),
        ("shop.css", "/*# sourceMappingURL=shop.css.map */\n"),
    ],
)
def test_a_bundle_that_names_the_map_to_its_sources_is_generated(name: str, last: str) -> None:
    lines = "\n".join(f".line{n} {{ }}" if name.endswith("css") else f"pay({n});" for n in range(60))
    assert record(f"{lines}\n{last}", name).metadata == {"generated": True}
    assert record(f"{last}\n{lines}\n", name).metadata == {}


@pytest.mark.parametrize(
    "begin",
    [
        "(function webpackUniversalModuleDefinition(root, factory) {",
        "/******/ (() => { // webpackBootstrap",
        "!function(e){window.shop=e()}(function(){var define,module,exports;",
        """(function e(t,n,r){function s(o,u){throw new Error("Cannot find module '"+o+"'")}""",
        "/*! shop 1.2 */\nvar __defProp = Object.defineProperty;",
        "function require(p){\n  var path = require.resolve(p)\n    , mod = require.modules[path];",
    ],
)
def test_a_bundle_that_begins_with_the_loader_of_its_modules_is_generated(begin: str) -> None:
    assert record(f"{begin}\n" + "pay(1);\n" * 60, "shop.js").metadata == {"generated": True}
    assert record("pay(1);\n" * 200 + begin, "build.js").metadata == {}


@pytest.mark.parametrize(
    "head",
    [
        '<!-- NewPage -->\n<html lang="en">\n<head>\n<!-- Generated by javadoc (21) on Mon Mar 03 2025 -->',
        '<html>\n<head>\n<meta name="generator" content="Doxygen 1.9.8"/>',
        '<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="rustdoc">',
    ],
)
def test_a_reference_page_that_was_made_from_code_is_generated(head: str) -> None:
    page = f"<!DOCTYPE html>\n{head}<title>Cart</title></head><body><h1>Cart</h1><p>{'Adds a line. ' * 20}</p></body></html>"
    assert record(page, "Cart.html").metadata["generated"] is True


def test_a_page_that_somebody_wrote_with_a_generator_is_not_generated() -> None:
    page = f'<html><head><meta name="generator" content="Hugo 0.1"></head><body><h1>Carts</h1><p>{"We sell. " * 20}</p></body></html>'
    assert "generated" not in record(page, "index.html").metadata


# ---------------------------------------------------------------- languages and titles


@pytest.mark.parametrize(
    ("name", "head", "language", "kind"),
    [
        ("a.py", "", "python", RecordKind.CODE),
        ("a.tsx", "", "tsx", RecordKind.CODE),
        ("a.jsx", "", "javascript", RecordKind.CODE),
        ("A.JAVA", "", "java", RecordKind.CODE),
        ("a.h", "int f(void);", "c", RecordKind.CODE),
        ("a.h", "namespace a {", "cpp", RecordKind.CODE),
        ("Makefile", "", "make", RecordKind.CODE),
        ("Dockerfile.dev", "", "dockerfile", RecordKind.CODE),
        ("Kconfig", "config TIDE\n", "kconfig", RecordKind.CODE),
        ("Kconfig.defaults", "config TIDE\n", "kconfig", RecordKind.CODE),
        ("kconfig.h", "int f(void);", "c", RecordKind.CODE),
        ("Kconfig.md", "# Options\n", "markdown", RecordKind.DOCUMENT),
        ("port.dtsi", "/ {\n};\n", "devicetree", RecordKind.CODE),
        ("run", "#!/usr/bin/env python3\n", "python", RecordKind.CODE),
        ("run", "#!/usr/bin/env -S uv run\n", "python", RecordKind.CODE),
        ("run", "#!/bin/bash -e\n", "bash", RecordKind.CODE),
        ("run", "#! /usr/local/bin/node\n", "javascript", RecordKind.CODE),
        ("grammar.y", "%token NAME\n", "yacc", RecordKind.CODE),
        ("builtin.jq", "def first: .[0];\n", "jq", RecordKind.CODE),
        ("build.mill", "object shop", "scala", RecordKind.CODE),
        ("guide.asc", "= Guide\n", "asciidoc", RecordKind.DOCUMENT),
        ("SPEC.rdoc", "= Guide\n", "asciidoc", RecordKind.DOCUMENT),
        ("manual.texi", "\\input texinfo\n", "texinfo", RecordKind.DOCUMENT),
        ("shop.tar.asc", "-----BEGIN PGP SIGNATURE-----\n", "text", RecordKind.DOCUMENT),
        ("a.md", "", "markdown", RecordKind.DOCUMENT),
        ("a.jsonl", "", "ndjson", RecordKind.DOCUMENT),
        ("config.yaml.example", "", "yaml", RecordKind.DOCUMENT),
        ("LICENSE", "", "text", RecordKind.DOCUMENT),
        ("page", "<!DOCTYPE html><p>", "html", RecordKind.DOCUMENT),
        ("pay.1", '.\\" by hand\n.TH PAY 1\n', "man", RecordKind.DOCUMENT),
        ("pay.8.in", ".Dd May 1, 2024\n.Dt PAY 8\n", "man", RecordKind.DOCUMENT),
        ("server.log.1", "12:00 started\n", "text", RecordKind.DOCUMENT),
        ("unknown.qqq", "", "text", RecordKind.DOCUMENT),
        (".gitignore", "", "gitignore", RecordKind.DOCUMENT),
    ],
)
def test_a_language_is_known_by_name_ending_or_first_line(
    name: str, head: str, language: str, kind: RecordKind
) -> None:
    assert detect_language(name, head) == (language, kind)


@pytest.mark.parametrize(
    ("text", "language", "title"),
    [
        ("intro\n\n# The *title* of [it](x) #\n", "markdown", "The title of it"),
        ("```\n# comment\n```\n# Real\n", "markdown", "Real"),
        ("Underlined\n==========\n", "markdown", "Underlined"),
        ("---\ntitle: 'From the front'\n---\ntext\n", "markdown", "From the front"),
        ("---\ntitle: Front\n---\n# Body\n", "markdown", "Body"),
        (":toc:\n\n[[logs]]\n=== Reading logs\n", "asciidoc", "Reading logs"),
        ("pay-log(1)\n==========\n", "asciidoc", "pay-log(1)"),
        ("* Usage\n#+TITLE: Guide \n", "org", "Guide"),
        ("@c by hand\n@settitle The harbour\n@title Other\n", "texinfo", "The harbour"),
        ('.\\" by hand\n.TH "PAY" 1 2024\n', "man", "PAY(1)"),
        ("===\nTop\n===\n\ntext\n", "rst", "Top"),
        ("Under\n=====\n", "rst", "Under"),
        ("## only a second level\n", "markdown", ""),
        ("# comment\n", "python", ""),
    ],
)
def test_a_document_names_itself(text: str, language: str, title: str) -> None:
    assert find_title(text, language) == title


# ---------------------------------------------------------------- rendering


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": cells})


def test_a_notebook_is_rendered_as_markdown_with_fences_and_short_outputs() -> None:
    text = notebook(
        {"cell_type": "markdown", "source": ["# Study\n", "prose"]},
        {
            "cell_type": "code",
            "source": "print('```')\n",
            "outputs": [
                {"output_type": "stream", "text": ["\x1b[31mhello\x1b[0m\n"]},
                {
                    "output_type": "display_data",
                    "data": {"image/png": "iVBOR" * 1000, "text/plain": "<Figure>"},
                },
                {"output_type": "error", "ename": "ValueError", "evalue": "bad"},
            ],
        },
    )
    result = record(text, "study.ipynb")
    assert (result.rendered, result.language, result.title) == ("notebook", "markdown", "Study")
    assert result.text == (
        "# Study\nprose\n\n````python cell 2\nprint('```')\n````\n\n```text output 2\nhello\n<Figure>\nValueError: bad\n```\n"
    )


def test_long_and_encoded_outputs_are_cut_or_dropped() -> None:
    long = record(
        notebook(
            {
                "cell_type": "code",
                "source": "x",
                "outputs": [{"output_type": "stream", "text": "line\n" * 100}],
            }
        ),
        "a.ipynb",
    )
    assert long.text.count("line") == notebooks.MAX_OUTPUT_LINES
    assert "…" in long.text
    coded = record(
        notebook(
            {"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "A" * 5000}]}
        ),
        "a.ipynb",
    )
    assert "AAAA" not in coded.text


@pytest.mark.parametrize("text", ["{", '{"cells": 3}', "[1]", '{"a": ' * 5000, '{"worksheets": [3]}'])
def test_a_malformed_notebook_is_read_as_json(text: str) -> None:
    result = record(text, "a.ipynb")
    assert (result.language, result.rendered, result.text) == ("json", "", text)


def test_a_notebook_with_odd_cells_does_not_crash() -> None:
    text = notebook(
        {"cell_type": "code", "source": 3, "outputs": 4},
        {"cell_type": None},
        {"cell_type": "code", "source": ["a", 5]},
    )
    assert "a" in record(text, "a.ipynb").text


def test_a_page_is_rendered_as_markdown_and_titled() -> None:
    page = "<html><head><title>Pay &amp; retry</title><script>evil()</script></head><body><h1>Retry</h1><p>a <b>b</b></p></body></html>"
    result = record(page, "a.html")
    assert (result.rendered, result.language, result.title) == ("html", "markdown", "Pay & retry")
    assert result.text == "# Retry\n\na **b**\n"


def test_a_page_that_cannot_be_converted_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "render_html", lambda text: None)
    result = record("<p>text</p>", "a.html")
    assert (result.rendered, result.language, result.text) == ("", "html", "<p>text</p>")


def test_walking_and_reading_code_imports_no_heavy_library() -> None:
    script = (
        "import sys, daypack.doors.reading.formats, daypack.guard.secrets; "
        "print([name for name in ('pathspec', 'html_to_markdown', 'numpy') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


@pytest.mark.parametrize(
    ("name", "data", "language", "title"),
    [
        (
            "quay.feature",
            b"@slow\nFeature: Mooring at night\n\n  Scenario: x\n",
            "gherkin",
            "Mooring at night",
        ),
        ("Quay.mediawiki", b"= Quay =\n\n== Crane ==\n", "mediawiki", "Quay"),
        ("Crane.wiki", b"Text\n\n== North ==\n", "mediawiki", "Crane.wiki"),
        (
            "pages/Quay___Crane.md",
            b"type:: [[Tool]]\ntitle:: Quay/Crane\n\n- # North\n",
            "markdown",
            "Quay/Crane",
        ),
    ],
)
def test_a_wiki_and_a_feature_have_their_language_and_title(
    name: str, data: bytes, language: str, title: str
) -> None:
    record = record_from_bytes(data, uid=name)
    assert isinstance(record, Record)
    assert (record.language, record.title) == (language, title)
