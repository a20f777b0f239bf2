"""Names of servers and destinations: what is allowed, and what looks like a wildcard and is none
(ems.md 1.1, 1.4, 2.6).
"""

from __future__ import annotations

MAX_SERVER_NAME = 64
MAX_ELEMENTS = 64
MAX_ELEMENT = 127
MAX_NAME = 249
TEMPORARY = "$TMP$."


def server_name_fault(name: str) -> str:
    """Why ``name`` cannot be a server's name, or an empty string if it can (ems.md 1.1)."""
    if not name:
        return "a server name is empty"
    if "." in name:
        return f"the server name {name!r} contains a dot"
    if len(name) > MAX_SERVER_NAME:
        return f"the server name has {len(name)} characters, {MAX_SERVER_NAME} are allowed"
    return ""


def destination_name_fault(name: str) -> str:
    """Why ``name`` cannot name a destination, or an empty string if it can (ems.md 1.4)."""
    elements = name.split(".")
    if "" in elements:
        return f"the destination name {name!r} has an empty element"
    if len(elements) > MAX_ELEMENTS:
        return f"the destination name has {len(elements)} elements, {MAX_ELEMENTS} are allowed"
    if len(name) > MAX_ELEMENT and max(map(len, elements)) > MAX_ELEMENT:
        return f"an element of the destination name has more than {MAX_ELEMENT} characters"
    if len(name) > MAX_NAME:
        return f"the destination name has {len(name)} characters, {MAX_NAME} are allowed"
    return ""


def is_wildcard(name: str) -> bool:
    """Whether ``name`` is a pattern: ``*`` as a whole element, or ``>`` as the last one (R80)."""
    elements = name.split(".")
    return "*" in elements or elements[-1] == ">"


def wildcard_fault(name: str) -> str:
    """What in ``name`` looks like a wildcard and is none (R81), or an empty string.

    >>> wildcard_fault("foo.a*"), wildcard_fault("foo.>")
    ("'*' inside the element 'a*' is not a wildcard", '')
    """
    if "*" not in name and ">" not in name:
        return ""
    elements = name.split(".")
    for place, element in enumerate(elements, start=1):
        if "*" in element and element != "*":
            return f"'*' inside the element {element!r} is not a wildcard"
        if ">" in element and (element != ">" or place < len(elements)):
            return f"'>' is a wildcard only as the last element, not in {name!r}"
    return ""
