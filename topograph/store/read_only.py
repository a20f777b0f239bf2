"""What a statement that somebody typed may do: read this database, and nothing else.

A session in read mode keeps a statement from writing; it does not keep it from fetching URLs, from
ending the transactions of others, or from calling procedures that do. What a statement does is told
by its plan, however it is spelled: Cypher takes ``LO\\u0041D CSV`` and ``LOAD/**/CSV`` for the
same, so that no filter on the text can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

REFUSED: Mapping[str, str] = {
    "LoadCSV": "LOAD CSV reads files and URLs",
    "TerminateTransactions": "TERMINATE ends transactions of others",
    "AdministrationCommand": "it is an administration command",
    "ShowSettings": "SHOW SETTINGS lists the server's configuration",
}
"""Operators of a plan that reach beyond the data, and what they do."""

PROCEDURES = frozenset(
    {
        "db.indexes",
        "db.index.fulltext.listavailableanalyzers",
        "db.index.fulltext.querynodes",
        "db.index.fulltext.queryrelationships",
        "db.index.vector.querynodes",
        "db.index.vector.queryrelationships",
        "db.info",
        "db.labels",
        "db.ping",
        "db.propertykeys",
        "db.relationshiptypes",
        "db.schema.nodetypeproperties",
        "db.schema.reltypeproperties",
        "db.schema.visualization",
        "dbms.components",
    }
)
"""The procedures that only read the data or its shape, in small letters."""

_CALLED = re.compile(r"\s*([\w.`]+)\s*\(")


_PROFILE = re.compile(r"((?:\s|//[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+)PROFILE\b", re.IGNORECASE)

MOST_LEVELS = 100
"""How deep brackets may be nested: the server's parser takes longer than any time limit over many
thousands, which ends only what runs."""


def too_nested(statement: str) -> str:
    """Why a statement is too deep for the server to parse; empty if it is not. Brackets in texts
    and comments count too. Linear.

    >>> too_nested("RETURN " + "(" * 20000 + "1" + ")" * 20000)
    'its brackets are nested more than 100 deep'
    """
    level = 0
    for character in statement:
        if character in "([{":
            level += 1
            if level > MOST_LEVELS:
                return f"its brackets are nested more than {MOST_LEVELS} deep"
        elif character in ")]}":
            level = max(0, level - 1)
    return ""


def without_profile(statement: str) -> str:
    """A statement that begins with ``PROFILE`` without that word: rows are all that is shown of it,
    and only what is run can be explained first.

    >>> without_profile("// who\\nprofile MATCH (n) RETURN n"), without_profile("RETURN 'PROFILE'")
    ('// who\\n MATCH (n) RETURN n', "RETURN 'PROFILE'")
    """
    return _PROFILE.sub(r"\1", statement, count=1) if _PROFILE.match(statement) else statement


def refusal(plan: Mapping[str, Any]) -> str:
    """Why a statement with this plan (as the driver gives it) is not run; empty if it only
    reads. Linear in the operators.
    """
    for operator in _operators(plan):
        kind = str(operator.get("operatorType", "")).partition("@")[0]
        if kind in REFUSED:
            return REFUSED[kind]
        if kind == "ProcedureCall":
            called = procedure_of(str((operator.get("args") or {}).get("Details", "")))
            if called.lower() not in PROCEDURES:
                return f"it calls {called or 'a procedure'}, which is not known to read only"
    return ""


def procedure_of(details: str) -> str:
    """The procedure that the details of a ``ProcedureCall`` name (``db.labels() :: (label ::
    STRING)``); empty if they name none.
    """
    found = _CALLED.match(details)
    return found[1].replace("`", "") if found else ""


def _operators(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every operator of a plan."""
    waiting = [plan]
    while waiting:
        operator = waiting.pop()
        yield operator
        waiting.extend(operator.get("children") or ())
