"""Context Pack v1: what `daypack code pack` prints, and what its numbers are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from code_support import SCHEMA, checked, opened
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack import Daypack
from daypack.doors.code import serialize as code_data
from support import daypack, project

# Two files of a Rust crate. The lengths matter: an import of 30 characters and a struct of 59 make the first
# item cost (30 + 2 + 59) + (30 + 1) + 128 = 250; a constant of 47 and a struct of 71 below imports of 35 and
# 41 make 175 + 356 = 531.
SHELF = """\
//! Jars on a shelf.

use std::path::{Path, PathBuf};


// The shelf itself; see `Jar` for what stands on it.
pub(crate) struct JarShelfIndex {
    root_path: PathBuf,
}

impl JarShelfIndex {
"""
SHELF += "".join(
    f"""\
    pub(crate) fn shelf_row_{n}(&self, at: &Path) -> usize {{
        let rows = self.root_path.join(at).components().count();
        rows * {n} + at.components().filter(|part| part.as_os_str().len() > {n}).count()
    }}

"""
    for n in range(6)
)
SHELF += "}\n"
ATLAS = """\
use jar_label_printer_kit::PaperTag;
use std::collections::{BTreeMap, HashSet};



pub const ATLAS_FORMAT_OF_ANY_RELEASE: u32 = 1;


pub struct JarAtlasBook {
    pages: BTreeMap<String, Vec<PaperTag>>,
}
"""
JARS = {"crates/shelf/src/shelf.rs": SHELF, "crates/shelf/src/atlas.rs": ATLAS}

SHOP = {
    "src/shop/money.py": '''\
"""Amounts of money."""

from decimal import Decimal

CENTS = 100


def to_cents(amount: Decimal) -> int:
    """An amount as whole cents."""
    return int(amount * CENTS)
''',
    "src/shop/cart.py": '''\
"""What somebody is about to buy."""

from decimal import Decimal

from shop.money import to_cents


class Cart:
    """Lines and their sum."""

    def __init__(self) -> None:
        self.lines: list[Decimal] = []

    def total_cents(self) -> int:
        """What is to be paid, in cents."""
        return sum(to_cents(line) for line in self.lines)


class GiftCart(Cart):
    """A cart that somebody else pays."""

    def total_cents(self) -> int:
        return 0
''',
    "tests/test_cart.py": """\
from shop.cart import Cart


def test_an_empty_cart_costs_nothing() -> None:
    assert Cart().total_cents() == 0
""",
    "docs/carts.md": "# Carts\n\nA cart adds up its lines with `to_cents`, see [the code](../src/shop/cart.py).\n",
}


@pytest.fixture
def jars(tmp_path: Path) -> Iterator[Daypack]:
    with opened(tmp_path / "jars", JARS) as dp:
        yield dp


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Daypack]:
    with opened(tmp_path / "shop", SHOP) as dp:
        yield dp


# ---------------------------------------------------------------- the numbers


def test_a_comment_that_stands_above_a_symbol_is_part_of_its_item(jars: Daypack) -> None:
    data = checked(
        code_data.pack_to_dict(
            jars.code.pack("JarShelfIndex", max_chars=800, limit=1, max_related_per_primary=0)
        )
    )["data"]
    (item,) = data["items"]
    assert item["content"] == (
        "use std::path::{Path, PathBuf}\n\n"
        "// The shelf itself; see `Jar` for what stands on it.\npub(crate) struct JarShelfIndex {\n    root_path: PathBuf,\n}"
    )
    assert (item["id"], item["start_line"]) == ("crates/shelf/src/shelf.rs:6:9", 6)


@pytest.mark.parametrize("vectors", ["none", "auto", "all"])
def test_the_examples_of_the_format_count_250_and_531(jars: Daypack, vectors: str) -> None:
    plain = {
        "crates/shelf/src/shelf.rs": SHELF.replace(
            "// The shelf itself; see `Jar` for what stands on it.\n", "\n"
        ),
        "crates/shelf/src/atlas.rs": ATLAS,
    }
    for name, text in plain.items():
        (jars.root / name).write_text(text)
    named = checked(code_data.pack_to_dict(jars.code.pack("JarShelfIndex", max_chars=800, vectors=vectors)))[
        "data"
    ]
    assert [(item["symbol"], item["type"], item["imports"]) for item in named["items"]] == [
        ("JarShelfIndex", "struct", ["use std::path::{Path, PathBuf}"])
    ]
    # the impl does not fit, and its first line alone would say nothing
    assert named["budget"] == {"max_chars": 800, "used_chars": 250, "truncated": True, "dropped_items": 1}
    of_file = checked(
        code_data.pack_to_dict(jars.code.pack("crates/shelf/src/atlas.rs", max_chars=800, vectors=vectors))
    )["data"]
    assert [(item["symbol"], item["type"], item["score"]) for item in of_file["items"]] == [
        ("ATLAS_FORMAT_OF_ANY_RELEASE", "const", 1.0),
        ("JarAtlasBook", "struct", 0.999),
    ]
    assert of_file["items"][0]["imports"] == []
    assert of_file["items"][1]["imports"] == [
        "use jar_label_printer_kit::PaperTag",
        "use std::collections::{BTreeMap, HashSet}",
    ]
    assert of_file["budget"]["used_chars"] == 531


@settings(max_examples=40)
@given(
    max_chars=st.integers(0, 6_000),
    limit=st.integers(0, 8),
    each=st.integers(0, 4),
    query=st.sampled_from(["JarShelfIndex", "rows of a shelf", "atlas.rs"]),
)
def test_a_pack_stays_inside_its_characters_and_says_what_it_used(
    jars: Daypack, max_chars: int, limit: int, each: int, query: str
) -> None:
    pack = jars.code.pack(
        query, max_chars=max_chars, limit=limit, max_related_per_primary=each, refresh=False
    )
    data = checked(code_data.pack_to_dict(pack))["data"]
    items = data["items"]
    assert (
        data["budget"]["used_chars"]
        == sum(len(i["content"]) + sum(len(line) + 1 for line in i["imports"]) + 128 for i in items)
        <= max_chars
    )
    roles = [item["role"] for item in items]
    assert roles == sorted(roles)  # primaries come first
    assert roles.count("primary") <= limit
    assert len({item["id"] for item in items}) == len(items)
    if "primary" in roles:
        assert items[0]["score"] == 1.0
    assert data["budget"]["dropped_items"] >= sum("variant" in item for item in items)
    ids = {item["id"] for item in items if item["role"] == "primary"}
    assert {item["related_to"] for item in items if item["role"] == "related"} <= ids


# ---------------------------------------------------------------- what is in it


def test_every_item_is_whole_lines_of_its_file_below_its_imports(shop: Daypack) -> None:
    for query in ("Cart", "what is to be paid", "src/shop/cart.py", "to_cents", "docs/carts.md"):
        items = shop.code.pack(query).items
        assert items
        for item in items:
            lines = (shop.root / item.file).read_text().split("\n")[item.start_line - 1 : item.end_line]
            assert item.body == "\n".join(lines)
            assert item.content.endswith(item.body)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("to_cents", "src/shop/money.py:8:10"),
        ("Cart.total_cents", "src/shop/cart.py:8:16"),
        ("GiftCart", "src/shop/cart.py:19:23"),
        ("src/shop/money.py", "src/shop/money.py:5:5"),
        ('"somebody else pays"', "src/shop/cart.py:19:23"),
        ("CENTS", "src/shop/money.py:5:5"),
    ],
)
def test_a_name_a_path_and_a_quotation_find_their_definition_first(
    shop: Daypack, query: str, first: str
) -> None:
    assert shop.code.pack(query).items[0].id == first


def test_a_definition_comes_first_wherever_it_stands_and_whatever_mentions_it(tmp_path: Path) -> None:
    users = {
        f"src/dock_{n}.py": f"from harbour import Signal\n\n\ndef berth_{n}(berth):\n    return berth, Signal.BERTH, 'berth'\n"
        for n in range(70)
    }
    signals = "import enum\n\n\nclass Signal(enum.Enum):\n" + "".join(
        f"    {name} = {n}\n" for n, name in enumerate(("TIDE", "BERTH", "CRANE", "WINCH", "PILOT"))
    )
    inside = "def moor(ropes):\n    def tie_one_knot(rope):\n        return rope + 1\n\n    return [tie_one_knot(rope) for rope in ropes]\n"
    with opened(tmp_path, {**users, "src/harbour.py": signals, "src/moor.py": inside}) as dp:
        for name, line in (
            ("BERTH", "src/harbour.py:6:6"),
            ("Signal.BERTH", "src/harbour.py:6:6"),
            ("tie_one_knot", "src/moor.py:1:5"),
        ):
            assert dp.code.pack(name).items[0].id == line, name
        assert "src/harbour.py" not in {item.file for item in dp.code.pack("BERTH", path="src/moor.py").items}


def test_the_path_of_a_file_is_bounded_by_where_primaries_may_lie(shop: Daypack) -> None:
    assert {item.file for item in shop.code.pack("src/shop/cart.py", max_related_per_primary=0).items} == {
        "src/shop/cart.py"
    }
    assert not [
        item
        for item in shop.code.pack("src/shop/cart.py", exclude=["src/**"], anchor_policy="off").items
        if item.role == "primary" and item.file.startswith("src/")
    ]


def test_what_stands_near_says_how_and_how_far(shop: Daypack) -> None:
    pack = shop.code.pack("to_cents", limit=1)
    near = {
        item.symbol: (item.relationship, item.distance, item.of)
        for item in pack.items
        if item.role == "related"
    }
    assert near["Cart.total_cents"] == (("called_by",), 1, "src/shop/money.py:8:10")
    assert near["CENTS"] == (("uses",), 1, "src/shop/money.py:8:10")


def test_a_test_that_calls_a_symbol_stands_near_it_as_its_test(shop: Daypack) -> None:
    near = {
        item.symbol: item.relationship
        for item in shop.code.pack("Cart", limit=1).items
        if item.role == "related"
    }
    assert near["test_an_empty_cart_costs_nothing"] == ("tested_by",)
    assert near["GiftCart"] == ("extended_by",)


def test_the_strategy_says_how_many_steps_away_is_near(shop: Daypack) -> None:
    steps = {
        s: max(
            i.distance for i in shop.code.pack("CENTS", limit=1, strategy=s, max_related_per_primary=12).items
        )
        for s in ("direct", "extended", "deep")
    }
    assert steps == {"direct": 1, "extended": 2, "deep": 3}


def test_focus_leaves_out_what_holds_no_word_of_the_query(shop: Daypack) -> None:
    explored = shop.code.pack("CENTS", limit=1, strategy="deep", max_related_per_primary=12).items
    focused = shop.code.pack(
        "CENTS", limit=1, strategy="deep", max_related_per_primary=12, related_mode="focus"
    ).items
    assert len(focused) < len(explored)
    assert {item.id for item in focused} <= {item.id for item in explored}


def test_what_has_no_room_is_shown_shorter_or_counted_as_dropped(jars: Daypack) -> None:
    pack = jars.code.pack("rows of a shelf shelf_row_1", max_chars=900, limit=10)
    assert pack.truncated
    assert pack.dropped_items or {item.variant for item in pack.items} - {"full"}


def test_the_best_item_is_cut_before_another_takes_its_place(shop: Daypack) -> None:
    whole = shop.code.pack("Cart", limit=10).items
    packs = [shop.code.pack("Cart", max_chars=room, limit=10) for room in range(0, 1_200, 40)]
    assert packs[-1].items
    for pack in packs:
        if pack.items:
            first = pack.items[0]
            assert (first.symbol, first.score) == (whole[0].symbol, 1.0)
            by_symbol = {(item.file, item.symbol): item.score for item in whole}
            for item in pack.items:  # a score does not depend on what fits
                assert item.score == by_symbol[item.file, item.symbol]
        else:
            assert pack.truncated
            assert pack.empty_reason == "budget_too_small"


def test_dropped_items_count_the_bodies_that_signatures_replace(shop: Daypack) -> None:
    pack = shop.code.pack("Cart", limit=1, max_related_per_primary=0, max_chars=300)
    assert [(item.id, item.variant) for item in pack.items] == [("src/shop/cart.py:8:9", "signature")]
    assert (pack.dropped_items, pack.truncated) == (1, True)


def test_a_related_item_names_the_lines_that_are_shown_of_its_primary(shop: Daypack) -> None:
    related: set[str] = set()
    for room in range(300, 3_000, 50):
        items = shop.code.pack("total of a cart in cents", limit=2, max_chars=room).items
        shown = {item.id for item in items if item.role == "primary"}
        of_primaries = {item.of for item in items if item.role == "related"}
        assert of_primaries <= shown
        related |= of_primaries
    assert related


def test_beside_a_named_definition_weak_items_are_left_out(shop: Daypack) -> None:
    items = shop.code.pack("to_cents", max_related_per_primary=0).items
    assert items[0].symbol == "to_cents"
    assert min(item.score for item in items) >= 0.2
    assert "test_an_empty_cart_costs_nothing" not in {item.symbol for item in items}


def test_a_budget_for_nothing_gives_an_empty_pack_that_says_so(shop: Daypack) -> None:
    found = checked(code_data.pack_to_dict(shop.code.pack("Cart", max_chars=100)))
    assert (found["data"]["items"], found["meta"]["empty_reason"]) == ([], "budget_too_small")


# ---------------------------------------------------------------- anchors, narrowing, profiles


def test_a_name_that_nothing_mentions_gives_an_empty_pack_with_next_actions(shop: Daypack) -> None:
    found = checked(code_data.pack_to_dict(shop.code.pack("WarehouseRobot")))
    assert found["data"]["items"] == []
    assert found["meta"]["empty_reason"] == "anchor_not_found"
    assert "'WarehouseRobot'" in found["hints"][0]["text"]
    assert [action["tool"] for action in found["next_actions"]] == ["code_pack", "symbols", "search"]


def test_without_the_anchor_policy_the_nearest_code_is_shown(shop: Daypack) -> None:
    assert shop.code.pack('"WarehouseRobot" total of the cart in cents', anchor_policy="off").items
    assert not shop.code.pack('"WarehouseRobot" total of the cart in cents').items


@pytest.mark.parametrize("query", ["CartRobot", '"lines of no cart"', "src/shop/baskets.py"])
def test_an_unknown_name_alone_shows_the_nearest_code_where_anchors_are_off(
    shop: Daypack, query: str
) -> None:
    assert shop.code.pack(query).empty_reason == "anchor_not_found"
    assert shop.code.pack(query, anchor_policy="off").items
    by_words = shop.code.pack("WarehouseRobot", anchor_policy="off", vectors="none")
    assert (by_words.items, by_words.empty_reason) == ((), "nothing_relevant")


def test_primaries_come_from_where_they_were_asked_for(shop: Daypack) -> None:
    asked = "cart total cents"
    assert {i.file for i in shop.code.pack(asked, path="src/shop/").items if i.role == "primary"} == {
        "src/shop/cart.py",
        "src/shop/money.py",
    }
    assert {i.file for i in shop.code.pack(asked, include=["**/*.md"], max_related_per_primary=0).items} == {
        "docs/carts.md"
    }
    assert "tests/test_cart.py" not in {
        i.file for i in shop.code.pack(asked, exclude=["tests/**"], max_related_per_primary=0).items
    }


def test_documentation_and_code_can_be_preferred(shop: Daypack) -> None:
    asked = "a cart with lines and their sum"
    scores = {}
    for prefer in ("docs", "none", "code"):
        found = shop.code.pack(asked, prefer=prefer, max_related_per_primary=0).items
        page, code = (
            next(item.score for item in found if item.file.endswith(ending)) for ending in (".md", "cart.py")
        )
        scores[prefer] = page / code
    assert scores["docs"] > scores["none"] > scores["code"]


def test_a_profile_boosts_holds_back_and_rejects_paths(shop: Daypack) -> None:
    folder = shop.engine.store.folder / "profiles"
    folder.mkdir()
    (folder / "lean.toml").write_text(
        'extends = "fast"\nreject = ["tests/**", "docs/**"]\n[boost]\n"src/shop/money.py" = 5\n'
    )
    (folder / "leaner.toml").write_text('extends = "lean"\nreject = ["src/shop/money.py"]\n')
    lean, leaner = (
        shop.code.pack("cart total cents", profile="lean"),
        shop.code.pack("cart total cents", profile="leaner"),
    )
    assert (lean.profile, lean.items[0].file) == ("lean", "src/shop/money.py")
    assert {item.file for item in lean.items} == {"src/shop/cart.py", "src/shop/money.py"}
    assert {item.file for item in leaner.items} == {"src/shop/cart.py"}


def test_vectors_that_a_pack_makes_are_kept(tmp_path: Path) -> None:
    with opened(
        tmp_path,
        {
            "kettle.py": "def boil(water):\n    return water + 80\n",
            "tea.py": "import kettle\n\ndef brew():\n    return kettle.boil(20)\n",
        },
    ) as dp:
        before = dp.status()["vectors_missing"]
        pack = dp.code.pack("how is water boiled?")
        assert [text for level, text in pack.hints if level == "warn"] == []
        assert dp.status()["vectors_missing"] < before


def test_packs_are_the_same_every_time(shop: Daypack) -> None:
    first, second = (code_data.pack_data(shop.code.pack("how is the total of a cart made")) for _ in range(2))
    assert first == second


# ---------------------------------------------------------------- freshness


def test_an_edit_is_seen_by_the_next_pack_and_by_the_graph(shop: Daypack) -> None:
    path = shop.root / "src/shop/cart.py"
    path.write_text(path.read_text().replace("return 0", "return to_cents(0)"))
    near = [
        item.symbol
        for item in shop.code.pack("to_cents", limit=1, strategy="direct").items
        if item.role == "related"
    ]
    assert "GiftCart.total_cents" in near


def test_an_item_of_a_file_that_changed_since_says_so(shop: Daypack) -> None:
    (shop.root / "src/shop/money.py").write_text("CENTS = 1\n")
    found = checked(code_data.pack_to_dict(shop.code.pack("to_cents", refresh=False)))
    assert [
        item.get("changed", False) for item in found["data"]["items"] if item["file"] == "src/shop/money.py"
    ].count(False) == 0
    assert "changed since" in found["hints"][0]["text"]


# ---------------------------------------------------------------- the command


def test_the_command_prints_one_envelope_and_a_schema_that_it_follows(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", SHOP)
    done = daypack("code", "pack", "Cart", "--explain", "--vectors", "none", cwd=folder)
    found = checked(json.loads(done.stdout))
    assert (found["status"], found["data"]["items"][0]["symbol"], done.stderr) == ("ok", "Cart", "")
    assert found["meta"]["trace"]["primaries"][0]["id"] == found["data"]["items"][0]["id"]
    missing = daypack("code", "pack", "WarehouseRobot", cwd=folder, status=1)
    assert checked(json.loads(missing.stdout))["data"]["items"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--profile", "fsat"), "bad_profile"),
        (("--profile", "../../etc/passwd"), "bad_profile"),
        (("--profile", "missing.toml"), "bad_profile"),
    ],
)
def test_an_error_of_the_command_is_an_envelope_too(
    tmp_path: Path, arguments: tuple[str, ...], code: str
) -> None:
    done = daypack("code", "pack", "Cart", *arguments, cwd=project(tmp_path / "shop", SHOP), status=2)
    found = checked(json.loads(done.stdout))
    assert (found["status"], found["error"]["code"]) == ("error", code)
    assert found["error"]["hint"]


def test_the_common_pack_can_be_held_to_code(tmp_path: Path) -> None:
    folder = project(tmp_path / "shop", SHOP)
    both = [
        daypack(*words, "--vectors", "none", cwd=folder).stdout
        for words in (
            ("code", "pack", "cart total", "--budget", "300"),
            ("pack", "cart total", "--in", "code", "--budget", "300"),
        )
    ]
    assert both[0] == both[1]
    assert "docs/carts.md" not in both[0]
    data = daypack("code", "pack", "cart total", "--budget", "300", "--json", cwd=folder).stdout
    assert json.loads(data)["schema"] == "daypack.pack/1"


def test_the_schema_refuses_what_is_no_pack() -> None:
    with pytest.raises(jsonschema.ValidationError):
        checked({"status": "ok", "hints": [], "meta": {}, "data": {"version": 2}})
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
