"""What ``audit`` says of deliveries, on random estates with selectors, permissions, bridges,
durables and routed queues, equals a second reading that publishes every kind of message to every
destination at every server, before and after."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest
from brute_force.ems_bridges import (
    QUEUES,
    Bridge,
    Bridged,
    Reading,
    TooMany,
    bridged_estates,
    durable_line,
    starts,
)
from brute_force.ems_estate import PATTERNS, SELECTORS, TOPICS, Link, simple_paths
from draws import draws
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

import topograph
from topograph.audit import GivenScript

pytestmark = pytest.mark.slow

MANY = settings(
    max_examples=draws(36),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

MESSAGES: tuple[Mapping[str, object], ...] = tuple(
    {**({"country": country} if country else {}), **({"qty": qty} if qty is not None else {})}
    for country, qty in product(["", "Canada", "Mexico"], [None, 0, 3, 6, 12])
)
"""One message for each way in which the selectors of ``ems_estate`` can decide."""

PERMISSIONS = {"send": {"subscribe", "durable"}, "receive": {"publish"}}
"""What a server with permissions grants to the server that it sends to, and to the one that it
gets from (R49).
"""


@dataclass(frozen=True)
class Secured:
    """A bridged estate whose topic ``news`` is secure at some servers, with what these grant:
    (server, user) to permissions.
    """

    bridged: Bridged
    secure: frozenset[str]
    grants: Mapping[tuple[str, str], frozenset[str]]

    def read(self) -> Bridged:
        """The estate with what permissions stop."""
        estate = self.bridged.estate
        denied = frozenset(
            (start, end, "news")
            for link in estate.links
            for start, end in (link.ends, link.ends[::-1])
            if any(
                at in self.secure and not self.grants.get((at, other), frozenset()) >= needed
                for at, other, needed in (
                    (start, end, PERMISSIONS["send"]),
                    (end, start, PERMISSIONS["receive"]),
                )
            )
        )
        return replace(self.bridged, estate=replace(estate, denied=denied))

    def write(self, root: Path) -> None:
        self.bridged.write(root)
        for server in self.bridged.estate.servers:
            folder = root / server
            rows = [
                f"TOPIC=news USER={user} PERM={','.join(sorted(held))}\n"
                for (at, user), held in self.grants.items()
                if at == server and held
            ]
            (folder / "acl.conf").write_text("".join(rows), encoding="utf-8")
            with (folder / "tibemsd.conf").open("a", encoding="utf-8") as main:
                main.write("acl_list = acl.conf\nauthorization = enabled\n")
            if server in self.secure:
                with (folder / "topics.conf").open("a", encoding="utf-8") as topics:
                    topics.write("news secure\n")
        clients = [
            (server, f"topic:{topic}", "subscriber") for server, topic in self.bridged.subscribers
        ]
        clients += [
            (server, f"queue:{queue}", "receiver")
            for queue, server in self.bridged.consumers.items()
        ]
        rows = [
            f"  - {{server: {at}, destination: '{name}', role: {role}}}\n"
            for at, name, role in clients
        ]
        (root / "topograph.yaml").write_text("clients:\n" + "".join(rows), encoding="utf-8")


@st.composite
def secured_estates(draw: st.DrawFn) -> Secured:
    bridged = draw(bridged_estates())
    kept: tuple[Link, ...] = ()
    for link in bridged.estate.links:
        if is_legal(replace(bridged, estate=replace(bridged.estate, links=(*kept, link)))):
            kept = (*kept, link)
    servers = bridged.estate.servers
    durables = st.tuples(
        st.sampled_from(servers),
        st.sampled_from(TOPICS[::2]),
        st.sampled_from(["", *sorted(SELECTORS)]),
    )
    known = bridged.subscribers or (
        (servers[0], "news"),
    )  # where no client is known, one is supposed everywhere
    bridged = replace(
        bridged,
        estate=replace(bridged.estate, links=kept),
        subscribers=known,
        durables=tuple(draw(st.lists(durables, unique=True, max_size=2))),
    )
    secure = draw(st.frozensets(st.sampled_from(servers), max_size=1))
    held = st.frozensets(st.sampled_from(["subscribe", "durable", "publish"]), min_size=2)
    grants = {(at, other): draw(held) for at in sorted(secure) for other in servers if other != at}
    return Secured(bridged, secure, grants)


def is_legal(bridged: Bridged) -> bool:
    for start in bridged.estate.servers:
        ends = [path[-1] for path in simple_paths(bridged.estate, start)]
        if len(ends) != len(set(ends)):
            return False
    return True


def changed(draw: st.DrawFn, was: Secured) -> tuple[str, str, Secured] | None:
    """A command that is accepted, the server it is given to, and the estate after it; None where
    there is nothing to change in the way drawn.
    """
    bridged = was.bridged
    estate = bridged.estate
    server = draw(st.sampled_from(estate.servers))
    what = draw(
        st.sampled_from(
            ["selector", "selector", "route", "global", "bridge", "durable", "queue", "grant"]
        )
    )
    routes = [link for link in estate.links if server in link.configured_on]
    if what in ("selector", "route"):
        if not routes:
            return None
        link = draw(st.sampled_from(routes))
        other = next(end for end in link.ends if end != server)
        own = [one for one in link.selectors if one[0] == server]
        rest = tuple(one for one in link.selectors if one[0] != server)
        if what == "route":
            ends = tuple(one for one in link.configured_on if one != server)
            after = replace(link, configured_on=ends, selectors=rest)
            links = tuple(after if one is link else one for one in estate.links)
            left = replace(estate, links=tuple(one for one in links if one.configured_on))
            return (
                f"delete route {other}",
                server,
                replace(was, bridged=replace(bridged, estate=left)),
            )
        verb = draw(st.sampled_from(["addprop", "setprop", "removeprop"]))
        if verb == "removeprop":
            if not own:
                return None
            gone = draw(st.sampled_from(own))
            line = f"removeprop route {other} {gone[1]}_topic={gone[2]}"
            own = [one for one in own if one[1:3] != gone[1:3]]
        else:
            new = (
                server,
                draw(st.sampled_from(["incoming", "outgoing"])),
                draw(st.sampled_from(sorted(PATTERNS))),
                draw(st.sampled_from(sorted(SELECTORS))),
            )
            line = f'{verb} route {other} {new[1]}_topic={new[2]} selector="{new[3]}"'
            own = [*(one for one in own if verb == "addprop" and one[1:3] != new[1:3]), new]
        after = replace(link, selectors=(*rest, *own))
        links = tuple(after if one is link else one for one in estate.links)
        return (
            line,
            server,
            replace(was, bridged=replace(bridged, estate=replace(estate, links=links))),
        )
    if what == "global":
        pattern = draw(
            st.sampled_from([one for one in sorted(PATTERNS) if one not in (">", "news")])
        )
        own_patterns = estate.global_topics[server]
        if pattern in own_patterns:
            if any(one.source == f"topic:{pattern}" for one in bridged.bridges[server]):
                return None  # the server refuses it
            line, now = (
                f"delete topic {pattern}",
                tuple(one for one in own_patterns if one != pattern),
            )
        else:
            line, now = f"create topic {pattern} global", (*own_patterns, pattern)
        topics = {**estate.global_topics, server: now}
        return (
            line,
            server,
            replace(was, bridged=replace(bridged, estate=replace(estate, global_topics=topics))),
        )
    if what == "bridge":
        present = bridged.bridges[server]
        if present and draw(st.booleans()):
            gone_ = draw(st.sampled_from(present))
            left_ = tuple(one for one in present if one is not gone_)
            line = f"delete bridge source={gone_.source} target={gone_.target}"
        else:
            names = [
                *(f"topic:{one}" for one in TOPICS[::2]),
                *(f"queue:{one}" for one in bridged.entries[server]),
            ]
            new_ = Bridge(
                *draw(st.permutations(names))[:2], draw(st.sampled_from(["", *sorted(SELECTORS)]))
            )
            if any((one.source, one.target) == (new_.source, new_.target) for one in present):
                return None
            left_ = (*present, new_)
            selector = f' selector="{new_.selector}"' if new_.selector else ""
            line = f"create bridge source={new_.source} target={new_.target}{selector}"
        return (
            line,
            server,
            replace(was, bridged=replace(bridged, bridges={**bridged.bridges, server: left_})),
        )
    if what == "durable":
        held_ = [one for one in bridged.durables if one[0] == server]
        if held_ and draw(st.booleans()):
            gone__ = draw(st.sampled_from(held_))
            line = f"delete durable {durable_line(*gone__[1:]).split()[1]}"
            durables = tuple(one for one in bridged.durables if one != gone__)
        else:
            topic, selector = (
                draw(st.sampled_from(TOPICS[::2])),
                draw(st.sampled_from(["", *sorted(SELECTORS)])),
            )
            if (server, topic, selector) in bridged.durables:
                return None
            line = f"create durable {durable_line(topic, selector)}"
            durables = (*bridged.durables, (server, topic, selector))
        return line, server, replace(was, bridged=replace(bridged, durables=durables))
    if what == "queue":
        queue = draw(st.sampled_from(QUEUES))
        homes = {
            name: at
            for at, own_ in bridged.entries.items()
            for name, owner in own_.items()
            if owner == at
        }
        entries = dict(bridged.entries[server])
        if homes.get(queue) in (None, server):
            return None
        if queue in entries:
            if any(f"queue:{queue}" in (one.source, one.target) for one in bridged.bridges[server]):
                # of a source the server refuses it; what a bridge to a queue that is gone does is
                # not documented
                return None
            del entries[queue]
            line = f"delete queue {queue}@{homes[queue]}"
        else:
            entries[queue] = homes[queue]
            line = f"create queue {queue}@{homes[queue]}"
        return (
            line,
            server,
            replace(was, bridged=replace(bridged, entries={**bridged.entries, server: entries})),
        )
    if server not in was.secure or len(estate.servers) < 2:
        return None
    user = draw(st.sampled_from([one for one in estate.servers if one != server]))
    permission = draw(st.sampled_from(["subscribe", "durable", "publish"]))
    held__ = was.grants.get((server, user), frozenset())
    verb = "revoke" if permission in held__ else "grant"
    now_ = held__ - {permission} if verb == "revoke" else held__ | {permission}
    return (
        f"{verb} topic news user={user} {permission}",
        server,
        replace(was, grants={**was.grants, (server, user): now_}),
    )


def delivered(secured: Secured) -> dict[tuple[str, str, int], set[tuple[str, str]]]:
    """By server, destination and message who gets it."""
    bridged = secured.read()
    return {
        (server, destination, number): {
            key
            for key, copies in Reading(bridged, values).send(server, destination).delivered.items()
            if copies
        }
        for number, values in enumerate(MESSAGES)
        for server, destination in starts(bridged)
    }


@MANY
@given(secured_estates(), st.data())
def test_who_gets_other_messages_than_before(before: Secured, data: st.DataObject) -> None:
    after, given_ = before, list[GivenScript]()
    for number in range(data.draw(st.integers(1, 3))):
        step = data.draw(st.composite(changed)(after))
        if step is not None:
            line, server, after = step
            given_.append(GivenScript(line.encode(), f"change{number}", server))
    assume(given_)
    try:
        was, now = delivered(before), delivered(after)
    except TooMany:
        assume(False)
    with tempfile.TemporaryDirectory() as folder:
        before.write(Path(folder))
        answer = topograph.read(folder).audit(given_)
    assert {step.result for step in answer.steps} <= {"accepted", "no-effect"}, answer.rejections
    event(f"exact: {answer.exact}")
    for rows, had, has in (
        (answer.deliveries.lost, was, now),
        (answer.deliveries.gained, now, was),
    ):
        moved = {key for asked in had for key in had[asked] - has[asked]}
        told = {(row.server, row.destination) for row in rows}
        assert told <= moved
        if answer.exact:
            assert moved == told
        for row in rows:  # each witness is what it says
            second = {
                side: Reading(of.read(), row.witness)
                for side, of in (("was", before), ("now", after))
            }
            asked_at = next(
                (probe for probe in starts(before.bridged) if probe[0] == row.from_), None
            )
            assert asked_at is not None
            ends = {
                side: [
                    {
                        key
                        for key, copies in reading.send(row.from_, destination).delivered.items()
                        if copies
                    }
                    for at, destination in starts(before.bridged)
                    if at == row.from_
                ]
                for side, reading in second.items()
            }
            key = row.server, row.destination
            first, last = ("was", "now") if rows is answer.deliveries.lost else ("now", "was")
            assert any(
                key in had_ and key not in has_
                for had_, has_ in zip(ends[first], ends[last], strict=True)
            )
    assert answer.would_lose == answer.would_gain == ()
