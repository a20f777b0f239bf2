"""Drawn federation and shovels between virtual hosts, of one cluster or of two."""

from __future__ import annotations

from urllib.parse import quote

from golden.recorders.rabbitmq.broker import ADDRESSES, CLUSTER
from golden.recorders.rabbitmq.dead_letters import label
from golden.recorders.rabbitmq.estate import (
    CONTROL,
    LATER,
    PASSWORD,
    PUBLISHER,
    SHORT,
    Draft,
    cluster_and_vhost,
)
from golden.recorders.rabbitmq.routing import ask, bind, headers, key


def uri(draft: Draft, here: str, there: str, *, upstream: bool = False) -> str:
    """A URI of a virtual host, as another one has it: without a host a broker connects to itself.
    That of an ``upstream`` needs no name of a virtual host that is called like the other one."""
    cluster, vhost = cluster_and_vhost(there)
    name = quote(vhost, safe="")
    near = cluster_and_vhost(here)[0] == cluster
    if draft.random.random() < 0.7 and near:
        return f"amqp:///{name}"
    path = f"/{name}"
    if upstream and not near and cluster_and_vhost(here)[1] == vhost:
        path = draft.random.choice(("", path))
    return f"amqp://{PUBLISHER}:{PASSWORD}@{ADDRESSES[cluster or CLUSTER]}{path}"


def parameter(draft: Draft, vhost: str, component: str, name: str, value: object) -> None:
    """One more parameter of a virtual host."""
    draft.definitions["parameters"].append(
        {"vhost": vhost, "component": component, "name": name, "value": value}
    )


def federate(
    draft: Draft,
    vhost: str,
    name: str,
    ups: list[str],
    value: dict[str, object],
    what: str,
    *,
    each: bool = False,
) -> tuple[str, ...]:
    """Upstreams of an exchange or queue, by one of the four ways to name them; the features.
    ``each``: upstreams and the members of a set may have something else to say."""
    random = draft.random
    for up in ups:
        there: object = uri(draft, vhost, up, upstream=True)
        if random.random() < 0.2:
            there = [there]
        own = {"max-hops": random.choice((1, 2, 3))} if each and random.random() < 0.4 else {}
        given = {"uri": there, **value, **own}
        parameter(draft, vhost, "federation-upstream", f"from-{up}", given)
    group = "some" if draft.seed < LATER else f"some of {vhost}"
    ways = ("set", "all", "pattern")
    way = random.choice(("one", *ways) if len(ups) == 1 else ways)
    if way == "set":
        members: list[dict[str, object]] = [{"upstream": f"from-{up}"} for up in ups]
        for member in members if each else ():
            if random.random() < 0.5:
                member["max-hops"] = random.choice((1, 2, 3))
        if len(members) > 1 and random.random() < 0.3:
            members.pop()
        parameter(draft, vhost, "federation-upstream-set", group, members)
    definition = {
        "one": {"federation-upstream": f"from-{ups[0]}"},
        "set": {"federation-upstream-set": group},
        "all": {"federation-upstream-set": "all"},
        "pattern": {"federation-upstream-pattern": random.choice(("^from-", f"from-{ups[0]}$"))},
    }[way]
    draft.definitions["policies"].append(
        {
            "vhost": vhost, "name": f"federate {name}", "pattern": f"^{name}$",
            "apply-to": random.choice((what, "all")), "priority": 0, "definition": definition,
        }
    )  # fmt: skip
    return () if way == "one" else (f"upstream-{way}",)


