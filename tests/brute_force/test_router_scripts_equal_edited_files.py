"""Applying a script of qdmanage equals importing the folder as a second reading edits it."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from brute_force.router_scripts import Command, Router
from draws import draws
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import topograph
from topograph.facts.amq_interconnect import Entity
from topograph.importers.amq_interconnect.commands import read_script
from topograph.network import Network
from topograph.systems.amq_interconnect import changes
from topograph.systems.contract.system import Change, FactSource
from topograph.systems.fact_sources import ChangedFacts

pytestmark = pytest.mark.slow

MANY = settings(max_examples=draws(75), deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMES = st.sampled_from(["n1", "n2", "n3", "n4"])
TEXTS = st.sampled_from(
    ["a", "a/b", "a.b", "/a/b/", "a/*", "*/b", "#/a", "a/#/*", "a/*/#", "b", "x.y"]
)
PLAIN = TEXTS.filter(lambda text: "#" not in text)
"""Texts that a .conf file holds as a prefix: there a # begins a comment."""
PORTS = st.sampled_from(["5001", "5002", "5003", "amqp"])
HOSTS = st.sampled_from(["h1", "h2", "h3"])


def optional(**given: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries({}, optional=given)


def joined(*parts: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[dict[str, str]]:
    return st.tuples(*parts).map(
        lambda each: {key: value for part in each for key, value in part.items()}
    )


NAMED = optional(name=NAMES)
TEXT = st.one_of(
    st.fixed_dictionaries({"prefix": PLAIN}), st.fixed_dictionaries({"pattern": TEXTS})
)
ROLE = optional(
    role=st.sampled_from(["normal", "inter-router", "inter-router", "edge", "route-container"]),
    cost=st.sampled_from(["1", "4"]),
)
TARGET = st.one_of(optional(connection=NAMES), st.just({"containerId": "broker"}))
DIRECTION = st.fixed_dictionaries({"direction": st.sampled_from(["in", "out"])})
TREATED = optional(
    distribution=st.sampled_from(["closest", "balanced", "multicast", "unavailable"]),
    waypoint=st.just("true"),
    priority=st.just("3"),
)
SECTIONS: Mapping[str, st.SearchStrategy[dict[str, str]]] = {
    "address": joined(NAMED, TEXT, TREATED),
    "listener": joined(NAMED, st.fixed_dictionaries({"host": HOSTS, "port": PORTS}), ROLE),
    "connector": joined(NAMED, st.fixed_dictionaries({"host": HOSTS, "port": PORTS}), ROLE),
    "linkRoute": joined(NAMED, TEXT, DIRECTION, TARGET),
    "autoLink": joined(NAMED, st.fixed_dictionaries({"address": PLAIN}), DIRECTION, TARGET,
    optional(phase=st.sampled_from(["0", "2"]))),
}  # fmt: skip

CREATES = st.sampled_from(sorted(SECTIONS)).flatmap(
    lambda type_: SECTIONS[type_].map(lambda attributes: Command("create", type_, attributes))
)
DELETES = st.builds(
    lambda type_, name: Command("delete", type_, name=name),
    st.sampled_from(sorted(SECTIONS)),
    NAMES,
)


@st.composite
def routers(draw: st.DrawFn, id_: str) -> Router:
    """A router that starts: what it would refuse is left out."""
    router = Router(
        id_,
        draw(st.sampled_from(["interior", "interior", "edge", "standalone"])),
        draw(st.sampled_from(["conf", "json"])),
        (),
    )
    for command in draw(st.lists(CREATES, max_size=6)):
        router = router.after(command) or router
    return router


def _read(folder: Path, estate: Mapping[str, Router]) -> Network:
    for name, router in estate.items():
        (folder / f"{name}.{router.form}").write_text(router.written())
    return topograph.read(folder)


def _facts(network: Network) -> FactSource:
    (part,) = network._model.parts
    return part.facts_of("amq_interconnect")


def _shown(facts: FactSource) -> Counter[str]:
    """The entities in a comparable form: without places, numbers that names count with, and what
    says which versions start.
    """
    found: Counter[str] = Counter()
    for fact in facts.facts():
        assert isinstance(fact, Entity)
        if fact.type != "startup":
            name = re.sub(r"^(address|linkRoute|autoLink)/\d+$", r"\1/", fact.name)
            row = [
                fact.bundle,
                fact.server,
                fact.type,
                name,
                sorted(fact.attributes),
                sorted(fact.stated),
                fact.origin,
            ]
            found[json.dumps(row)] += 1
    return found


def _graph(network: Network, change: Change) -> object:
    """What a network is after a change, without places and what the order of parallel links
    decides.
    """
    (part,) = network._model.parts
    estate = part.estate if change == Change() else part.estate.apply(change)
    tables = estate.compile().tables
    names = [server.name for server in tables.servers]
    links = Counter(
        (names[link.a], names[link.b], link.cost, link.role, link.configured_by, link.rule)
        for link in tables.links
    )
    points = {(point.key, point.kind, point.cost, point.rule) for point in tables.points}
    servers = {(server.name, server.loaded, server.open_ended) for server in tables.servers}
    return servers, links, points


@given(st.data())
@MANY
def test_applying_a_script_equals_importing_the_folder_as_edited_by_hand(
    data: st.DataObject,
) -> None:
    estate = {name: data.draw(routers(name), label=name) for name in "ABC"}
    edited = dict(estate)
    text, wanted = "", []
    for _ in range(data.draw(st.integers(1, 6))):
        at, command = (
            data.draw(st.sampled_from("ABC")),
            data.draw(st.one_of(CREATES, CREATES, DELETES)),
        )
        if edited[at].has_otherwise(
            command
        ):  # no file holds both (C-2), though a router takes it while it runs
            command = replace(
                command,
                attributes={
                    key: value for key, value in command.attributes.items() if key != "name"
                },
            )
        text += command.line(at, data.draw(st.integers(0, 5)))
        after = edited[at].after(command)
        wanted.append((at, after is not None))
        event("accepted" if after is not None else f"refused {command.verb}")
        edited[at] = after or edited[at]
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as behind:
        network, other = _read(Path(before), estate), _read(Path(behind), edited)
        facts, change = _facts(network), Change()
        found = []
        commands = read_script(text.encode(), "a-change.sh").commands
        for command in commands:
            now = ChangedFacts(facts, change)
            (at,) = changes.servers_at(now, command.connected)
            edit = changes.edit(now, at, command)
            found.append((at, edit.refused is None))
            change = Change(
                (*change.removed, *edit.change.removed), (*change.added, *edit.change.added)
            )
            change = Change(
                tuple(one for one in change.removed if one not in change.added),
                tuple(one for one in change.added if one not in change.removed),
            )
        assert found == wanted, (text, [one.fault for one in commands])
        assert _shown(ChangedFacts(facts, change)) == _shown(_facts(other))
        assert _graph(network, change) == _graph(other, Change())
        answer = network.audit(text)
        # A new error leaves the verdict open at least, though each command is taken; so may a new
        # connector, whose other end may be at a router that is not loaded (T-13).
        new = _errors(other) - _errors(network)
        taken = all(one for _, one in wanted)
        assert (answer.verdict == "reject") >= (not taken)
        assert (answer.verdict == "accept") <= (taken and not new)
        if taken and not new and not _connectors(edited) - _connectors(estate):
            assert answer.verdict == "accept"
        assert [step.result == "refused" for step in answer.steps] == [not one for _, one in wanted]
        before_reach, after_reach = _reach(network), _reach(other)
        assert set(answer.reach.gained) == after_reach - before_reach
        assert set(answer.reach.lost) | set(answer.reach.undetermined) >= before_reach - after_reach
        assert set(answer.reach.lost) <= before_reach - after_reach


def _connectors(routers: Mapping[str, Router]) -> set[str]:
    return {
        f"{name} {sorted(attributes.items())}"
        for name, router in routers.items()
        for type_, attributes in router.sections
        if type_ == "connector"
    }


def _errors(network: Network) -> set[tuple[str, str, str]]:
    """What is wrong, wherever it stands."""
    return {
        (row["kind"], row["server"], re.sub(r"[.]\w+(:\d+)+", "", row["message"]))
        for row in network.check().findings
        if row["severity"] == "error"
    }


def _reach(network: Network) -> set[tuple[str, str]]:
    return {(start, row.server) for start in "ABC" for row in network.reach(start).servers}
