"""Drawn exchanges: types, bindings between them, alternate exchanges, and what is not routed."""

from __future__ import annotations

from random import Random

from golden.recorders.rabbitmq.estate import CONTROL, LONG, Draft, Headers, Round

_WORDS = ("eu", "us", "new", "old", "paid")
_PREDECLARED = (("amq.direct", "direct"), ("amq.topic", "topic"), ("amq.fanout", "fanout"),
                ("amq.headers", "headers"), ("amq.match", "headers"))  # fmt: skip
_NO_EFFECT: tuple[dict[str, object], ...] = (
    {}, {}, {"queue_mode": "lazy"}, {"max_priority": 5}, {"expires": LONG},
    {"single_active_consumer": True},
)  # fmt: skip
_KINDS = ("direct", "topic", "topic", "fanout", "headers", "headers")
_MATCHES = ("all", "any", "all-with-x", "any-with-x", None)
HEADERS: dict[str, tuple[object, ...]] = {
    "size": (1, 2, 1.0, "1"),
    "urgent": (True, False, "true"),
    "town": ("Oslo", "Turku", ""),
    "weight": (1.5, 2.0, 2),
    "x-trace": ("on", 1, True),
}


def key(random: Random) -> str:
    """A routing key of zero to four words."""
    words = [random.choice(_WORDS) for _ in range(random.choice((0, 1, 1, 2, 2, 2, 3, 4)))]
    if random.random() < 0.05:
        words.insert(random.randint(0, len(words)), "")
    return ".".join(words)


def pattern(random: Random) -> str:
    """A binding key of a topic exchange."""
    words = random.choices(
        (*_WORDS, "*", "#", ""), (*[1.0] * len(_WORDS), 2, 1, 0.3), k=random.choice((1, 2, 2, 3))
    )
    return ".".join(words)


def headers(random: Random, most: int = 3) -> Headers:
    """Headers with values of several types."""
    names = random.sample(sorted(HEADERS), random.randint(0, most))
    return {name: random.choice(HEADERS[name]) for name in names}


def filled(random: Random, text: str) -> str:
    """A key that a pattern matches, but for one in four."""
    words: list[str] = []
    for word in text.split("."):
        if word == "#":
            words += random.choices(_WORDS, k=random.randint(0, 2))
        else:
            words.append(random.choice(_WORDS) if word == "*" else word)
    if random.random() < 0.25:
        words = random.choice((words[:-1], [*words, "new"], words[::-1]))
    return ".".join(words)


def bind(draft: Draft, vhost: str, source: str, to: str, kind: str = "queue") -> None:
    """A binding as the type of its exchange needs it."""
    random = draft.random
    match draft.type_of(vhost, source):
        case "topic":
            draft.bind(vhost, source, to, pattern(random), kind=kind)
        case "headers":
            match = random.choice(_MATCHES)
            given = headers(random) | ({"x-match": match} if match else {})
            draft.bind(vhost, source, to, "", given, kind=kind)
        case "x-consistent-hash":
            draft.bind(vhost, source, to, str(random.randint(1, 3)), kind=kind)
        case _:
            draft.bind(vhost, source, to, key(random), kind=kind)


def question(draft: Draft, vhost: str, exchange: str) -> tuple[str, Headers]:
    """A key and headers, more often than not such that a binding of the exchange matches."""
    random = draft.random
    found = [one for one in draft.bindings(vhost, exchange) if one["destination"] != CONTROL]
    one = random.choice(found) if found and random.random() < 0.65 else None
    if one is None:
        return key(random), headers(random)
    given = {name: value for name, value in one["arguments"].items() if name != "x-match"}
    if given and random.random() < 0.4:
        name = random.choice(sorted(given))
        if random.random() < 0.5:
            del given[name]
        else:
            given[name] = random.choice((*HEADERS[name], None))
    if random.random() < 0.3:
        given = headers(random, 2) | given
    if draft.type_of(vhost, exchange) == "topic":
        return filled(random, one["routing_key"]), given or headers(random, 1)
    return one["routing_key"] if random.random() < 0.8 else key(random), given


def ask(draft: Draft, where: Round, vhost: str, exchange: str, count: int) -> None:
    """Messages to one exchange."""
    for _ in range(count):
        draft.send(where, vhost, exchange, *question(draft, vhost, exchange))