def federated_exchanges(draft: Draft, vhosts: list[str], *, each: bool = False) -> None:
    """An exchange of one name in two or more virtual hosts, federated in a chain, a ring, or a
    star, over as many hops as are allowed; ``each``: as each link of its own allows."""
    random = draft.random
    kind = random.choice(("topic", "topic", "direct", "fanout", "headers"))
    if each and random.random() < 0.15:
        kind = random.choice(("x-random", "x-consistent-hash"))
    name = draft.name(vhosts[0])
    ring = random.random() < 0.4
    hops = random.choice((None, 1, 2, 3)) if not ring else random.choice((1, 2, 10))
    other_name = not ring and len(vhosts) == 2 and random.random() < 0.3
    star = not ring and len(vhosts) == 3 and random.random() < 0.3
    names = dict.fromkeys(vhosts, name)
    if other_name:
        names[vhosts[0]] = draft.name(vhosts[0])
    for vhost in vhosts:
        draft.exchange(vhost, kind, name=names[vhost])
        queue = draft.queue(vhost)
        for _ in range(random.randint(1, 2)):
            bind(draft, vhost, names[vhost], queue)
        draft.control(vhost, names[vhost])
    if random.random() < 0.4:
        inner = draft.exchange(vhosts[-1], "fanout")
        bind(draft, vhosts[-1], name, inner, "exchange")
        draft.bind(vhosts[-1], inner, queue)
    ups = {vhost: [vhosts[number]] for number, vhost in enumerate(vhosts[1:])}
    if ring:
        ups[vhosts[0]] = [vhosts[-1]]
    elif star:
        ups = {vhosts[2]: vhosts[:2]}
    for vhost, froms in ups.items():
        value: dict[str, object] = {} if hops is None else {"max-hops": hops}
        if other_name:
            value["exchange"] = names[froms[0]]
        tags = federate(draft, vhost, name, froms, value, "exchanges", each=each)
        for up in froms:
            draft.leads(up, names[up], name, to_vhost=vhost)
            draft.tag(up, names[up], "federated-exchange", *tags)
            draft.tag(up, names[up], "federation-ring" if ring else "max-hops")
    where = draft.round("linked")
    for vhost in vhosts:
        ask(draft, where, vhost, names[vhost], 8)
    first = vhosts[0]
    bound = [one for one in draft.bindings(vhosts[-1], name) if one["destination"] != CONTROL]
    for one in bound:
        given = {header: value for header, value in one["arguments"].items() if header != "x-match"}
        draft.send(where, first, names[first], one["routing_key"], given)


def meshes(draft: Draft, vhosts: list[str]) -> None:
    """An exchange of one name in all virtual hosts, each of which is federated with all others."""
    random = draft.random
    kind = random.choice(("topic", "direct", "fanout", "headers"))
    predeclared = random.random() < 0.3
    name = f"amq.{kind}" if predeclared else draft.name(vhosts[0])
    value: dict[str, object] = {}
    if hops := random.choice((None, 1, 2, 2, 3)):
        value["max-hops"] = hops
    for vhost in vhosts:
        if predeclared:
            draft.predeclared(vhost, name, kind)
        else:
            draft.exchange(vhost, kind, name=name)
        queue = draft.queue(vhost)
        for _ in range(random.randint(1, 2)):
            bind(draft, vhost, name, queue)
        draft.control(vhost, name)
    for vhost in vhosts:
        others = [one for one in vhosts if one != vhost]
        tags = federate(draft, vhost, name, others, value, "exchanges", each=True)
        for up in others:
            draft.leads(up, name, name, to_vhost=vhost)
            draft.tag(up, name, "federated-exchange", "federation-ring", *tags)
    where = draft.round("linked")
    for vhost in vhosts:
        ask(draft, where, vhost, name, 7)
        for one in draft.bindings(vhosts[-1], name)[:2]:
            if one["destination"] != CONTROL:
                given = {name: value for name, value in one["arguments"].items()
                         if name != "x-match"}  # fmt: skip
                draft.send(where, vhost, name, one["routing_key"], given)


