"""Which store is meant, and which folder is the project."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from daypack import Daypack, projects
from daypack.projects import PROJECT_MARKERS, STORE_FOLDER, project_marker
from daypack.settings.places import StorePlace, find_place
from support import WORDS, daypack, project


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path.resolve()


def with_store(path: Path, *, name: str = STORE_FOLDER) -> Path:
    """A folder with a store in it; the folder."""
    Daypack.open(folder(path) / name, settings=WORDS).close()
    return path.resolve()


# ---------------------------------------------------------------- the project


def project_root(start: Path, home: Path = Path("/nonexistent/home")) -> Path:
    return Path(projects.project_root(str(start), str(home)))


def test_the_project_is_the_nearest_repository_upwards(tmp_path: Path) -> None:
    outer = folder(tmp_path / "outer")
    folder(outer / ".git")
    inner = folder(outer / "libs" / "inner")
    assert project_root(inner) == outer
    folder(inner / ".git")
    assert project_root(folder(inner / "src" / "deep")) == inner
    assert project_root(inner) == inner


def test_a_worktree_whose_git_is_a_file_is_a_repository(tmp_path: Path) -> None:
    tree = folder(tmp_path / "tree")
    (tree / ".git").write_text("gitdir: /elsewhere\n")
    assert project_root(folder(tree / "src")) == tree


def test_a_repository_further_up_wins_over_a_marker_that_is_nearer(tmp_path: Path) -> None:
    """A package of a monorepo belongs to the monorepo."""
    outer = folder(tmp_path / "outer")
    folder(outer / ".git")
    package = folder(outer / "packages" / "one")
    (package / "package.json").write_text("{}")
    assert project_root(folder(package / "src")) == outer


@pytest.mark.parametrize("marker", sorted(set(PROJECT_MARKERS) - {".git"}))
def test_without_a_repository_the_nearest_marker_makes_the_project(tmp_path: Path, marker: str) -> None:
    outer = folder(tmp_path / "outer")
    (outer / marker).write_text("")
    inner = folder(outer / "inner")
    (inner / marker).write_text("")
    assert project_root(folder(inner / "src")) == inner


def test_without_anything_the_project_is_the_folder_itself(tmp_path: Path) -> None:
    if any(project_marker(above) for above in tmp_path.resolve().parents):
        pytest.skip("the temporary folder lies inside a project")
    start = folder(tmp_path / "plain")
    assert project_root(start) == start


@pytest.mark.parametrize("marker", [".git", "package.json", ".editorconfig", STORE_FOLDER])
def test_a_marker_in_the_home_folder_makes_no_project_of_the_folders_below(
    tmp_path: Path, marker: str
) -> None:
    """Settings under version control, an `npm install` in the home folder, settings of an editor."""
    home = folder(tmp_path / "home")
    folder(home / marker)
    shop = folder(home / "shop")
    assert project_root(shop, home) == shop
    (shop / "go.mod").write_text("")
    assert project_root(folder(shop / "pay"), home) == shop
    assert project_root(home, home) == home


# ---------------------------------------------------------------- the store


def test_the_nearest_store_upwards_is_used_and_paths_are_relative_to_its_folder(tmp_path: Path) -> None:
    outer = with_store(tmp_path / "outer")
    inner = folder(outer / "inner")
    assert find_place(folder(inner / "src"), store=None) == StorePlace(outer / ".daypack", outer, True)
    with_store(inner)
    assert find_place(folder(inner / "src"), store=None) == StorePlace(inner / ".daypack", inner, True)
    assert find_place(outer, store=None) == StorePlace(outer / ".daypack", outer, True)


def test_a_store_further_up_wins_over_a_repository_without_one(tmp_path: Path) -> None:
    outer = with_store(tmp_path / "outer")
    inner = folder(outer / "inner")
    folder(inner / ".git")
    assert find_place(inner, store=None).root == outer


@pytest.mark.parametrize("marker", [".git", ".hg", "pyproject.toml", "package.json", "CLAUDE.md"])
def test_a_store_in_the_home_folder_serves_no_project_below(tmp_path: Path, marker: str) -> None:
    home = with_store(tmp_path / "home")
    shop = folder(home / "code" / "shop")
    folder(shop / marker)
    for start in (shop, folder(shop / "src" / "pay")):
        assert find_place(start, store=None, home=home) == StorePlace(shop / ".daypack", shop, False)
    with_store(shop)
    assert find_place(start, store=None, home=home) == StorePlace(shop / ".daypack", shop, True)


def test_a_repository_in_the_home_folder_keeps_its_packages(tmp_path: Path) -> None:
    """As in a container whose home folder is the project."""
    home = with_store(tmp_path / "app")
    folder(home / ".git")
    cart = folder(home / "packages" / "cart")
    (cart / "package.json").write_text("{}")
    assert find_place(cart, store=None, home=home) == StorePlace(home / ".daypack", home, True)
    folder(cart / ".git")
    assert find_place(cart, store=None, home=home).root == cart


def test_a_user_without_a_home_folder_has_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pwd")

    def unknown(_: object) -> NoReturn:
        raise KeyError

    shop = folder(tmp_path / "shop")
    (shop / "package.json").write_text("{}")
    monkeypatch.chdir(folder(shop / "src"))
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert find_place(Path.cwd(), store=None).root == shop


def test_a_store_above_the_home_folder_serves_no_project_below(tmp_path: Path) -> None:
    disk = with_store(tmp_path / "disk")
    home = folder(disk / "home" / "ada")
    shop = folder(home / "shop")
    folder(shop / ".git")
    assert find_place(shop, store=None, home=home).root == shop


def test_a_store_in_the_home_folder_serves_that_folder_and_plain_ones_below(tmp_path: Path) -> None:
    home = with_store(tmp_path / "home")
    folder(home / ".git")
    for start in (home, folder(home / "letters" / "2026")):
        assert find_place(start, store=None, home=home) == StorePlace(home / ".daypack", home, True)


def test_the_home_folder_may_be_named_by_a_link(tmp_path: Path) -> None:
    home = with_store(tmp_path / "disk" / "ada")
    (tmp_path / "home").symlink_to(home, target_is_directory=True)
    folder(home / "shop" / ".git")
    place = find_place(tmp_path / "home" / "shop", store=None, home=tmp_path / "home")
    assert place.root == home / "shop"


def test_a_store_of_a_project_serves_the_projects_inside_also_below_the_home_folder(tmp_path: Path) -> None:
    """Packages of a monorepo, and submodules."""
    home = with_store(tmp_path / "home")
    shop = with_store(home / "shop")
    folder(shop / ".git")
    for inner, marker in (("packages/cart", "package.json"), ("vendor/tax", ".git")):
        folder(shop / inner / marker)
        assert find_place(shop / inner, store=None, home=home).root == shop


def test_a_folder_whose_name_begins_like_that_of_the_home_folder_is_not_around_it(tmp_path: Path) -> None:
    outer = with_store(tmp_path / "ad")
    folder(outer / "shop" / ".git")
    assert find_place(outer / "shop", store=None, home=folder(tmp_path / "ada")).root == outer


def test_a_folder_of_that_name_without_a_store_is_no_store(tmp_path: Path) -> None:
    outer = with_store(tmp_path / "outer")
    folder(outer / "inner" / ".daypack")
    assert find_place(outer / "inner", store=None).store == outer / ".daypack"


def test_without_a_store_it_will_be_made_at_the_root_of_the_project(tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    folder(root / ".git")
    assert find_place(folder(root / "src" / "pay"), store=None) == StorePlace(root / ".daypack", root, False)


def test_a_linked_folder_is_the_folder_behind_it(tmp_path: Path) -> None:
    root = with_store(tmp_path / "real")
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert find_place(tmp_path / "link", store=None) == StorePlace(root / ".daypack", root, True)


def test_a_store_that_is_named_is_used_wherever_one_stands(tmp_path: Path) -> None:
    here = with_store(tmp_path / "here")
    there = with_store(tmp_path / "there", name="my-store")
    assert find_place(here, store="../there/my-store") == StorePlace(there / "my-store", here, True)
    assert find_place(here, store=str(there / "my-store")) == StorePlace(there / "my-store", here, True)
    assert find_place(here, store="new") == StorePlace(here / "new", here, False)


def test_a_named_store_called_daypack_belongs_to_the_folder_that_holds_it(tmp_path: Path) -> None:
    there = with_store(tmp_path / "there")
    here = folder(tmp_path / "here")
    assert find_place(here, store=str(there / ".daypack")) == StorePlace(there / ".daypack", there, True)
    assert find_place(here, store="../there/.daypack") == StorePlace(there / ".daypack", there, True)


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_place(tmp_path, store="~/notes").store == tmp_path / "notes"


# ---------------------------------------------------------------- from the command line


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A project with a store of its own beside another store; each holds one file."""
    shop = project(tmp_path / "shop", {"tea.md": "# Tea\n\nIt is hot.\n"})
    other = project(tmp_path / "other", {"milk.md": "# Milk\n\nIt is cold.\n"})
    for root in (shop, other):
        with Daypack.open(root / ".daypack", settings=WORDS) as store:
            store.files.add(root)
    return shop


