"""The installation of this Daypack, which decides the command that adds an extra.

pipx and uv give a tool an environment of its own without a pip, and leave a receipt in it. pipx leaves an
installed tool as it is unless it is forced, and reports success.
"""

from __future__ import annotations

import sys
from pathlib import Path

_INSTALLERS = {"pipx_metadata.json": "pipx install --force", "uv-receipt.toml": "uv tool install"}


def adding(extra: str, *, prefix: str = "") -> str:
    """The command that adds an extra to the installation in `prefix`, by default to this one, and where to type it."""
    folder = Path(prefix or sys.prefix)
    installers = (command for receipt, command in _INSTALLERS.items() if (folder / receipt).exists())
    return f"`{next(installers, 'pip install')} '.[{extra}]'` in a clone of Daypack"
