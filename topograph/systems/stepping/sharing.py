"""A network before a change, with the steps of the network after it wherever both step alike: what
is worked out of one of them is worked out of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property

from topograph.records import record
from topograph.systems.contract.system import Failure
from topograph.systems.stepping.estate import SteppingEstate
from topograph.systems.stepping.messages import FollowedEstate
from topograph.tracing.states import Seam, State, Stepping, Systems, Transition


def sharing_steps(before: SteppingEstate, after: SteppingEstate) -> FollowedEstate:
    """The network before, which steps as the one after does at all servers but those that the
    change between them touches; as it is where that is not known."""
    touched = touched_servers(before, after)
    return before if touched is None else _Sharing(before, after, touched)


def touched_servers(
    before: SteppingEstate, after: SteppingEstate
) -> Mapping[str, Collection[str]] | None:
    """By system the servers at which states may step otherwise after a change; None where these
    may be all. Linear in the change, in the servers, and in what a system looks at
    (``Stepping.touched_by``)."""
    changes = after.changes_since(before)
    if changes is None:
        return None
    found: dict[str, Collection[str]] = {}
    for name, change in changes.items():
        facts = (*change.removed, *change.added)
        own = before.systems[name]
        servers, others = (
            {one.name: one for one in side.systems[name].servers} for side in (before, after)
        )
        touched = own.touched_by(facts) if facts else ()
        if touched is None or servers.keys() != others.keys():
            return None
        found[name] = {*touched, *(one for one in servers if servers[one] != others[one])}
    return found


@record(slots=False)
class _Sharing:
    """See ``sharing_steps``."""

    before: SteppingEstate
    after: SteppingEstate
    touched: Mapping[str, Collection[str]]

    @cached_property
    def systems(self) -> Systems:
        """What each system says of its servers."""
        others = self.after.systems
        return {
            name: replace(own, step=_step(own, others[name], self.touched[name]))
            for name, own in self.before.systems.items()
        }

    @property
    def seams(self) -> tuple[Seam, ...]:
        """How states of one system are states of another."""
        return self.before.seams

    def failed_by(self, failure: Failure) -> SteppingEstate:
        """The same while something is out of order, which shares nothing."""
        return self.before.failed_by(failure)


def _step(
    own: Stepping, other: Stepping, touched: Collection[str]
) -> Callable[[State], Transition]:
    def step(state: State) -> Transition:
        return (own if state.server in touched else other).step(state)

    return step
