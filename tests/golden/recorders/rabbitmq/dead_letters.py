"""Drawn queues that pass messages on: times to live, limits of length, rejections, and circles."""

from __future__ import annotations

from golden.recorders.rabbitmq.estate import SHORT, WAITING, Draft, Message, Round
from golden.recorders.rabbitmq.routing import headers, key

CAUSES = ("ttl-queue", "ttl-message", "ttl-policy", "reject", "delivery-limit")
OVERFLOWS = ("drop-head", "reject-publish", "reject-publish-dlx")


def label(vhost: str, name: str) -> str:
    """A queue as acts and counts name it."""
    return f"{vhost}/{name}"


def dead_letters(draft: Draft, vhost: str) -> None:
    """A queue out of which messages go for one cause, and where they may go from there."""
    random = draft.random
    cause = draft.turn(CAUSES)
    where = draft.round("timed" if cause.startswith("ttl") else "plain")
    start = draft.exchange(vhost, random.choice(("direct", "topic", "fanout")))
    dead, to, dead_key = _dead_letter_exchange(draft, vhost)
    arguments: dict[str, object] = {}
    by_policy = random.random() < 0.3
    if not by_policy and to is not None:
        arguments["dead_letter_exchange"] = to
        if dead_key is not None:
            arguments["dead_letter_routing_key"] = dead_key
    kind = "quorum" if cause == "delivery-limit" or random.random() < 0.4 else "classic"
    if cause == "ttl-queue":
        arguments["message_ttl"] = random.choice((0, SHORT, SHORT))
    elif cause == "delivery-limit" and not by_policy:
        arguments["delivery_limit"] = random.choice((1, 1, 4))
    if kind == "quorum" and to is not None and random.random() < 0.6:
        arguments |= {"dead_letter_strategy": "at-least-once", "overflow": "reject-publish"}
    queue = draft.queue(vhost, cause, kind=kind, **arguments)
    if "dead_letter_strategy" in arguments:
        draft.tag(vhost, queue, "at-least-once", kind="queue")
    if dead_key is not None and to is not None:
        draft.tag(vhost, queue, "dead-letter-key", kind="queue")
    definition: dict[str, object] = {"message-ttl": SHORT} if cause == "ttl-policy" else {}
    if cause == "delivery-limit" and by_policy:
        definition["delivery-limit"] = 1
    if by_policy and to is not None:
        definition["dead-letter-exchange"] = to
        if dead_key is not None:
            definition["dead-letter-routing-key"] = dead_key
        draft.tag(vhost, queue, "dead-letter-policy", kind="queue")
        if to:
            draft.leads(vhost, queue, to, kind="queue")
    if definition:
        _policy(draft, vhost, queue, definition)
    for text in ("eu", "us.new"):
        draft.bind(vhost, start, queue, text)
    other = draft.queue(vhost)
    draft.bind(vhost, start, other, "us.new")
    if dead and random.random() < 0.8:
        draft.bind(vhost, dead, other, random.choice(("eu", "dead")))
    _act(where, cause, label(vhost, queue))
    _ask(draft, where, vhost, start, queue, str(SHORT) if cause == "ttl-message" else None)


def _dead_letter_exchange(draft: Draft, vhost: str) -> tuple[str, str | None, str | None]:
    """The dead-letter exchange that is declared ("": none), what the queue says, and with which
    key. The default exchange, one that does not exist, and none are among them."""
    random = draft.random
    dead_key = random.choice((None, None, "dead", "lost", "eu"))
    way = random.choice(("direct", "direct", "topic", "topic", "fanout", "headers", "default",
                         "missing", "none"))  # fmt: skip
    if way == "none":
        return "", None, None
    if way == "missing":
        return "", "missing", dead_key
    sink = draft.queue(vhost)
    if way == "default":
        return "", "", random.choice((sink, sink, "nowhere"))
    arguments = {}
    if random.random() < 0.25:
        arguments["alternate-exchange"] = draft.exchange(vhost, "fanout")
        draft.bind(vhost, arguments["alternate-exchange"], sink)
    name = draft.exchange(vhost, way, arguments=arguments)
    if way == "headers":
        draft.bind(vhost, name, sink, "", {"x-match": "any", "size": 1, "town": "Oslo"})
    else:
        draft.bind(vhost, name, sink, random.choice(("eu", "dead", "us.new")))
    return name, name, dead_key


