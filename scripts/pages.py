"""What MkDocs does with docs/ to make a site of it: a hook, named in mkdocs.yml.

Pages are written to be read in the repository, where a link may lead to the source. The site holds the pages
alone: a link to another page stays a link, ARCHITECTURE.md and CHANGELOG.md become pages, and of any other
file its name stays, so that nothing leads nowhere. References are made here, of the program as it is.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
import reference  # it stands beside this file, which MkDocs loads by its path

REFERENCES = {"verbs": reference.verbs, "python": reference.python}
PAGES = {"ARCHITECTURE.md": "architecture.md", "CHANGELOG.md": "changelog.md"}
PLACES = {
    **{page: f"docs/{name}" for page, name in PAGES.items()},
    "README.md": "docs/index.md",
    "docs/evaluation/index.html": "docs/evaluation/page.html",
}
_PART = re.compile(r"<!-- begin:(?P<name>verbs|python) -->\n.*?<!-- end:(?P=name) -->", re.DOTALL)
_LINK = re.compile(r"(?P<text>!?\[(?:`[^`]*`|[^\]`])*\])\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$|`[^`\n]+`(?!\])", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The root's pages stand beside those of docs/, and the evaluation's own page beside the one that is made
    of its Markdown.
    """
    root, known = Path(config.config_file_path).parent, files_of(config)
    for source, name in PAGES.items():
        text = (root / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=_rewritten(text, "", known)))
    files.append(
        File.generated(
            config, "evaluation/page.html", abs_src_path=str(root / "docs" / "evaluation" / "index.html")
        )
    )
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    if page.file.src_uri in PAGES.values():
        return markdown  # rewritten already, from where it really stands
    markdown = _PART.sub(lambda match: REFERENCES[match["name"]](), markdown)
    return _rewritten(
        markdown, posixpath.join("docs", posixpath.dirname(page.file.src_uri)), files_of(config)
    )


def files_of(config: MkDocsConfig) -> set[str]:
    """Paths from the root of what docs/ holds."""
    folder = Path(config.docs_dir)
    return {f"docs/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*") if path.is_file()}


def _rewritten(text: str, folder: str, known: set[str]) -> str:
    """`folder` is where the text stands, from the root. Code is left as it is."""
    at = folder or "docs"  # where the page will stand

    def link(match: re.Match[str]) -> str:
        path, _, anchor = match["target"].partition("#")
        if not path or "://" in path:
            return match[0]
        whole = posixpath.normpath(posixpath.join(folder, path))
        if whole in PLACES or whole in known:
            place = posixpath.relpath(PLACES.get(whole, whole), at)
        else:
            name = match["text"].lstrip("!")[1:-1].strip("`")
            return f"`{whole}`" if whole.endswith(name) else f"{name} (`{whole}`)"
        return f"{match['text']}({place}{'#' + anchor if anchor else ''})"

    pieces, end = [], 0
    for code in _CODE.finditer(text):
        pieces += [_LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, _LINK.sub(link, text[end:])])
