"""What the tests of exports share: the emulator, and designs."""

import queue
import socket
import subprocess
import threading
from collections.abc import Iterator

import pytest

from tests.exports import tools


@pytest.fixture(scope="session")
def emulator() -> Iterator[str]:
    """The address of a running Bigtable emulator; one for all tests, which use instances of their own."""
    program = tools.emulator()
    if program is None:
        pytest.skip(f"the Bigtable emulator is not on this machine (name it in {tools.EMULATOR})")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [program, "-host", "127.0.0.1", "-port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=lambda: [said.put(line) for line in process.stdout or ()], daemon=True).start()
        try:
            assert "running on" in said.get(timeout=120)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
