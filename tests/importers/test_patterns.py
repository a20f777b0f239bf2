"""Regular expressions are linear: each of the whole program is pumped here, and only importers with
a reason may have any.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# The tree of a pattern, without which no text can be made that it is slow on, is in these two only.
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType, ModuleType

import pytest

import topograph
from topograph import importers
from topograph.credentials import without_credentials
from topograph.importers import lexical
from topograph.importers.amq_interconnect import secrets
from topograph.importers.amq_interconnect.dump import routers_named
from topograph.importers.ems import keys
from topograph.importers.ems.recognition import recognise
from topograph.importers.known_formats import name_of

pytestmark = pytest.mark.slow

LENGTH = int(os.environ.get("TOPOGRAPH_PUMP_LENGTH", "25000"))
PATIENCE = 3.0
"""Seconds of processor time in which texts of some 100 kB are read many times over where that is
linear.
"""

WITH_PATTERNS = {
    "amq_interconnect.command_lines": "words and variables of a shell",
    "amq_interconnect.commands": "names of commands and options",
    "amq_interconnect.conf": (
        "lines of a .conf are taken apart the way the router's own reader does it, with patterns"
    ),
    "amq_interconnect.dump": "finds lists and command lines in a text with anything around them",
    "amq_interconnect.json_form": "blanks and commas between sections",
    "amq_interconnect.known_formats": "looks of files, stated as data",
    "amq_interconnect.load": "single classes of characters",
    "amq_interconnect.qdstat": "lines of tables",
    "amq_interconnect.qdstat_tables": "cells of tables",
    "amq_interconnect.about": "sentences, fences and marks of templates",
    "amq_interconnect.recognition": "looks of files",
    "amq_interconnect.said_by": "prompts and options of command lines",
    "amq_interconnect.skupper.network_status": "numbers before router ids, versions",
    "amq_interconnect.secrets": "names of secrets",
    "ems.access": "lines of users.conf and groups.conf",
    "ems.commands": "words of a command",
    "ems.admin_shell": "words of scripts that run the administration tool",
    "ems.destinations": "words of a line",
    "ems.durables": "words of a line",
    "ems.json_file": "finds one key without reading the file",
    "ems.known_formats": "looks of files, stated as data",
    "ems.main_file": "lines on which nothing is doubtful",
    "ems.properties": "words and blanks of a line",
    "ems.recognition": "looks of lines, stated as data",
    "ems.routes": "lines on which nothing is doubtful",
    "ems.sections": "headings on which nothing is doubtful",
    "ems.show": "prompts, banners and titles of tables",
    "ems.show_server": "a gap between two words",
    "ems.show_routes": "the header of a table, and the words of its rows",
    "first_look": "a stanza of a name with a colon",
    "holds": "names of attributes",
    "ibm_mq.jcl": "statements of jobs and their parameters",
    "ibm_mq.batch": "variables of batch files",
    "ibm_mq.commands": "first words of lines",
    "ibm_mq.ini": "looks of stanzas",
    "ibm_mq.known_formats": "looks of files, stated as data",
    "ibm_mq.recognition": "looks of lines",
    "rabbitmq.addresses": "parts of URIs",
    "rabbitmq.commands.__init__": "what runs a tool, and names of scripts",
    "rabbitmq.commands.admin": "names of options",
    "rabbitmq.commands.calls": "variables, braces and secrets in words of a shell",
    "rabbitmq.commands.curl": "parts of URLs, and flags written together",
    "rabbitmq.known_formats": "looks of files, stated as data",
    "rabbitmq.recognition": "looks of files, and the name of a cluster in them",
    "rabbitmq.erlang_terms": "words of Erlang terms, faster than by character",
    "rabbitmq.node_files": "looks of files, and the name of a node in them",
    "rabbitmq.settings_text": "lines of settings, and placeholders in them",
    "rabbitmq.walking": "blanks between entries",
    "ibm_mq.resources": "looks of YAML and JSON",
    "ibm_mq.rows": "the first word of a line, faster than by character",
    "ibm_mq.shell": "patterns of shell_lines and recognition, to tell a script",
    "ibm_mq.shell_lines": "lines of texts that run MQSC and are no script of a POSIX shell",
    "ibm_mq.words": "words and simple values, faster than by character",
    "known_formats": "looks of files, stated as data",
    "shell.syntax": "looks of batch files and PowerShell",
    "shell.programs": "options, conversions of printf and patterns of comments",
    "lexical": "line ends, hazards and names of secrets",
    "mqe.recognition": "looks of documents, stated as data",
    "choices": "spellings of names of servers",
    "copies": "marks of copies in file names",
    "ibm_mq.naming": "marks of changes in file names",
    "ownership": "edges of words in file names",
    "positions.json_text": "strings and numbers, faster than by character",
    "positions.xml_text": "the end of a start tag, faster than by character",
    "secrets": "a quick look at whether a text can hold credentials",
    "sibus.commands": "names of commands that only wsadmin has",
    "sibus.jython.statements": "commands in texts that a script runs",
    "sibus.known_formats": "looks of files, stated as data",
    "templates": "placeholders, and how names of files end",
    "subfiles": "a drive letter",
    "waivers": "a remark in any language of comments",
}
"""Modules of the importers that may use ``re``, and what for."""


def test_only_modules_with_a_reason_use_regular_expressions() -> None:
    assert {name for name, tree in _sources() if _imports_re(tree)} == WITH_PATTERNS.keys()


def test_patterns_stand_at_the_top_of_their_module_where_they_are_pumped() -> None:
    inside = [
        f"{name}:{node.lineno}"
        for name, tree in _sources()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
        if node.attr[:1].islower()
    ]
    assert inside == []


@pytest.mark.slow
def test_no_pattern_takes_more_than_linear_time() -> None:
    # a process of its own: a match that does not end holds everything else up
    ended = subprocess.run(
        [sys.executable, "-m", "tests.importers.test_patterns"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=600 * max(1, LENGTH // 100_000),
        check=False,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", "", 0)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(a+)+b", r"x*y", r"[\w-]*key[\w-]*=", r"<\?.*?\?>"])
def test_the_pump_finds_what_explodes(pattern: str) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "tests.importers.test_patterns", pattern],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "is not linear" in found.stdout


@pytest.mark.parametrize(
    "text",
    [
        "<?x?>" * 60 + "!",
        "<?" * 30_000,
        "<!--" * 15_000,
        "<!DOCTYPE a>" * 16 + "!",
        "<!DOCTYPE " * 6000,
        "<!DOCTYPE [" * 6000,
        "<!DOCTYPE" + " " * 60_000,
    ],
    ids=lambda text: str(text)[:12],
)
def test_a_prolog_without_an_element_is_nothing_and_soon_so(text: str) -> None:
    with _Patience():
        assert name_of(text.encode()) == ""


@pytest.mark.parametrize(
    "body",
    [
        "key",
        "passw",
        "$",
        "-",
        "://",
        "a://b",
        ",a://",
        ", ",
        " ",
        "key=",
        "a:",
        "a@",
        "://@",
        "key=a ",
    ],
)
def test_secrets_are_found_in_linear_time(body: str) -> None:
    text = body * (400_000 // len(body))
    with _Patience():
        lexical.kept("x", text)
        secrets.kept_value("x", text)
        lexical.excerpt(text)
        secrets.excerpt(text)
        keys.excerpt(text)
        lexical.before_unknown(text, keys.KEYS)
        without_credentials(text)


@pytest.mark.parametrize(
    "body", [" ", "\t", "qdmanage ", "{ ", "[ ", " -r", "a>", " a> ", "x  ", "[x]"]
)
def test_recognition_takes_linear_time(body: str) -> None:
    text = body * (200_000 // len(body))
    with _Patience():
        recognise("x.conf", text.encode())
        routers_named(text)
        name_of(text.encode())


def _sources() -> Iterator[tuple[str, ast.Module]]:
    root = Path(importers.__path__[0])
    for path in sorted(root.rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def _imports_re(tree: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "re")
        for node in ast.walk(tree)
    )


class _TooLong(Exception):
    pass


class _Patience:
    """Ends what takes more than some seconds of processor time."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        def stop(_number: int, _frame: FrameType | None) -> None:
            raise _TooLong

        self.before = signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self.before)


