"""What a queue manager does with a message, one step at a time: the decision procedure of mqe.md
B3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.facts.mqe import MqeQueue
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.message import Message
from topograph.outcomes import Confidence, Outcome, Truth
from topograph.systems.mqe.ambiguities import B4, B6
from topograph.systems.mqe.collection import collector
from topograph.systems.mqe.configuration import ALIASES_TOLD, MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import Hop, next_hop
from topograph.systems.mqe.discovery import Discoveries
from topograph.systems.mqe.positions import Keeper, MqePhase, MqePosition, position_of
from topograph.systems.mqe.resolution import Match, resolve
from topograph.tracing.states import Handover, How, State, Transition, Verdict, Way
from topograph.tracing.trace import Ending, Kind

TRIGGERED = Guard("home-servers", "home-servers", "home-server queues have been triggered")
WAITING = Guard(
    "home-servers-waiting", "home-servers", "home-server queues are triggered later", "waiting"
)

LOOPS = Assumption(
    "E-40",
    "L",
    (
        "nothing limits how often queue managers pass a message on to each other: it goes "
        "round for ever"
    ),
    "a limit that is not documented ends it",
)

_DEAD_LETTER = Assumption(
    "E-15",
    "L",
    (
        "the rule that is called for a collected message without a queue places it on a "
        "dead-letter queue"
    ),
    "another rule is installed, which may do something else",
)

_RESOLVED_BY_ALIAS = Assumption(
    "E-15",
    "L",
    "the queue of a collected message is also found by an alias (E-03)",
    "the message goes to the dead-letter queue",
)


def evaluate(guard: Guard, message: Message) -> Verdict:
    """Whether home-server queues have been triggered."""
    triggered = message.home_servers == "triggered"
    return Verdict(Truth.TRUE if triggered != (guard.payload == "waiting") else Truth.FALSE)


class MqeSteps:
    """The step function over the queue managers of a network."""

    def __init__(self, configuration: MqeConfiguration) -> None:
        self.configuration, self.readings = configuration, configuration.readings
        self.discoveries = Discoveries(configuration)
        self._of: Mapping[MqePhase, Callable[[MqeManager, MqePosition], Transition]] = {
            MqePhase.PUT: self._put,
            MqePhase.REMOTE: self._remote,
            MqePhase.DISCOVERED: self._discovered,
            MqePhase.STORED: self._stored,
            MqePhase.SEND: self._send,
            MqePhase.COLLECTED: self._collected,
        }

    def step(self, state: State) -> Transition:
        """All ways out of a state (``tracing.states.Stepping.step``)."""
        at = position_of(state)
        here = self.configuration.get(at.server)
        assert here is not None  # only queue managers that are loaded are stepped
        found = self._of[at.phase](here, at)
        if at.phase is MqePhase.PUT and not at.arrived and not self.configuration.runs(here.name):
            text = f"{here.name}, which is not running, runs when the message is put"
            stopped = Assumption("B4", "L", text, "nothing can be put there")
            found = replace(found, assumptions=(*found.assumptions, stopped))
        if (unended := here.unended) is not None:
            found = replace(found, assumptions=(*found.assumptions, unended))
        if not here.incomplete:
            return found
        text = f"what is read of {here.name} is all there is ({here.incomplete})"
        return replace(
            found,
            assumptions=(
                *found.assumptions,
                Assumption("B4", "L", text, "something else takes the message"),
            ),
        )

    def _put(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-01, then whatever takes the message (E-02 to E-07)."""
        meant = here.substitute(at.manager)
        aliases = meant.first
        if aliases and _pushed_to(at) and self.readings.takes(B4, "not_applied"):
            found = self._resolved(here, at)
            return replace(found, assumptions=(self.readings.said(B4), *found.assumptions))
        if meant.in_circle:
            position = self.readings.said(B6)
            if self.readings.takes(B6, "fails"):
                text = (
                    f"the aliases of {at.manager} at {here.name} refer to each other in a "
                    "circle (E-01)"
                )
                return Transition(
                    (_fails(at, "no_queue", text, "E-01", aliases[0].source),), (position,)
                )
            found = self._resolved(here, at)
            return replace(found, assumptions=(position, *found.assumptions))
        if aliases:
            to = replace(at, manager=meant.target)
            told = aliases[:ALIASES_TOLD]
            chain = " and ".join(f"{one.name} stands for {one.target}" for one in told)
            text = f"{chain}{' and so on' if aliases != told else ''}: now for {to.address}"
            if at.arrived:
                text += (
                    "; the sender's name for it is an alias here (E-22, E-23)"
                    if to.manager == here.name
                    else " (E-23)"
                )
            elif to.manager != here.name:
                text += f"; other queue managers do not see the name {at.manager} (E-23)"
            way = Way(to.state(), text, "E-01", source=aliases[0].source)
            return Transition((way,), (self.readings.said(B4),) if _pushed_to(at) else ())
        return self._resolved(here, at)

    def _resolved(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-02 to E-07: no alias of the queue manager's name is left."""
        match = resolve(here, at.queue, at.manager, self.readings)
        if match.rule == "E-04":
            return Transition(_stores(here, at, match), match.assumptions)
        if match.rule:
            found = self._matched(here, at, match)
            return replace(found, assumptions=(*match.assumptions, *found.assumptions))
        found = self._discover(here, at, match.text)
        return replace(found, assumptions=(*match.assumptions, *found.assumptions))

    def _matched(self, here: MqeManager, at: MqePosition, match: Match) -> Transition:
        (queue,) = match.queues
        if match.rule == "E-03":
            to = replace(at, queue=queue.name)
            return Transition((Way(to.state(), match.text, "E-03", source=queue.source),))
        if queue.type == "bridge":
            return _over_the_bridge(here, at, queue, match.text)
        if queue.type == "remote":
            return Transition(
                (
                    Way(
                        replace(at, phase=MqePhase.REMOTE).state(),
                        match.text,
                        "E-02",
                        source=queue.source,
                    ),
                )
            )
        return Transition((Way(_delivered(at), match.text, "E-02", source=queue.source),))

    def _discover(self, here: MqeManager, at: MqePosition, passed: str) -> Transition:
        """E-05; where it fails, E-07."""
        found = self.discoveries.at(here, at.queue, at.manager)
        to = replace(at, phase=MqePhase.DISCOVERED).state()
        if found.succeeds:
            text = (
                f"{here.name} has no queue for {at.address}, discovers it and makes a "
                f"synchronous remote queue of it (E-06){passed}"
            )
            return Transition((Way(to, text, "E-05", source=here.source),), found.assumptions)
        if here.unread:
            because = (
                f"whether {here.name} has a queue for {at.address} is not known: {here.incomplete}"
            )
            return Transition((_undetermined(at, because, "E-07", here.source),), found.assumptions)
        hop = next_hop(self.configuration, here, at.manager).to
        asked = (at.manager, hop)
        if found.unknown and hop:
            guard = Guard(
                f"discovery {at.address} at {here.name}",
                UNDECIDED,
                f"{here.name} discovers {at.address}",
                found.unknown,
                source=here.source,
            )
            text = f"{here.name} has no queue for {at.address} and tries to discover it"
            return Transition(
                (Way(to, text, "E-05", source=here.source, guard=guard, asked=asked),),
                found.assumptions,
            )
        if found.unknown:
            way = _undetermined(at, found.unknown, "E-06", here.source)
            return Transition((replace(way, asked=asked),), found.assumptions)
        text = (
            f"no queue of {here.name} takes {at.address}{passed}, and it is not discovered: "
            f"{found.text} ({found.rules}, E-07)"
        )
        way = _fails(at, found.code, text, "E-07", here.source, failed=found.failed)
        return Transition((replace(way, asked=asked),), found.assumptions)

    def _remote(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-10 and E-11."""
        (queue,) = here.exact[at.queue, at.manager][:1]
        if queue.mode == "async":
            return self._forwarded(here, at, at.address, at.manager, "E-11", queue.source)
        found = self._at_once(here, at, queue.source)
        if queue.mode:
            return found
        text = (
            f"the remote queue {at.address} of {here.name}, whose mode is not stated, is "
            "synchronous"
        )
        assumed = Assumption(
            "E-10", "L", text, "the message is stored until the other queue manager takes it"
        )
        return replace(found, assumptions=(*found.assumptions, assumed))

    def _discovered(self, here: MqeManager, at: MqePosition) -> Transition:
        return self._at_once(here, at, here.source)

    def _at_once(self, here: MqeManager, at: MqePosition, source: Source) -> Transition:
        """E-10: a synchronous put at the other queue manager."""
        hop = next_hop(self.configuration, here, at.manager)
        if hop.undecided:
            return Transition(
                (_undetermined(at, hop.undecided, "E-20", hop.source),), hop.assumptions
            )
        if hop.trouble:
            text = f"the synchronous put of {at.address} fails: {hop.trouble} (E-10)"
            return Transition(
                (_fails(at, "no_connection", text, "E-10", hop.source),), hop.assumptions
            )
        to = replace(at, phase=MqePhase.SEND, toward=at.manager)
        text = f"{at.address} is synchronous: put at the other queue manager at once"
        return Transition((Way(to.state(), text, "E-10", source=source),))

    def _forwarded(
        self, here: MqeManager, at: MqePosition, keeps: str, toward: str, rule: str, source: Source
    ) -> Transition:
        """E-11 and E-13: stored here, and sent on as soon as the next queue manager takes it."""
        hop = next_hop(self.configuration, here, toward)
        if hop.undecided:
            return Transition(
                (_undetermined(at, hop.undecided, "E-20", hop.source),), hop.assumptions
            )
        keeper = Keeper(keeps, here.name, hop.to, at.queue, at.manager)
        to = replace(at, phase=MqePhase.SEND, toward=toward, keeper=keeper).state()
        how = f"pushed to {toward}" if rule == "E-13" else "sent on by a background thread"
        if not hop.trouble:
            return Transition(
                (Way(to, f"stored on {keeps} of {here.name} and {how}", rule, source=source),)
            )
        text = f"stored on {keeps} of {here.name}, to be {how}: {hop.trouble}"
        ways = [Way(_held(keeper, hop.reason), text, rule, source=source)]
        if hop.offline:
            again = f"when {hop.to} can be reached again"
            ways.append(
                Way(to, f"{how} {again}", rule, source=source, kind=Kind.LATER, condition=again)
            )
        return Transition(tuple(ways), hop.assumptions)

    def _stored(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-13 push mode, E-14 pull mode."""
        queue = here.stores[at.toward]
        if queue.forward_to:
            return self._forwarded(here, at, queue.name, queue.forward_to, "E-13", queue.source)
        found = collector(self.configuration, here, queue.name, at.manager)
        keeper = Keeper(queue.name, here.name, at.manager, at.queue, at.manager)
        to = MqePosition(
            at.manager,
            at.queue,
            at.manager,
            MqePhase.COLLECTED,
            arrived=True,
            keeper=keeper,
            reply=at.reply,
        ).state()
        waits = f"waits on {queue.name} of {here.name} to be collected by {at.manager}"
        if found.queue is None or found.reason:
            way = Way(
                _held(keeper, found.reason), f"{waits}: {found.text}", "E-14", source=queue.source
            )
            if found.queue is None and found.assumptions:
                because = (
                    f"{at.manager}, of which not all is loaded, may collect what {queue.name} of "
                    f"{here.name} keeps for it (E-14)"
                )
                way = replace(way, position=found.assumptions[0], perhaps_taken=because)
            ways = [way]
            if found.back and found.queue is not None:
                ways.append(_later(to, found.queue, at, found.back))
            return Transition(tuple(ways), found.assumptions)
        home = found.queue
        if home.timer:
            text = f"{home.name} of {at.manager} collects it within {home.timer} ms (E-14)"
            return Transition((_collects(to, text, home),), found.assumptions)
        text = f"{home.name} of {at.manager} collects it when triggered (E-14)"
        when = f"{home.name} of {at.manager} is triggered"
        return Transition(
            (
                replace(_collects(to, text, home), guard=TRIGGERED),
                Way(
                    _held(keeper, "not triggered"),
                    f"{waits}, which nobody has triggered yet",
                    "E-14",
                    source=queue.source,
                    kind=Kind.ELSE,
                ),
                replace(_later(to, home, at, when), guard=WAITING),
            ),
            found.assumptions,
        )

    def _send(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-20; over a queue manager on the way the destination is resolved again there (E-21)."""
        hop: Hop = next_hop(self.configuration, here, at.toward)
        to = MqePosition(
            hop.to, at.queue, at.manager, arrived=True, keeper=at.keeper, reply=at.reply
        ).state()
        position = self._taken_there(at, hop)
        if hop.via:
            text = (
                f"the connection to {at.toward} goes via {hop.to} (E-20): {at.address} is "
                f"re-resolved at {hop.to} (B-3)"
            )
            way = Way(to, text, "E-21", Confidence.M, hop.source, role="connection")
            return Transition((replace(way, position=position),), hop.assumptions)
        text = f"over the connection to {hop.to}, where {at.address} is presented"
        way = Way(to, text, "E-20", source=hop.source, role="connection")
        return Transition((replace(way, position=position),), hop.assumptions)

    def _taken_there(self, at: MqePosition, hop: Hop) -> Assumption | None:
        """What it rests on that a synchronous put at a queue manager which is not loaded succeeds;
        None where it does not rest on that (E-10, E-12).
        """
        if at.keeper is not None or self.configuration.get(hop.to) is not None:
            return None
        text = f"{hop.to}, of which no file is loaded, takes the synchronous put of {at.address}"
        return Assumption("E-10", "L", text, "the put fails, and the sender gets the exception")

    def _collected(self, here: MqeManager, at: MqePosition) -> Transition:
        """E-15."""
        key = at.queue, here.name
        exact = [one for one in here.exact.get(key, ()) if one.type in ("local", "admin")]
        aliased = [one for one in here.by_alias.get(key, ()) if one.type in ("local", "admin")]
        if exact or aliased:
            queue = (exact or aliased)[0]
            found = _delivered(replace(at, queue=queue.name))
            text = f"put on the local queue {queue.name} of {here.name}"
            return Transition(
                (Way(found, text, "E-15", source=queue.source),),
                () if exact else (_RESOLVED_BY_ALIAS,),
            )
        if here.unread:
            because = f"whether {here.name} has a queue {at.queue} is not known: {here.incomplete}"
            return Transition((_undetermined(at, because, "E-15", here.source),))
        ending = Ending(
            Outcome.DLQ, {"server": here.name, "reason": "unknown queue", "destination": at.address}
        )
        text = (
            f"{here.name} has no local queue {at.queue}: a rule can place it on a dead-letter queue"
        )
        return Transition((Way(ending, text, "E-15", source=here.source),), (_DEAD_LETTER,))


def _pushed_to(at: MqePosition) -> bool:
    """Whether a store-and-forward queue pushed the message straight to where it is."""
    keeper = at.keeper
    return (
        keeper is not None
        and keeper.peer == at.server
        and keeper.queue != f"{keeper.name}@{keeper.manager}"
    )


def _stores(here: MqeManager, at: MqePosition, match: Match) -> tuple[Way, ...]:
    """E-04: to the store-and-forward queue, or one of several (B-2)."""
    several = len(match.queues) > 1
    return tuple(
        Way(
            replace(at, phase=MqePhase.STORED, toward=queue.name).state(),
            match.text if not several else f"{match.text}; here on {queue.name} (B-2)",
            "E-04",
            source=queue.source,
            kind=Kind.ONE_OF if several else Kind.COPY,
            choice=f"store-and-forward queue of {here.name} for {at.manager}" if several else "",
        )
        for queue in match.queues
    )


def _over_the_bridge(here: MqeManager, at: MqePosition, queue: MqeQueue, text: str) -> Transition:
    """E-30."""
    if here.own.bridge_enabled is False:
        why = f"{text}, but {here.name} is not bridge-enabled (E-30)"
        assumed = Assumption(
            "E-30",
            "L",
            "a put to a bridge queue of a queue manager without a bridge fails",
            "it is kept or handed over",
        )
        return Transition((_fails(at, "no_connection", why, "E-30", queue.source),), (assumed,))
    how = How.STATED if here.own.bridge_enabled else How.ASSUMED
    failed = _fails(
        at,
        "no_connection",
        f"{here.name} does not get through to {at.manager}",
        "E-30",
        queue.source,
    )
    assert isinstance(failed.to, Ending)
    handed_state = State(at.manager, at.queue, json.dumps({"reply": at.reply}))
    refused = None
    if at.keeper is not None:
        refused = _fails(
            at, "rejected_remote", f"{at.manager} refuses the message", "E-30", queue.source
        )
    over = Handover("ibm_mq", handed_state, how, queue.source, failed.to, refused)
    handed = f"{text} (E-02) and hands the message to IBM MQ at {at.manager} ({how})"
    way = Way(over, handed, "E-30", source=queue.source, link=queue.name, role="bridge")
    if here.own.bridge_enabled:
        return Transition((way,))
    assumed = Assumption(
        "E-30", "L", f"{here.name}, which has bridge queues, is bridge-enabled", "the put fails"
    )
    return Transition((way,), (assumed,))


def _later(to: State, home: MqeQueue, at: MqePosition, when: str) -> Way:
    text = f"{home.name} of {at.manager} collects it (E-14)"
    return replace(_collects(to, text, home), kind=Kind.LATER, condition=f"when {when}")


def _collects(to: State, text: str, home: MqeQueue) -> Way:
    return Way(to, text, "E-15", source=home.source, link=home.name, role="collection")


def _delivered(at: MqePosition) -> Ending:
    return Ending(
        Outcome.DELIVERED, {"destination": f"{at.queue}@{at.server}", "server": at.server}
    )


def _held(keeper: Keeper, reason: str) -> Ending:
    destination = f"{keeper.name}@{keeper.manager}"
    return Ending(
        Outcome.HELD,
        {
            "queue": keeper.queue,
            "server": keeper.server,
            "reason": reason,
            "destination": destination,
        },
    )


def _undetermined(at: MqePosition, because: str, rule: str, source: Source) -> Way:
    return Way(
        Ending(Outcome.UNDETERMINED, {"server": at.server, "condition": because}),
        because,
        rule,
        source=source,
    )


def _fails(
    at: MqePosition, code: str, text: str, rule: str, source: Source, failed: str = ""
) -> Way:
    """The put fails here: the message stays where it is kept, or the application that put it
    gets the exception (E-12).
    """
    more = {"discovery": failed} if failed else {}
    if at.keeper is not None:
        held = _held(at.keeper, f"rejected by {at.keeper.peer}")
        text = f"{text}; the message stays on {at.keeper.queue} of {at.keeper.server} (E-12)"
        return Way(replace(held, arguments={**held.arguments, **more}), text, "E-12", source=source)
    if at.arrived:
        rejected = {"reason": "rejected_remote", "destination": at.address, **more}
        return Way(
            Ending(Outcome.REJECTED, rejected),
            f"{text}; the sender's put fails (E-12)",
            "E-12",
            source=source,
        )
    return Way(
        Ending(Outcome.REJECTED, {"reason": code, "destination": at.address, **more}),
        text,
        rule,
        source=source,
    )
