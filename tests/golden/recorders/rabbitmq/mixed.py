"""Drawn estates in which everything comes together: bindings, alternates, dead letters, shovels and
federation over several virtual hosts of one or two clusters, one behind the other."""

from __future__ import annotations

from golden.recorders.rabbitmq.estate import SHORT, Draft
from golden.recorders.rabbitmq.links import federate, parameter, uri
from golden.recorders.rabbitmq.routing import bind, headers, key, question

_STEPS = 3


def mixed(draft: Draft, vhosts: list[str]) -> None:
    """In each virtual host exchanges and queues of several steps: what leads on leads to a later
    one, so that nothing goes round."""
    random = draft.random
    steps = [_step(draft, vhosts) for _ in range(_STEPS)]
    for number, (exchanges, queues) in enumerate(steps):
        for vhost, exchange in exchanges.items():
            for _ in range(random.randint(1, 2)):
                bind(
                    draft,
                    vhost,
                    exchange,
                    random.choice(steps[random.randint(number, 2)][1][vhost]),
                )
            if number + 1 < _STEPS and random.random() < 0.3:
                bind(draft, vhost, exchange, steps[number + 1][0][vhost], "exchange")
        if number + 1 < _STEPS:
            _lead_on(draft, exchanges, queues, *steps[number + 1])
    where = draft.round("linked")
    for exchanges, queues in steps:
        for vhost, exchange in exchanges.items():
            for _ in range(3):
                draft.send(where, vhost, exchange, *question(draft, vhost, exchange))
            for queue in queues[vhost]:
                draft.send(where, vhost, "", queue, headers(random, 1))


def _step(draft: Draft, vhosts: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """An exchange and two names of queues in each virtual host."""
    kinds = ("direct", "topic", "fanout", "headers")
    exchanges = {vhost: draft.exchange(vhost, draft.random.choice(kinds)) for vhost in vhosts}
    for vhost, exchange in exchanges.items():
        draft.control(vhost, exchange)
    return exchanges, {vhost: [draft.queue(vhost) for _ in range(2)] for vhost in vhosts}


def _lead_on(
    draft: Draft,
    exchanges: dict[str, str],
    queues: dict[str, list[str]],
    next_exchanges: dict[str, str],
    next_queues: dict[str, list[str]],
) -> None:
    """What leads from one step to the next: dead letters of the first queue of a virtual host, a
    shovel out of the second one, federation of the exchange."""
    random = draft.random
    vhosts = list(exchanges)
    for vhost, (dying, taken) in queues.items():
        if random.random() < 0.5:
            to = random.choice(("", next_exchanges[vhost]))
            given = {"x-message-ttl": SHORT, "x-dead-letter-exchange": to}
            if not to or random.random() < 0.5:
                text = random.choice(next_queues[vhost]) if not to else key(random)
                given["x-dead-letter-routing-key"] = text
                if not to:
                    draft.leads(vhost, dying, text, kind="queue", to="queue")
            if to:
                draft.leads(vhost, dying, to, kind="queue")
            draft.arguments(vhost, dying, given)
            draft.tag(vhost, dying, "ttl-queue", kind="queue")
        if random.random() < 0.4:
            _shovel(draft, vhost, taken, random.choice(vhosts), next_exchanges, next_queues)
    up, down = random.sample(vhosts, 2)
    if random.random() < 0.7:
        value: dict[str, object] = {"exchange": exchanges[up]}
        if random.random() < 0.5:
            value["max-hops"] = random.choice((1, 2, 3))
        tags = federate(draft, down, next_exchanges[down], [up], value, "exchanges")
        draft.tag(up, exchanges[up], "federated-exchange", "max-hops", *tags)
        draft.leads(up, exchanges[up], next_exchanges[down], to_vhost=down)


def _shovel(
    draft: Draft,
    vhost: str,
    queue: str,
    to_vhost: str,
    next_exchanges: dict[str, str],
    next_queues: dict[str, list[str]],
) -> None:
    random = draft.random
    at = random.choice((vhost, to_vhost))
    value: dict[str, object] = {
        "src-uri": uri(draft, at, vhost), "src-queue": queue, "dest-uri": uri(draft, at, to_vhost),
    }  # fmt: skip
    if random.random() < 0.5:
        to, what = next_exchanges[to_vhost], "exchange"
        value["dest-exchange"] = to
        if random.random() < 0.5:
            value["dest-exchange-key"] = key(random)
    else:
        to, what = random.choice(next_queues[to_vhost]), "queue"
        value["dest-queue"] = to
    parameter(draft, at, "shovel", f"from {queue} of {vhost}", value)
    far = "shovel-vhosts" if vhost != to_vhost else "shovel-one-vhost"
    draft.tag(vhost, queue, f"shovel-queue-{what}", far, kind="queue")
    draft.leads(vhost, queue, to, kind="queue", to=what, to_vhost=to_vhost)