def _policy(draft: Draft, vhost: str, queue: str, definition: dict[str, object]) -> None:
    draft.definitions["policies"].append(
        {
            "vhost": vhost, "name": f"of {queue}", "pattern": f"^{queue}$", "apply-to": "queues",
            "priority": 1, "definition": definition,
        }
    )  # fmt: skip


def _act(where: Round, cause: str, queue: str) -> None:
    if cause == "reject":
        where.acts[queue] = ("reject", 1)
    elif cause == "delivery-limit":
        where.acts[queue] = ("return", 3)


def _ask(
    draft: Draft, where: Round, vhost: str, start: str, queue: str, expiration: str | None
) -> None:
    random = draft.random
    places = [(start, random.choice(("eu", "us.new", "eu", "us.new", key(random))))
              for _ in range(16)]  # fmt: skip
    for exchange, text in (*places, *[("", queue)] * 4):
        draft.send(
            where, vhost, exchange, text, headers(random, 2), expiration=expiration,
            path=_path(where, vhost, exchange),
        )  # fmt: skip


def _path(where: Round, vhost: str, exchange: str) -> str:
    """What expires has the waiting queue for a control, else the exchange has its own."""
    return f"{WAITING} {vhost}" if where.kind == "timed" else f"{vhost}/{exchange}"


def circles(draft: Draft, vhost: str, *, chain: bool = False) -> None:
    """One to three queues in a chain that dead-letter into each other, perhaps (never a mere
    ``chain``) back to one of them, by times to live and rejections."""
    random = draft.random
    length = random.randint(1, 3)
    causes = random.choices(("ttl-queue", "reject"), (3, 1), k=length)
    back = random.choice((*range(length), *range(length), None))
    if chain:
        back = None
    names = [draft.name(vhost) for _ in range(length)]
    tap = draft.queue(vhost) if random.random() < 0.5 else ""
    around = draft.exchange(vhost, "direct")
    ring = causes[back:] if back is not None else []
    features = {"dead-letter-chain"}
    if ring:
        rejected = "reject" in ring
        features = {"dead-letter-circle-rejected" if rejected else "dead-letter-circle"}
    where = draft.round("timed")
    for number, (name, cause) in enumerate(zip(names, causes, strict=True)):
        follows = names[number + 1] if number + 1 < length else None
        if follows is None:
            follows = names[back] if back is not None else random.choice((tap, "nowhere"))
        arguments: dict[str, object] = {"message_ttl": SHORT} if cause == "ttl-queue" else {}
        through_default = random.random() < 0.5
        draft.queue(
            vhost, cause, *features, name=name,
            kind="quorum" if random.random() < 0.2 else "classic",
            dead_letter_exchange="" if through_default else around,
            dead_letter_routing_key=follows or "nowhere", **arguments,
        )  # fmt: skip
        if cause == "reject":
            where.acts[label(vhost, name)] = ("reject", 2)
    for name in names:
        draft.bind(vhost, around, name, name)
        if tap:
            draft.bind(vhost, around, tap, name)
    for name in (*names * 7, "nowhere"):
        draft.send(
            where, vhost, random.choice((around, "")), name, headers(random, 1),
            path=_path(where, vhost, around),
        )  # fmt: skip


