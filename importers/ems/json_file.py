"""tibemsd.json (ems.md 3.6): recognised; its entries are not read, which is a finding."""

from __future__ import annotations

import re

from topograph.findings import Severity
from topograph.importers.ems.file_reading import FileReading
from topograph.importers.ems.main_file import MainFile
from topograph.importers.ems.parameters import SUB_FILES

_EMS = re.compile(r'"tibemsd"\s*:\s*\{')


def looks_like_ems(text: str) -> bool:
    """Whether this JSON text has the member that only a tibemsd.json has."""
    return _EMS.search(text) is not None


def read_json(reading: FileReading, _text: str) -> MainFile:
    """Report that the file is not read; every kind of its entries may be missing."""
    reading.lost()
    reading.report(Severity.ERROR, "unsupported-file", "tibemsd.json is not read", reading.source(0), rule="3.6")
    return MainFile(incomplete=list(SUB_FILES))
