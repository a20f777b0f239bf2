"""The report of an internal error: what its authors need to find the fault, in a file, never on
the terminal.
"""

from __future__ import annotations

import platform
import shlex
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from topograph.process.internal_errors import without_secrets
from topograph.process.interrupts import chain
from topograph.store import reports
from topograph.version import __version__


def write_report(error: BaseException, arguments: Sequence[str]) -> Path | str:
    """Write what happened to a new file that only the user can read; its path, or why there is
    none.

    The file goes to ``TOPOGRAPH_HOME/reports``, else the XDG data folder, else the folder for
    temporary files. Values of passwords, keys and tokens are blacked out; of an import with
    ``--redact`` neither arguments nor what the errors say is written, which may quote what was to
    be replaced.
    """
    return (
        reports.write(without_secrets(_report(error, arguments)))
        or "could not be written (no folder takes it)"
    )


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    redacting = "--redact" in arguments
    command = (
        "topograph import --redact (further arguments left out)"
        if redacting
        else _command(arguments)
    )
    lines = [
        (f"topograph {__version__}, Python {platform.python_version()}, {platform.platform()}"),
        f"command: {command}",
        f"time: {datetime.now(UTC).isoformat(timespec='seconds')}",
        (
            f"encoding: stdout {getattr(sys.stdout, 'encoding', None)}, files "
            f"{sys.getfilesystemencoding()}"
        ),
        "",
        _places(error) if redacting else "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def _command(arguments: Sequence[str]) -> str:
    return shlex.join(["topograph", *arguments])


def _places(error: BaseException) -> str:
    """The traceback of an error and of those that led to it: places in our code and kinds of
    errors, without what they say.
    """
    parts = [
        "".join(traceback.format_tb(one.__traceback__)) + type(one).__name__ for one in chain(error)
    ]
    return "\n\nafter:\n\n".join(parts)
