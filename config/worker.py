"""The worker of the embedded mode: a process beside the web server, started again when it dies, gone with that."""

import atexit
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

from django.db import DatabaseError, connection

AGAIN_SECONDS = 1.0


class WorkerProcess:
    """A Celery worker in a process of its own."""

    def __init__(self) -> None:
        self.name = f"embedded-{os.getpid()}@localhost"
        self._ending, self._lock = threading.Event(), threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        threading.Thread(target=self._keep_alive, name="worker", daemon=True).start()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that its end is seen to
        atexit.register(self.stop)

    def _keep_alive(self) -> None:
        while not self._ending.is_set():
            with self._lock:
                # Under the lock, so that no process is started after `stop` has looked for one to end.
                if self._ending.is_set():
                    return
                try:
                    process = self._process = self._start()
                except OSError:
                    logging.getLogger("keywright").exception("No worker could be started; runs wait.")
                    return
            code = process.wait()
            if self._ending.is_set():
                return
            logging.getLogger("keywright").warning("The worker ended (%s); another is started.", code)
            self._release_steps()
            # A worker that fails at its start would otherwise be started in a busy loop.
            time.sleep(AGAIN_SECONDS)

    def _start(self) -> subprocess.Popen[bytes]:
        # `solo`: works where a process cannot fork, too. Its input ends when this process does, whatever ends that.
        command = [
            sys.executable, "-W", "ignore::UserWarning",  # as root, it warns of what comes in by pickle: nothing does
            "-m", "celery", "-A", "config.celery", "--quiet", "worker", "--pool", "solo", "--concurrency", "1",
            "--hostname", self.name, "--loglevel", "WARNING",
            "--without-gossip", "--without-mingle", "--without-heartbeat",
        ]  # fmt: skip
        environ = {**os.environ, "KEYWRIGHT_PARENT": "stdin"}
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        return subprocess.Popen(
            # In a session of its own, because Ctrl-C in a terminal goes to the whole group: the server ends the worker
            # after its own requests.
            command,
            cwd=root,
            env=environ,
            stdin=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )

    def _release_steps(self) -> None:
        """Release the steps of a dead worker without waiting for the end of its lease."""
        from estimator.models import Step

        try:
            Step.objects.take_back(self.name)
        except DatabaseError:
            logging.getLogger("keywright").exception("What the worker held is taken up when its lease ends.")
        finally:
            connection.close()

    def stop(self) -> None:
        """Be gone at once, and give back what it held: the next start goes on with it."""
        from estimator.models import Step
        from estimator.models import Worker as Row

        with self._lock:
            if self._ending.is_set():
                return
            self._ending.set()
            process = self._process
        if process is None:
            return
        process.kill()  # nothing that it could say good-bye to: what counts is in the database
        process.wait()
        with suppress(DatabaseError):
            Step.objects.release(self.name)
            Row.objects.filter(name=self.name).delete()
