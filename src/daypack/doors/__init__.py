"""What came in where: the names that `--in` takes, each with the doors whose records it means."""

CODE = "code"
"""Those of the files that are code."""
SESSIONS = "sessions"
KNOWLEDGE = "knowledge"
SOURCES = "sources"

DOORS: dict[str, tuple[str, ...]] = {
    "files": ("files", "text"), "records": ("records",), "memories": ("memories",), "sessions": (SESSIONS,), "knowledge": (KNOWLEDGE,),
    CODE: ("files", "text"), "docs": ("docs",), SOURCES: (SOURCES,),
}  # fmt: skip
