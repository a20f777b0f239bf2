"""Sets of servers as policies name them: names, patterns, zones, systems and clusters."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from topograph.audit.policy import Exclusion, Group, Policy, ServerSet
from topograph.errors import UnknownServer
from topograph.questions.model import Model
from topograph.systems import system as system_named
from topograph.systems import systems_in
from topograph.words.did_you_mean import did_you_mean


class ServerSets:
    """The servers of two states of a network, by label, and the sets that they are in."""

    def __init__(self, before: Model, after: Model) -> None:
        self._states = (after, before)
        self.known = sorted({*after.server_names(), *before.server_names()})

    def of(self, wanted: ServerSet, policy: Policy) -> list[str]:
        """The labels of the servers that a policy names. Raises UnknownServer for a name, pattern
        or set without any.
        """
        found: dict[str, None] = {}
        for one in wanted:
            own = self._of_group(one) if isinstance(one, Group) else _like(one, self.known)
            if not own:
                raise UnknownServer(f"{policy.source}: {self._nobody(one, policy)}")
            found |= dict.fromkeys(own)
        return list(found)

    def pairs(self, wanted: Exclusion, policy: Policy) -> Callable[[str, str], bool]:
        """Whether a pair of labels is one of those that are left out, or waived."""
        starts, ends = (frozenset(self.of(names, policy)) for names in (wanted.from_, wanted.to))
        if wanted.either:
            return lambda start, end: start in starts or end in starts
        return lambda start, end: start in starts and end in ends

    def _nobody(self, wanted: str | Group, policy: Policy) -> str:
        network = self._states[0].network
        if isinstance(wanted, Group):
            return (
                f"no server of network {network} is in {wanted}, which the policy {policy.id} "
                f"names.{self._hint(wanted)}"
            )
        hint = did_you_mean(wanted, self.known)
        return (
            f"no server of network {network} is called {wanted!r}, which "
            f"the policy {policy.id} names.{hint}"
        )

    def _hint(self, wanted: Group) -> str:
        for name, held in (
            (wanted.zone, self._zones),
            (wanted.system, self._systems),
            (wanted.cluster, self._clusters),
        ):
            if name and name not in held:
                return did_you_mean(name, sorted(held))
        return ""

    def _of_group(self, wanted: Group) -> list[str]:
        found: Collection[str] = self.known
        for name, held in (
            (wanted.zone, self._zones),
            (wanted.system, self._systems),
            (wanted.cluster, self._clusters),
        ):
            if name:
                own: Collection[str] = held.get(name, ())
                found = [one for one in found if one in own]
        return _like(wanted.pattern, found) if wanted.pattern else [*found]

    @cached_property
    def _zones(self) -> Mapping[str, set[str]]:
        """By zone the servers with a link in it. Linear in the links."""
        found: dict[str, set[str]] = {}
        for model in self._states:
            for part in model.parts:
                servers = part.graph.servers
                for link in part.graph.links:
                    if link.zone:
                        ends = {model.label(servers[end]) for end in (link.a, link.b)}
                        found.setdefault(link.zone, set()).update(ends)
        return found

    @cached_property
    def _systems(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for model in self._states:
            for place in model.places():
                found.setdefault(place.system, set()).add(model.label(place.server))
        return found

    @cached_property
    def _clusters(self) -> Mapping[str, set[str]]:
        """By cluster its members, as their system says it."""
        found: dict[str, set[str]] = {}
        for model in self._states:
            for part in model.parts:
                for system in systems_in(part.graph):
                    groups = system_named(system).capabilities.groups
                    if groups is None:
                        continue
                    held = groups(part.facts_of(system), part.side_inputs, part.graph)
                    labels = {
                        one.name: model.label(one)
                        for one in part.graph.servers
                        if one.system == system
                    }
                    for one in held:
                        if one.kind == "cluster":
                            own = {labels[name] for name in one.servers if name in labels}
                            found.setdefault(one.name, set()).update(own)
        return found


def _like(name: str, labels: Collection[str]) -> list[str]:
    """The labels that a pattern with * and ? matches."""
    pattern = re.compile(
        ".*".join(".".join(map(re.escape, part.split("?"))) for part in name.split("*")),
        re.DOTALL,
    )
    return [label for label in labels if pattern.fullmatch(label)]
