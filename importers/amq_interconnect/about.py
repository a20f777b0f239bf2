"""Text about routers, which is the configuration of none: READMEs, notes and templates that a tool
fills in before a router reads them.
"""

from __future__ import annotations

import re

from topograph.importers.templates import is_marked, named_as_template

_DOCUMENT = re.compile(r"\.(?:md|markdown|mdx|rst|adoc|asciidoc|html?|textile|org|tex)\Z", re.I)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_CONTROL = re.compile(r"^[ \t]*(?:\{\{|\{%|<%)", re.MULTILINE)
_NAMED = re.compile(r"^[ \t]*(?:name|namespace|routingKey|host):[^\n]{0,300}", re.MULTILINE)
_OPENS = re.compile(r"[ \t]*[\w.-]+[ \t]*\{")
_SECTION = re.compile(
    r"^[ \t]*+[\w.-]++[ \t]*+\{[^{}\n]*+\n(?:[^{}\n]*+\n)*+[^{}#\n]*+\}[^{}\n]*+$", re.MULTILINE
)
"""A section without another one in it."""
_WORD = re.compile(r"(?<![^\s(\"'])[A-Za-z][a-z'-]*(?![^\s.,;:!?)\"'])")
_PROSE = 3
"""A line with so many ordinary words is a sentence; settings and sections have one or two."""

DOCUMENT = "a text about routers, not read: import the files of the routers themselves"
TEMPLATE = "a template of a router's configuration, not read: import the file that is made from it"


def is_document(path: str) -> bool:
    """Whether the name of a file says that people read it, and no router.

    >>> is_document("a/README.md"), is_document("qdrouterd.conf")
    (True, False)
    """
    return _DOCUMENT.search(path) is not None


def is_template(path: str, text: str) -> bool:
    """Whether a configuration is still to be filled in. ``${HOSTNAME}`` is none of a template: a
    router's start script fills it in (3.3).

    >>> is_template("a/qdrouterd.conf.j2", ""), is_template("a.conf", "id: {{ name }}")
    (True, True)
    """
    return named_as_template(path) or is_marked(text)


def is_chart(path: str, text: str) -> bool:
    """Whether resources are still to be filled in, as in a chart of Helm: a mark begins a line, or
    is what one of them is called. Marks elsewhere may be of what the resources hold.

    >>> is_chart("a.yaml", "{{- if .Values.edge }}"), is_chart("a.yaml", "  name: '{{ site }}'")
    (True, True)
    >>> is_chart("a.yaml", "  summary: 'lost {{ $labels.pod }}'")
    False
    """
    return (
        named_as_template(path)
        or _CONTROL.search(text) is not None
        or any(is_marked(line) for line in _NAMED.findall(text))
    )


def has_fences(text: str) -> bool:
    """Whether a text has fenced blocks, as Markdown has."""
    return _FENCE.search(text) is not None


def is_prose(text: str) -> bool:
    """Whether sentences stand around the sections of a text: before the first, or in several
    lines. A router refuses a file with one such line; somebody who writes notes has more. Linear.

    >>> is_prose("Our router looks like this:\\nrouter {\\n id: A\\n}\\n")
    True
    >>> is_prose("# Our router looks like this\\nrouter {\\n id: A\\n}\\nthis is my mistake\\n")
    False
    >>> is_prose("v {\\n a: {\\n }\\n b: {\\n t: one, two and three\\n u: four, five, six\\n }\\n}")
    False
    """
    sentences, depth, first = 0, 0, True
    for line in _SECTION.sub("section {}", text).split("\n"):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if depth > 0 or _OPENS.match(line):
            depth = max(0, depth + bare.count("{") - bare.count("}"))
            first = False
        elif len(_WORD.findall(bare)) >= _PROSE:
            sentences += 1
            if first:
                return True
    return sentences > 1
