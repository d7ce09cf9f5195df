"""What came in where: the names that `--in` takes, each with the doors whose records it means."""

DOORS: dict[str, tuple[str, ...]] = {"files": ("files", "text"), "records": ("records",), "memories": ("memories",)}
