"""The files that an import means. A module is a stored file, or foreign; nothing is read from disk.

dotted      a.b.c, ..a       Python: the file or package of that path, from any source root
relative    ./a, ../a, a     JavaScript: from the importing file; a bare name only when a manifest of the repository has it
directory   host/a/b         Go: the folder that the path ends with, below what a manifest calls the module
crate       crate::a, self   Rust: from the root of the crate, or from the module itself
package     a.b.C            Java, Kotlin, C#, PHP: a file or folder whose path ends with it
path        a/b, ./a.h       C, Ruby, Lua, Dart, shell: relative to the importing file, or any path that ends with it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from posixpath import dirname, join, normpath

from daypack.doors.code.graph.languages import CodeLanguage

COMPONENT_ENDINGS = (".vue", ".svelte", ".astro")
_BRINGING = re.compile(
    r"(?P<folder>(?:.*?/)??)(?:nuxt\.config\.\w+|(?:types/|typings/)?auto-imports\.d\.ts)$"
)
_FOLDERS_OF_NAME = 4  # of a component that its name may begin with


def names_of_component(uri: str) -> list[str]:
    """The names by which tags may mean a component: nav/button/Home.vue is Home, ButtonHome and NavButtonHome; [] for other files."""
    if not uri.endswith(COMPONENT_ENDINGS):
        return []
    *folders, file = uri.split("/")
    names = [file.partition(".")[0]]
    for folder in reversed(folders[-_FOLDERS_OF_NAME:]):
        words = re.split(r"[^A-Za-z0-9]+", folder)
        names.append("".join(word[:1].upper() + word[1:] for word in words) + names[-1])
    return names


class ProjectFiles:
    """The paths of a project, by their ends. `manifests`: name in a manifest → the manifest's folder."""

    def __init__(self, uris: Iterable[str], manifests: Iterable[tuple[str, str]] = ()) -> None:
        self.uris = frozenset(uris)
        self.manifests: dict[str, str] = {}
        self.crates: dict[str, str] = {}  # the name of a manifest as Rust's code writes it → its folder
        self._order: dict[str, int] = {}
        for name, folder in manifests:
            self.add_manifest(name, folder)
        # (module, importing file or folder, language) → the files that it means
        self.known: dict[tuple[str, str, str], list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._folders: dict[str, list[str]] = {}
        self._folder_ends: dict[str, list[str]] = {}
        self._components: dict[str, list[str]] = {}  # the name of a tag → the files that it means
        for uri in sorted(self.uris):
            folder, _, name = uri.rpartition("/")
            self._by_stem.setdefault(name.partition(".")[0] or name, []).append(uri)
            self._folders.setdefault(folder, []).append(uri)
            if name[:1].isupper():
                for tag in dict.fromkeys(names_of_component(uri)):
                    self._components.setdefault(tag, []).append(uri)
        for folder in self._folders:
            self._folder_ends.setdefault(folder.rpartition("/")[2], []).append(folder)
        found = filter(None, map(_BRINGING.match, self.uris))
        self._brought = tuple(dict.fromkeys(one["folder"] for one in found))

    def is_brought(self, uri: str) -> bool:
        """True in the folder of a build, as Nuxt is one, that brings functions of one file into others without an import."""
        return uri.startswith(self._brought)

    def components(self, name: str) -> list[str]:
        """The components that a tag means without an import."""
        return self._components.get(name, [])

    def add_manifest(self, name: str, folder: str) -> None:
        """Add the name in a manifest; of several manifests with a name, the first counts."""
        self.manifests.setdefault(name, folder)
        self.crates.setdefault(name.replace("-", "_"), folder)
        self._order.setdefault(name, len(self._order))

    def names_before(self, module: str) -> list[str]:
        """The names in manifests that a module is, or begins with, in the order of the manifests."""
        ends = [at for at, letter in enumerate(module) if letter == "/"]
        found = {name for at in (*ends, len(module)) if (name := module[:at]) in self.manifests}
        return sorted(found, key=self._order.__getitem__)

    def in_folder(self, folder: str) -> Sequence[str]:
        return self._folders.get(folder, ())

    def ending(self, path: str, extensions: Sequence[str], index_files: Sequence[str]) -> list[str]:
        """The files whose path without its extension is `path` or ends with it; an index file counts as its folder."""
        path = path.strip("/")
        if not path:
            return []
        stem = path.rpartition("/")[2].partition(".")[0]
        found = [
            uri
            for uri in self._by_stem.get(stem, ())
            if (at := uri.rfind(".")) > uri.rfind("/")
            and uri[at + 1 :] in extensions
            and _ends(uri[:at], path)
        ]
        for folder in self._folder_ends.get(path.rpartition("/")[2], ()):
            if _ends(folder, path):
                found.extend(
                    uri
                    for index in index_files
                    for extension in extensions
                    if (uri := f"{folder}/{index}.{extension}") in self.uris
                )
        return found

    def folders_ending(self, path: str) -> list[str]:
        path = path.strip("/")
        return [
            folder for folder in self._folder_ends.get(path.rpartition("/")[2], ()) if _ends(folder, path)
        ]

    def exactly(self, path: str, extensions: Sequence[str], index_files: Sequence[str]) -> list[str]:
        """At most one file: the path from the root itself, with an extension added, or the index file of that folder."""
        path = normpath(path) if path else ""
        if path.startswith(".."):
            return []
        path = "" if path == "." else path
        if path in self.uris:
            return [path]
        names = [f"{path}.{extension}" for extension in extensions] if path else []
        names += [join(path, f"{index}.{extension}") for index in index_files for extension in extensions]
        bare, dot, ending = path.rpartition(".")
        if dot and ending in ("js", "mjs", "cjs", "jsx"):  # TypeScript imports the name of the compiled file
            names += [f"{bare}.{extension}" for extension in extensions]
        return [name for name in names if name in self.uris][:1]


def _ends(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end)


def files_of_module(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    """The files that the module name means in the file `uri`, best first; none for a foreign module."""
    finder = _STYLES.get(spec.modules)
    if finder is None or not module:
        return []
    # Files of a folder import much the same, and share an answer; in Rust it also depends on the importing file's name.
    key = (module, uri if spec.modules == "crate" else dirname(uri), spec.name)
    found = files.known.get(key)
    if found is None:
        found = files.known[key] = finder(module, uri, spec, files)
    return found


def _nearest(found: list[str], uri: str) -> list[str]:
    """The candidates that share the longest beginning of their path with the importing file, the least nested first."""
    if len(found) < 2:
        return found

    def shared(other: str) -> int:
        count = 0
        for a, b in zip(uri.split("/")[:-1], other.split("/")[:-1], strict=False):
            if a != b:
                break
            count += 1
        return count

    return sorted(found, key=lambda other: (-shared(other), other.count("/"), other))[:1]


def _dotted(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    bare = module.lstrip(".")
    dots = len(module) - len(bare)
    path = bare.replace(".", "/")
    if dots:
        base = dirname(uri)
        for _ in range(dots - 1):
            base = dirname(base)
        return files.exactly(join(base, path), spec.extensions, spec.index_files)
    found = files.ending(path, spec.extensions, spec.index_files)
    # `import logging` is not app/logging.py: a single name means a module at a source root, or beside a script.
    roots = ("", "src", "lib", dirname(uri))
    first = bare.partition(".")[0]
    found = [
        other
        for other in found
        if _root_of(other, path, spec) in roots or not _is_package(_root_of(other, path, spec), files)
    ]
    return _nearest(found, uri) if first else []


def _root_of(uri: str, path: str, spec: CodeLanguage) -> str:
    bare = uri.rpartition(".")[0]
    for index in spec.index_files:
        bare = bare.removesuffix(f"/{index}")
    return bare[: len(bare) - len(path)].rstrip("/")


def _is_package(folder: str, files: ProjectFiles) -> bool:
    return f"{folder}/__init__.py" in files.uris


def _relative(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    if module.startswith("."):
        return files.exactly(join(dirname(uri), module), spec.extensions, spec.index_files)
    for alias in ("@/", "~/", "#/", "$lib/"):
        if module.startswith(alias):
            return _nearest(files.ending(module[len(alias) :], spec.extensions, spec.index_files), uri)
    for name in files.names_before(module):
        folder, rest = files.manifests[name], module[len(name) :].strip("/")
        for base in (join(folder, "src", rest), join(folder, rest)):
            if found := files.exactly(base.strip("/"), spec.extensions, spec.index_files):
                return found
    if "/" in module and not module.startswith("@"):  # from a base folder: src/util/date
        return _nearest(files.ending(module, spec.extensions, spec.index_files), uri)
    return []


def _directory(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    if name := max(files.names_before(module), key=len, default=""):
        folder = join(files.manifests[name], module[len(name) :].strip("/")).strip("/")
        return list(_of_folder(folder, spec, files))
    first, _, rest = module.partition("/")
    if files.manifests or "." not in first:
        return []  # the standard library, or a foreign module
    while rest:
        folders = _nearest(files.folders_ending(rest), uri)
        if folders:
            return list(_of_folder(folders[0], spec, files))
        rest = rest.partition("/")[2]
    return []


def _of_folder(folder: str, spec: CodeLanguage, files: ProjectFiles) -> Iterable[str]:
    """The files of a package; the first represents the package, so tests come last."""
    found = [uri for uri in files.in_folder(folder) if uri.rpartition(".")[2] in spec.extensions]
    return sorted(found, key=lambda uri: ("_test." in uri, uri))


def _crate(module: str, uri: str, _spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    parts = module.split(".")
    here = _module_folder(uri)
    head = parts[0]
    if head == "crate":
        return _rust_file(_crate_root(uri, files), parts[1:], files)
    if head in ("self", "super"):
        base = here
        while parts and parts[0] in ("self", "super"):
            if parts.pop(0) == "super":
                base = dirname(base)
        return _rust_file(base, parts, files, own=uri if base == here else "")
    if head in files.crates:
        return _rust_file(join(files.crates[head], "src").strip("/"), parts[1:], files)
    return _rust_file(here, parts, files) if head else []


def _module_folder(uri: str) -> str:
    """The folder in which the submodules of a file's module are."""
    folder, _, name = uri.rpartition("/")
    stem = name.removesuffix(".rs")
    return folder if stem in ("mod", "lib", "main") else f"{folder}/{stem}".strip("/")


def _crate_root(uri: str, files: ProjectFiles) -> str:
    folder = dirname(uri)
    while True:
        if any(join(folder, name) in files.uris for name in ("lib.rs", "main.rs")):
            return folder
        if not folder:
            return dirname(uri)
        folder = dirname(folder)


def _rust_file(base: str, parts: Sequence[str], files: ProjectFiles, own: str = "") -> list[str]:
    """The file of a module path; a module without its own file is in the file of the module around it."""
    parts = list(parts)
    while True:
        path = join(base, *parts) if parts else base
        names = [f"{path}.rs", join(path, "mod.rs")]
        if not parts:
            names += [join(path, "lib.rs"), join(path, "main.rs")]
        found = [name for name in names if name in files.uris]
        if found:
            return found[:1]
        if not parts:
            return [own] if own else []
        parts.pop()


def _package(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    path = module.replace("\\", "/").replace(".", "/").replace("::", "/").strip("/")
    while path.count("/"):
        if found := files.ending(path, spec.extensions, spec.index_files):
            return _nearest(found, uri)
        if folders := _nearest(files.folders_ending(path), uri):
            return list(_of_folder(folders[0], spec, files))
        path = path.partition("/")[2]  # the namespace root may have no folder: App\Models is src/Models
    return []


def _path(module: str, uri: str, spec: CodeLanguage, files: ProjectFiles) -> list[str]:
    if "$" in module:  # the value of a variable is not known, and is mostly a folder: $(dirname "$0")/lib.sh
        module = _VARIABLE_FOLDER.sub("", module)
    if module.startswith("package:"):  # of Dart, by the name in a manifest
        name, _, rest = module.partition("/")
        folder = files.manifests.get(name)
        return files.exactly(join(folder, "lib", rest), spec.extensions, ()) if folder is not None else []
    if found := files.exactly(join(dirname(uri), module), spec.extensions, spec.index_files):
        return found
    if module.startswith("."):
        return []
    bare, dot, ending = module.rpartition(".")
    if dot and ending in spec.extensions:
        return _nearest(files.ending(bare, (ending,), ()), uri)
    return _nearest(files.ending(module.replace(".", "/"), spec.extensions, spec.index_files), uri)


# All up to the slash behind the last sign of a variable.
_VARIABLE_FOLDER = re.compile(r"\A.*[$)}\"'`][^$)}\"'`/]*/", re.DOTALL)

_STYLES: dict[str, Callable[[str, str, CodeLanguage, ProjectFiles], list[str]]] = {
    "dotted": _dotted,
    "relative": _relative,
    "directory": _directory,
    "crate": _crate,
    "package": _package,
    "path": _path,
}
