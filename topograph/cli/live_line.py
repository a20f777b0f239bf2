"""Progress of a command that works in stages: one live line a stage on a terminal, one plain
line at its end elsewhere.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from types import TracebackType
from typing import TextIO

from topograph.words.visible import clean

_TICK_SECONDS = 0.25
_ERASE = "\r\x1b[2K"


class LiveLine:
    """Shows the stage under way with its seconds, and replaces it by what the stage says at its
    end.

    A context manager: whatever is written after it (an error too) begins a line of its own.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stage = ""
        self._since = 0.0
        self._ended = threading.Event()
        self._writing = threading.Lock()
        self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> LiveLine:
        if self._live:
            self._ticking.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._live:
            self._ticking.join()
            self._put("" if self._stage else None)
            self._stage = ""

    def begin(self, stage: str) -> None:
        """A stage begins."""
        with self._writing:
            self._stage, self._since = clean(stage), time.monotonic()
            self._show()

    def end(self, line: str) -> None:
        """What is left to read of a stage that is over, or of anything else."""
        with self._writing:
            self._stage = ""
            self._put(clean(line) + "\n")

    def _tick(self) -> None:
        while not self._ended.wait(_TICK_SECONDS):
            with self._writing:
                self._show()

    def _show(self) -> None:
        if self._live and self._stage:
            text = f"{self._stage} ... {time.monotonic() - self._since:.0f} s"
            self._put(
                text[: shutil.get_terminal_size().columns - 1]
            )  # a line that wraps could not be erased

    def _put(self, text: str | None) -> None:
        if text is None:
            return
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        shown = text.encode(encoding, "backslashreplace").decode(encoding)
        self._stream.write(f"{_ERASE}{shown}" if self._live else shown)
        self._stream.flush()
