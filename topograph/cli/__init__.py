"""The command line: click commands, one module a group; thin. Start at ``main``.

The import of this package leaves the working directory out of where this process looks for modules:
before another one is imported. And until ``main.run`` can say so, Ctrl-C ends a command as it ends
any program, where Python would show in which import it was.
"""

from topograph.search_paths import leave_out_relative_places

leave_out_relative_places()

import os  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402


def _is_the_program() -> bool:
    return os.path.basename(sys.argv[0] if sys.argv else "") in ("topograph", "-m")  # noqa: PTH119


def listen_to_ctrl_c() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt again."""
    if _is_the_program() and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if _is_the_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
