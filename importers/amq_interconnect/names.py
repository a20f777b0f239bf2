"""The attributes that routers are known to have, and what is kept of the values of others.

An attribute that nobody knows may be a misspelt password: of its value only what cannot be one is
kept (``lexical.kept_unknown``).
"""

from __future__ import annotations

from functools import cache

from topograph.credentials import SET
from topograph.importers import lexical
from topograph.importers.amq_interconnect import secrets
from topograph.importers.amq_interconnect.holds import NAMES
from topograph.importers.amq_interconnect.schema import TYPES

_OTHERS = (
    "product",
    "version",
    "platform",
    "protocol",
    "peer",
    "tenant",
    "sslProto",
    "sslCipher",
    "policyDir",
    "class",
    "key",
    "message",
)
"""Members of the maps of properties that containers send when they connect, and attributes that
only running routers have.
"""


@cache
def known_names() -> frozenset[str]:
    """Every attribute of every version, in the schema's spelling."""
    named = {
        name
        for entity in TYPES.values()
        for name in (*(entity.attributes or {}), *entity.deprecated, *entity.old)
    }
    return frozenset({*NAMES, *_OTHERS, *named})


@cache
def _in_lower_case() -> frozenset[str]:
    return frozenset(name.lower() for name in known_names())


def kept(name: str, value: object) -> object:
    """What may be kept of an attribute: ``secrets.kept_value``, and of what nobody knows only what
    is harmless.

    >>> (kept("zome", "tiger"), kept("zome", 7), kept("role", "edge"),
    ...  kept("openProperties", {"a": "tiger", "b": True}))
    ('(set)', 7, 'edge', {'a': '(set)', 'b': True})
    """
    return _known_only(name, secrets.kept_value(name, value))


def excerpt(line: str) -> str:
    """A line for a finding: without secrets, and without the values of attributes that nobody
    knows.

    >>> excerpt("  zome: tiger"), excerpt("cost: 3"), excerpt("listener {")
    ('zome: (set)', 'cost: 3', 'listener {')
    """
    before = lexical.before_unknown(line.strip().replace("-", ""), _in_lower_case())
    return secrets.excerpt(line) if before is None else secrets.excerpt(f"{before}{SET}")


def _known_only(name: str, value: object) -> object:
    if isinstance(value, dict):
        return {member: _known_only(member, item) for member, item in value.items()}
    if isinstance(value, list):
        return [_known_only(name, item) for item in value]
    if not isinstance(value, str) or name in known_names() or lexical.is_harmless(value):
        return value
    return SET