def test_the_environment_names_a_store_and_the_option_names_another(two: Path) -> None:
    elsewhere = {"DAYPACK_STORE": str(two.parent / "other" / ".daypack")}
    assert "milk.md" in daypack("search", "milk", cwd=two, env=elsewhere).stdout
    assert "tea.md" in daypack("--store", ".daypack", "search", "tea", cwd=two, env=elsewhere).stdout
    assert "tea.md" in daypack("search", "tea", "--store", ".daypack", cwd=two, env=elsewhere).stdout
    assert "tea.md" in daypack("search", "tea", cwd=two).stdout


def test_the_first_question_in_a_project_makes_its_store_beside_that_of_the_home_folder(two: Path) -> None:
    home = {"HOME": str(two.parent)}
    daypack("remember", "editor", "helix", cwd=two.parent, env=home)
    shelf = project(two.parent / "shelf", {"package.json": "{}", "jam.md": "# Jam\n\nIt is sweet.\n"})
    assert "jam.md" in daypack("search", "is jam sweet", cwd=shelf, env=home).stdout
    assert (shelf / ".daypack" / "daypack.db").exists()
    letters = folder(two.parent / "letters")
    assert "helix" in daypack("recall", "editor", cwd=letters, env=home).stdout


def test_an_empty_environment_variable_names_no_store(two: Path) -> None:
    assert "tea.md" in daypack("search", "tea", cwd=two, env={"DAYPACK_STORE": ""}).stdout
