"""``python -m topograph.cli.tool_call``: a question of the command line whose answer is written
twice: a line of JSON with its text, then the answer as ``--format json`` writes it.
"""

from __future__ import annotations

import os
import signal
import threading

from topograph.cli.main import run


def end_with_server() -> None:
    """End this process and what it started once the server is gone, however that ended: standard
    input is a pipe that the server holds open. What reads standard input finds it empty.
    """
    held = os.dup(0)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)

    def wait() -> None:
        os.read(held, 1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    from topograph.cli.told_twice import command

    end_with_server()
    run(command=command)