def limits(draft: Draft, vhost: str) -> None:
    """A queue of at most no, one or two messages, which is full when one more is published."""
    random = draft.random
    overflow = draft.turn(OVERFLOWS)
    length = random.choice((0, 1, 2))
    start = draft.exchange(vhost, random.choice(("direct", "topic")))
    dead = draft.exchange(vhost, random.choice(("fanout", "direct")))
    sink, other = draft.queue(vhost), draft.queue(vhost)
    arguments: dict[str, object] = {}
    if overflow != "drop-head" or random.random() < 0.5:
        arguments["overflow"] = overflow
    if random.random() < 0.7:
        arguments["dead_letter_exchange"] = dead
        if random.random() < 0.4:
            arguments["dead_letter_routing_key"] = "dead"
    by_policy = random.random() < 0.4
    if not by_policy:
        arguments["max_length"] = length
    quorum = overflow == "drop-head" and length and random.random() < 0.3
    queue = draft.queue(
        vhost, f"maxlen-{overflow}", kind="quorum" if quorum else "classic", **arguments
    )
    if by_policy:
        draft.tag(vhost, queue, "maxlen-policy", kind="queue")
        _policy(draft, vhost, queue, {"max-length": length})
    draft.bind(vhost, start, queue, "eu")
    draft.bind(vhost, start, queue, "us")
    if random.random() < 0.5:
        draft.bind(vhost, start, other, "us")
    draft.bind(vhost, dead, sink, random.choice(("dead", "eu")))
    for number in range(6):
        where = draft.round("plain")
        full = [draft.send(where, vhost, "", queue) for _ in range(length)]
        draft.send(where, vhost, start, random.choice(("eu", "us", "us.old")))
        if number % 2:
            draft.send(where, vhost, "", queue)
        _say_what_is_full(where, label(vhost, queue), full, overflow, start)


def _say_what_is_full(
    where: Round, queue: str, full: list[Message], overflow: str, start: str
) -> None:
    """The acts of a round at a queue of limited length."""
    lying = list(full)
    name = queue.rpartition("/")[2]
    for one in where.messages[len(full) :]:
        here = one.key in ("eu", "us") if one.exchange == start else one.key == name
        if not here:
            continue
        one.acts.append({"do": "full", "queue": queue, "with": list(lying)})
        if overflow == "drop-head" and lying:
            lying.pop(0).acts.append({"do": "pushed_out", "queue": queue, "by": one})
            lying.append(one)


def byte_limits(draft: Draft, vhost: str) -> None:
    """A queue that holds a number of bytes, perhaps a number of messages as well: messages with
    bodies that fit, and that do not."""
    random = draft.random
    overflow = draft.turn(OVERFLOWS)
    most_bytes = random.choice((0, 10, 25, 25))
    most = random.choice((None, None, 2, 50))
    start, dead = draft.exchange(vhost, "direct"), draft.exchange(vhost, "fanout")
    sink = draft.queue(vhost)
    draft.bind(vhost, dead, sink)
    arguments: dict[str, object] = {}
    if overflow != "drop-head" or random.random() < 0.5:
        arguments["overflow"] = overflow
    if random.random() < 0.7:
        arguments["dead_letter_exchange"] = dead
    given = {"max-length-bytes": most_bytes} | ({} if most is None else {"max-length": most})
    by_policy = {name: value for name, value in given.items() if random.random() < 0.4}
    for name, value in given.items():
        if name not in by_policy:
            arguments[name.replace("-", "_")] = value
    quorum = overflow == "drop-head" and most_bytes and random.random() < 0.3
    queue = draft.queue(vhost, "maxlen-bytes", kind="quorum" if quorum else "classic", **arguments)
    if by_policy:
        _policy(draft, vhost, queue, dict(by_policy))
    draft.bind(vhost, start, queue, "eu")
    for _ in range(6):
        where = draft.round("plain")
        for text in random.choices(("eu", "eu", "us"), k=random.randint(3, 5)):
            size = random.choice((0, 5, 10, 15, 30))
            draft.send(where, vhost, start, text, size=size)
        _say_what_does_not_fit(where, label(vhost, queue), overflow, most_bytes, most)


def _say_what_does_not_fit(
    where: Round, queue: str, overflow: str, most_bytes: int, most: int | None
) -> None:
    """The acts of a round at a queue that holds so many bytes and messages."""
    lying: list[Message] = []

    def fits(messages: list[Message]) -> bool:
        few = most is None or len(messages) <= most
        return few and sum(one.size for one in messages) <= most_bytes

    for one in where.messages:
        if one.key != "eu":
            continue
        if not fits([*lying, one]):
            one.acts.append({"do": "full", "queue": queue, "with": list(lying)})
            if overflow != "drop-head":
                continue
        lying.append(one)
        while not fits(lying):
            lying.pop(0).acts.append({"do": "pushed_out", "queue": queue, "by": one})
