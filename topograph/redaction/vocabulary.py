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
from xml.parsers.expat import errors

WORD = re.compile(r"[^\W_]+")
"""A word: letters and digits. ``_``, ``-`` and ``.`` separate words, as they do in names."""

_WRITERS = (
    "topograph.importers",
    "topograph.rules.waivers",
    "topograph.store.archives",
    "topograph.store.listing",
    "topograph.opening.inputs",
    "topograph.opening.selection",
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

_OF_XML = (
    errors.XML_ERROR_UNCLOSED_TOKEN,
    errors.XML_ERROR_TAG_MISMATCH,
    errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT,
    errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    errors.XML_ERROR_UNBOUND_PREFIX,
    errors.XML_ERROR_PARTIAL_CHAR,
)
"""What the reader of XML says of a document that is broken, which findings quote."""


def words(text: str) -> Iterator[str]:
    """The words of a text in lower case."""
    return (word.lower() for word in WORD.findall(text))


@cache
def vocabulary() -> frozenset[str]:
    """All words of the texts in those modules, of the reasons of the operating system and of the
    reader of XML, and the names of exceptions. Some 0.3 s, once.
    """
    found = {word for code in errno.errorcode for word in words(os.strerror(code))}
    found.update(word for reason in _OF_XML for word in words(reason))
    found.update(word.lower() for word in dir(builtins))
    for name in _WRITERS:
        for source in _sources(name):
            found.update(_texts(source))
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
    tree = ast.parse(source)  # kept to the end, so that no two of its nodes have the same id
    documentation: set[int] = set()
    for node in ast.walk(tree):  # what holds a node comes before it
        if isinstance(node, ast.Expr):
            documentation.add(id(node.value))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documentation
        ):
            yield from words(node.value)
