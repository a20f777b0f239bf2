"""Who may do what with one destination, by which lines; and what servers at the other end of
routes need there and lack (R49, R50, R107).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsGrant, EmsGroup, EmsRoute, EmsServer, EmsUser
from topograph.findings import Source
from topograph.message import DestinationName
from topograph.records import record
from topograph.systems.contract.system import FactSource, Row
from topograph.systems.ems.destinations.guards import RECEIVE_PERMISSIONS, SEND_PERMISSIONS
from topograph.systems.ems.destinations.subscribers import in_use
from topograph.systems.ems.destinations.topics import is_temporary, matches

EVERYTHING = "all"
"""The permission that stands for each."""


@record(slots=False)
class _Server:
    """What one server says of the destination asked about."""

    main: EmsServer
    entries: Sequence[EmsDestination]
    grants: Sequence[EmsGrant]
    groups: Mapping[str, EmsGroup]
    users: Collection[str]
    all_grants: Sequence[EmsGrant]

    @classmethod
    def of(cls, facts: Sequence[Fact], named: DestinationName) -> _Server | None:
        """Out of the facts of one server; None where no main file is loaded."""
        own = in_use(facts)
        main = next((fact for fact in own if isinstance(fact, EmsServer)), None)
        if main is None:
            return None
        grants = [fact for fact in own if isinstance(fact, EmsGrant)]
        return cls(
            main,
            [
                f
                for f in own
                if isinstance(f, EmsDestination)
                and f.type == named.type
                and matches(f.name, named.name)
            ],
            [
                grant
                for grant in grants
                if grant.type == named.type and matches(grant.name, named.name)
            ],
            {fact.name: fact for fact in own if isinstance(fact, EmsGroup)},
            {fact.name for fact in own if isinstance(fact, EmsUser)},
            grants,
        )

    def secure(self, name: str) -> EmsDestination | None:
        """The entry that makes the destination secure; temporary ones inherit from their own
        patterns only (R84).
        """
        return next(
            (
                entry
                for entry in self.entries
                if ("secure", "true") in entry.properties
                and (is_temporary(entry.name) or not is_temporary(name))
            ),
            None,
        )

    def of_user(self, user: str) -> list[EmsGrant]:
        """The grants that hold for a user, those of its groups included."""
        groups = {name for name, group in self.groups.items() if user in group.members}
        principals = {("user", user), *(("group", name) for name in groups)}
        return [
            grant for grant in self.grants if (grant.principal_type, grant.principal) in principals
        ]


def access(source: FactSource, named: DestinationName, user: str) -> Iterator[Row]:
    """The rows of ``show access DESTINATION``, by server: each permission with the line that grants
    it, each member of a group by itself; where it is checked at all; and for routes what is
    missing, with the line to add and where it would stand. With ``user`` for one user only.

    Linear in the facts of permissions, destinations and routes."""
    by_server: dict[str, list[Fact]] = {}
    for fact in source.facts(("server", "destination", "grant", "group", "user", "route")):
        by_server.setdefault(fact.server, []).append(fact)
    neighbours = _neighbours(by_server)
    for name in sorted(by_server):
        server = _Server.of(by_server[name], named)
        if server is None or not (server.entries or server.grants):
            continue
        yield from _checked(name, server, named)
        yield from _granted(name, server, named, user)
        if server.main.authorization and server.secure(named.name) is not None:
            for other in sorted(neighbours.get(name, ())):
                if user in ("", other):
                    yield from _needed(name, server, named, other)


def _neighbours(by_server: Mapping[str, Sequence[Fact]]) -> dict[str, set[str]]:
    """The servers at the other ends of routes, whichever side configures them (R1)."""
    found: dict[str, set[str]] = {}
    for name, facts in by_server.items():
        for fact in in_use(facts):
            if isinstance(fact, EmsRoute) and fact.name != name:
                found.setdefault(name, set()).add(fact.name)
                found.setdefault(fact.name, set()).add(name)
    return found


def _row(
    server: str, named: DestinationName, who: str, permissions: str, state: str, source: Source
) -> Row:
    return {
        "server": server,
        "what": str(named),
        "who": who,
        "permissions": permissions,
        "state": state,
        "source": source.to_dict(),
    }


def _checked(name: str, server: _Server, named: DestinationName) -> Iterator[Row]:
    """Whether permissions are checked there."""
    missing = {"acl_list", "groups", f"{named.type}s"} & set(server.main.missing)
    secure = server.secure(named.name)
    if missing:
        state = f"not known: {', '.join(sorted(missing))} of {name} not found or not all read"
        yield _row(name, named, "", "", state, server.main.source)
    elif not server.main.authorization:
        state = "not checked: authorization is not enabled"
        yield _row(name, named, "", "", state, server.main.place("authorization"))
    elif secure is None:
        yield _row(
            name,
            named,
            "",
            "",
            "not checked: it is not secure",
            server.entries[0].source if server.entries else server.main.source,
        )
    else:
        yield _row(name, named, "", "", "checked: it is secure", secure.source)


def _granted(name: str, server: _Server, named: DestinationName, user: str) -> Iterator[Row]:
    """A row a grant and user; a group is each of its members, and itself where it has none."""
    for grant in server.of_user(user) if user else server.grants:
        permissions = ", ".join(grant.permissions)
        if grant.principal_type == "user":
            yield _row(name, named, f"user {grant.principal}", permissions, "granted", grant.source)
            continue
        group = server.groups.get(grant.principal)
        state = f"granted through group {grant.principal}"
        if group is None or not group.members:
            said = f"{state}, which {'has no members' if group else 'is defined nowhere there'}"
            yield _row(name, named, f"group {grant.principal}", permissions, said, grant.source)
            continue
        for member in group.members:
            if user in ("", member):
                yield _row(
                    name,
                    named,
                    f"user {member}",
                    permissions,
                    f"{state} ({group.source})",
                    grant.source,
                )


def _needed(name: str, server: _Server, named: DestinationName, other: str) -> Iterator[Row]:
    """What the server at the other end of a route lacks as a user (R49, R50; for queues R107,
    where only ``send`` is sure).
    """
    if {"acl_list", "groups"} & set(server.main.missing):
        return
    given = {permission for grant in server.of_user(other) for permission in grant.permissions}
    if EVERYTHING in given:
        return
    needs = (
        (
            (f"for messages from {name} to {other}", SEND_PERMISSIONS),
            (f"for messages from {other} to {name}", RECEIVE_PERMISSIONS),
        )
        if named.type == "topic"
        else ((f"for messages from {other} to {name}", ("send",)),)
    )
    for what, wanted in needs:
        lacking = [
            permission for permission in sorted(wanted, reverse=True) if permission not in given
        ]
        if lacking:
            line = f"{named.type.upper()}={named.name} USER={other} PERM={','.join(lacking)}"
            text = f"missing {what}: add {line}"
            yield _row(name, named, f"user {other}", ", ".join(lacking), text, _after_last(server))


def _after_last(server: _Server) -> Source:
    """Where a line would be added: behind the last grant, or where the main file names the file
    of grants.
    """
    if not server.all_grants:
        return server.main.place("acl_list")
    last = max(server.all_grants, key=lambda grant: (grant.source.file, grant.source.line)).source
    return Source(last.file, last.line + 1, 1)
