"""A crew of processes that share pure work: the same results in the same order as without it, sooner.

The processes are new Pythons that read groups of work from a pipe. `multiprocessing` would run the user's main script again
in each of them, or copy a process whose threads hold locks.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, TypeVar

from daypack.system import group_flags

if TYPE_CHECKING:
    import subprocess
    from concurrent.futures import Future

_START = "import sys; sys.path[:] = sys.argv[1:]; from daypack.crew import serve; serve()"
_MARK = b"daypack:"
"""Begins each message: another program, or a file that Python runs at its start, may print."""
_LENGTH_BYTES = 8
GROUP_CHARACTERS = 1 << 18
_AHEAD = 2  # groups a process that wait for it

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def spread(
    work: Callable[[_Item], _Result], items: Iterable[_Item], *, processes: int
) -> Generator[_Result, None, None]:
    """The results of `work` for all items, in order, made by so many processes; by this one alone for fewer than two.

    `work` is a function of a module, and its result depends on its item alone. Items are taken a few ahead. An item that a
    process fails at is done here, where its error is seen; so are all of them in a program that is frozen into one file, for
    its executable starts no Python.
    """
    if processes < 2 or getattr(sys, "frozen", False) or not sys.executable:
        yield from map(work, items)
        return
    crew = _Crew(processes)
    waiting: deque[tuple[_Item, Future[_Result]]] = deque()
    try:
        for item in items:
            waiting.append((item, crew.submit(work, item)))
            if len(waiting) > _AHEAD * processes:
                yield _result(work, *waiting.popleft())
        while waiting:
            yield _result(work, *waiting.popleft())
    finally:
        crew.close()


def groups(items: Iterable[_Item], length: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    """Items in groups of about GROUP_CHARACTERS, the share of work that a process takes at once."""
    group: list[_Item] = []
    size = 0
    for item in items:
        group.append(item)
        size += length(item)
        if size >= GROUP_CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _result(work: Callable[[_Item], _Result], item: _Item, made: Future[_Result]) -> _Result:
    try:
        return made.result()
    except _Failed:
        return work(item)


class _Failed(Exception):
    """A process could not be started, died, or raised an error; or the item cannot travel."""


class _Crew:
    """Processes, each with a thread that talks to it."""

    def __init__(self, size: int) -> None:
        # late, as the modules below: most programs have no crew
        from concurrent.futures import ThreadPoolExecutor
        from threading import Lock, local

        self._threads = ThreadPoolExecutor(max_workers=size, thread_name_prefix="daypack-crew")
        self._of_thread = local()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._lock = Lock()

    def submit(self, work: Callable[[_Item], _Result], item: _Item) -> Future[_Result]:
        return self._threads.submit(self._ask, work, item)

    def close(self) -> None:
        """End the processes, also those that work, and drop the groups that wait."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._processes:
                process.kill()
        self._threads.shutdown()
        for process in self._processes:
            with suppress(OSError), process:  # it died with work in its pipe
                process.kill()  # it was started meanwhile

    def _ask(self, work: Callable[[_Item], _Result], item: _Item) -> _Result:
        try:
            asked = _pickled((work, item))
            process = self._process()
        except Exception as error:
            raise _Failed from error
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            _write(process.stdin, asked)
            succeeded, result = _unpickled(_read(process.stdout))
        except Exception as error:
            process.kill()  # its answers would be those to former questions
            if self._of_thread.has_answered:
                del self._of_thread.process  # the next group starts another
            raise _Failed from error
        self._of_thread.has_answered = True
        if not succeeded:
            raise _Failed
        made: _Result = result
        return made

    def _process(self) -> subprocess.Popen[bytes]:
        """The process of this thread, in a session of its own: Ctrl-C is for the program, which ends its crew. Errors and
        warnings go nowhere: work that fails is done again by the program. One that died, as by a kill for want of memory, is
        replaced if it has answered before: otherwise none of them can work.
        """
        import subprocess

        if not hasattr(self._of_thread, "process"):
            process = subprocess.Popen(
                [sys.executable, "-I", "-c", _START, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                creationflags=group_flags(),
            )
            with self._lock:
                self._processes.append(process)
            self._of_thread.process, self._of_thread.has_answered = process, False
        found: subprocess.Popen[bytes] = self._of_thread.process
        return found


def serve() -> None:
    """Do the work that comes in on standard input until it ends; results go to standard output."""
    import gc

    gc.disable()  # small objects without cycles, freed when a group is done
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a print must not mix with results
    with suppress(EOFError, BrokenPipeError):  # the program ended
        while True:
            asked = _read(source)
            try:
                work, item = _unpickled(asked)
                answer = _pickled((True, work(item)))
            except Exception:
                answer = _pickled((False, None))  # done again where its error is seen
            _write(target, answer)


def _write(target: IO[bytes], message: memoryview) -> None:
    target.write(_MARK + len(message).to_bytes(_LENGTH_BYTES, "big"))
    target.write(message)
    target.flush()


def _read(source: IO[bytes]) -> bytes:
    """A message that `_write` wrote. Raises EOFError at the end, and where anything else comes."""
    mark, length = source.read(len(_MARK)), source.read(_LENGTH_BYTES)
    if mark != _MARK or len(length) < _LENGTH_BYTES:
        raise EOFError
    return source.read(int.from_bytes(length, "big"))


def _pickled(value: object) -> memoryview:
    import pickle
    from copyreg import dispatch_table
    from io import BytesIO

    held = BytesIO()
    pickler = pickle.Pickler(held, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**dispatch_table, MappingProxyType: _as_mapping}
    pickler.dump(value)
    return held.getbuffer()


def _as_mapping(view: MappingProxyType[object, object]) -> tuple[type, tuple[dict[object, object]]]:
    return MappingProxyType, (dict(view),)


def _unpickled(message: bytes) -> Any:
    import pickle

    return pickle.loads(message)  # noqa: S301 - from a process of this program
