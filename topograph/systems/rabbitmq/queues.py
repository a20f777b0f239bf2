"""What becomes of a message in a queue: the ways out of it (RQ-12 to RQ-16, RQ-19,
RQ-20, RQ-23).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from topograph.assumptions import Assumption
from topograph.facts import rabbitmq as f
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.outcomes import Confidence, Outcome
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.federation import Federation
from topograph.systems.rabbitmq.onward import Onward
from topograph.systems.rabbitmq.out_of_order import of_link, of_shovel
from topograph.systems.rabbitmq.places import EXCHANGE, QUEUE, Place
from topograph.systems.rabbitmq.policies import QUORUM, STREAM, Setting
from topograph.systems.rabbitmq.travel import DELIVERED, EVER, EXPIRED, FULL, REJECTED, Travel
from topograph.tracing.states import OpenEnd, Transition, Way
from topograph.tracing.trace import Ending, Kind

REJECTION = "a consumer rejects it"
"""The condition of a dead letter that is rejected."""

MOST_DEAD = 3
"""So many dead letters of dead letters of a message are followed: each may happen or not."""

OVERFLOWS = ("drop-head", "reject-publish", "reject-publish-dlx")


class Queues:
    """The queues of a network."""

    def __init__(
        self,
        configuration: Configuration,
        federation: Federation,
        onward: Onward,
        rounds: int = 1,
        stopped: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> None:
        self.configuration, self.federation, self.onward = configuration, federation, onward
        self._stopped = stopped
        self.rounds = rounds
        """How often one queue may give a message up, and that is followed: where it is back after
        that, the same may happen again."""

    def step(self, queue: Place, travel: Travel) -> Transition:
        """The ways out of a queue: to who takes from it, and to its dead letters."""
        if queue not in self.configuration.queues:
            ending = Ending(Outcome.DISCARDED, {"reason": f"no {queue.label}"})
            text = f"there is no {queue.label}: nothing gets further"
            guard = self.configuration.not_understood(queue.server, "queues")
            source = self.configuration.source(queue)
            return Transition((Way(ending, text, "RQ-7", source=source, guard=guard),))
        full = self._full(queue)
        if full is not None and full.value == 0 and self._overflow(queue) == "reject-publish":
            refused = Way(*_refusal(queue, full), source=full.source)
            ways = [refused]
            if self._holds_empty_ones(queue):
                ways = list(self._if_empty(queue, travel, refused))
        elif self._at_once(queue, travel) is not None:
            ways = list(self._without_room(queue, travel))
        else:
            ways = [*self._taken(queue, travel), *self._given_up(queue, travel)]
        doubt = self.configuration.doubt(queue)
        end = OpenEnd(f"{queue.label}: {doubt[0]}", doubt[1]) if doubt else None
        return Transition(tuple(ways), open_end=end)

    def _confidence(self, queue: Place) -> Confidence:
        return self.configuration.version(queue.server).confidence

    def _taken(self, queue: Place, travel: Travel) -> Iterator[Way]:
        """Shovels are consumers (RQ-19); without one a queue keeps the message for its consumers.
        A queue that is federated with it may take it away (RQ-23)."""
        source = self.configuration.source(queue)
        takers = list(self._shovelled(queue, travel))
        if not takers or self.configuration.queue_type(queue) == STREAM:
            stream = self.configuration.queue_type(queue) == STREAM
            text = f"kept in {queue.label} for {'all ' if stream else ''}its consumers"
            rule = "RQ-12"
            if self._is_back(queue, travel):
                rule = "RQ-12, RQ-14"
                text = f"back in {queue.label} for its consumers: the same may happen again"
            ending = Ending(Outcome.DELIVERED, {"destination": queue.label})
            guard = self.configuration.not_understood(
                queue.server, "parameters", "policies", "static shovels"
            )
            kept = Way(ending, text, rule, self._confidence(queue), source, guard=guard)
            if stream:
                yield kept
                yield from takers
                return
            takers.insert(0, kept)
        takers += self._pulled(queue, travel)
        several = Kind.ONE_OF if len(takers) > 1 else Kind.COPY
        choice = f"who takes from {queue.label} at {queue.server}" if len(takers) > 1 else ""
        yield from (replace(one, kind=several, choice=choice) for one in takers)

    def _pulled(self, queue: Place, travel: Travel) -> Iterator[Way]:
        """RQ-23: a federated queue with consumers to spare takes messages of its upstream."""
        mark = (queue.server, queue.vhost)
        for link in self.federation.out_of.get(queue, ()):
            end = link.downstream
            if end[:2] in travel.visits or end[:2] == mark:
                continue
            if of_link(link) in self.onward.failed:
                continue
            text = f"taken over by the federated {end.label} of {end.server}, if consumers wait"
            taken = travel._replace(visits=(*travel.visits, mark), key=end.name)
            act = f"upstream {link.name} from {queue.label} at {queue.server}"
            state = self.onward.published(end, taken, act, travel.mark(act), queue, by_client=True)
            yield Way(
                state,
                text,
                "RQ-23",
                Confidence.M,
                link.source,
                link=link.name,
                role="federation",
            )

    def _shovelled(self, queue: Place, travel: Travel) -> Iterator[Way]:
        """The shovels that take from a queue."""
        listed = self.onward.shovels.out_of.get(queue, ())
        running = [one for one in listed if of_shovel(one) not in self.onward.failed]
        for one in running or listed[:1]:
            yield self._by_shovel(queue, travel, one)

    def _by_shovel(self, queue: Place, travel: Travel, one: f.RabbitShovel) -> Way:
        name = f"shovel {one.name} of {one.vhost} at {one.server}"
        confidence, rule = self._confidence(queue), "RQ-19"
        if isinstance(one, f.RabbitStaticShovel):
            name = f"static shovel {one.name} at {one.server}"
            confidence, rule = Confidence.M, "RQ-30"
        if of_shovel(one) in self.onward.failed:
            held = Ending(Outcome.HELD, {"queue": queue.label, "server": queue.server})
            text = f"the {name} does not run: it waits in {queue.label}"
            return Way(held, text, rule, confidence, one.source)
        if one.other_protocol:
            ending = Ending(Outcome.EXTERNAL, {"server": f"{one.put_at[0].host or one.server}"})
            text = f"moved by the {name}, over {one.other_protocol}"
            return Way(ending, text, rule, Confidence.M, one.source)
        again = travel.goes_round(travel.mark(name))
        if again:
            often = "for ever" if again == EVER else "as often as consumers reject it"
            text = f"it comes back to the {name} as it was before: it goes round {often}"
            round_ = Ending(Outcome.LOOP, {"state": f"{queue.label} at {queue.server}"})
            return Way(round_, text, "RQ-20", confidence, one.source)
        to = self.onward.shovels.target(one)
        if to.type == EXCHANGE and one.to is None:
            to = to.exchange(travel.exchange)
        unusable = self.stopped(one) or self.unusable(to)
        if unusable:
            held = Ending(Outcome.HELD, {"queue": queue.label, "server": queue.server})
            text = f"the {name} does not move it: {unusable}"
            return Way(held, text, rule, Confidence.M, one.source)
        key = travel.key if one.key is None else one.key
        if to.type == QUEUE:
            key = to.name
        expiration = None if one.sets_expiration else travel.expiration
        moved = travel._replace(key=key, expiration=expiration)
        mark = travel.mark(name)
        state = self.onward.published(to, moved, name, mark, queue, by_client=not one.is_local)
        alone = f"only shovels take from {queue.label} of {queue.server}"
        others = Assumption(rule, "M", alone, "what other consumers take is not moved")
        return Way(
            state,
            f"moved by the {name} to {to.label} of {to.server}",
            rule,
            confidence,
            one.source,
            position=others,
            link=one.name,
            role="shovel",
        )

    def stopped(self, one: f.RabbitShovel) -> str:
        """Why a static shovel does not start, in words; empty if it does (RQ-30)."""
        static = isinstance(one, f.RabbitStaticShovel)
        return self._stopped.get((one.server, one.name), "") if static else ""

    def unusable(self, to: Place) -> str:
        """Why nothing can be published at a place, in words; empty if it can, or if its cluster is
        not loaded."""
        if to.server not in self.configuration.files:
            return ""
        if not self.configuration.has_vhost(to.server, to.vhost):
            return f"{to.server} has no virtual host {to.vhost}"
        whole = self.configuration.lists_vhosts(to.server)
        if to.type == QUEUE and whole and not self.configuration.has(to):
            return f"{to.server} has no {to.label}"
        if to.type == EXCHANGE and whole and not self.configuration.has(to):
            declared = self.federation.declared(to)
            return "" if declared else f"{to.server} has no {to.label}"
        fact = self.configuration.exchanges.get(to)
        return f"{to.label} is internal" if fact is not None and fact.internal else ""

    def _given_up(self, queue: Place, travel: Travel) -> Iterator[Way]:
        """RQ-13 to RQ-16: what a consumer rejects, what expires, and what a full queue gives up."""
        if self.configuration.queue_type(queue) == STREAM:
            return
        letters = self.onward.dead_letters(queue)
        if self._is_back(queue, travel):
            return
        if self._overflow(queue) == "reject-publish" and (full := self._full(queue)):
            yield self._later(*_refusal(queue, full), full.source, "the queue is full")
        if letters is not None:
            yield self._dead(queue, travel, letters, REJECTED, REJECTION)
        reasons = list(self._reasons(queue, travel))
        if reasons:
            text = " or ".join(reason for _, reason, _ in reasons)
            yield self._gives_up(queue, travel, reasons[0][0], text, reasons[0][2])

    def _is_back(self, queue: Place, travel: Travel) -> bool:
        """Whether a queue gave a message up before, as often as is followed."""
        return travel.times_given_up(f"{queue.label} at {queue.server}") >= self.rounds

    def _gives_up(self, queue: Place, travel: Travel, why: str, reason: str, source: Source) -> Way:
        """What a queue gives up by itself: a dead letter, or dropped."""
        letters = self.onward.dead_letters(queue)
        if letters is not None:
            return self._dead(queue, travel, letters, why, reason)
        text = f"dropped from {queue.label}, which has no dead letter exchange"
        rule = {EXPIRED: "RQ-15", FULL: "RQ-16"}.get(why, "RQ-13")
        ending = Ending(Outcome.DISCARDED, {"reason": why})
        return self._later(ending, text, rule, source, reason)

    def _at_once(self, queue: Place, travel: Travel) -> tuple[str, str, Source] | None:
        """Why a queue gives up a message that no consumer waits for, at once: it keeps none, or for
        no time."""
        if self.configuration.queue_type(queue) == STREAM:
            return None
        for why, reason, source in self._reasons(queue, travel):
            setting = self._full(queue) if why == FULL else self._setting(queue, "message-ttl")
            none = setting is not None and setting.value == 0
            if why != DELIVERED and (none or (why == EXPIRED and travel.expiration == "0")):
                return why, reason, source
        return None

    def _without_room(self, queue: Place, travel: Travel) -> Iterator[Way]:
        """The ways of a queue that keeps no message: to a consumer that waits, or nowhere."""
        found = self._at_once(queue, travel)
        assert found is not None
        why, reason, source = found
        taken = list(self._taken(queue, travel))
        given_up = self._gives_up(queue, travel, why, reason, source)
        if why == FULL and self._overflow(queue) == "reject-publish-dlx":
            at_once = replace(given_up, kind=Kind.COPY, condition="")
            empty = self._holds_empty_ones(queue)
            yield from self._if_empty(queue, travel, at_once) if empty else [at_once]
            return
        if why == FULL and self._holds_empty_ones(queue):
            yield from self._if_empty(queue, travel, replace(given_up, condition=""), waits=True)
            return
        choice = f"whether a consumer of {queue.label} at {queue.server} waits"
        for one in taken:
            text = one.text.replace("kept in", "handed over, if one waits, from")
            yield replace(one, kind=Kind.ONE_OF, choice=choice, text=text)
        yield replace(given_up, kind=Kind.ONE_OF, choice=choice, condition="")
        letters = self.onward.dead_letters(queue)
        if letters is not None:
            yield self._dead(queue, travel, letters, REJECTED, REJECTION)

    def _if_empty(
        self, queue: Place, travel: Travel, otherwise: Way, *, waits: bool = False
    ) -> Iterator[Way]:
        """The ways of a queue that keeps no bytes, but messages without a body; ``waits``: a
        consumer that waits takes others too."""
        choice = f"whether what comes to {queue.label} at {queue.server} is empty"
        if waits:
            choice = f"{choice}, or a consumer waits"
        for one in self._taken(queue, travel):
            yield replace(one, kind=Kind.ONE_OF, choice=choice)
        yield replace(otherwise, kind=Kind.ONE_OF, choice=choice)
        yield from self._given_up(queue, travel)

    def _full(self, queue: Place) -> Setting | None:
        """The limit of a queue: of messages and of bytes the one that leaves no room, else the
        first."""
        both = [self._setting(queue, key) for key in ("max-length", "max-length-bytes")]
        limits = [one for one in both if one is not None]
        return next((one for one in limits if one.value == 0), limits[0] if limits else None)

    def _holds_empty_ones(self, queue: Place) -> bool:
        """Whether a queue that is full without a message holds any without a body all the same: its
        limit is one of bytes."""
        length = self._setting(queue, "max-length")
        return length is None or length.value != 0

    def _setting(self, queue: Place, key: str) -> Setting | None:
        return self.configuration.setting(queue, key)

    def _overflow(self, queue: Place) -> str:
        """What a full queue does. Quorum queues look at the policy first, and have no
        ``reject-publish-dlx``."""
        setting = self._setting(queue, "overflow")
        quorum = self.configuration.queue_type(queue) == QUORUM
        if quorum:
            by_policy = self.configuration.setting(queue, "overflow", " ")
            setting = by_policy or setting
        value = str(setting.value) if setting else OVERFLOWS[0]
        if value not in OVERFLOWS or (quorum and value == "reject-publish-dlx"):
            return OVERFLOWS[0]
        return value

    def _reasons(self, queue: Place, travel: Travel) -> Iterator[tuple[str, str, Source]]:
        """Why a queue may give a message up by itself: as the header ``x-death`` has it, in words,
        and where it is stated."""
        source = self.configuration.source(queue)
        ttl = self._setting(queue, "message-ttl")
        if travel.expiration:
            yield EXPIRED, f"it expires (its expiration is {travel.expiration} ms)", source
        elif ttl is not None:
            yield EXPIRED, f"it expires ({ttl.by} is {ttl.value} ms)", ttl.source
        elif travel.expiration is None and self.onward.dead_letters(queue) is not None:
            yield EXPIRED, "it has an expiration and expires", source
        full, overflow = self._full(queue), self._overflow(queue)
        if full is not None and overflow != "reject-publish":
            gives = "new" if overflow == "reject-publish-dlx" else "oldest"
            text = f"the queue is full ({full.by} is {full.value}) and gives up its {gives} message"
            yield FULL, text, full.source
        if self.configuration.queue_type(queue) == QUORUM:
            limit = self._setting(queue, "delivery-limit")
            default = self.configuration.version(queue.server).default_delivery_limit
            most = default if limit is None else limit.value
            if isinstance(most, (int, float)) and most >= 0:
                text = f"it was delivered more than {most} times"
                yield DELIVERED, text, limit.source if limit else source

    def _later(self, to: Ending, text: str, rule: str, source: Source, condition: str) -> Way:
        return Way(to, text, rule, source=source, kind=Kind.LATER, condition=condition)

    def _dead(self, queue: Place, travel: Travel, letters: Place, why: str, condition: str) -> Way:
        """The dead letter of a message: published to the exchange with the key that is set for
        that, else its own."""
        setting = self._setting(queue, "dead-letter-exchange")
        assert setting is not None
        if not self.configuration.has(letters):
            ending = Ending(Outcome.DISCARDED, {"reason": "no dead letter exchange"})
            text = f"dropped: there is no {letters.label} ({setting.by})"
            return self._later(ending, text, "RQ-13", setting.source, condition)
        act = f"{why} {queue.label} at {queue.server}"
        mark = travel.mark(act)
        if why != REJECTED and travel.goes_round(mark) == EVER:
            text = f"it comes back to {queue.label} as it was before: it goes round for ever"
            ending = Ending(Outcome.LOOP, {"state": f"{queue.label} at {queue.server}"})
            return self._later(ending, text, "RQ-14", setting.source, condition)
        stated = self._setting(queue, "dead-letter-routing-key")
        key = travel.key if stated is None else str(stated.value)
        deaths = travel.deaths
        if travel.traced or queue.name in self.onward.names_circling:
            version = self.configuration.version(queue.server)
            deaths = travel.died(queue.name, why, turns=version.turns_deaths)
        dead = travel._replace(key=key, deaths=deaths, expiration="", dying=why != REJECTED)
        often = self.rounds * MOST_DEAD
        guard = None
        if travel.times_given_up() >= often:
            text = f"what queues give up is followed {often} times"
            guard = Guard(f"{UNDECIDED}:dead letters", UNDECIDED, text, text, setting.source)
        return Way(
            self.onward.published(letters, dead, act, mark, queue),
            f"dead letter of {queue.label} to {letters.label} ({setting.by})",
            "RQ-13",
            self._confidence(queue),
            setting.source,
            kind=Kind.LATER,
            condition=condition,
            guard=guard,
        )


def _refusal(queue: Place, full: Setting) -> tuple[Ending, str, str]:
    """How a full queue refuses a message: ending, words and rule."""
    text = f"{queue.label} is full ({full.by} is {full.value}): refused"
    return Ending(Outcome.REFUSED, {"condition": FULL}), text, "RQ-16"
