"""acl.conf, users.conf and groups.conf: who there is and who may do what (ems.md 1.6, 3.4, R49,
R50).

Passwords never leave these functions: of a user only whether a password is set is kept, and no
finding shows a line of users.conf.
"""

from __future__ import annotations

import re

from topograph.credentials import SET, without_arguments, without_user_info
from topograph.facts.ems import EmsGrant, EmsGroup, EmsUser
from topograph.facts.ems_names import wildcard_fault
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.ems import keys
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.properties import hazard, scan, without_comment
from topograph.importers.lexical import Line
from topograph.rules.ems_findings import NOT_A_WILDCARD, TL_14

_SPACE = lexical.BLANK + "\u00a0"
_SCOPES = frozenset({"topic", "queue"})
_PRINCIPALS = frozenset({"user", "group"})
_KEYS = _SCOPES | _PRINCIPALS | {"perm"}
_USER = re.compile(
    r'(?P<name>"[^"]*"|[^:]*):(?P<password>[^:]*)(?::[ \t]*(?P<description>.*))?', re.DOTALL
)
_GROUP = re.compile(r'(?P<name>"[^"]*"|[^:]*):[ \t]*(?P<description>.*)', re.DOTALL)


def read_grants(reading: EmsFileReading, text: str) -> None:
    """The grants of an acl.conf: ``TOPIC=pattern USER=name PERM=list`` (or ``QUEUE``, ``ADMIN``,
    ``GROUP``). Keys are case-insensitive; permissions are kept in lower case, in the order
    written. Linear."""
    for line in reading.entries(text):
        _read_grant(reading, line)


def _read_grant(reading: EmsFileReading, line: Line) -> None:
    text, problems = without_comment(line.text)
    found = scan(text, 0, _KEYS)
    if not reading.accepts(
        line, [*problems, *(problem for prop in found for problem in prop.problems)]
    ):
        reading.lost()
        return
    values: dict[str, str] = {}
    extra = []
    for prop in found:
        key = prop.key.lower()
        flag = key == "admin" and prop.value is None
        if (flag or (key in _KEYS and prop.value)) and key not in values:
            values[key] = prop.value or ""
        else:
            extra.append(prop)
    scopes = values.keys() & (_SCOPES | {"admin"})
    principals = values.keys() & _PRINCIPALS
    if len(scopes) != 1 or len(principals) != 1 or "perm" not in values:
        reading.incomplete = True
        reading.unknown(
            line, found[0].column, "a line that is not `TOPIC|QUEUE=name USER|GROUP=name PERM=list`"
        )
        return
    for prop in extra:
        reading.unknown(line, prop.column, keys.shown_word(line.text, prop.column - 1, prop.key))
    scope, principal = scopes.pop(), principals.pop()
    permissions = tuple(
        word for part in values["perm"].split(",") if (word := part.strip(lexical.BLANK).lower())
    )
    keep_grant(
        reading,
        scope,
        values[scope],
        (principal, values[principal]),
        permissions,
        line,
        found[0].column,
    )


def keep_grant(
    reading: EmsFileReading,
    scope: str,
    name: str,
    principal: tuple[str, str],
    permissions: tuple[str, ...],
    line: Line,
    column: int,
) -> None:
    """Keep a grant of either format."""
    reading.keep(
        EmsGrant(
            bundle=reading.bundle,
            server=reading.server,
            source=reading.source(line.number, column),
            type=scope,
            name=name,
            principal_type=principal[0],
            principal=principal[1],
            permissions=permissions,
        )
    )
    if fault := wildcard_fault(name):
        reading.warning(NOT_A_WILDCARD, fault, line, column, TL_14)


def read_users(reading: EmsFileReading, text: str) -> None:
    """The users of a users.conf, ``name:password:"description"``. Linear."""
    for line in reading.entries(text):
        begin = len(line.text) - len(line.text.lstrip(_SPACE))
        # A URL in place of a name would be taken apart at its colons.
        written = without_user_info(line.text, urls_only=True) if "://" in line.text else line.text
        match = _USER.match(written, begin)
        if match is None or not match["name"].strip(_SPACE):
            reading.incomplete = True
            reading.unknown(line, begin + 1, 'a line that is not `name:password:"description"`')
            continue
        name, problems = hazard(match["name"].strip(_SPACE), begin)
        if not reading.accepts(line, problems):
            reading.lost()
            continue
        reading.keep(
            EmsUser(
                bundle=reading.bundle,
                server=reading.server,
                source=reading.source(line.number, begin + 1),
                name=_unquoted(name),
                description=_unquoted((match["description"] or "").strip(_SPACE)),
                password_set=bool(match["password"].strip(_SPACE)),
            )
        )


def read_groups(reading: EmsFileReading, text: str) -> None:
    """The groups of a groups.conf: ``name:"description"`` and a line for each member. Linear."""
    name, description, members = "", "", list[str]()
    source: Source | None = None

    def close() -> None:
        if source is not None:
            keep_group(reading, name, description, tuple(members), source)

    for line in reading.entries(text):
        begin = len(line.text) - len(line.text.lstrip(_SPACE))
        shown = line.text[begin:].rstrip(_SPACE)
        match = _GROUP.match(shown)
        head, problems = hazard(match["name"].strip(_SPACE) if match else shown, begin, '"')
        if not reading.accepts(line, problems):
            reading.lost()
        elif match is not None and head:
            close()
            name, description, members = _unquoted(head), _unquoted(match["description"]), []
            source = reading.source(line.number, begin + 1)
        elif match is None and source is not None:
            members.append(_unquoted(head))
        else:
            reading.incomplete = True
            reading.unknown(line, begin + 1, "a line before the first group")
    close()


def keep_group(
    reading: EmsFileReading, name: str, description: str, members: tuple[str, ...], source: Source
) -> None:
    """Keep a group of either format; a line such as ``pwd: tiger`` in place of one without what it
    sets."""
    lines = f"{name}: {description}", f"{name}:{description}"
    if any(without_arguments(line) != line for line in lines):
        description = SET
    reading.keep(
        EmsGroup(
            bundle=reading.bundle,
            server=reading.server,
            source=source,
            name=name,
            description=description,
            members=members,
        )
    )


def _unquoted(text: str) -> str:
    return text[1:-1] if lexical.is_quoted(text) else text
