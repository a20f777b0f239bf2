"""What one revision says of the estates of a folder (``inputs``): ``python said.py TREE INPUTS
INTO``.

Runs in a process of its own, with the packages of that revision, and imports nothing else of this
project. It uses what is published: ``topograph.read`` and ``open``, the methods of ``Network``, the
command line, and the file of the cache of readings. ``INTO/KIND.jsonl`` has a line for each item:
the estate, what it is, and its text.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import gc
import io
import json
import os
import re
import runpy
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("facts", "findings", "tables", "answers", "texts", "redacted", "commands", "pages")

PARTS = ("markup", "data", "scripts", "styles")
"""Of a page."""

SECONDS = "3600"
"""The budget of commands: none is to end a search by the clock."""

COLLECTED = 20
"""Estates between two collections of garbage. A command leaves the collector as it suits a process
that ends soon, and after each estate a collection would take as long as the questions."""

DRAWN_ANSWERS = ("reach", "hops", "paths", "cycles", "propagate", "trace", "impact", "audit")
"""Questions of whose answers a page is made, the first of each."""

_PART = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1>", re.DOTALL)
_HASHES = re.compile(r"sha256-[\w+/=]+")
"""What lets a page run its scripts: another bundle has another hash."""

_OUT_OF_MARKUP = str.maketrans(",./", "<>&")
"""Characters that stand for those of base85 that mean something in markup."""

Item = tuple[str, str, str]
"""A kind, what it is, and its text."""


def main(words: list[str] | None = None) -> None:
    """Write the items of all estates."""
    parser = argparse.ArgumentParser(prog="said.py")
    for name in ("tree", "inputs", "into"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    given = parser.parse_args(words)
    # An editable install would give modules of its own for those that this revision does not have.
    sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in str(one).lower()]
    import topograph

    if not Path(topograph.__file__).resolve().is_relative_to(given.tree.resolve()):
        sys.exit(f"topograph is loaded from {topograph.__file__}, not from {given.tree}.")
    estates = (given.inputs / "asked.jsonl").read_text(encoding="utf-8").splitlines()
    given.into.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        files = {
            kind: stack.enter_context((given.into / f"{kind}.jsonl").open("w", encoding="utf-8"))
            for kind in given.kinds
        }
        os.chdir(given.inputs)
        for number, line in enumerate(estates):
            asked = json.loads(line)
            for kind, item, text in _items(asked, frozenset(given.kinds), frozenset(given.parts)):
                files[kind].write(json.dumps([asked["name"], item, text]) + "\n")
            if number % COLLECTED == 0:
                gc.collect()


def _items(asked: dict[str, Any], kinds: frozenset[str], parts: frozenset[str]) -> Iterator[Item]:
    import topograph

    folder, questions = asked["folder"], asked["questions"]
    for kept in _kept():
        kept.unlink()
    try:
        network = topograph.open(folder).within(None)
    except Exception as error:  # compared as any other outcome
        network = None
        if "findings" in kinds:
            yield "findings", "read", _failure(error)
    if network is not None:
        if kinds & {"facts", "findings", "tables"}:
            yield from (one for one in _tables() if one[0] in kinds)
        if kinds & {"answers", "texts", "pages"}:
            drawn = asked["pages"] and "pages" in kinds
            for kind, item, text in _answers(network, questions, parts, drawn):
                if kind in kinds:
                    yield kind, item, text
        if "redacted" in kinds:
            yield from _redacted(folder, questions)
    if "commands" in kinds:
        for words in asked["commands"]:
            writes = any(word.startswith("OUT.") for word in words)
            for form in ([],) if writes else ([], ["--format", "json"]):
                yield "commands", " ".join([*words, *form]), _printed([*words, *form])


def _failure(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _answers(
    network: Any, questions: list[Any], parts: frozenset[str], pages: bool
) -> Iterator[Item]:
    """The answer to each question, as JSON and as text; where ``pages`` are made, those of the
    network and of the first answer of each question.
    """
    from topograph.questions.text import text

    left = set(DRAWN_ANSWERS) if pages else set()
    if pages:
        yield from _pages("view", network.view, parts)
        yield from _pages("report", network.report, parts)
    for method, words, options in questions:
        item = f"{method} {json.dumps(words)} {json.dumps(options)}"
        try:
            answer = _asked(network, method, words, options)
            yield "answers", item, json.dumps(answer.to_dict(), indent=1, sort_keys=True)
            yield "texts", item, text(answer)
        except Exception as error:  # compared as any other outcome
            yield "answers", item, _failure(error)
            continue
        if method in left:
            left.remove(method)
            yield from _pages(f"view {item}", lambda answer=answer: network.view(answer), parts)


def _asked(network: Any, method: str, words: list[Any], options: dict[str, Any]) -> Any:
    from topograph.message import Address

    def given(value: Any) -> Any:
        if isinstance(value, dict) and value.keys() == {"bus", "destination"}:
            return Address(**value)
        return tuple(map(given, value)) if isinstance(value, list) else value

    named = {name: given(value) for name, value in options.items()}
    return getattr(network, method)(*words, **named)


def _redacted(folder: str, questions: list[Any]) -> Iterator[Item]:
    """What is listed and found of the same files with hosts, users and client ids as tokens."""
    import topograph

    try:
        network = topograph.read(folder, redact=True)
    except Exception as error:  # compared as any other outcome
        yield "redacted", "read", _failure(error)
        return
    for method, words, options in questions:
        if method in {"show", "check"} and not options:
            item = f"{method} {json.dumps(words)}"
            try:
                answer = getattr(network, method)(*words)
                yield "redacted", item, json.dumps(answer.to_dict(), indent=1, sort_keys=True)
            except Exception as error:  # compared as any other outcome
                yield "redacted", item, _failure(error)


def _tables() -> Iterator[Item]:
    """The tables of the snapshot that was read last, as the cache of readings keeps them, a row a
    line, in an order of their own.
    """
    found = _kept()
    if len(found) != 1:
        sys.exit(f"{_readings()} holds {len(found)} readings; one is expected.")
    tables: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (table, system, own), rows in _rows_of(found[0]):
        item = " ".join(filter(None, (table, system, own)))
        kind = table if table in KINDS else "tables"
        tables[kind, item] += (json.dumps(one, sort_keys=True, default=str) for one in rows)
    for (kind, item), lines in sorted(tables.items()):
        yield kind, item, "\n".join(sorted(lines))


def _rows_of(file: Path) -> Iterator[tuple[tuple[str, str, str], list[dict[str, Any]]]]:
    """The rows of each table (by name, system and kind of fact) of an entry of the cache, in the
    form of the revision that wrote it."""
    data = memoryview(file.read_bytes())[32:]  # behind the digest of the rest
    if file.suffix == ".arrow":
        import pyarrow as pa

        with pa.ipc.open_file(pa.py_buffer(data)) as reader:
            kept = reader.read_all().to_pylist()
        for row in kept:
            with pa.ipc.open_stream(row["arrow"]) as stream:
                rows = stream.read_all().to_pylist()
            places = ("network", "system", "n")
            yield (
                (row["table"], row["system"], row["kind"]),
                [{name: one[name] for name in one if name not in places} for one in rows],
            )
        return
    from topograph.store.entries import unpack
    from topograph.store.records import COLUMNS

    for (table, _, system, own), columns in unpack(data)[1].items():
        names = [name for name, _, _ in COLUMNS[table] if name not in ("network", "system", "n")]
        listed = [columns.listed(name) for name in names]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*listed, strict=True)]
        yield (table, system, own), rows


def _kept() -> list[Path]:
    """The entries of the cache, in the form of this revision or of an earlier one."""
    return [one for one in _readings().glob("*") if one.suffix in (".arrow", ".reading")]


def _readings() -> Path:
    return Path(os.environ["TOPOGRAPH_HOME"], "cache", "readings")


def _printed(words: list[str]) -> str:
    """What a command prints, which runs in this process, with its exit code and the files that it
    writes (``OUT.x`` among its words).
    """
    with tempfile.TemporaryDirectory() as folder:
        given = [word.replace("OUT.", f"{folder}/OUT.", word.startswith("OUT.")) for word in words]
        out, argv = io.StringIO(), sys.argv
        code: object = 0
        sys.argv = ["topograph", *given, *([] if words[0] == "view" else ["--budget", SECONDS])]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                runpy.run_module("topograph", run_name="__main__")
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.argv = argv
        written = [
            f"{path.name}\n{path.read_text('utf-8')}" for path in sorted(Path(folder).iterdir())
        ]
        said = "\n".join([f"exit code {code}", out.getvalue(), *written])
        return said.replace(folder, "FOLDER")


def _pages(item: str, make: Any, parts: frozenset[str]) -> Iterator[Item]:
    try:
        page = make().generate_html()
    except Exception as error:  # compared as any other outcome
        yield "pages", item, _failure(error)
        return
    for part, text in _parts(page):
        if part in parts:
            yield "pages", f"{item} {part}", _HASHES.sub("sha256", text)


def _parts(page: str) -> Iterator[tuple[str, str]]:
    """A page as its markup, its data, and its bundles of scripts and styles."""
    found: dict[str, list[str]] = defaultdict(list)

    def taken(match: re.Match[str]) -> str:
        tag, attributes, text = match.groups()
        if tag == "style":
            found["styles"].append(text)
        elif "application/" in attributes and "code" not in attributes:
            found["data"].append(_unpacked(text) if "zlib" in attributes else text)
        else:
            found["scripts"].append(text)
        return f"<{tag}></{tag}>"

    found["markup"] = [_PART.sub(taken, page)]
    for part, texts in sorted(found.items()):
        yield part, "\n".join(_lines(text) for text in texts)


def _unpacked(text: str) -> str:
    """The data of a packed script; the text itself where it is packed in another way."""
    try:
        packed = base64.b85decode(text.strip().translate(_OUT_OF_MARKUP))
        return zlib.decompress(packed).decode("utf-8", "replace")
    except (ValueError, zlib.error):
        return text


def _lines(text: str) -> str:
    """JSON with a value a line, markup with an element a line."""
    try:
        return json.dumps(json.loads(text), indent=1, sort_keys=True)
    except ValueError:
        return text.replace("><", ">\n<")


if __name__ == "__main__":
    main()