def core(draft: Draft, vhost: str, where: Round, count: int) -> None:
    """Two to four exchanges and queues with all that connects them."""
    random = draft.random
    kinds = random.choices(_KINDS, k=random.randint(2, 4))
    exchanges = []
    for kind in kinds:
        given = {}
        if exchanges and random.random() < 0.25:
            given["alternate-exchange"] = random.choice(exchanges)
        exchanges.append(draft.exchange(vhost, kind, arguments=given))
    if random.random() < 0.3:
        name, kind = random.choice(_PREDECLARED)
        exchanges.append(draft.predeclared(vhost, name, kind))
    queues = []
    for _ in range(random.randint(2, 4)):
        kind = random.choices(("classic", "quorum", "stream"), (7, 2, 1))[0]
        given = random.choice(_NO_EFFECT) if kind == "classic" else {}
        queues.append(draft.queue(vhost, kind=kind, **given))
    for exchange in exchanges:
        for _ in range(random.randint(1, 3)):
            bind(draft, vhost, exchange, random.choice(queues))
        if random.random() < 0.5:
            bind(draft, vhost, exchange, random.choice(exchanges), "exchange")
    for exchange in exchanges:
        ask(draft, where, vhost, exchange, count // len(exchanges))
    for _ in range(3):
        draft.send(where, vhost, "", random.choice((*queues, "nowhere", key(random))))


def alternates(draft: Draft, vhost: str, where: Round) -> None:
    """A chain of alternate exchanges, which may be a circle, by argument or by policy."""
    random = draft.random
    length, circle = random.randint(2, 3), random.random() < 0.5
    names = [draft.name(vhost) for _ in range(length)]
    missing = not circle and random.random() < 0.3
    for number, name in enumerate(names):
        last = number == length - 1
        to = names[number + 1] if not last else (names[0] if circle else "missing")
        by_policy = random.random() < 0.5
        given = not last or circle or missing
        arguments = {"alternate-exchange": to} if given and not by_policy else {}
        kind = random.choice(("direct", "topic")) if not last else random.choice(_KINDS[1:])
        draft.exchange(vhost, kind, "alternate-chain", name=name, arguments=arguments)
        if given and by_policy:
            draft.tag(vhost, name, "alternate-policy")
            draft.leads(vhost, name, to)
            draft.definitions["policies"].append(
                {
                    "vhost": vhost, "name": f"alternate {name}", "pattern": f"^{name}$",
                    "apply-to": random.choice(("exchanges", "all")), "priority": number,
                    "definition": {"alternate-exchange": to},
                }
            )  # fmt: skip
        if circle:
            draft.tag(vhost, name, "alternate-circle")
    queues = [draft.queue(vhost) for _ in range(2)]
    nowhere = draft.exchange(vhost, random.choice(("headers", "direct")))
    draft.bind(vhost, names[0], queues[0], "eu")
    draft.bind(vhost, names[0], nowhere, "us", kind="exchange")
    draft.bind(vhost, names[1], queues[1], "new")
    for text in ("eu", *["us"] * 6, "new", "old", "paid", "new.eu", "old"):
        more = ("alternate-not-used",) if text == "us" else ()
        start = names[0] if random.random() < 0.8 else names[1]
        draft.send(where, vhost, start, text, headers(random, 1), more)
    ask(draft, where, vhost, names[-1], 3)


def internal(draft: Draft, vhost: str, where: Round) -> None:
    """An internal exchange, which other exchanges may lead to and nobody may publish to."""
    random = draft.random
    inner = draft.exchange(vhost, random.choice(_KINDS), "internal", internal=True)
    alternate = random.random() < 0.4
    outer = draft.exchange(
        vhost,
        random.choice(("direct", "topic", "fanout")),
        arguments={"alternate-exchange": inner} if alternate else {},
    )
    queue = draft.queue(vhost)
    bind(draft, vhost, inner, queue)
    bind(draft, vhost, outer, queue if alternate else inner, "queue" if alternate else "exchange")
    ask(draft, where, vhost, outer, 6)
    for _ in range(6):
        # The control of what is refused goes the way that is allowed.
        draft.send(where, vhost, inner, *question(draft, vhost, inner), path=f"{vhost}/{outer}")
    for text in ("eu", "us", "missing"):
        draft.send(where, vhost, "missing", text, features=("missing-exchange",), path=f"{vhost}/")


def duplicates(draft: Draft, vhost: str, where: Round) -> None:
    """A queue to which several bindings and a way round lead."""
    random = draft.random
    kind = random.choice(("topic", "headers", "direct"))
    first, second = draft.exchange(vhost, kind), draft.exchange(vhost, "fanout")
    queue, other = draft.queue(vhost), draft.queue(vhost)
    for _ in range(3):
        bind(draft, vhost, first, queue)
    bind(draft, vhost, first, second, "exchange")
    draft.bind(vhost, second, queue)
    draft.bind(vhost, second, queue, "again")
    bind(draft, vhost, first, other)
    ask(draft, where, vhost, first, 10)
    ask(draft, where, vhost, second, 2)


def selected(draft: Draft, vhost: str, where: Round) -> None:
    """Messages whose sender names more routing keys, in the headers CC and BCC; one queue passes
    them on to a dead-letter exchange."""
    random = draft.random
    first = draft.exchange(vhost, random.choice(("direct", "topic")))
    dead = draft.exchange(vhost, "direct")
    names = [draft.queue(vhost) for _ in range(2)]
    given = {"dead_letter_routing_key": "old"} if random.random() < 0.4 else {}
    full = draft.queue(vhost, max_length=0, dead_letter_exchange=dead, **given)
    draft.bind(vhost, first, names[0], "eu")
    draft.bind(vhost, first, full, "us")
    for text in ("eu", "us", "old"):
        if random.random() < 0.7:
            draft.bind(vhost, dead, names[1], text)
    for _ in range(14):
        keys: Headers = {
            name: random.choices(("eu", "us", "old", names[0]), k=random.randint(0, 2))
            for name in random.choice((("CC",), ("BCC",), ("CC", "BCC")))
        }
        exchange = random.choice((first, first, ""))
        text = random.choice(("eu", "us", "new"))
        draft.send(where, vhost, exchange, text, keys, ("sender-selected",))


def hashes(draft: Draft, vhost: str, where: Round) -> None:
    """A consistent-hash exchange: one of its queues or exchanges gets the message."""
    random = draft.random
    given = random.choice(({}, {}, {"hash-header": "town"}, {"hash-property": "message_id"}))
    name = draft.exchange(vhost, "x-consistent-hash", arguments=given)
    start = draft.exchange(vhost, "topic")
    draft.bind(vhost, start, name, pattern(random), kind="exchange")
    queues = [draft.queue(vhost) for _ in range(3)]
    for queue in queues[:2]:
        bind(draft, vhost, name, queue)
    behind = draft.exchange(vhost, "fanout")
    bind(draft, vhost, name, behind, "exchange")
    if random.random() < 0.5:
        draft.bind(vhost, behind, queues[2])
    ask(draft, where, vhost, start, 10)
    for _ in range(5):
        draft.send(where, vhost, name, key(random), {"town": random.choice(("Oslo", "Turku"))})


def randoms(draft: Draft, vhost: str, where: Round) -> None:
    """A random exchange: one of its queues or exchanges gets the message, whatever its key."""
    random = draft.random
    alternate = draft.exchange(vhost, "fanout")
    given = {"alternate-exchange": alternate} if random.random() < 0.5 else {}
    name, start = draft.exchange(vhost, "x-random", arguments=given), draft.exchange(vhost, "topic")
    empty = draft.exchange(vhost, "x-random", arguments=given)
    draft.bind(vhost, start, name, pattern(random), kind="exchange")
    draft.bind(vhost, start, empty, pattern(random), kind="exchange")
    queues = [draft.queue(vhost) for _ in range(4)]
    for queue in queues[: random.randint(1, 2)]:
        for text in random.sample(_WORDS, random.randint(1, 2)):
            draft.bind(vhost, name, queue, text)
    behind = draft.exchange(vhost, random.choice(("fanout", "direct")))
    if random.random() < 0.7:
        draft.bind(vhost, name, behind, "eu", kind="exchange")
    draft.bind(vhost, behind, queues[2], "eu")
    draft.bind(vhost, alternate, queues[3])
    ask(draft, where, vhost, start, 10)
    for _ in range(8):
        draft.send(where, vhost, name, random.choice(("eu", key(random))), headers(random, 1))
    for _ in range(2):
        draft.send(where, vhost, empty, key(random))


def missing(draft: Draft, vhost: str, where: Round) -> None:
    """Messages to exchanges that there are not: one that another virtual host may have, one that is
    only named as an alternate, and one like another but for its case."""
    random = draft.random
    named = draft.exchange(vhost, "direct", arguments={"alternate-exchange": "absent"})
    draft.bind(vhost, named, draft.queue(vhost), "eu")
    for name in ("missing", "absent", named.upper(), f"{named}.", "amq.none") * 3:
        draft.send(
            where, vhost, name, random.choice(("eu", key(random))), headers(random, 2),
            ("missing-exchange",), path=f"{vhost}/",
        )  # fmt: skip
    for text in ("eu", "us"):
        draft.send(where, vhost, named, text)
