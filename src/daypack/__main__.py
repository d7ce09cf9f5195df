"""`python -m daypack` is the command `daypack`. What a hook calls is taken out first: it has no time for what the rest imports."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit."""
    if sys.argv[1:] == ["session", "capture"]:
        from daypack.hooks import main as capture

        sys.exit(capture())
    from daypack.surfaces.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
