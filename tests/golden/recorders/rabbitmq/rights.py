"""Drawn permissions: users who may write to some exchanges, and with some keys."""

from __future__ import annotations

from golden.recorders.rabbitmq.estate import CONTROL, PUBLISHER, Draft, Round
from golden.recorders.rabbitmq.routing import bind, key, question

USERS = ("alice", "bob", "carol")


def rights(draft: Draft, vhost: str, other: str, where: Round) -> None:
    """Two exchanges, and three users of different rights; one has none in the virtual host."""
    random = draft.random
    topic = draft.exchange(vhost, "topic")
    plain = draft.exchange(
        vhost,
        random.choice(("direct", "fanout", "headers")),
        arguments={"alternate-exchange": topic} if random.random() < 0.4 else None,
    )
    queues = [draft.queue(vhost) for _ in range(2)]
    for queue in queues:
        draft.bind(vhost, topic, queue, random.choice(("eu.#", "#", "*.new", "us")))
        bind(draft, vhost, plain, queue)
    draft.bind(vhost, topic, plain, "#.paid", kind="exchange")
    for user in USERS:
        draft.user(user)
    for user in USERS[:2]:
        draft.permit(user, vhost, "^$", _write(draft, topic, plain), random.choice((".*", "^$")))
        if random.random() < 0.7:
            draft.definitions["topic_permissions"].append(
                {
                    "user": user, "vhost": vhost, "exchange": random.choice((topic, topic, plain)),
                    "write": random.choice(("^eu", r"^eu\.", ".*new$", "^{username}", "us", "^$")),
                    "read": ".*",
                }
            )  # fmt: skip
    draft.permit(USERS[2], other, "", ".*", "")
    for user in USERS:
        for exchange in (topic, topic, topic, plain, plain, "", "amq.topic", "amq.direct"):
            _ask(draft, where, vhost, exchange, user, queues)
    _ask(draft, where, vhost, topic, PUBLISHER, queues)


def _write(draft: Draft, topic: str, plain: str) -> str:
    """A pattern of what a user may write to."""
    return draft.random.choice(
        (f"^{topic}$", f"^({topic}|{plain})$", topic[:3], plain, ".*", "^$", "",
         r"^(amq\.default|" + topic + ")$", r"^amq\.", f"^{topic[:-1]}$")
    )  # fmt: skip


def _ask(
    draft: Draft, where: Round, vhost: str, exchange: str, user: str, queues: list[str]
) -> None:
    random = draft.random
    if not exchange:
        draft.send(
            where, vhost, "", random.choice((*queues, CONTROL)), features=("permission",),
            user=user, path=f"{vhost}/",
        )  # fmt: skip
        return
    if exchange.startswith("amq."):
        draft.send(
            where, vhost, exchange, "eu", features=("permission", "predeclared"), user=user,
            path=f"{vhost}/",
        )  # fmt: skip
        return
    text, given = question(draft, vhost, exchange)
    features = ["permission"]
    if draft.type_of(vhost, exchange) == "topic":
        features.append("topic-permission")
        text = random.choice((text, "eu.new", "us", "alice.new", "eu", key(random)))
    draft.send(where, vhost, exchange, text, given, features, user=user)
