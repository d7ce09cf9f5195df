"""What came in where: the names that `--in` takes, each with the doors whose records it means."""

SESSIONS = "sessions"
KNOWLEDGE = "knowledge"

DOORS: dict[str, tuple[str, ...]] = {
    "files": ("files", "text"), "records": ("records",), "memories": ("memories",), "sessions": (SESSIONS,), "knowledge": (KNOWLEDGE,),
}  # fmt: skip
