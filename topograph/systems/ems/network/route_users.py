"""Whether a server lets the servers log in that connect to it over routes (R50, ems.md 1.1).

With ``authorization`` enabled a server that connects has to be a user: the one with its own server
name. Of a route that both ends configure it is enough that one of them gets in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from topograph.assumptions import Assumption
from topograph.facts.ems import EmsRoute, EmsUser
from topograph.findings import Source
from topograph.rules.ems_links import ROUTE_USER_MISSING, TL_21
from topograph.systems.contract.bearing import Concerned

if TYPE_CHECKING:
    from topograph.systems.ems.network.configured import Configured

LOCAL = "local"
"""The value of ``user_auth`` for users.conf, which holds where none is stated."""


class Login(StrEnum):
    """Whether a server gets in."""

    YES = "yes"
    NO = "no"
    NOT_KNOWN = "not known"


def login(name: str, passive: Configured) -> Login:
    """Whether the server ``name`` gets in at another one."""
    server = passive.member.server
    if not server.authorization:
        return Login.YES
    users = passive.users
    ways = authenticators(passive)
    if LOCAL in ways and name in users:
        return Login.YES
    whole = "users" not in server.missing and (users or "users" in dict(server.parameters))
    return Login.NO if ways == {LOCAL} and whole else Login.NOT_KNOWN


def authenticators(passive: Configured) -> set[str]:
    """What a server asks for users (``user_auth``)."""
    said = dict(passive.member.server.parameters).get("user_auth", "")
    return {word.strip().lower() for word in said.split(",") if word.strip()} or {LOCAL}


def assumed_users(
    servers: Mapping[str, Configured], routes: Iterable[EmsRoute]
) -> list[Assumption]:
    """That the servers that configure a link get in at its other end, where the loaded files do
    not say whether one of them does."""
    sides = [
        (route, login(route.server, servers[route.name]))
        for route in routes
        if route.name in servers
    ]
    if not sides or any(said is Login.YES for _, said in sides):
        return []
    return [
        _assumed(route, servers[route.name]) for route, said in sides if said is Login.NOT_KNOWN
    ]


def _assumed(route: EmsRoute, passive: Configured) -> Assumption:
    ways = authenticators(passive)
    why = (
        "the users of users.conf are not loaded"
        if ways == {LOCAL}
        else f"user_auth is {','.join(sorted(ways))}, so that users.conf does not list all users"
    )
    text = (
        f"{passive.name}, where authorization is enabled, lets {route.server} log in as user "
        f"{route.server}: {why}"
    )
    return Assumption("R50", "M", text, f"the route of {route.server} does not come up")


def users_missing(servers: Mapping[str, Configured]) -> Iterator[tuple[Concerned, bool]]:
    """The routes whose server does not get in at the other one, by server (R50), each with whether
    that is worth a finding: not where the other server configures the route too and gets in with
    it. Linear in routes and users."""
    for name in sorted(servers):
        for route in servers[name].of(EmsRoute):
            passive = servers.get(route.name)
            if passive is None or route.name == name or login(name, passive) is not Login.NO:
                continue
            back = any(one.name == name for one in passive.of(EmsRoute))
            gets_in = back and login(route.name, servers[name]) is not Login.NO
            users = passive.of(EmsUser)
            place = Source(users[0].source.file) if users else passive.member.server.place("users")
            text = (
                f"{name} connects to {route.name} as user {name}, authorization is enabled there, "
                f"and users.conf of {route.name} has no user {name}: the route does not come up."
            )
            finding = TL_21.at(place, text, server=route.name)
            yield Concerned(ROUTE_USER_MISSING, finding, name, route.name), not gets_in