def _patterns() -> Iterator[tuple[str, re.Pattern[str], set[str]]]:
    """Every pattern on text that any module has at its top, with its name and the methods it is
    used with.
    """
    names = [found.name for found in pkgutil.walk_packages(topograph.__path__, "topograph.")]
    for module_name in names:
        if module_name.endswith(".__main__"):
            continue
        module = importlib.import_module(module_name)
        used = _methods(module)
        for name, value in vars(module).items():
            members = value if isinstance(value, tuple) else (value,)
            for pattern in [
                part
                for member in members
                for part in (member if isinstance(member, tuple) else (member,))
            ]:
                if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
                    methods = used.get(name, {"match"}) if pattern is value else {"search"}
                    yield f"{module_name}.{name}", pattern, methods


def _methods(module: ModuleType) -> dict[str, set[str]]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def _patience() -> float:
    """A quarter of the processor time that the quickest of all quadratic patterns takes here for
    a text of LENGTH characters. A linear one takes a thousandth of it."""
    text = "x" * (LENGTH // 10)
    begun = time.process_time()
    re.search("x*y", text)
    return (time.process_time() - begun) * 10**2 / 4


def _fault(pattern: re.Pattern[str], methods: set[str], patience: float) -> str:
    """A text on which the pattern does not end in time, as its prefix and what is repeated;
    empty if none is found.
    """
    tried = methods & {"search", "match", "fullmatch", "finditer"}
    if methods & {"sub", "subn", "split", "findall"} or not tried:
        tried = tried | {"finditer"}  # what these do with a text
    pumps: list[tuple[str, str]] = []
    whole = _sample(parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE), pumps, "")
    pumps += [("", whole + behind) for behind in ("", " ", "\n")]
    pumps += [("", prefix + behind) for prefix, _ in pumps for behind in ("", " ")]
    for prefix, body in sorted({pump for pump in pumps if pump[1]}):
        for suffix in ("", "\0", " !", "=x", "\n!"):
            if suffix == "\n!" and not pattern.flags & (re.MULTILINE | re.DOTALL):
                continue  # what looks at one line at a time never sees the end of one
            text = prefix + body * (LENGTH // len(body)) + suffix
            for method in sorted(tried):
                try:
                    with _Patience(patience):
                        found = getattr(pattern, method)(text)
                        list(found) if method == "finditer" else None
                except _TooLong:
                    return f"{method} of {prefix[:40]!r} and {body[:40]!r} repeated"
    return ""


def _sample(nodes: parser.SubPattern, pumps: list[tuple[str, str]], before: str) -> str:
    """A text that fits; each repetition in it adds to ``pumps`` what may stand before it and
    what it repeats.
    """
    text = ""
    for kind, value in nodes:
        if kind is op.LITERAL:
            text += chr(value)
        elif kind in (op.ANY, op.NOT_LITERAL, op.IN):
            text += _characters(kind, value)[0]
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            least, most, body = value
            once = _sample(body, pumps, before + text)
            if most is op.MAXREPEAT:
                pumps.append((before + text, once))
                pumps += [
                    (before + text, c)
                    for k, v in body
                    if k in (op.ANY, op.IN)
                    for c in _characters(k, v)
                ]
                pumps += [(before + text, before + text)]
            text += once * max(least, 1)
        elif kind is op.SUBPATTERN:
            text += _sample(value[3], pumps, before + text)
        elif kind is op.ATOMIC_GROUP:
            text += _sample(value, pumps, before + text)
        elif kind is op.BRANCH:
            text += max((_sample(branch, pumps, before + text) for branch in value[1]), key=len)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            _sample(value[1], pumps, before + text)
    return text


def _characters(kind: object, value: object) -> list[str]:
    """Some characters that a class takes, of many kinds."""
    tree = parser.SubPattern(parser.State(), [(kind, value)])
    one = re.compile(_one(tree), re.DOTALL)
    return [c for c in "a 1,x:\"'=-.@/<{[(\\\t\n\u201c" if one.match(c)] or ["a"]


def _one(tree: parser.SubPattern) -> str:
    """The class as text again, as far as ``re`` can be asked for it."""
    kind, value = tree[0]
    if kind is op.ANY:
        return "."
    if kind is op.NOT_LITERAL:
        return f"[^{re.escape(chr(value))}]"
    parts = []
    for member, what in value:
        if member is op.NEGATE:
            parts.append("^")
        elif member is op.LITERAL:
            parts.append(re.escape(chr(what)))
        elif member is op.RANGE:
            parts.append(f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}")
        else:
            parts.append(_CATEGORIES[what])
    return f"[{''.join(parts)}]"


_CATEGORIES = {
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}

if __name__ == "__main__":
    given = [
        ("the pattern given", re.compile(text, re.DOTALL), {"search"}) for text in sys.argv[1:]
    ]
    patience = _patience()
    for named, its, uses in given or _patterns():
        if fault := _fault(its, uses, patience):
            print(f"{named} is not linear: {fault}", flush=True)