def returning(draft: Draft, vhosts: list[str]) -> None:
    """What federation brings from the first virtual host into a queue of the second one, a shovel
    takes back to an exchange of the first, which may be federated with the second in turn."""
    random = draft.random
    first, second = vhosts[:2]
    name, back = draft.name(first), draft.name(first)
    hops = random.choice((1, 2, 3))
    for vhost in (first, second):
        for each in (name, back):
            draft.exchange(vhost, random.choice(("topic", "direct")), name=each)
            draft.control(vhost, each)
    taken, ends = draft.queue(second), [draft.queue(vhost) for vhost in (first, second)]
    draft.bind(second, name, taken, "eu")
    for vhost, end in zip((first, second), ends, strict=True):
        draft.bind(vhost, back, end, random.choice(("us", "us", "eu")))
    names = [name, back] if random.random() < 0.7 else [name]
    tags = federate(draft, second, f"({'|'.join(names)})", [first], {"max-hops": hops},
                     "exchanges")  # fmt: skip
    for each in names:
        draft.leads(first, each, each, to_vhost=second)
        draft.tag(first, each, "federated-exchange", "max-hops", *tags)
    at = random.choice((first, second))
    value: dict[str, object] = {
        "src-uri": uri(draft, at, second), "src-queue": taken,
        "dest-uri": uri(draft, at, first), "dest-exchange": back,
    }  # fmt: skip
    if random.random() < 0.7:
        value["dest-exchange-key"] = "us"
    parameter(draft, at, "shovel", "takes back", value)
    draft.tag(second, taken, "shovel-queue-exchange", "shovel-vhosts", kind="queue")
    draft.leads(second, taken, back, kind="queue", to_vhost=first)
    where = draft.round("linked")
    for text in ("eu", "eu", "us", "eu", "old", "eu"):
        draft.send(where, first, name, text, headers(random, 1))
    for text in ("eu", "us", "us"):
        draft.send(where, second, name, text)
        draft.send(where, first, back, text)
        draft.send(where, second, back, text)
    for _ in range(3):
        draft.send(where, second, "", taken)


def federated_queues(draft: Draft, vhosts: list[str], *, both: bool = False) -> None:
    """A queue of one name in two virtual hosts, federated: without a consumer, with one at the
    downstream queue, and with one at both. ``both``: perhaps in both directions, or with a queue
    of another name."""
    up, down = vhosts[:2]
    name = there = draft.name(up)
    way = draft.random.choice(("", "", "back", "renamed")) if both else ""
    value: dict[str, object] = {}
    if way == "renamed":
        there = draft.name(up)
        value = {"queue": there}
    start = draft.exchange(up, draft.random.choice(("direct", "topic")))
    for vhost, queue in ((up, there), (down, name)):
        draft.queue(vhost, name=queue)
    draft.bind(up, start, there, "eu")
    tags = federate(draft, down, name, [up], value, "queues")
    draft.tag(up, there, "federated-queue", *tags, kind="queue")
    draft.leads(up, there, name, kind="queue", to="queue", to_vhost=down)
    if way == "back":
        tags = federate(draft, up, name, [down], value, "queues")
        draft.tag(down, name, "federated-queue", *tags, kind="queue")
        draft.leads(down, name, name, kind="queue", to="queue", to_vhost=up)
    for consumers in ((), (down,), (up, down)):
        where = draft.round("linked")
        for vhost in consumers:
            where.acts[label(vhost, there if vhost == up else name)] = ("consume", -1)
        for text in ("eu", "us", "eu", key(draft.random)):
            draft.send(where, up, start, text, choice=len(consumers) > 1)
        draft.send(where, up, "", there, choice=len(consumers) > 1)
        draft.send(where, down, "", name, choice=way == "back" and len(consumers) > 1)


