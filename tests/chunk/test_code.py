"""Code is cut into symbols: names, scopes and signatures, language by language."""

import subprocess
import sys

import pytest
from chunk_checks import cut_source, named, names, texts

from daypack.chunk import code
from daypack.chunk.languages import LANGUAGES
from daypack.text import syntax
from daypack.text.syntax import plain_name
from daypack.types import PieceKind, SymbolKind

PYTHON = '''#!/usr/bin/env python
"""What the module is for."""
import os
from a.b import (
    c,
    d,
)

LIMIT = 3
NAMES = ("x",)

# How often a call is made,
# and by whom.
@cached
@retried(3)
async def call(url: str,
               *, times: int = 3) -> str:
    """Calls."""
    def again():
        return 1
    return again()


class Retry(Base):
    """Again."""

    attempts = 0

    def run(self) -> None:
        pass

    marker = 1

    class Inner:
        def deep(self): ...


if LIMIT:
    def chosen():
        return 1
else:
    chosen = None
'''


def test_python_functions_methods_and_classes_are_pieces():
    result = cut_source(PYTHON, "python")
    assert names(result) == ["call", "Retry", "Retry.run", "Retry.Inner", "Retry.Inner.deep", "chosen"]
    assert named(result, "Retry.Inner.deep").trail == ("Retry", "Inner")
    assert [named(result, name).symbol for name in ("call", "Retry", "Retry.run")] == [
        SymbolKind.FUNCTION,
        SymbolKind.CLASS,
        SymbolKind.METHOD,
    ]


def test_a_function_brings_its_decorators_comments_and_inner_functions():
    result = cut_source(PYTHON, "python")
    piece = named(result, "call")
    text = PYTHON[piece.span.start : piece.span.end]
    assert text.startswith("# How often")
    assert "def again" in text
    assert piece.signature == "async def call(url: str, *, times: int = 3) -> str"


def test_a_class_piece_is_its_header_without_methods():
    result = cut_source(PYTHON, "python")
    piece = named(result, "Retry")
    assert (
        PYTHON[piece.span.start : piece.span.end]
        == 'class Retry(Base):\n    """Again."""\n\n    attempts = 0'
    )
    rest = [piece for piece in result.pieces if piece.kind is PieceKind.BLOCK and piece.name == "Retry"]
    assert [PYTHON[piece.span.start : piece.span.end].strip() for piece in rest] == ["marker = 1"]


def test_the_docstring_of_a_module_is_a_piece_of_its_own():
    first = cut_source(PYTHON, "python").pieces[0]
    assert first.kind is PieceKind.PARAGRAPH
    assert PYTHON[: first.span.end].endswith('for."""')


def test_imports_are_collected_one_a_line():
    assert cut_source(PYTHON, "python").imports == ("import os", "from a.b import ( c, d, )")


def test_a_class_and_its_methods_share_a_section():
    result = cut_source(PYTHON, "python")
    sections = {piece.section for piece in result.pieces if piece.name.startswith("Retry")}
    assert len(sections) == 1
    assert sections.isdisjoint(piece.section for piece in result.pieces if not piece.name.startswith("Retry"))


