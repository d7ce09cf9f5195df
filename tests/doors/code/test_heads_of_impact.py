"""`code impact` for a name shows the lines that use it, not the imports of the files that do."""

from __future__ import annotations

from pathlib import Path

from tests.doors.code.code_support import opened

TYPE = "namespace Harbour;\n\npublic enum DelayKind\n{\n    Constant,\n    Linear,\n}\n"
COUNTS = "".join(
    f"    public void Counts{n}()\n    {{\n        Pier.Count({n});\n        Boat.Count({n});\n    }}\n\n"
    for n in range(9)
)
USER = """\
using Harbour.Piers;
using Harbour.Boats;
using System.Text;

namespace Harbour.Tests.Part{n};

public class Part{n}Tests
{{
{counts}
    public void Waits{n}()
    {{
        var kind = DelayKind.Linear;
        Pier.Wait(kind, {n});
    }}
}}
"""


def test_files_that_use_a_name_show_the_lines_that_use_it(tmp_path: Path) -> None:
    files = {
        "src/DelayKind.cs": TYPE,
        **{f"test/Part{n}Tests.cs": USER.format(n=n, counts=COUNTS) for n in range(12)},
    }
    with opened(tmp_path, files) as dp:
        pack = dp.pack("DelayKind", budget=1200, task="impact")
    using = [excerpt for excerpt in pack.excerpts if excerpt.citation.uri.startswith("test/")]
    assert sum("DelayKind" in excerpt.text for excerpt in using) >= 6
    assert all(excerpt.citation.span.start_line > 1 for excerpt in using)
