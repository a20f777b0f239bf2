"""The report of an internal error: what its authors need to find the fault, in a file, never on the terminal."""

from __future__ import annotations

import os
import platform
import re
import shlex
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import topograph
from topograph.store.homes import home

_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@")
_SECRET = re.compile(r"(?i)\b(pass(?:word|wd|phrase)?|secret|token|key)(\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|\S+)")


_CHAIN = 20
"""Errors of a chain that are written."""


def write_report(error: BaseException, arguments: Sequence[str]) -> Path | str:
    """Write what happened to a new file that only the user can read; its path, or why there is none.

    The file goes to ``TOPOGRAPH_HOME/reports``, else the XDG data folder, else the folder for temporary files. Values of
    passwords, keys and tokens are blacked out; of an import with ``--redact`` neither arguments nor what the errors say is written, which may
    quote what was to be replaced.
    """
    text = without_secrets(_report(error, arguments))
    for folder in (reports_folder(os.environ), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            # mkstemp makes a file of mode 600
            handle, name = tempfile.mkstemp(prefix=f"topograph-{stamp}-", suffix=".txt", dir=folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            continue  # a folder that cannot be written: the next one
        return Path(name)
    return "could not be written (no folder takes it)"


def reports_folder(environment: Mapping[str, str]) -> Path:
    """``reports`` in the folder where topograph keeps what must not be lost."""
    return home(environment).data / "reports"


def without_secrets(text: str) -> str:
    """``text`` without credentials in URIs and values of passwords, keys and tokens.

    >>> without_secrets("topograph cypher --neo4j bolt://neo4j:hidden@host:7687 password=hidden")
    'topograph cypher --neo4j bolt://(removed)@host:7687 password=(removed)'
    """
    return _SECRET.sub(r"\1\2(removed)", _CREDENTIALS.sub("(removed)@", text))


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    redacting = "--redact" in arguments
    command = "topograph import --redact (further arguments left out)" if redacting else _command(arguments)
    lines = [
        f"topograph {topograph.__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {command}",
        f"time: {datetime.now(UTC).isoformat(timespec='seconds')}",
        f"encoding: stdout {getattr(sys.stdout, 'encoding', None)}, files {sys.getfilesystemencoding()}",
        "",
        _places(error) if redacting else "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def _command(arguments: Sequence[str]) -> str:
    return shlex.join(["topograph", *arguments])


def _places(error: BaseException) -> str:
    """The traceback of an error and of those that led to it: places in our code and kinds of errors, without what they say."""
    parts: list[str] = []
    at: BaseException | None = error
    while at is not None and len(parts) < _CHAIN:
        parts.append("".join(traceback.format_tb(at.__traceback__)) + type(at).__name__)
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return "\n\nafter:\n\n".join(parts)
