"""What a recorder of brokers leaves: a file with an estate a line, and how many answers differ."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Comparison = Callable[[Record], Iterable[object]]


class ControlLost(Exception):
    """A message that must arrive did not: what else did not arrive proves nothing."""


class Unsettled(Exception):
    """Counts that go on changing, or links that do not come up: nothing can be said."""


@dataclass(frozen=True)
class Recorded:
    """An estate's record, and how many of its messages were left out."""

    record: Record
    unstable: int


def written(records: Iterable[Record], file: Path) -> None:
    """A file of records; the same records are the same bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records]
    file.write_bytes(gzip.compress("".join(f"{one}\n" for one in lines).encode(), mtime=0))


def comparison(name: str) -> Comparison | None:
    """``differences`` of a module of the tests: what topograph says otherwise of the messages of a
    record. None where there is no such module, or it has no such function."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise
        return None
    found: Comparison | None = getattr(module, "differences", None)
    return found


def say(found: Sequence[Recorded], estates: int, seconds: float, name: str) -> None:
    """Print how many messages were recorded, and how many topograph answers otherwise."""
    messages = [row for one in found for row in one.record["messages"]]
    gone = sum(row["outcome"] != "delivered" for row in messages)
    print(
        f"{len(found)} of {estates} estates in {seconds:.0f} s; {gone} messages did not arrive; "
        f"{sum(one.unstable for one in found)} were left out, for they came out differently",
        file=sys.stderr,
    )
    differences = comparison(name)
    if differences is None:
        print(f"{len(messages)} messages on real brokers, not compared")
        return
    different = [each for one in found for each in differences(one.record)]
    for each in different:
        print(each, file=sys.stderr)
    print(f"{len(messages)} messages on real brokers, {len(different)} differences")
