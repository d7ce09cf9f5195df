"""`python -m daypack` is the command `daypack`.

The hooks' command is handled first: it has no time for the imports of the others.
"""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from daypack.system import open_streams

        open_streams()
    if sys.argv[1:] == ["session", "capture"]:
        import os

        from daypack.doors.sessions.hooks.capturing import main as capture

        if any(name.startswith("CONTEXT_") for name in os.environ):
            from daypack.surfaces.cli.seeds import adopt_variables

            for _ in adopt_variables(os.environ):
                pass  # a hook says nothing
        sys.exit(capture())
    # A command's imports stay until it ends; with Python's own 700 the collector looks through it dozens
    # of times, and twice more at exit: together a tenth of a cold search.
    gc.set_threshold(100_000, 20, 20)
    try:
        _take_ends_for_interrupts()
        from daypack.surfaces.cli.main import main as run

        run()
    except KeyboardInterrupt:  # while it imports or ends; `run` reports one that comes in between
        sys.stderr.write("daypack: interrupted; run the same command again\n")
        sys.exit(130)
    except (MemoryError, SystemError) as error:  # while it imports; `run` reports those of a command
        if isinstance(error, SystemError) and "exception" not in str(error):
            raise  # else the interpreter had no memory left for the exception
        sys.stderr.write("daypack: memory ran out at the start; give it more (ulimit -v)\n")
        sys.exit(3)
    finally:
        gc.freeze()


def _take_ends_for_interrupts() -> None:
    """Let SIGTERM and a closed terminal interrupt as Ctrl-C does: child processes end, and the cursor is shown again. A
    signal that the caller ignores, as `nohup` does, stays ignored.
    """
    import signal

    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    main()
