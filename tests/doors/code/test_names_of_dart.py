"""Names of Dart: constructors, parameters, extensions, parts of a library."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

TIDE = """\
part 'tide_part.dart';

class Tide {
  final Level level;
  Tide(this.level);
  Tide.low(Level level, {int rise = 0}) : level = level;
  factory Tide.high() => Tide(Level());
  int rise() => level.rise();
  Tide next() => Tide(_shifted(level));
}

class Level {
  int rise() => 1;
}

extension Sums on Tide {
  int sum() => rise();
}

int fall() => 1;
"""
USE = """\
import 'tide.dart';

int go(Tide tide) {
  var low = Tide.low(Level());
  low.rise();
  tide.sum();
  Tide.high().next().fall();
  print(fall: 1);
  final next = Level();
  return next.rise();
}
"""


def test_calls_of_dart_lead_to_constructors_extensions_and_parts(tmp_path: Path) -> None:
    files = {
        "lib/tide.dart": TIDE,
        "lib/tide_part.dart": "part of 'tide.dart';\n\nLevel _shifted(Level level) => level;\n",
        "lib/use.dart": USE,
        "pubspec.yaml": "name: port\n",
        "lib/port.dart": "export 'tide.dart' show Level;\n",
        "test/port_test.dart": "import 'package:port/port.dart';\nimport 'package:other/use.dart' as other;\n\nvoid main() {\n  Level();\n  go();\n}\n\nother.Level? none;\n",
    }
    with opened(tmp_path / "app", files) as dp:
        found = {
            (f"{edge.source.file}:{edge.line}", edge.target.name, edge.ambiguous)
            for file in ("lib/tide.dart", "lib/use.dart", "test/port_test.dart")
            for edge in dp.code.edges(file)
            if edge.relation == "calls"
            or (edge.relation == "uses" and edge.target.name in ("fall", "Level") and edge.line > 7)
        }
    assert {one for one in found if one[0].startswith("lib/use")} == {
        ("lib/use.dart:4", "Tide.low", False),
        ("lib/use.dart:4", "Level", False),
        ("lib/use.dart:5", "Tide.rise", False),
        ("lib/use.dart:6", "Tide.sum", False),
        ("lib/use.dart:7", "Tide.high", False),
        ("lib/use.dart:9", "Level", False),
        ("lib/use.dart:10", "Level.rise", False),
    }
    assert {one for one in found if one[0].startswith("test/")} == {("test/port_test.dart:5", "Level", False)}
    assert {
        one[:2] for one in found if one[0] in ("lib/tide.dart:8", "lib/tide.dart:9", "lib/tide.dart:17")
    } == {
        ("lib/tide.dart:8", "Level.rise"),
        ("lib/tide.dart:9", "Tide"),
        ("lib/tide.dart:9", "_shifted"),
        ("lib/tide.dart:17", "Tide.rise"),
    }


def test_a_package_of_dart_and_one_of_javascript_may_have_one_name(tmp_path: Path) -> None:
    files = {
        "app/pubspec.yaml": "name: 'tide'\n",
        "app/lib/tide.dart": "class Tide {}\n",
        "app/test/tide_test.dart": "import 'package:tide/tide.dart';\n",
        "web/package.json": '{"name": "tide"}',
        "web/index.js": "export function rise() {}\n",
        "web/src/use.js": "import { rise } from 'tide';\n",
    }
    with opened(tmp_path / "app", files) as dp:
        imported = {
            file: [edge.target.file for edge in dp.code.edges(file)]
            for file in ("app/test/tide_test.dart", "web/src/use.js")
        }
    assert imported == {"app/test/tide_test.dart": ["app/lib/tide.dart"], "web/src/use.js": ["web/index.js"]}


def test_an_import_of_dart_may_show_or_hide_names_and_be_deferred(tmp_path: Path) -> None:
    files = {
        "lib/tide.dart": "class Tide {\n  static int low() => 1;\n}\n\nint rise() => 1;\n",
        "lib/show.dart": "import 'tide.dart' show Tide, rise;\n\nclass Sea implements Tide {}\n\nvoid go() {\n  rise();\n}\n",
        "lib/hide.dart": "import 'tide.dart' hide rise;\n\nint go() => Tide.low();\n",
        "lib/late.dart": "import 'tide.dart' deferred as tide;\n\nint go() => tide.rise();\n",
        "lib/both.dart": "import 'tide.dart' as tide show rise;\n\nint go() => tide.rise();\n",
    }
    with opened(tmp_path / "app", files) as dp:
        found = {
            (edge.source.file.removeprefix("lib/"), edge.line, edge.relation, edge.target.name)
            for file in files
            for edge in dp.code.edges(file)
            if not edge.ambiguous and edge.relation in ("calls", "uses", "extends")
        }
    assert found == {
        ("show.dart", 3, "extends", "Tide"),
        ("show.dart", 6, "calls", "rise"),
        ("hide.dart", 3, "calls", "Tide.low"),
        ("hide.dart", 3, "uses", "Tide"),
        ("late.dart", 3, "calls", "rise"),
        ("both.dart", 3, "calls", "rise"),
    }