SNIPPETS = {
    "javascript": (
        "import a from 'b';\nconst r = require('x');\n// doc\nexport const f = (a) => { return 1 };\nexport default function g() {}\n"
        "class A extends B {\n  x = 1;\n  h = () => { };\n  static m() {}\n}\nA.prototype.late = function () {};\nexports.z = async () => {};\n",
        {
            "f": "function",
            "g": "function",
            "A": "class",
            "A.h": "method",
            "A.m": "method",
            "A.late": "method",
            "z": "function",
        },
        ("import a from 'b';", "const r = require('x');"),
    ),
    "typescript": (
        "import { a } from './b';\nexport interface I { a(): void }\ntype T = { a: 1 };\nenum E { A }\n"
        "export abstract class A<T> {\n  private x = 1;\n  @dec()\n  m(): void {}\n}\nnamespace N {\n  export function f() {}\n}\n",
        {
            "I": "interface",
            "T": "type",
            "E": "enum",
            "A": "class",
            "A.m": "method",
            "N": "module",
            "N.f": "function",
        },
        ("import { a } from './b';",),
    ),
    "tsx": (
        "export const Button = memo((p: P) => {\n  return <div>{p.x}</div>;\n});\nexport default function App(): JSX.Element {\n  return <Button/>;\n}\n",
        {"Button": "function", "App": "function"},
        (),
    ),
    "go": (
        'package p\n\nimport (\n\t"fmt"\n\tx "os"\n)\n\n// Run runs.\nfunc (r *Retry[T]) Run(a int) error { return nil }\n\nfunc F() {}\n\n'
        "type S struct {\n\ta int\n}\n\ntype I interface{ M() }\n",
        {"Retry.Run": "method", "F": "function", "S": "struct", "I": "interface"},
        ('import "fmt"', 'import x "os"'),
    ),
    "rust": (
        "use a::b;\nmod other;\n\n/// Doc.\n#[derive(Debug)]\npub struct S<T> { a: T }\n\nimpl<T> Tr for S<T> {\n    const A: i32 = 1;\n"
        "    pub fn f(&self) -> i32 { 1 }\n}\n\npub trait Tr { fn g() {} }\nenum E { A }\nmod tests {\n    #[test]\n    fn t() {}\n}\n",
        {
            "S": "struct",
            "S.f": "method",
            "Tr": "interface",
            "Tr.g": "method",
            "E": "enum",
            "tests": "module",
            "tests.t": "function",
        },
        ("use a::b;", "mod other;"),
    ),
    "java": (
        "package a;\nimport b.C;\n\n/** Doc. */\n@Ann\npublic class A<T> extends B {\n  int x;\n  A() {}\n  @Override public void f(int a) {}\n"
        "  interface I { void g(); }\n}\nenum E { A, B; void x() {} }\nrecord R(int a) {}\n",
        {
            "A": "class",
            "A.A": "method",
            "A.f": "method",
            "A.I": "interface",
            "E": "enum",
            "E.x": "method",
            "R": "class",
        },
        ("import b.C;",),
    ),
    "c": (
        "#include <a.h>\n#ifdef X\nint f(int a) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\nstruct S { int a; };\n"
        "typedef struct { int b; } T;\nenum E { A };\nstatic char *h(void) { return 0; }\nint proto(int);\n",
        {"f": "function", "g": "function", "S": "struct", "T": "struct", "E": "enum", "h": "function"},
        ("#include <a.h>",),
    ),
    "cpp": (
        "#include <a>\nnamespace n {\nclass A : public B {\n public:\n  void f() const {}\n  int operator+(int) { return 1; }\n private:\n  int x;\n};\n}\n"
        "void A::g(int a) {}\nA::~A() {}\nn::A& n::A::h() {}\ntemplate <typename T> T t(T a) { return a; }\nenum class C { A };\n",
        {
            "n": "module",
            "n.A": "class",
            "n.A.f": "method",
            "n.A.operator+": "method",
            "A.g": "method",
            "A.~A": "method",
            "n.A.h": "method",
            "t": "function",
            "C": "enum",
        },
        ("#include <a>",),
    ),
    "ruby": (
        "require 'a'\n\nmodule M\n  # doc\n  class A < B\n    attr_reader :x\n\n    def f(a)\n      1\n    end\n\n    def self.g; end\n  end\nend\n\ndef top\nend\n",
        {"M": "module", "M.A": "class", "M.A.f": "method", "M.A.g": "method", "top": "function"},
        ("require 'a'",),
    ),
    "csharp": (
        "using A;\nnamespace N {\n  public class C : D {\n    int x;\n    public C() {}\n    void F<T>(int a) {}\n  }\n  interface I { void G(); }\n}\nstruct S {}\n",
        {
            "N": "module",
            "N.C": "class",
            "N.C.C": "method",
            "N.C.F": "method",
            "N.I": "interface",
            "S": "struct",
        },
        ("using A;",),
    ),
    "kotlin": (
        "import b.c\n\nclass A(val x: Int) : B() {\n    val y = 1\n\n    override fun f(): Int {\n        return 1\n    }\n\n    companion object {\n"
        "        fun g() {\n        }\n    }\n}\n\ninterface I {\n    fun q()\n}\n\nfun top() {\n}\n",
        {
            "A": "class",
            "A.f": "method",
            "A.Companion": "class",
            "A.Companion.g": "method",
            "I": "interface",
            "top": "function",
        },
        ("import b.c",),
    ),
    "php": (
        "<?php\nnamespace A\\B;\nuse C\\D;\nfunction f($a) {}\nabstract class K extends L {\n  public $x;\n  public function m() {}\n}\ninterface I { function q(); }\n",
        {"f": "function", "K": "class", "K.m": "method", "I": "interface"},
        ("use C\\D;",),
    ),
    "swift": (
        "import Foundation\nclass A: B {\n  var x = 1\n  init(a: Int) {}\n  func f() -> Int { 1 }\n}\nstruct S { func g() {} }\nextension S {\n  func h() {}\n}\n",
        {"A": "class", "A.init": "method", "A.f": "method", "S": "struct", "S.g": "method", "S.h": "method"},
        ("import Foundation",),
    ),
    "scala": (
        "import b.c\nobject O { def f(a: Int): Int = { 1 } }\nclass A(x: Int) extends B {\n  val y = 1\n  def g = 2\n}\ntrait T { def h: Int }\n",
        {"O": "class", "O.f": "method", "A": "class", "A.g": "method", "T": "interface"},
        ("import b.c",),
    ),
    "elixir": (
        "defmodule A.B do\n  use X\n  @x 1\n\n  def f(x) when x > 1 do\n    x\n  end\n\n  defp g(%{a: 1}), do: 1\nend\ndefprotocol P do\n  def h(x)\nend\n",
        {"A.B": "module", "A.B.f": "function", "A.B.g": "function", "P": "interface", "P.h": "method"},
        ("use X",),
    ),
    "lua": (
        "local x = require('y')\nfunction f(a) end\nfunction M.h() end\nfunction M:i() end\nM.j = function() end\nlocal k = function() end\n",
        {"f": "function", "M.h": "method", "M.i": "method", "M.j": "method", "k": "function"},
        ("local x = require('y')",),
    ),
    "bash": (
        "source a.sh\nf() { echo; }\nfunction g { echo; }\nX=1\n",
        {"f": "function", "g": "function"},
        ("source a.sh",),
    ),
    "dart": (
        "import 'dart:io';\n\n/// A cart.\nclass Cart extends Base {\n  final int size;\n  int total(int a) {\n    return a;\n  }\n  int get count => size;\n}\n"
        "mixin Logs {\n  void log() {}\n}\nextension Sum on int {\n  int sum() => 1;\n}\nenum Kind { a }\nvoid main() async {\n  print(1);\n}\n",
        {
            "Cart": "class",
            "Cart.total": "method",
            "Cart.count": "method",
            "Logs": "class",
            "Logs.log": "method",
            "Sum": "impl",
            "Sum.sum": "method",
            "Kind": "enum",
            "main": "function",
        },
        ("import 'dart:io';",),
    ),
    "sql": (
        "-- What is bought.\nCREATE TABLE shop.cart (id int);\n\nCREATE OR REPLACE FUNCTION total(a int) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;\nCREATE VIEW carts AS SELECT 1;\nINSERT INTO cart VALUES (1);\n",
        {"shop.cart": "struct", "total": "function", "carts": "struct"},
        (),
    ),
    "haskell": (
        "module Shop where\n\nimport Data.Map\n\n-- | A cart.\ndata Cart = Cart { size :: Int }\n\nclass Priced a where\n  price :: a -> Int\n\n"
        "instance Priced Cart where\n  price = size\n\ntotal :: [Int] -> Int\ntotal [] = 0\ntotal (x : xs) = x + total xs\n\ntype Name = String\n",
        {"Cart": "struct", "Priced": "interface", "Priced Cart": "impl", "total": "function", "Name": "type"},
        ("import Data.Map",),
    ),
    "ocaml": (
        "open List\ntype item = { name : string }\nmodule Cart = struct\n  let total a b = a + b\nend\nlet rec go x = x\n",
        {"item": "type", "Cart": "module", "Cart.total": "function", "go": "function"},
        ("open List",),
    ),
    "erlang": (
        "-module(cart).\n\n%% The sum.\n-spec total(list()) -> integer().\ntotal([]) -> 0;\ntotal([H|T]) -> H + total(T).\n\ngo() -> ok.\n",
        {"total": "function", "go": "function"},
        (),
    ),
    "julia": (
        'module Shop\nusing Base\n"""The sum."""\nfunction total(a::Int, b)\n    a + b\nend\nstruct Item\n    name::String\nend\nmacro go(x)\n    x\nend\nend\n',
        {"Shop": "module", "Shop.total": "function", "Shop.Item": "struct", "Shop.go": "function"},
        ("using Base",),
    ),
    "perl": (
        "package Shop;\nuse strict;\nsub total {\n  return 1;\n}\n1;\n",
        {"total": "function"},
        ("use strict;",),
    ),
    "powershell": (
        "function Get-Total {\n  param([int]$a)\n  return $a\n}\nclass Cart { [int]$size }\nenum Kind { A }\n",
        {"Get-Total": "function", "Cart": "class", "Kind": "enum"},
        (),
    ),
    "r": (
        "library(stats)\n# The sum.\ntotal <- function(a, b = 1) {\n  a + b\n}\ngo = function() 1\nlimit <- 3\n",
        {"total": "function", "go": "function"},
        ("library(stats)",),
    ),
    "solidity": (
        "pragma solidity ^0.8.0;\ncontract Cart is Base {\n  uint size;\n  constructor(uint a) { size = a; }\n  function total(uint a) public returns (uint) { return a; }\n}\n"
        "interface Priced { function price() external; }\nlibrary Sum { function go() internal {} }\n",
        {
            "Cart": "class",
            "Cart.constructor": "method",
            "Cart.total": "method",
            "Priced": "interface",
            "Priced.price": "method",
            "Sum": "module",
            "Sum.go": "function",
        },
        (),
    ),
    "zig": (
        'const std = @import("std");\npub const Cart = struct {\n    size: u32,\n    pub fn total(self: *Cart) u32 {\n        return self.size;\n    }\n};\npub fn main() void {}\n',
        {"Cart": "struct", "Cart.total": "method", "main": "function"},
        (),
    ),
    "starlark": ('load("//x", "y")\n\ndef total(a):\n    return a\n', {"total": "function"}, ()),
    "fortran": (
        "module cart\ncontains\n  function total(a) result(b)\n    integer :: a, b\n    b = a\n  end function\n  subroutine go()\n  end subroutine\nend module\n",
        {"total": "function", "go": "function"},
        (),
    ),
    "vim": ("function! Total(a) abort\n  return a:a\nendfunction\n", {"Total": "function"}, ()),
    "proto": (
        'syntax = "proto3";\nmessage Cart { string id = 1; }\nenum Kind { A = 0; }\nservice Carts { rpc Total(Cart) returns (Cart); }\n',
        {"Cart": "struct", "Kind": "enum", "Carts": "interface"},
        (),
    ),
    "objc": (
        '#import "Cart.h"\n@protocol Priced\n- (int)price;\n@end\n@implementation Cart\n- (int)total:(int)a with:(int)b {\n  return a;\n}\n+ (void)go { }\n@end\nint main(void) { return 0; }\n',
        {
            "Priced": "interface",
            "Cart": "class",
            "Cart.total": "method",
            "Cart.go": "method",
            "main": "function",
        },
        ('#import "Cart.h"',),
    ),
    "hcl": (
        'resource "aws_bucket" "logs" {\n  name = "a"\n}\nvariable "size" { default = 3 }\nlocals { a = 1 }\n',
        {"aws_bucket.logs": "method", "size": "function", "locals": "function"},
        (),
    ),
    "clojure": (
        '(ns shop.cart\n  (:require [clojure.string :as str]))\n\n;; The sum.\n(defn total\n  "Adds."\n  [a b]\n  (+ a b))\n\n(defn- ^:private helper [x] x)\n(def limit 3)\n'
        "(defmacro go [x] `(do ~x))\n(defprotocol Priced (price [this]))\n(defrecord Cart [size] Priced (price [this] size))\n(extend-type String Priced (price [s] 1))\n"
        "(defmulti area :shape)\n(defmethod area :circle [c] 1)\n(s/defn typed :- Int [a :- Int] a)\n(comment (total 1 2))\n#?(:clj (defn only-clj [] 1))\n",
        {
            "total": "function",
            "helper": "function",
            "go": "function",
            "Priced": "interface",
            "Cart": "struct",
            "String": "impl",
            "area": "function",
            "typed": "function",
            "only-clj": "function",
        },
        ("(ns shop.cart (:require [clojure.string :as str]))",),
    ),
    "groovy": (
        "package a.b\nimport c.D\n\n/** A cart. */\n@Ann\nclass Cart extends Base {\n  int size = 1\n  def total(int a) { return a }\n  String name() { 'a' }\n  static void go() { }\n}\n"
        "interface Priced { int price() }\ndef top(a) { a }\nint typed() { 1 }\n",
        {
            "Cart": "class",
            "Cart.total": "method",
            "Cart.name": "method",
            "Cart.go": "method",
            "Priced": "interface",
            "top": "function",
            "typed": "function",
        },
        ("import c.D",),
    ),
    "cmake": (
        "cmake_minimum_required(VERSION 3.10)\ninclude(Sums)\n\n# The sum.\nfunction(shop_total a b)\n  set(x 1)\nendfunction()\nmacro(shop_go)\nendmacro()\nif(WIN32)\n"
        "  add_library(cart STATIC\n    a.c)\n  ADD_EXECUTABLE(shop main.c)\nelse()\n  add_custom_target(docs ALL COMMAND x)\nendif()\ntarget_link_libraries(shop cart)\n",
        {
            "shop_total": "function",
            "shop_go": "function",
            "cart": "function",
            "shop": "function",
            "docs": "function",
        },
        ("include(Sums)",),
    ),
    "make": (
        "include common.mk\nCC = gcc\n.PHONY: all\n# Everything.\nall: cart\n\tcc -o cart cart.c\n\n%.o: %.c | out\n\t$(CC) -c $<\n\nclean test:\n\trm x\n\ndefine go\necho 1\nendef\n"
        "ifeq ($(OS),Windows)\ninstall: all\n\tcp a b\nelse\nlink: all\n\tln a b\nendif\n",
        {
            "all": "function",
            "%.o": "function",
            "clean test": "function",
            "go": "function",
            "install": "function",
            "link": "function",
        },
        ("include common.mk",),
    ),
    "css": (
        '@import "a.css";\n:root { --size: 1px; }\n/* The cart. */\n.cart,\n.cart > li:hover { color: red }\n@media print {\n  .cart { color: blue; }\n}\n'
        "@keyframes go { from { a: b } to { a: c } }\n@font-face { font-family: x; }\n",
        {
            ":root": "function",
            ".cart, .cart > li:hover": "function",
            "@media print": "module",
            "@media print..cart": "function",
            "go": "function",
            "@font-face": "module",
        },
        ('@import "a.css";',),
    ),
    "scss": (
        '@use "colors";\n$size: 1px;\n// A button.\n@mixin button($a, $b: 1) { color: $a; }\n// Twice.\n@function double($n) { @return $n * 2; }\n/* The cart. */\n'
        ".cart {\n  color: red;\n  &:hover { @include button(red); }\n}\n",
        {"button": "function", "double": "function", ".cart": "function"},
        ('@use "colors";',),
    ),
    "graphql": (
        "type Cart { id: ID! }\ninput Item { n: Int }\ninterface Priced { price: Int }\nenum Kind { A }\nunion Any = Cart\n",
        {"Cart": "struct", "Item": "struct", "Priced": "interface", "Kind": "enum", "Any": "type"},
        (),
    ),
}


