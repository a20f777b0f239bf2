"""Reports of internal errors: files that only the user can read, in ``reports`` of the folder
where topograph keeps what must not be lost.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from topograph.errors import TopographError
from topograph.process.internal_errors import InternalError
from topograph.store.homes import home


def reports_folder(environment: Mapping[str, str]) -> Path:
    """``reports`` in the folder where topograph keeps what must not be lost."""
    return home(environment).data / "reports"


def write(text: str) -> Path | None:
    """Write a report to a new file in ``reports``, else in the folder for temporary files; None
    where neither can be written.
    """
    import tempfile

    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for folder in (reports_folder(os.environ), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # mkstemp makes a file of mode 600
            handle, name = tempfile.mkstemp(prefix=f"topograph-{stamp}-", suffix=".txt", dir=folder)
            _fill(handle, text)
        except OSError:
            continue  # a folder that cannot be written: the next one
        return Path(name)
    return None


def keep(error: InternalError) -> Path | None:
    """Keep the report of a fault in ``reports``, under the name that its finding gives; None where
    that cannot be written.

    A fault that was met before has its report already.
    """
    path = reports_folder(os.environ) / error.file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), error.report)
    except FileExistsError:
        return path
    except OSError:
        return None
    return path


def keep_reports(errors: Sequence[InternalError], *, anything_left: bool) -> list[str]:
    """Keep the reports of the faults met while reading, and say of each what is missing now and
    where its report is.

    Raises TopographError if there is not ``anything_left`` to ask."""
    told = []
    for error in errors:
        kept = keep(error)
        place = f"Details: {kept}" if kept is not None else "Its report could not be written."
        told.append(f"Internal error (bug) in {error.what}: {error.type}. {error.lost} {place}")
    if errors and not anything_left:
        raise TopographError(*told)
    return told


def _fill(handle: int, text: str) -> None:
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
