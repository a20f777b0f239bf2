"""What one revision says of a folder of estates: facts, findings and tables as rows, the answers to
every kind of question as JSON and as text, and the pages of the examples.

Run with ``PYTHONPATH`` naming the revision; it uses the command line and what a snapshot holds, and
of the modules inside only the two that write a snapshot without Spark, which are looked for where
they were and where they are. Writes one line an item: ``ESTATE<TAB>ITEM<TAB>TEXT``.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

READING = ("topograph.opening.folders", "topograph.workspace")
"""Where ``read_snapshot`` is, newest first."""

SERVERS, DESTINATIONS = 4, 4
"""How many of an estate are asked about."""

SHOWN = (
    *("servers", "routes", "links", "zones", "destinations", "queues", "channels", "connections"),
    *("bridges", "durables", "subscribers", "selectors", "access", "routing-paths", "files"),
    *("findings", "interests"),
)

_SCRIPT = re.compile(r"<script[^>]*>.*?</script>|sha256-[\w+/=]+", re.DOTALL)
"""What a page runs, and the hashes that let it: bundles differ where pages are the same."""


def main(estates: Path, output: Path) -> None:
    """Write what this revision says of ``estates`` to ``output``."""
    # An editable install would give modules of its own for those that this revision does not have.
    sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in str(one).lower()]
    os.environ.update(
        TOPOGRAPH_CACHE_MB="0", COLUMNS="120", NO_COLOR="1", TOPOGRAPH_REDACT_KEY="same"
    )
    os.environ.pop("TOPOGRAPH_SNAPSHOT", None)
    names = (estates.parent / "names.txt").read_text("utf-8").split("\n")
    with output.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for name in filter(None, names):
            for item, said in _said(estates / name, pages=name.startswith("examples/")):
                text = said.replace(str(estates), "ESTATES")
                file.write(f"{name}\t{item}\t{json.dumps(text, ensure_ascii=True)}\n")


def _said(estate: Path, *, pages: bool) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as work:
        yield from _rows(estate, Path(work) / "snapshot")
        rows = _shown(estate, "servers")
        servers = [str(row.get("name", row.get("server", ""))) for row in rows][:SERVERS]
        for question in _questions(estate, servers):
            for form in ("json", "text"):
                yield (
                    f"{' '.join(question)} --format {form}",
                    _run([*question, "--format", form], estate),
                )
        if pages:
            for command in ("view", "report"):
                page = Path(work) / f"{command}.html"
                said = _run([command, "-o", str(page)], estate)
                yield command, said.replace(work, "WORK")
                if page.exists():
                    yield f"{command} page", _SCRIPT.sub("", page.read_text("utf-8"))


def _rows(estate: Path, snapshot: Path) -> Iterator[tuple[str, str]]:
    """The tables of a snapshot, a row a line, in an order of their own."""
    import pyarrow.parquet as pq

    from topograph.errors import TopographError
    from topograph.pipeline.snapshot_writer import keep

    for name in READING:
        with contextlib.suppress(ModuleNotFoundError):
            read_snapshot = import_module(name).read_snapshot
            break
    try:
        keep(read_snapshot(estate), snapshot)
    except TopographError as error:
        yield "snapshot", f"{type(error).__name__} {error}"
        return
    for path in sorted(path for path in snapshot.glob("data/*/*") if path.is_dir()):
        rows: list[Any] = pq.ParquetDataset(path).read().to_pylist()
        yield (
            f"table {path.name}",
            "\n".join(sorted(json.dumps(row, sort_keys=True, default=str) for row in rows)),
        )


def _shown(estate: Path, what: str) -> list[dict[str, Any]]:
    """The rows of ``show WHAT``; none where the system has no such list."""
    text = _run(["show", what, "--format", "json"], estate).partition("\n#")[0]
    try:
        return list(json.loads(text).get("rows", []))
    except ValueError:
        return []


def _destinations(estate: Path) -> list[str]:
    """Some of the destinations that the estate lists, as an option would name them."""
    found: dict[str, None] = {}
    for row in (*_shown(estate, "destinations"), *_shown(estate, "queues")):
        kind, name = str(row.get("type", "queue")), str(row.get("name", ""))
        kind = kind if kind in {"topic", "queue", "address"} else "queue"
        if name and not set(name) & set(" *>#"):
            found.setdefault(f"{kind}:{name}")
    return list(found)[:DESTINATIONS]


def _questions(estate: Path, servers: list[str]) -> Iterator[list[str]]:
    yield ["check"]
    yield ["cycles", "--strict"]
    yield ["interests"]
    yield ["hops", "--matrix"]
    for what in SHOWN:
        yield ["show", what]
    for server in servers:
        yield ["reach", server]
    for one, other in pairwise(servers):
        for question in ("reach", "hops", "paths"):
            yield [question, one, other]
            yield [question, other, one]
    yield ["impact", "--sweep"]
    for server in servers[:2]:
        yield ["impact", "--fail", f"server:{server}"]
    for destination in _destinations(estate):
        for server in dict.fromkeys(servers[:1] + servers[-1:]):
            yield ["propagate", server, "--destination", destination]
            yield ["trace", server, "--destination", destination]
            yield ["trace", server, "--destination", destination, "--persistent", "--reply"]


def _run(words: list[str], estate: Path) -> str:
    """Standard output, and behind lines that begin with ``#`` the exit code and standard error."""
    from topograph.cli.main import exit_code

    written = io.BytesIO(), io.BytesIO()
    out, err = (
        io.TextIOWrapper(one, "utf-8", errors="backslashreplace", newline="\n") for one in written
    )
    budget = (
        []
        if words[0] in ("show", "check", "cycles", "interests", "view", "report")
        else ["--budget", "600"]
    )
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code: object = exit_code([*words, "-s", str(estate), *budget])
        except SystemExit as end:
            code = end.code
    for stream in (out, err):
        stream.flush()
    said, complaint = (one.getvalue().decode("utf-8") for one in written)
    said = re.sub(r'"snapshot": ?"[0-9a-f]+"|\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b', "ID", said)
    return f"{said}\n# exit {code}\n# {complaint}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