@pytest.mark.parametrize("language", sorted(SNIPPETS))
def test_symbols_of_each_language_have_name_kind_and_scope(language):
    source, expected, imports = SNIPPETS[language]
    result = cut_source(source, language)
    assert {name: named(result, name).symbol.value for name in names(result)} == expected
    assert result.imports == imports
    assert result.fallback == ""
    known = LANGUAGES.get(plain_name(language))
    if known is None or not known.labels:  # a name that is written so may hold a dot
        for piece in result.pieces:
            assert piece.symbol is None or ".".join((*piece.trail, piece.name.split(".")[-1])) == piece.name


@pytest.mark.parametrize(
    ("language", "name", "signature"),
    [
        ("javascript", "f", "export const f = (a) =>"),
        ("typescript", "A.m", "m(): void"),
        ("go", "Retry.Run", "func (r *Retry[T]) Run(a int) error"),
        ("rust", "S.f", "pub fn f(&self) -> i32"),
        ("java", "A.f", "public void f(int a)"),
        ("cpp", "t", "template <typename T> T t(T a)"),
        ("c", "T", "typedef struct T"),
        ("ruby", "M.A.f", "def f(a)"),
        ("lua", "M.i", "function M:i()"),
        ("kotlin", "A.f", "override fun f(): Int"),
        ("elixir", "A.B.f", "def f(x) when x > 1"),
        ("elixir", "A.B.g", "defp g(%{a: 1})"),
        ("clojure", "helper", "(defn- ^:private helper [x]"),
        ("groovy", "Cart.total", "def total(int a)"),
        ("cmake", "shop_total", "function(shop_total a b)"),
        ("cmake", "cart", "add_library(cart STATIC"),
        ("make", "%.o", "%.o: %.c | out"),
        ("css", ".cart, .cart > li:hover", ".cart, .cart > li:hover"),
        ("scss", "button", "@mixin button($a, $b: 1)"),
    ],
)
def test_a_signature_is_the_definition_up_to_its_body(language, name, signature):
    assert named(cut_source(SNIPPETS[language][0], language), name).signature == signature


