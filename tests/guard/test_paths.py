"""A path is inside by its components, after every link is resolved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daypack.errors import InputError
from daypack.guard.paths import OutsideRoot, contained, is_contained, open_inside


def test_what_lies_below_the_root_is_given_back_resolved(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    root = tmp_path.resolve()
    assert contained(tmp_path, "a/../a/b.py") == root / "a/b.py"
    assert contained(tmp_path, root / "a") == root / "a"
    assert contained(tmp_path, "") == root


@pytest.mark.parametrize(
    "path", ["..", "../x", "a/../../x", "/etc/passwd", "/proc/self/environ", "../root-evil/x", "/"]
)
def test_what_leads_out_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root-evil").mkdir()
    with pytest.raises(OutsideRoot):
        contained(tmp_path / "root", path)
    assert not is_contained(tmp_path / "root", path)


def test_links_are_judged_by_where_they_lead(tmp_path: Path) -> None:
    (tmp_path / "root/in").mkdir(parents=True)
    (tmp_path / "root/out").symlink_to(tmp_path)
    (tmp_path / "root/back").symlink_to("in")
    assert contained(tmp_path / "root", "back/x") == (tmp_path / "root/in/x").resolve()
    with pytest.raises(OutsideRoot):
        contained(tmp_path / "root", "out/x")


@pytest.mark.parametrize(
    "path", ["a\0b", "x" * 300, "a/" * 4096 + "b"], ids=["nul", "long name", "long path"]
)
def test_what_can_be_no_path_is_an_input_error_on_one_line(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError) as caught:
        contained(tmp_path, path)
    assert len(str(caught.value).splitlines()) == 1


def test_a_loop_of_links_does_not_crash(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError):
        contained(tmp_path, "loop/x")


def test_opening_follows_no_link_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a").write_text("x")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real/b").symlink_to("a")
    os.close(open_inside(tmp_path, ("real", "a")))
    for parts in (("link", "a"), ("real", "b")):
        with pytest.raises(OSError, match=r"irectory|ymbolic"):
            open_inside(tmp_path, parts)


@pytest.mark.parametrize("parts", [(), ("..", "a"), ("a", ""), ("a/b",), (".",), ("a\0",)])
def test_opening_takes_plain_components_only(tmp_path: Path, parts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="not a path below"):
        open_inside(tmp_path, parts)
