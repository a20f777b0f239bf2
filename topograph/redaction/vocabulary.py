"""The words of our own messages: what may stay in a sentence that also holds words of the imported
files.

Taken from the sources of the modules that write such sentences, so that a new message needs no
entry anywhere. Needed once an import, in the process that runs it.
"""

from __future__ import annotations

import ast
import builtins
import errno
import os
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from importlib.abc import InspectLoader
from importlib.util import find_spec

WORD = re.compile(r"[^\W_]+")
"""A word: letters and digits. ``_``, ``-`` and ``.`` separate words, as they do in names."""

_WRITERS = (
    "topograph.importers",
    "topograph.store.archives",
    "topograph.store.listing",
    "topograph.opening.inputs",
    "topograph.network",
    "topograph.pipeline.tasks",
    "topograph.store.publication",
    "topograph.redaction.redactor",
    "json.decoder",
    "yaml.scanner",
    "yaml.parser",
    "yaml.composer",
    "yaml.reader",
)
"""The packages and modules whose texts become findings and notes before redaction."""

_RULES = "topograph.rules"
"""Where the numbers of rules stand, which such texts name."""


def words(text: str) -> Iterator[str]:
    """The words of a text in lower case."""
    return (word.lower() for word in WORD.findall(text))


@cache
def vocabulary() -> frozenset[str]:
    """All words of the texts in those modules, of the operating system's reasons, and the names
    of exceptions. Some 0.3 s, once.
    """
    found = {word for code in errno.errorcode for word in words(os.strerror(code))}
    found.update(word.lower() for word in dir(builtins))
    for name in _WRITERS:
        for source in _sources(name):
            found.update(_texts(source))
    for source in _sources(_RULES):
        found.update(word for word in _texts(source) if any(map(str.isdigit, word)))
    return frozenset(found)


def _sources(name: str) -> Iterator[str]:
    """The source of a module; of a package that of everything in it. Imports packages only."""
    spec = find_spec(name)
    if spec is None:
        return
    if isinstance(spec.loader, InspectLoader):
        yield spec.loader.get_source(name) or ""
    for module in pkgutil.iter_modules(spec.submodule_search_locations or (), f"{name}."):
        yield from _sources(module.name)


def _texts(source: str) -> Iterator[str]:
    """The words of the texts of a module; documentation, whose examples name invented hosts and
    users, is left out.
    """
    tree = ast.parse(source)
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            yield from words(node.value)
