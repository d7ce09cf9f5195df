"""Names of Kotlin: extensions by the type of their value, definitions of several platforms, members of companions."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

TIDE = "package port\n\nclass Tide {\n  fun write(level: Int) {}\n}\n"


def _calls(tmp_path: Path, files: dict[str, str], file: str) -> dict[int, tuple[str, bool]]:
    """By line of a file: the place that the calls there lead to, and whether it is certain."""
    with opened(tmp_path / "app", files) as dp:
        return {
            edge.line: (f"{edge.target.file} {edge.target.name}", not edge.ambiguous)
            for edge in dp.code.edges(file)
            if edge.relation == "calls"
        }


def test_an_extension_that_is_a_member_is_none_of_other_classes(tmp_path: Path) -> None:
    files = {
        "port/Quay.kt": "package port\n\nclass Quay {\n  private fun Crane.hoist(): Long = 1\n  fun go(crane: Crane) = crane.hoist()\n}\n",
        "port/Use.kt": "package port\n\nfun go(count: Int) {\n  count.hoist()\n}\n",
    }
    assert _calls(tmp_path, files, "port/Use.kt") == {}
    assert _calls(tmp_path / "own", files, "port/Quay.kt") == {5: ("port/Quay.kt Quay.hoist", True)}


def test_a_member_comes_before_an_extension_of_another_type(tmp_path: Path) -> None:
    files = {
        "port/Tide.kt": TIDE,
        "port/Ext.kt": "package port\n\nfun Lake.write(level: Int, by: Int) {}\nfun Lake.drain() {}\nfun <T : Any> T.measure() {}\n",
        "port/Use.kt": "package port\n\nfun go(tide: Tide, lake: Lake) {\n  tide.write(1)\n  tide.drain()\n  lake.drain()\n  tide.measure()\n  found().write(1)\n}\n",
    }
    assert _calls(tmp_path, files, "port/Use.kt") == {
        4: ("port/Tide.kt Tide.write", True),
        6: ("port/Ext.kt drain", True),
        7: ("port/Ext.kt measure", True),
        8: ("port/Tide.kt Tide.write", False),
    }


def test_a_function_of_numbers_is_no_extension_of_a_type_of_the_project(tmp_path: Path) -> None:
    files = {
        "port/Ext.kt": 'package port\n\nfun Tide.toLong(): Long = 1\nfun Char.repeat(count: Int): String = ""\n',
        "port/Use.kt": 'package port\n\nfun go(level: Int) {\n  level.toLong()\n  "a".repeat(3)\n}\n',
    }
    assert not any(certain for _, certain in _calls(tmp_path, files, "port/Use.kt").values())


PLATFORMS = {
    "src/commonMain/kotlin/port/Tide.kt": "package port\n\nexpect class Tide() {\n  fun rise(): Int\n  companion object {\n    fun String.toTide(): Tide\n  }\n}\n\nexpect fun level(): Int\n",
    "src/appleMain/kotlin/port/Tide.kt": "package port\n\nactual class Tide {\n  actual fun rise(): Int = 1\n  actual companion object {\n    actual fun String.toTide(): Tide = Tide()\n  }\n}\n\nactual fun level(): Int = 1\n",
    "src/jvmMain/kotlin/port/Tide.kt": "package port\n\nactual class Tide {\n  actual fun rise(): Int = 2\n  actual companion object {\n    actual fun String.toTide(): Tide = Tide()\n  }\n}\n\nactual fun level(): Int = 2\n",
    "src/commonTest/kotlin/port/TideTest.kt": 'package port\n\nimport port.Tide.Companion.toTide\n\nfun go(tide: Tide) {\n  level()\n  tide.rise()\n  Tide()\n  "low".toTide()\n}\n',
    "src/jvmTest/kotlin/app/JvmTest.kt": "package app\n\nimport port.level\n\nfun go() {\n  level()\n}\n",
}


def test_a_definition_of_several_platforms_is_the_one_that_they_share(tmp_path: Path) -> None:
    shared = "src/commonMain/kotlin/port/Tide.kt"
    assert _calls(tmp_path, PLATFORMS, "src/commonTest/kotlin/port/TideTest.kt") == {
        6: (f"{shared} level", True),
        7: (f"{shared} Tide.rise", True),
        8: (f"{shared} Tide", True),
        9: (f"{shared} Tide.toTide", True),
    }


def test_the_callers_of_a_platform_are_those_of_what_the_platforms_share(tmp_path: Path) -> None:
    with opened(tmp_path / "app", PLATFORMS) as dp:
        rows = dp.code.callers("src/jvmMain/kotlin/port/Tide.kt:Tide.rise")
        assert [row.at for row in rows] == ["src/commonTest/kotlin/port/TideTest.kt:7"]


def test_a_class_with_a_foreign_base_may_have_the_extensions_of_foreign_types(tmp_path: Path) -> None:
    files = {
        "port/Ext.kt": "package port\n\nfun View.show() {}\nval View.depth: Int get() = 1\nfun List<Int>.total() = 1\nfun Lake.drain() {}\n",
        "port/Use.kt": "package port\n\nopen class Lake\nopen class Label : TextView()\nclass Sign : Label()\ntypealias Rows = List<Int>\nclass Pier(view: View) : View by view\n\nfun go(sign: Sign, rows: Rows, lake: Lake, pier: Pier) {\n  sign.show()\n  rows.total()\n  pier.show()\n  sign.drain()\n  lake.show()\n}\n",
    }
    assert _calls(tmp_path, files, "port/Use.kt") == {
        10: ("port/Ext.kt show", True),
        11: ("port/Ext.kt total", True),
        12: ("port/Ext.kt show", True),
    }