def shovels(draft: Draft, vhosts: list[str], *, slow: bool = False, far: bool = False) -> None:
    """A shovel out of a queue or an exchange, into a queue or an exchange, with or without a key,
    within a virtual host or between two. ``slow``: into its queue messages expire; ``far``: between
    two clusters, and stated in any virtual host."""
    random = draft.random
    from_vhost, to_vhost = vhosts[0], random.choice(vhosts)
    at = from_vhost
    if far:
        to_vhost, at = vhosts[1], random.choice(vhosts)
    from_exchange, to_exchange = draft.turn(
        ((False, True), (False, False), (True, True), (True, False))
    )
    with_key = random.random() < 0.65
    source = draft.exchange(from_vhost, random.choice(("topic", "direct")))
    target = draft.exchange(
        to_vhost,
        random.choice(("topic", "direct", "fanout", "headers")),
        arguments={"alternate-exchange": "missing"} if random.random() < 0.2 else None,
    )
    queue, sink = draft.queue(from_vhost), draft.queue(to_vhost)
    draft.bind(from_vhost, source, queue, "eu")
    bind(draft, to_vhost, target, sink)
    if slow or random.random() < 0.3:
        _slowly(draft, from_vhost, queue)
    kind = f"{'exchange' if from_exchange else 'queue'}-{'exchange' if to_exchange else 'queue'}"
    value: dict[str, object] = {
        "src-uri": uri(draft, at, from_vhost), "dest-uri": uri(draft, at, to_vhost),
        "ack-mode": random.choice(("on-confirm", "on-confirm", "on-publish", "no-ack")),
    }  # fmt: skip
    if random.random() < 0.5:
        value |= {"src-protocol": "amqp091", "dest-protocol": "amqp091"}
    if random.random() < 0.3:
        value["add-forward-headers"] = True
    tags = [f"shovel-{kind}", "shovel-vhosts" if from_vhost != to_vhost else "shovel-one-vhost"]
    if from_exchange:
        value["src-exchange"] = source
        value["src-exchange-key"] = random.choice(("us", "us.#", "*.new", "eu", "old.eu"))
    else:
        value["src-queue"] = queue
    if to_exchange:
        value["dest-exchange"] = target
        if with_key:
            value["dest-exchange-key"] = random.choice(("eu", "us", "new.old"))
            tags.append("shovel-key")
    else:
        value["dest-queue"] = sink
    parameter(draft, at, "shovel", f"shovel {queue}", value)
    name, what = (source, "exchange") if from_exchange else (queue, "queue")
    draft.tag(from_vhost, name, *tags, kind=what)
    to_name, to_what = (target, "exchange") if to_exchange else (sink, "queue")
    draft.leads(from_vhost, name, to_name, kind=what, to=to_what, to_vhost=to_vhost)
    where = draft.round("linked")
    keys = ("eu", "us", "us.old", "us.new", "old", "eu", "old.eu", "eu", "us", "us.new")
    for text in (*keys, "eu", "us.new", "old.eu", key(random), key(random)):
        draft.send(where, from_vhost, source, text, headers(random, 2))
    for _ in range(5):
        draft.send(where, from_vhost, "", queue, headers(random, 2))
    for one in draft.queues(from_vhost, "shovel-after-dead-letter"):
        for _ in range(10 if slow else 3):
            draft.send(where, from_vhost, "", one, headers(random, 2))
    ask(draft, where, to_vhost, target, 3)


def _slowly(draft: Draft, vhost: str, queue: str) -> None:
    """A queue whose messages expire into the one with the shovel."""
    draft.queue(
        vhost, "ttl-queue", "shovel-after-dead-letter", message_ttl=SHORT,
        dead_letter_exchange="", dead_letter_routing_key=queue,
    )  # fmt: skip


def carried_deaths(draft: Draft, vhosts: list[str]) -> None:
    """A message dies in one virtual host, is carried by a shovel into another, dies there again,
    and would go on to a queue, which may have the name of one in which it died before."""
    random = draft.random
    first, second = vhosts[:2]
    dies = draft.name(first)
    last = dies if random.random() < 0.7 else draft.name(second)
    waits = draft.queue(first)
    while (arrives := draft.name(second)) in (dies, last):
        pass
    rejected = random.random() < 0.3
    where = draft.round("linked")
    given: dict[str, object] = {} if rejected else {"message_ttl": SHORT}
    draft.queue(
        first, "carried-death", "reject" if rejected else "ttl-queue", name=dies,
        dead_letter_exchange="", dead_letter_routing_key=waits, **given,
    )  # fmt: skip
    if rejected:
        where.acts[label(first, dies)] = ("reject", 1)
    draft.queue(
        second, "carried-death", "ttl-queue", name=arrives, message_ttl=SHORT,
        dead_letter_exchange="", dead_letter_routing_key=last,
    )  # fmt: skip
    draft.queue(second, name=last)
    value = {
        "src-uri": uri(draft, first, first), "src-queue": waits,
        "dest-uri": uri(draft, first, second), "dest-queue": arrives,
    }  # fmt: skip
    parameter(draft, first, "shovel", "carries", value)
    draft.tag(first, waits, "shovel-queue-queue", "shovel-vhosts", kind="queue")
    draft.leads(first, waits, arrives, kind="queue", to="queue", to_vhost=second)
    for vhost, name in [(first, dies)] * 6 + [(first, waits), (second, arrives)] * 3:
        draft.send(where, vhost, "", name)


