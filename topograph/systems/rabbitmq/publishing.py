"""Where messages begin, and who may publish them (RQ-1, RQ-25, RQ-26)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from topograph.assumptions import Assumption
from topograph.digits import is_digits
from topograph.errors import UsageError
from topograph.facts import rabbitmq as f
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.message import Message
from topograph.outcomes import Outcome, Truth
from topograph.systems.rabbitmq.configuration import Configuration
from topograph.systems.rabbitmq.patterns import matches
from topograph.systems.rabbitmq.places import (
    DEFAULT_EXCHANGE,
    EXCHANGE,
    INTERNAL,
    QUEUE,
    Place,
    place_of,
    shown,
)
from topograph.systems.rabbitmq.travel import Travel
from topograph.systems.rabbitmq.tried import NO_BINDING, Tried
from topograph.tracing.states import State, Transition, Verdict, Way
from topograph.tracing.trace import Ending, Kind
from topograph.words.did_you_mean import did_you_mean

NOBODY = ""
"""The user of a message of which the question states none."""

SENDER_SELECTED = ("CC", "BCC")
"""The headers with more routing keys."""

_SHOWN_DEFAULT = "amq.default"


class Publishing:
    """How messages get into the clusters of a network."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._tried = Tried(configuration)

    def entries(self) -> Iterator[State]:
        """Of each exchange and queue, the state of all messages that clients publish to it."""
        for place in self.configuration.senders():
            key = place.name if place.type == QUEUE else None
            exchange = "" if place.type == QUEUE else place.name
            yield Travel(key, exchange=exchange).at(place)

    def begins(self) -> Iterator[State]:
        """The states of messages that senders publish: to an exchange that compares keys with each
        that a binding asks for, and with one that none does; to a headers exchange with the headers
        of each binding; with both where a key leads to a headers exchange; by each user. Linear in
        the bindings, in the users times exchanges, and in such pairs of keys and headers."""
        own, tried = self.configuration, self._tried
        for place in own.senders():
            if place.type == QUEUE:
                yield Travel(place.name).at(place)
            else:
                keys = tried.keys(place)
                yield from (Travel(key, exchange=place.name).at(place) for key in keys)
                yield from (
                    Travel(key, exchange=place.name, headers=headers).at(place)
                    for key, headers in tried.together(place)
                )
        yield from self.by_headers()
        for server, vhost, user in sorted(own.permissions):
            for place in own.senders():
                if place[:2] == (server, vhost) and place.type == EXCHANGE:
                    topic = (server, vhost, user, place.name) in own.topic_permissions
                    keys = tried.keys(place) if topic else [NO_BINDING]
                    yield from (Travel(key, user=user).at(place) for key in keys)

    def by_headers(self) -> Iterator[State]:
        """The states of messages to headers exchanges, with the headers of each binding."""
        for place in sorted(self.configuration.bound):
            yield from (Travel(headers=one).at(place) for one in self._tried.headers(place))

    def enter(self, server: str, message: Message) -> State:
        """The state of one message. Raises UsageError for an exchange or queue that there is
        not."""
        named = message.destination
        place = place_of(server, named.type, named.name)
        if not self.configuration.has(place) and place.name != DEFAULT_EXCHANGE:
            other = place_of(server, named.type, shown("/", named.name))
            if not self.configuration.has(other):
                raise UsageError(self._no_such(place, str(named)))
            place = other
        key, exchange = message.routing_key, place.name
        if place.type == QUEUE:
            if key is not None and key != place.name:
                raise UsageError(
                    f"A message to {named} is published to the default exchange with the name of "
                    "the queue as routing key. Leave --key out, or name an exchange."
                )
            key, exchange = place.name, DEFAULT_EXCHANGE
        selecting = [name for name in SENDER_SELECTED if name in message.properties]
        if selecting:
            raise UsageError(
                f"The header {selecting[0]}, by which a sender names more routing keys, is not "
                "followed. Leave it out, and ask about each key by itself."
            )
        if message.expiration and not is_digits(message.expiration):
            raise UsageError(
                f"--expiration is a number of milliseconds, not {message.expiration!r}."
            )
        travel = Travel(
            key,
            expiration=message.expiration,
            exchange=exchange,
            user=message.user or NOBODY,
            traced=True,
        )
        return travel.at(place)

    def _no_such(self, place: Place, named: str) -> str:
        """What is said of a destination that there is not."""
        own = self.configuration
        known = {one.label for one in own.senders() if one.server == place.server}
        same = sorted(
            one.label
            for one in own.senders()
            if (one.server, one.type, one.name) == (place.server, place.type, place.name)
        )
        hint = f" Did you mean {' or '.join(same[:3])}?" if same else did_you_mean(named, known)
        return f"{place.server} has no {named}.{hint}"

    def step(self, place: Place, travel: Travel) -> Transition:
        """RQ-1: the broker takes a message, or refuses it."""
        return Transition(tuple(self._ways(place, travel)))

    def _ways(self, place: Place, travel: Travel) -> Iterator[Way]:
        user = travel.user or NOBODY
        taken = travel._replace(user=None)
        source = self.configuration.source(place)
        exchange = place if place.type == EXCHANGE else place.exchange(DEFAULT_EXCHANGE)
        fact = self.configuration.exchanges.get(place)
        if place.name in INTERNAL or (fact is not None and fact.internal):
            text = f"{place.label} is internal: no client publishes to it"
            yield Way(_refused("internal"), text, "RQ-1", source=source)
            return
        if not user:
            text = f"published to {place.label}"
            yield Way(taken.at(place), text, "RQ-1", source=source)
            return
        found = self._permission(exchange, user)
        if isinstance(found, str):
            text = f"{user} may not publish to {exchange.label}: {found}"
            yield Way(_refused("acl"), text, "RQ-25", source=source, position=self._only(exchange))
        elif isinstance(found, Guard):
            text = f"published to {place.label}"
            yield Way(taken.at(place), text, "RQ-25", source=source, guard=found)
            yield Way(
                _refused("acl"), f"{user} may not publish to {exchange.label}", "RQ-25",
                source=source, kind=Kind.ELSE,
            )  # fmt: skip
        else:
            yield from self._by_topic(place, exchange, taken, found)

    def _only(self, place: Place) -> Assumption | None:
        """Users that definitions do not list may come from elsewhere."""
        text = f"the users of {place.server} are those of its definitions"
        return Assumption("RQ-25", "M", text, "another backend may know the user, and let it pass")

    def _permission(self, exchange: Place, user: str) -> f.RabbitPermission | Guard | str:
        """The permission by which a user publishes; a text says why it may not, a guard that no
        file decides it."""
        own = self.configuration
        source = own.source(exchange)
        files = own.files.get(exchange.server, ())
        if not any(one.users_listed for one in files):
            text = "its permissions are not in the loaded definitions"
            return Guard(f"permission:{user}", UNDECIDED, text, text, source)
        if (exchange.server, user) not in own.users:
            return "there is no such user"
        found = own.permissions.get((exchange.server, exchange.vhost, user))
        if found is None:
            return f"it has no access to the virtual host {exchange.vhost}"
        allowed = allows(found.write, exchange.name or _SHOWN_DEFAULT)
        if allowed is None:
            text = "the pattern of its write permission is not understood"
            return Guard(f"permission:{found.write}", UNDECIDED, text, text, found.source)
        return found if allowed else f"its write permission is {found.write or '^$'}"

    def _by_topic(
        self, place: Place, exchange: Place, taken: Travel, found: f.RabbitPermission
    ) -> Iterator[Way]:
        """RQ-26: of a topic exchange, whether the routing key is permitted too."""
        user = found.user
        text = f"published to {place.label} by {user}, whose write permission matches"
        topic = self.configuration.topic_permissions.get(
            (exchange.server, exchange.vhost, user, exchange.name)
        )
        if topic is None or self.configuration.type_of(exchange) != "topic":
            yield Way(taken.at(place), text, "RQ-25", source=found.source)
            return
        pattern = topic.write.replace("{username}", user).replace("{vhost}", exchange.vhost)
        refused = f"{user} may not publish to {exchange.label} with this routing key"
        if taken.key is not None:
            allowed = allows(pattern, taken.key)
            if allowed is not None:
                if allowed:
                    yield Way(taken.at(place), text, "RQ-26", source=topic.source)
                else:
                    yield Way(_refused("acl"), refused, "RQ-26", source=topic.source)
                return
        words = f"the routing key is found by {pattern}"
        guard = Guard(f"topic:{pattern}", TOPIC, words, json.dumps(pattern), topic.source)
        yield Way(taken.at(place), text, "RQ-26", source=topic.source, guard=guard)
        yield Way(_refused("acl"), refused, "RQ-26", source=topic.source, kind=Kind.ELSE)


TOPIC = "topic permission"
"""The kind of guards on a routing key that a topic permission has to allow."""


def topic_verdict(guard: Guard, message: Message) -> Verdict:
    """Whether a topic permission allows the routing key of a message."""
    if message.routing_key is None:
        return Verdict(Truth.UNKNOWN, known=False, note="no --key is given")
    allowed = allows(json.loads(guard.payload), message.routing_key)
    if allowed is None:
        return Verdict(Truth.UNKNOWN, known=False, note="its pattern is not understood")
    return Verdict(Truth.TRUE if allowed else Truth.FALSE)


def allows(pattern: str, name: str) -> bool | None:
    """Whether a permission is for a name; an empty one is for none. None where the pattern is not
    understood."""
    return name == "" if pattern == "" else matches(pattern, name)


def _refused(condition: str) -> Ending:
    return Ending(Outcome.REFUSED, {"condition": condition})
