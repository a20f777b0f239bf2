"""Questions about any estate, as data: a method of ``Network`` with its parameters, or the words
of a command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from asked_answers import Question, destinations
from asked_answers import questions as asked

import topograph

MORE_SHOWN = ("factories", "files", "findings", "interests")

MOST_RULES = 3

ASKING = (
    *("reach", "hops", "paths", "cycles", "interests", "propagate", "trace", "impact", "audit"),
    *("services", "check", "show"),
)
"""Commands that answer a question about a network."""

AUDIT_FILES = ("--sarif", "OUT.sarif", "--junit", "OUT.xml", "--markdown", "OUT.md")
"""``OUT.x`` in the words of a command is a file that it writes, which is compared too."""

DRAWINGS = ("svg", "dot", "graphml", "mermaid")

_COMMAND = re.compile(r"^\$ topograph (.*?)((?:\\\n.*?)*)$", re.MULTILINE)


def questions(network: topograph.Network) -> Iterator[Question]:
    """What the tests ask about an estate, and what has options besides."""
    yield from asked(network)
    yield "cycles", (), {"strict": True}
    rules = dict.fromkeys(one.get("rule", "") for one in network.check().findings)
    yield from (("check", (), {"rule": rule}) for rule in list(rules)[:MOST_RULES] if rule)
    yield from (("show", (what,), {}) for what in MORE_SHOWN)
    servers = [name for name in network.server_names() if " " not in name]
    if len(servers) > 1:
        yield "reach", (servers[0], servers[-1]), {"reply": True}
    if servers:
        for destination in destinations(network):
            properties = {"country": "Canada", "qty": 7}
            yield "propagate", (servers[0], destination, properties), {}
            yield "trace", (servers[-1], destination), {"reply": True}


def commands(estate: str, questions: Iterable[Question]) -> Iterator[list[str]]:
    """The commands that ask the same questions, those that have a simple form; drawings."""
    for method, words, options in questions:
        plain = all(isinstance(word, str) for word in words)
        flags = [f"--{name}" for name, value in options.items() if value is True]
        if method == "hops_matrix":
            yield ["hops", "-s", estate]
        elif method == "check" and "rule" in options:
            yield ["check", "--rule", options["rule"], "-s", estate]
        elif method in ASKING and plain and len(flags) == len(options):
            place = ["--destination"] if method in {"propagate", "trace"} else []
            yield [method, *words[:1], *place, *words[1:], *flags, "-s", estate]
    yield from (["view", "-s", estate, "-o", f"OUT.{form}"] for form in DRAWINGS)


def printed_commands(pages: Iterable[Path]) -> list[list[str]]:
    """The commands of pages that answer a question, as they are typed: ``$ topograph reach A``."""
    found: dict[str, list[str]] = {}
    for page in pages:
        for first, rest in _COMMAND.findall(page.read_text(encoding="utf-8")):
            line = (first + rest).replace("\\\n", " ")
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            if words[:1] and words[0] in ASKING and not set(words) & set("|><&"):
                found.setdefault(line, words)
    return list(found.values())
