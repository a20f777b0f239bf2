"""What a message in a cluster has behind it that decides where it goes on: the state of a step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from topograph.systems.rabbitmq.places import Place
from topograph.tracing.states import State

REJECTED, EXPIRED, FULL, DELIVERED = "rejected", "expired", "maxlen", "delivery_limit"
"""Why a queue gave a message up, as the header ``x-death`` has it."""

EVER, WHILE_REJECTED = "ever", "while rejected"

_REJECTION = f'["{REJECTED} '
"""What the mark of a rejection begins with."""

Death = tuple[str, str]
"""The name of a queue, and why it gave the message up."""

Visit = tuple[str, str]
"""A cluster and a virtual host that a federation link brought the message from."""


class Travel(NamedTuple):
    """``key`` is the routing key, None where the sender does not state it. ``visits`` are the
    virtual hosts that federation links brought it from, ``deaths`` the queues that gave it up, the
    last one first, and ``acts`` what published it again, one after the other.

    ``expiration`` is its own time to live: None where the sender does not state it, empty where it
    has none. ``exchange`` is the exchange it was last published to, where that matters. ``user`` is
    who publishes it, until the broker has taken it. ``traced``: the message of a question, of which
    all acts are kept; others stand for all messages, and keep those only that may come again.
    ``dying``: it is a dead letter that no consumer rejected, not in a queue yet. ``by`` is what
    published it again where it may come back there, ``fresh``: it was just published so; both are
    of messages that stand for all. ``headers`` are those of messages that are tried, with their
    values as JSON text; None where only the sender states them."""

    key: str | None = None
    visits: tuple[Visit, ...] = ()
    deaths: tuple[Death, ...] = ()
    acts: tuple[str, ...] = ()
    expiration: str | None = None
    exchange: str = ""
    user: str | None = None
    traced: bool = False
    dying: bool = False
    by: str = ""
    fresh: bool = False
    headers: tuple[tuple[str, str], ...] | None = None

    def at(self, place: Place) -> State:
        """The state of such a message at a place."""
        data = json.dumps([place[1:], self], ensure_ascii=False, separators=(",", ":"))
        return State(place.server, place.label, data, (place, self))

    def died(self, queue: str, why: str, *, turns: bool) -> tuple[Death, ...]:
        """The deaths after one more: the same one again moves to the front. Old versions turn the
        order of the others round each time (``turns``). Of a message that stands for all, those
        are kept that a circle depends on: since the last rejection, in any order."""
        if not self.traced:
            return () if why == REJECTED else tuple(sorted({*self.deaths, (queue, EXPIRED)}))
        before = self.deaths[::-1] if turns else self.deaths
        return ((queue, why), *(one for one in before if one != (queue, why)))

    def comes_back_by_itself(self, queue: str) -> bool:
        """Whether a queue gave the message up before, and since then no consumer rejected it."""
        for name, why in self.deaths:
            if why == REJECTED:
                return False
            if name == queue:
                return True
        return False

    def was_rejected_and_comes_back(self, queue: str) -> bool:
        """Whether a queue gave the message up before, and a consumer rejected it at any time."""
        whys = {why for _, why in self.deaths}
        return REJECTED in whys and any(name == queue for name, _ in self.deaths)

    def mark(self, act: str) -> str:
        """An act with what it depends on: with the same mark the same comes again."""
        said = [act, self.key, self.visits, self.deaths, self.expiration, self.exchange]
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    def goes_round(self, mark: str) -> str:
        """Whether the act of a mark comes again: ``EVER``, or only where consumers reject the
        message again as they did since (``WHILE_REJECTED``); empty where it does not."""
        if mark not in self.acts:
            return ""
        since = self.acts[self.acts.index(mark) :]
        rejected = any(one.startswith(_REJECTION) for one in since)
        return WHILE_REJECTED if rejected else EVER

    def times_given_up(self, queue: str = "") -> int:
        """How often a queue (by its label and server), or any of them, gave it up."""
        begins = tuple(
            f"[{json.dumps(f'{why} {queue}', ensure_ascii=False)}," if queue else f'["{why} '
            for why in (REJECTED, EXPIRED, FULL, DELIVERED)
        )
        return sum(one.startswith(begins) for one in self.acts)


def decoded(state: State) -> tuple[Place, Travel]:
    """Place and travel of a state that ``Travel.at`` made."""
    if state.decoded is not None:
        found: tuple[Place, Travel] = state.decoded
        return found
    place, travel = json.loads(state.data)
    found_travel = Travel(*travel)
    headers = found_travel.headers
    return (
        Place(state.server, *place),
        found_travel._replace(
            visits=tuple(map(_pair, found_travel.visits)),
            deaths=tuple(map(_pair, found_travel.deaths)),
            acts=tuple(found_travel.acts),
            headers=None if headers is None else tuple(map(_pair, headers)),
        ),
    )


def _pair(of: Sequence[str]) -> tuple[str, str]:
    return of[0], of[1]
