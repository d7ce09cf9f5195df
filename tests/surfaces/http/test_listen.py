"""The server's socket, and the signals that end it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support import INTERRUPTS, environment

SWALLOWING = """
import signal, socket, sys
from daypack.surfaces.http.listen import run

number = signal.Signals(int(sys.argv[1]))
signal.signal(number, signal.default_int_handler)

class Dying:
    def __del__(self):
        signal.raise_signal(number)  # Python drops what is raised here

async def app(scope, receive, send):
    await receive()
    await send({"type": f"{scope['type']}.startup.complete"})
    await receive()
    await send({"type": f"{scope['type']}.shutdown.complete"})

def ready():
    Dying()
    print("listening", flush=True)

sock = socket.create_server(("127.0.0.1", 0))
run(app, sock, ready=ready)
assert signal.getsignal(number) is signal.default_int_handler
"""


@pytest.mark.parametrize("sent", INTERRUPTS)
def test_a_server_ends_by_a_signal_that_comes_while_python_destroys_an_object(sent: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWING, str(int(sent))],
        env=environment(),
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, b"listening\n"), done.stderr.decode()
