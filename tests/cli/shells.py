"""A line and a TAB in a real shell, on a terminal of its own: what stands on the line
afterwards.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

_WAIT = 30.0
"""Seconds for a shell to answer; a busy machine takes its time."""

_START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}

# Control-O leaves the line for the test to read, whatever is on it.
_SET_UP = {
    "bash": """
PS1='READY> '; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set page-completions off'
bind 'set completion-query-items 0'; bind -x '"\\C-o": printf "\\nLINE<%s>LINE\\n" "$READLINE_LINE"'
eval "$(_TOPOGRAPH_COMPLETE=bash_source topograph)"
""",  # noqa: E501
    "zsh": """
PS1='READY> '; unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit; compinit -u -d "$ZDOTDIR/dump"
show() { print -r -- ""; print -r -- "LINE<$BUFFER>LINE" }; zle -N show; bindkey '^O' show; setopt no_beep no_always_last_prompt
eval "$(_TOPOGRAPH_COMPLETE=zsh_source topograph)"
""",  # noqa: E501
}


def available(shell: str) -> bool:
    return shutil.which(shell) is not None


class Shell:
    """A shell with topograph's completion loaded. Use as a context manager."""

    def __init__(self, shell: str, folder: Path, environment: Mapping[str, str]) -> None:
        master, slave = pty.openpty()
        self._master = master
        self._process = subprocess.Popen(
            _START[shell],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={
                **environment,
                "TERM": "dumb",
                "ZDOTDIR": str(folder),
                "HOME": str(folder),
                "INPUTRC": "/dev/null",
            },
            start_new_session=True,
        )
        os.close(slave)
        for line in _SET_UP[shell].strip().splitlines():
            os.write(master, f"{line}\n".encode())
        os.write(master, b"printf 'SET%s\\n' UP\n")
        self._read_until(rb"SETUP\r?\n(.|\n)*READY> ")

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def complete(self, line: str, tabs: int = 1) -> str:
        """The line after TAB; candidates that are listed are not part of it."""
        os.write(self._master, line.encode() + b"\t" * tabs)
        time.sleep(0.1)
        os.write(self._master, b"\x0f")
        said = self._read_until(rb"LINE<((?:.|\n)*?)>LINE")
        os.write(self._master, b"\x05\x15")  # to the end of the line, and away with it
        time.sleep(0.1)
        self._drain()
        return said.group(1).decode()

    def listed(self, line: str) -> str:
        """What two TABs list."""
        os.write(self._master, line.encode() + b"\t\t")
        time.sleep(0.1)
        os.write(self._master, b"\x0f")
        said = self._read_until(rb"((?:.|\n)*)LINE<(?:.|\n)*?>LINE")
        os.write(self._master, b"\x05\x15")
        time.sleep(0.1)
        self._drain()
        return said.group(1).decode()

    def _drain(self) -> None:
        while select.select([self._master], [], [], 0.1)[0]:
            os.read(self._master, 65536)

    def _read_until(self, pattern: bytes) -> re.Match[bytes]:
        said = b""
        until = time.monotonic() + _WAIT
        while time.monotonic() < until:
            if select.select([self._master], [], [], 0.2)[0]:
                said += os.read(self._master, 65536)
                found = re.search(pattern, said)
                if found:
                    return found
        raise AssertionError(f"the shell did not answer: {said!r}")
