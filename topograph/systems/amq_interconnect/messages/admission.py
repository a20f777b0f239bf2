"""What vhost policies do to the clients of one address: who is refused, and what an answer assumes
of those of which the files do not decide it (section 5, position 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.judgement import Polarity
from topograph.outcomes import Confidence
from topograph.records import record
from topograph.side_inputs import Client
from topograph.systems.amq_interconnect.messages.destinations import AttachRefusal
from topograph.systems.amq_interconnect.messages.policies import (
    CONDITION,
    DESCRIPTION,
    RULE,
    PolicySaid,
    said_of,
)
from topograph.systems.amq_interconnect.messages.records import Remark
from topograph.systems.amq_interconnect.messages.trace import RECEIVING, Followed
from topograph.systems.amq_interconnect.network.routers import Router
from topograph.tracing.trace import Note

_REFUSED = "the attach is refused"


@record(slots=False)
class ClientPolicies:
    """The policies of the routers of a network, asked about the clients of one address."""

    routers: Mapping[str, Router]
    address: str

    def sender(self, router: str, user: str, *, anonymous: bool) -> PolicySaid | None:
        """What the policy of a router says of the sender of a message, who is ``user`` where that
        is stated; None without one."""
        own = self.routers.get(router)
        if own is None:
            return None
        return said_of(own, self.address, "sender", user, anonymous=anonymous)

    def admitted(self, clients: Iterable[Client]) -> tuple[list[Client], list[Note]]:
        """The clients without those that a policy refuses, and a note for each of these that is
        one of the address."""
        kept, notes = [], []
        for client in clients:
            said = self._of(client)
            if said is None or said.allowed is not Polarity.NO:
                kept.append(client)
            elif client.destination == f"address:{self.address}":
                who = client.client_id or f"a client at {client.server}"
                notes.append(Note(RULE, f"{who} is left out: {said.text}", said.source))
        return kept, notes

    def _of(self, client: Client) -> PolicySaid | None:
        kind, _, address = client.destination.partition(":")
        own = self.routers.get(client.server)
        if own is None or kind != "address" or client.role not in RECEIVING:
            return None
        return said_of(own, address, "receiver", client.user)

    def barred(self) -> Mapping[str, Remark]:
        """Per router whose policy lets no receiver of the address attach, why."""
        return {
            name: Remark(RULE, Confidence.B, said.text, source=said.source)
            for name, said in self._receivers.items()
            if said.allowed is Polarity.NO
        }

    @cached_property
    def _receivers(self) -> Mapping[str, PolicySaid]:
        """What policies say of receivers of which nothing but the address is known."""
        found = (
            (name, said_of(router, self.address, "receiver"))
            for name, router in self.routers.items()
        )
        return {name: said for name, said in found if said is not None}

    def assumptions(
        self, sender: PolicySaid | None, clients: Iterable[Client], found: Followed
    ) -> Iterator[Assumption]:
        """What the answer rests on where a policy may refuse the sender, one of these clients or
        an assumed receiver that gets the message, or one by which the sender gets credit for a
        message that is dropped on its way."""
        said = [sender] if sender is not None else []
        got = {(end.server, end.source) for way in found.ways for end in way.ends}
        supposed = {end.server for way in found.assumed for end in way.ends}
        nobody = found.credit and not got
        takes = [
            client
            for client in clients
            if (client.server, client.source) in got
            or (nobody and client.destination == f"address:{self.address}")
        ]
        said += [one for client in takes if (one := self._of(client))]
        said += [one for name, one in sorted(self._receivers.items()) if name in supposed]
        texts = dict.fromkeys(one.text for one in said if one.allowed is Polarity.UNKNOWN)
        for text in texts:
            yield Assumption(RULE, Confidence.I, text, _REFUSED)


def refused_by_policy(said: PolicySaid) -> Followed:
    """What becomes of a message whose sender a policy does not let attach."""
    refusal = AttachRefusal(CONDITION, f"{DESCRIPTION}: {said.text}", RULE, said.source)
    return Followed(
        refusal=refusal,
        credit=False,
        ways=(),
        assumed=(),
        complete=True,
        positions=(),
        notes=(),
        link_routed=False,
    )
