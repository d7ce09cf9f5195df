"""The hook with which MkDocs makes a site of docs/; mkdocs.yml names it.

Pages are written to be read in the repository, where a link may lead to the source. The site holds the pages
alone: a link to another page stays a link, ARCHITECTURE.md and CHANGELOG.md become pages, and of any other
file its name stays, so that nothing leads nowhere.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAGES = {"ARCHITECTURE.md": "explanation/architecture.md", "CHANGELOG.md": "reference/changelog.md"}
PLACES = {
    **{page: f"docs/{name}" for page, name in PAGES.items()},
    "README.md": "docs/index.md",
    "docs/evaluation/index.html": "docs/evaluation/page.html",
}
# A block or a piece of code, or a link, whose text may hold code.
_PARTS = re.compile(
    r"^(`{3,})[^\n]*\n.*?^\1$|`[^`\n]+`(?!\])"
    r"|(?P<text>!?\[(?:`[^`]*`|[^\]`])*\])\((?P<target>[^)\s]+)\)",
    re.DOTALL | re.MULTILINE,
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The root's pages stand beside those of docs/, and the evaluation's own page beside the one that is made
    of its Markdown.
    """
    root, known = Path(config.config_file_path).parent, files_of(config)
    for source, name in PAGES.items():
        text = (root / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=_rewritten(text, "", known, name)))
    files.append(
        File.generated(
            config, "evaluation/page.html", abs_src_path=str(root / "docs" / "evaluation" / "index.html")
        )
    )
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    if page.file.src_uri in PAGES.values():
        return markdown  # rewritten already, from where it really stands
    return _rewritten(
        markdown, posixpath.join("docs", posixpath.dirname(page.file.src_uri)), files_of(config)
    )


def files_of(config: MkDocsConfig) -> set[str]:
    """Paths from the root of what docs/ holds."""
    folder = Path(config.docs_dir)
    return {f"docs/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*") if path.is_file()}


def _rewritten(text: str, folder: str, known: set[str], name: str = "") -> str:
    """The text with its links as the site needs them. Code is left as it is.

    `folder` is the folder of the text, from the root; `name` is its page below docs/, if that is elsewhere.
    """
    at = posixpath.dirname(f"docs/{name}") if name else folder

    def link(match: re.Match[str]) -> str:
        path, _, anchor = match["target"].partition("#")
        if not path or "://" in path:
            return match[0]
        whole = posixpath.normpath(posixpath.join(folder, path))
        if whole in PLACES or whole in known:
            place = posixpath.relpath(PLACES.get(whole, whole), at)
        else:
            label = match["text"].lstrip("!")[1:-1].strip("`")
            return f"`{whole}`" if whole.endswith(label) else f"{label} (`{whole}`)"
        return f"{match['text']}({place}{'#' + anchor if anchor else ''})"

    return _PARTS.sub(lambda part: link(part) if part["target"] else part[0], text)