@pytest.mark.parametrize("language", sorted(SNIPPETS))
def test_broken_syntax_loses_nothing(language):
    source = SNIPPETS[language][0]
    for broken in (
        source[: len(source) * 2 // 3],
        source.replace("}", "", 2),
        source.replace("(", "", 2),
        "}}} )) " + source,
        source + "\n((({",
    ):
        cut_source(broken, language)


@pytest.mark.parametrize("language", sorted(SNIPPETS))
def test_windows_line_ends_give_the_same_symbols(language):
    source = SNIPPETS[language][0]
    assert names(cut_source(source.replace("\n", "\r\n"), language)) == names(cut_source(source, language))


@pytest.mark.parametrize(
    ("language", "source", "name"),
    [
        (
            "python",
            "# 👩‍👩‍👧\ndef größe(x):\n    return '日本'\n\n\ndef zweite():\n    return 'é'\n",
            "zweite",
        ),
        ("javascript", "// 日本\nconst größe = () => '👍';\nfunction zweite() { return 'é' }\n", "zweite"),
        ("rust", '// é\nfn größe() {}\nfn zweite() -> &str { "👍" }\n', "zweite"),
        ("go", "package p\n\n// 日本\nfunc größe() {}\n\nfunc zweite() {}\n", "zweite"),
        ("java", "class Käse {\n  // 👍\n  void größe() {}\n  void zweite() {}\n}\n", "Käse.zweite"),
    ],
)
def test_characters_beyond_ascii_do_not_shift_the_spans(language, source, name):
    result = cut_source(source, language)
    piece = named(result, name)
    text = source[piece.span.start : piece.span.end]
    assert "zweite" in text
    assert "größe" not in text
    assert any("größe" in name for name in names(result))


def test_lone_surrogates_and_nul_do_not_shift_the_spans():
    source = "x = '\ud800\udc00 \x00'\n\n\ndef f():\n    return 1\n"
    piece = named(cut_source(source, "python"), "f")
    assert source[piece.span.start : piece.span.end] == "def f():\n    return 1"


def test_a_signature_holds_no_comment():
    source = 'class Context< // the types of a request\n  E = any, /* of the path */ P extends string = "//x">{\n  go() {}\n}\n'
    assert (
        named(cut_source(source, "typescript"), "Context").signature
        == 'class Context< E = any, P extends string = "//x">'
    )


def test_a_long_function_is_cut_into_parts_that_keep_its_name_and_signature():
    source = "def long(a):\n" + "    x = 1\n" * 400
    pieces = cut_source(source, "python").pieces
    assert len(pieces) > 3
    assert {(piece.name, piece.signature, piece.symbol) for piece in pieces} == {
        ("long", "def long(a)", SymbolKind.FUNCTION)
    }
    assert all(piece.span.end_line - piece.span.start_line < 100 for piece in pieces)


def test_a_long_class_header_is_cut_at_sixty_lines():
    source = "class Many:\n" + "    a = 1\n" * 200
    pieces = cut_source(source, "python").pieces
    assert all(piece.span.end_line - piece.span.start_line < 60 for piece in pieces)
    assert {piece.name for piece in pieces} == {"Many"}


def test_what_is_no_symbol_comes_in_runs_of_forty_lines():
    pieces = cut_source("x = 1\n" * 1000, "python").pieces
    assert {piece.kind for piece in pieces} == {PieceKind.BLOCK}
    assert all(piece.span.end_line - piece.span.start_line < 40 for piece in pieces)


def test_functions_inside_a_long_module_wrapper_are_found():
    body = "".join(f"  function part{number}() {{\n    return {number};\n  }}\n\n" for number in range(20))
    assert "part7" in names(cut_source(f"(function () {{\n{body}}})();\n", "javascript"))


@pytest.mark.parametrize(
    ("language", "head", "method", "end", "expected"),
    [
        (
            "kotlin",
            'class Pipe {\n  @get:JvmName("sink")\n  val sink: Sink = object : Sink {\n',
            "override fun {}(a: Int) {{\n",
            "}\n}\n",
            ["Pipe", "Pipe.sink", "Pipe.sink.m0", "Pipe.sink.m1"],
        ),
        (
            "typescript",
            "export const json: Handler = {\n",
            "async {}(a: string) {{\n",
            "} as const;\n",
            ["json", "json.m0", "json.m1"],
        ),
        (
            "javascript",
            "module.exports = {\n",
            "{}: function (a) {{\n",
            "};\n",
            ["module.exports", "module.exports.m0", "module.exports.m1"],
        ),
    ],
)
def test_functions_of_a_long_object_are_pieces(language, head, method, end, expected):
    comma = "" if language == "kotlin" else ","
    body = "".join(method.format(f"m{n}") + "    call();\n" * 25 + "}" + comma + "\n" for n in range(2))
    result = cut_source(head + body + end, language)
    assert names(result) == expected
    assert named(result, expected[-1]).symbol is SymbolKind.METHOD
    assert named(result, expected[-3]).symbol is SymbolKind.VARIABLE


def test_what_a_file_exports_is_called_by_its_own_name():
    body = "".join(f"  m{n} () {{\n    return {n}\n  }}\n" for n in range(3))
    for language in ("javascript", "typescript", "tsx"):
        found = names(cut_source(f"module.exports = class Port extends Base {{\n{body}}}\n", language))
        assert found == ["Port", "Port.m0", "Port.m1", "Port.m2"]
        unnamed = names(cut_source(f"module.exports = class extends Base {{\n{body}}}\n", language))
        assert unnamed[0] == "module.exports"
        kept = names(cut_source(f"exports.Quay = class Port {{\n{body}}}\n", language))
        assert kept[0] == "Quay"


def test_clauses_of_an_elixir_function_are_one_piece_with_its_documentation():
    source = (
        'defmodule A do\n  @moduledoc "All."\n\n  @doc """\n  Turns.\n  """\n  @spec f(atom) :: atom\n  def f(:a), do: :b\n'
        "  def f(:b), do: :c\n\n  defp g(x), do: x\nend\n"
    )
    result = cut_source(source, "elixir")
    piece = named(result, "A.f")
    assert source[piece.span.start : piece.span.end].startswith('@doc """\n  Turns.')
    assert source[piece.span.start : piece.span.end].endswith("def f(:b), do: :c")
    assert piece.signature == "def f(:a)"
    assert names(result) == ["A", "A.f", "A.g"]


@pytest.mark.parametrize(
    "head",
    [
        "actual open class Store\ninternal actual constructor(\n",
        "class Store<T>\n  @Inject(x = 1)\n  constructor(\n",
    ],
)
def test_a_kotlin_constructor_on_a_line_of_its_own_loses_no_methods(head):
    source = head + "  val a: Int,\n) : Base() {\n  fun f(): Int = a\n\n  fun g() {\n  }\n}\n"
    result = cut_source(source, "kotlin")
    assert names(result) == ["Store", "Store.f", "Store.g"]


def test_functions_of_an_object_that_two_names_share_are_pieces():
    methods = "".join(f"  m{n} () {{\n    return {n}\n  }},\n\n" for n in range(14))
    found = cut_source(f"const proto = module.exports = {{\n{methods}}}\n", "javascript")
    assert names(found)[:3] == ["proto", "proto.m0", "proto.m1"]


def test_the_body_behind_a_dart_function_belongs_to_it():
    source, _, _ = SNIPPETS["dart"]
    total = named(cut_source(source, "dart"), "Cart.total")
    assert source[total.span.start : total.span.end] == "int total(int a) {\n    return a;\n  }"


def test_a_short_object_and_one_without_functions_are_one_piece():
    short = "const json = {\n  a() { return 1 },\n  b() { return 2 },\n};\n"
    data = "const data = {\n" + "  a: 1,\n" * 60 + "};\n"
    assert names(cut_source(short, "typescript")) == []
    assert names(cut_source(data, "typescript")) == []


def test_the_line_that_calls_a_target_phony_stays_with_its_rule():
    source = SNIPPETS["make"][0]
    assert texts(source, cut_source(source, "make"))[1].startswith(".PHONY: all\n# Everything.\nall: cart")


def test_short_rules_of_a_style_sheet_are_one_piece_up_to_its_size_and_the_next_comment():
    rules = [f".part-{n} {{ width: {n}px; }}\n" for n in range(100)]
    source = "".join([*rules, "/* Others. */\n", ".other { a: b }\n"])
    result = cut_source(source, "css")
    assert names(result)[-1] == ".other"
    assert names(result)[0].startswith(".part-0, .part-1, .part-2, ")
    assert all(len(text) <= 1024 for text in texts(source, result))
    assert 3 <= len(result.pieces) <= 5


@pytest.mark.parametrize(
    ("language", "source", "first"),
    [
        ("javascript", "'use strict'\n\n/**\n * Stop it.\n *\n * @public\n */\n\nfunction stop () {\n}\n", 3),
        ("swift", "class Car {\n  var a = 1\n\n  // MARK: - Driving\n\n  /// Goes.\n  func go() {}\n}\n", 4),
        ("elixir", "defmodule Car do\n  x = 1\n\n  ## Driving\n\n  @doc false\n  def go(), do: 1\nend\n", 4),
    ],
)
def test_a_comment_or_title_above_a_blank_line_belongs_to_the_function_below(language, source, first):
    piece = cut_source(source, language).pieces[-1]
    assert piece.span.start_line == first
    assert piece.name.endswith(("stop", "go"))


def test_the_first_comment_of_a_file_is_about_the_file():
    source = "/**\n * Morgan.\n *\n * @license MIT\n */\n\nfunction stop () {\n}\n"
    assert [piece.span.start_line for piece in cut_source(source, "javascript").pieces] == [1, 7]


def test_a_comment_directly_below_a_line_of_the_preprocessor_belongs_to_the_function_below():
    source = "int size;\n#include <a.h>\n// The sum.\nint total(void) { return 1; }\n"
    assert named(cut_source(source, "c"), "total").span.start_line == 3


def test_associated_types_stand_in_the_header_of_their_block():
    source = "impl Service for Next {\n    type Error = Never;\n\n    fn call(&self) {}\n}\n\ntype Pair = (u8, u8);\n"
    found = cut_source(source, "rust").pieces
    assert [(piece.name, piece.span.start_line, piece.span.end_line) for piece in found] == [
        ("Next", 1, 2),
        ("Next.call", 4, 5),
        ("Pair", 7, 7),
    ]


def test_the_ends_of_a_cut_block_stay_with_its_last_part():
    body = "".join(f"    set :option_{n}, {n}\n" + "\n" * (n % 10 == 9) for n in range(71))
    source = f"module Shop\n  class Base\n    def go\n    end\n\n{body}\n  end\nend\n"
    found = cut_source(source, "ruby").pieces
    assert source[found[-1].span.start : found[-1].span.end].endswith("70\n\n  end\nend")


def test_a_closing_bracket_stays_with_the_last_method():
    source = "class A {\n  void f() {}\n\n}\n"
    assert texts(source, cut_source(source, "java"))[-1].endswith("}\n\n}")


def test_ends_of_conditions_stay_above_and_beginnings_below():
    source = """class Reader
{
#if SPANS
    void Scan() { }
#endif

#if DATES
    void Read() { }
#endif
    #endregion
}
"""
    assert [(piece.name, piece.span.start_line) for piece in cut_source(source, "csharp").pieces] == [
        ("Reader", 1),
        ("Reader.Scan", 4),
        ("Reader.Read", 7),
    ]


def test_words_that_qualify_a_definition_stay_with_it():
    source = "module Shop\n  def a\n    1\n  end\n\n  private\n\n  def b\n    2\n  end\nend\n"
    found = [piece for piece in cut_source(source, "ruby").pieces if piece.name == "Shop.b"]
    assert [piece.span.start_line for piece in found] == [6]


def test_a_lone_package_line_stays_with_the_class_below_it():
    source = "package a.b;\n\n/** Does it. */\nclass A {\n  int x;\n}\n"
    assert texts(source, cut_source(source, "java")) == [source.rstrip()]


def test_an_unknown_language_is_cut_by_lines_and_says_so():
    result = cut_source("line\n" * 100, "brainfuck")
    assert result.fallback == "no grammar"
    assert all(piece.span.end_line - piece.span.start_line < 40 for piece in result.pieces)


def test_a_file_that_is_no_code_is_cut_by_lines_and_says_so():
    result = cut_source("this is (not { at all ] python ) or :: anything\n" * 50, "python")
    assert result.fallback == "syntax errors"


def test_what_the_parser_understood_of_a_broken_file_keeps_its_names():
    understood = (
        "#ifndef A\nint first(int a) {\n  return a;\n}\n\nint second(void) {\n  return 2;\n}\n#endif\n\n"
    )
    broken = "int third(int a) {\n  switch (a) {\n#ifdef B\n  case 1: {\n#else\n  case 2: {\n#endif\n"
    result = cut_source(understood + broken + "    a = 3;\n" * 30, "c")
    assert names(result)[:2] == ["first", "second"]
    assert result.fallback == ""


def test_a_very_large_file_is_not_parsed():
    assert cut_source(("x = 1  # " + "why " * 400 + "\n") * 3_000, "python").fallback == "too large to parse"


def test_a_parser_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(syntax, "PARSE_SECONDS_AT_LEAST", -1.0)
    assert cut_source(PYTHON * 3, "python").fallback == "parsing took too long"


def test_without_the_grammars_code_is_cut_by_lines(monkeypatch):
    monkeypatch.setattr(code.syntax, "parser_for", lambda grammar: None)
    assert cut_source(PYTHON, "python").fallback == "no grammar"


def test_a_home_that_cannot_be_written_does_not_stop_the_grammars(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    program = "from daypack.text.syntax import parser_for; print(parser_for('go') is not None)"
    environment = {
        "HOME": str(blocked),
        "XDG_CACHE_HOME": str(blocked / "cache"),
        "TMPDIR": str(tmp_path),
        "PATH": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "True\n", done.stderr
    assert list(tmp_path.iterdir()) == [blocked], "the private folder is gone afterwards"


def test_prose_is_cut_without_loading_a_parser():
    program = (
        "import sys; from daypack.chunk import cut; from daypack.types import Record; cut(Record('a', '# T', language='markdown'));"
        "print([name for name in ('tree_sitter', 'semble_grammars', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
