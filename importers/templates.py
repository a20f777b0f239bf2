"""Templates: files that a tool fills in before a server reads them. What stands in one is not
the configuration of any server.
"""

from __future__ import annotations

import re

SUFFIX = re.compile(r"[._-](template|tmpl|gotmpl|tpl|j2|jinja2?|erb)\Z", re.IGNORECASE)
"""How the name of a template ends."""

_MARKS = r"\{\{[^{}\r\n]{0,200}\}\}|\{%[^{}\r\n]{0,200}%\}|<%[^<>\r\n]{0,200}%>"
_MARK = re.compile(_MARKS)
_PLACEHOLDER = re.compile(_MARKS + r"|\$\{[A-Za-z_][\w.:-]{0,100}\}")
_HARMLESS = re.compile(r"\b(?:url|(?:ssl|tls)_\w++)[ \t]*+=[ \t]*+\S++", re.IGNORECASE)
"""Properties of a route that say neither which servers it connects nor what passes it."""


def named_as_template(path: str) -> bool:
    """Whether the name of a file says that it is a template.

    >>> named_as_template("a/x.conf_template"), named_as_template("routes.conf.j2"), named_as_template("template/routes.conf")
    (True, True, False)
    """  # noqa: E501
    return SUFFIX.search(path) is not None


def has_placeholder(text: str) -> bool:
    """Whether something in a name or a longer text is still to be filled in.

    >>> has_placeholder("A-{{ site }}"), has_placeholder("${NAME}"), has_placeholder("$sys.x")
    (True, True, False)
    """
    return _may_be_marked(text) and _PLACEHOLDER.search(text) is not None


def is_marked(text: str) -> bool:
    """Whether a text holds what only a template does (``${NAME}`` is no such sign: scripts that
    start a server fill it in too).
    """
    return _may_be_marked(text) and _MARK.search(text) is not None


def _may_be_marked(text: str) -> bool:
    """Whether a text has what each mark and placeholder has; most have not, which this tells in a
    fraction of the time."""
    return "{" in text or "<%" in text


def placeholder_in(line: str) -> int:
    """The column of the first placeholder of an entry that leaves open what it says of messages;
    0 if there is none.
    """
    found = _PLACEHOLDER.search(_HARMLESS.sub(lambda match: " " * len(match[0]), line))
    return found.start() + 1 if found else 0