def federated_deaths(draft: Draft, vhosts: list[str]) -> None:
    """The same with a federated exchange of dead letters in place of the shovel; what dies in the
    second virtual host may go back into that exchange."""
    random = draft.random
    first, second = vhosts[:2]
    dies, exchange = draft.name(first), draft.name(first)
    last = dies if random.random() < 0.7 else draft.name(second)
    while (arrives := draft.name(second)) in (dies, last):
        pass
    rejected = random.random() < 0.3
    where = draft.round("linked")
    given: dict[str, object] = {} if rejected else {"message_ttl": SHORT}
    kind = random.choice(("direct", "topic", "fanout"))
    for vhost in (first, second):
        draft.exchange(vhost, kind, name=exchange)
        draft.control(vhost, exchange)
    draft.queue(
        first, "carried-death", "reject" if rejected else "ttl-queue", name=dies,
        dead_letter_exchange=exchange, dead_letter_routing_key="dead", **given,
    )  # fmt: skip
    if rejected:
        where.acts[label(first, dies)] = ("reject", 1)
    back = random.random() < 0.4
    draft.queue(
        second, "carried-death", "ttl-queue", name=arrives, message_ttl=SHORT,
        dead_letter_exchange=exchange if back else "", dead_letter_routing_key=last,
    )  # fmt: skip
    draft.queue(second, name=last)
    draft.bind(second, exchange, arrives, "dead")
    if back:
        draft.bind(second, exchange, last, last)
    if random.random() < 0.5:
        draft.bind(first, exchange, draft.queue(first), "dead")
    tags = federate(draft, second, exchange, [first], {}, "exchanges")
    draft.tag(first, exchange, "federated-exchange", "max-hops", *tags)
    draft.leads(first, exchange, exchange, to_vhost=second)
    for vhost, name in [(first, dies)] * 6 + [(second, arrives)] * 3:
        draft.send(where, vhost, "", name)
    for vhost, text in ((first, "dead"), (first, "eu"), (second, "dead"), (first, last)):
        draft.send(where, vhost, exchange, text)


def shovel_rings(draft: Draft, vhosts: list[str]) -> None:
    """Two shovels that carry a message round, unless a key on the way leads it out."""
    random = draft.random
    first, second = vhosts[0], vhosts[-1]
    ends = draft.queue(first), draft.queue(second)
    exchange = draft.exchange(second, random.choice(("fanout", "direct")))
    tap = draft.queue(second)
    out = random.random() < 0.3
    draft.bind(second, exchange, tap, "eu")
    draft.bind(second, exchange, ends[1], "us" if out else "eu")
    key_there = {"dest-exchange-key": "eu"}
    for number, (vhost, queue, value) in enumerate(
        (
            (first, ends[0], {"dest-uri": uri(draft, first, second), "dest-exchange": exchange}
             | key_there),
            (second, ends[1], {"dest-uri": uri(draft, second, first), "dest-queue": ends[0]}),
        )
    ):  # fmt: skip
        given = {"src-uri": uri(draft, vhost, vhost), "src-queue": queue, **value}
        parameter(draft, vhost, "shovel", f"ring {number}", given)
        draft.tag(vhost, queue, "shovel-ring", kind="queue")
    draft.leads(first, ends[0], exchange, kind="queue", to_vhost=second)
    draft.leads(second, ends[1], ends[0], kind="queue", to="queue", to_vhost=first)
    where = draft.round("ring")
    for _ in range(3):
        draft.send(where, first, "", ends[0])
        draft.send(where, second, "", ends[1])
    for text in ("eu", "us", "old", "old", "eu", "us"):
        draft.send(where, second, exchange, text)
