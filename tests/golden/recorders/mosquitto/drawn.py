"""Estates by seed: a shape of brokers, topics that go over its bridges, and a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from golden.recorders.mosquitto.estate import (
    CONTROL,
    PASSWORD,
    READER,
    Connection,
    Draft,
    Estate,
    Message,
    Topic,
)

_PATTERNS = (
    "sensors/#", "sensors/+/temp", "alarms/#", "cmd/+", "+/state", "sensors/a/temp", "+/+/temp",
    "alarms/fire", "cmd/#", "#", "+/#", "sensors/a/#",
)  # fmt: skip
_PREFIXES = ("site1/", "plant/hall2/", "up/", "x", "sensors/")
_WORDS = ("a", "b", "temp", "state", "fire", "sensors", "alarms", "cmd", "")
_LARGE, _LIMIT = 400, 200

Pairs = list[tuple[int, int]]


def _chain(draft: Draft) -> Pairs:
    return [(number, number - 1) for number in range(1, draft.random.randint(2, 5))]


def _star(draft: Draft) -> Pairs:
    return [(number, 0) for number in range(1, draft.random.randint(3, 5))]


def _tree(draft: Draft) -> Pairs:
    return [(one, draft.random.randrange(one)) for one in range(1, draft.random.randint(3, 5))]


def _ring(draft: Draft) -> Pairs:
    count = draft.random.randint(3, 5)
    return [(number, (number + 1) % count) for number in range(count)]


def _double(draft: Draft) -> Pairs:
    return [(1, 0), draft.random.choice(((1, 0), (0, 1)))]


def _mesh(draft: Draft) -> Pairs:
    count = draft.random.choice((3, 3, 4))
    return [(one, other) for one in range(count) for other in range(one)]


def _two_paths(draft: Draft) -> Pairs:
    pairs = [(1, 0), (2, 0), (3, 1), (3, 2)]
    return [*pairs, (4, 3)] if draft.random.random() < 0.4 else pairs


_SHAPES: dict[str, Callable[[Draft], Pairs]] = {
    "chain": _chain, "star": _star, "tree": _tree, "ring": _ring, "double": _double,
    "mesh": _mesh, "two-paths": _two_paths,
}  # fmt: skip
_CYCLIC = {"ring", "double", "mesh", "two-paths"}


def _topics(draft: Draft, style: str, shared: list[str], renamed: float) -> Iterator[Topic]:
    """The topics of a bridge. ``style`` is a direction, or ``mixed`` for one a topic; a share of
    them is ``renamed``."""
    random = draft.random
    few = random.random() < 0.3
    for pattern in random.sample(shared, random.randint(1, len(shared)) if few else len(shared)):
        direction = style if style != "mixed" else random.choice(("out", "in", "both"))
        qos = random.choice((0, 0, 1, 2))
        if draft.chance(renamed / 4, "single-topic"):
            yield Topic("", direction, qos, *random.sample(("here/t", "there/t", "alarms/fire"), 2))
        elif draft.chance(renamed, "prefix"):
            local, remote = (random.choice(("", *_PREFIXES)) for _ in range(2))
            # Behind a prefix that ends within a level a pattern may not begin with a wildcard.
            within = "x" in (local, remote)
            yield Topic("alarms/#" if within else pattern, direction, qos, local, remote)
        else:
            yield Topic(pattern, direction, qos)
    if draft.chance(0.06, "dollar"):
        yield Topic("$local/#", style if style != "mixed" else "both")


def _options(draft: Draft, one: Connection) -> None:
    """Settings of a bridge, of which each has a feature."""
    random, options = draft.random, one.options
    if draft.chance(0.25, "try-private-false"):
        options["try_private"] = "false"
    version = random.choice((None, None, None, "mqttv311", "mqttv31", "mqttv50", "mqttv50"))
    if version:
        options["bridge_protocol_version"] = version
        draft.estate.features.add(version)
    if draft.chance(0.3, "cleansession"):
        options["cleansession"] = random.choice(("true", "false"))
    if draft.chance(0.2, "notifications"):
        name = random.choice(("notifications", "notifications_local_only"))
        options[name] = "false" if name == "notifications" else "true"
    if draft.chance(0.15, "outgoing-retain"):
        options["bridge_outgoing_retain"] = "false"
    if draft.chance(0.15, "client-id"):
        options["remote_clientid"] = f"id-{one.name}"


def _network(draft: Draft, shape: str) -> None:
    """The brokers of a shape, their bridges and the topics."""
    random, estate = draft.random, draft.estate
    pairs = _SHAPES[shape](draft)
    estate.features.add(shape)
    estate.cyclic = shape in _CYCLIC
    for _ in range(1 + max(max(pair) for pair in pairs)):
        draft.broker()
    style = random.choice(("out", "in", "both", "both", "mixed"))
    estate.features.add(style)
    shared = random.sample(_PATTERNS, random.randint(1, 3))
    turned, renamed = random.random() < 0.3, random.choice((0, 0, 0.3, 0.5))
    for pair in pairs:
        one = draft.connect(*(pair[::-1] if turned and random.random() < 0.5 else pair))
        one.topics += _topics(draft, style, shared, renamed)
        _options(draft, one)
        one.topics.append(_control(draft, one))
    if any(len({each.pattern for each in one.topics}) > 2 for one in estate.connections):
        estate.features.add("several-topics")


def _control(draft: Draft, one: Connection) -> Topic:
    """A topic of its own for each bridge, which shows that it works."""
    incoming = all(each.direction == "in" for each in one.topics)
    name = f"{CONTROL}/{one.name}"
    draft.estate.messages.append(
        Message(one.remote if incoming else one.owner, name, control=one.label,
                far=one.owner if incoming else one.remote)
    )  # fmt: skip
    return Topic(name, "in" if incoming else "out")


def _rights(draft: Draft) -> None:
    """Rights of users at one broker, by topics and by patterns."""
    random, estate = draft.random, draft.estate
    where = random.choice(estate.brokers)
    lines = [f"topic readwrite {CONTROL}/#", *_some_rights(draft)]
    for one in estate.connections:
        if one.remote == where.number and random.random() < 0.7:
            user = f"bridge{len(lines)}"
            one.options["remote_username"] = user
            lines += ["", f"user {user}", f"topic {CONTROL}/#", *_some_rights(draft)]
            estate.features.add("acl-bridge")
    lines += ["", "user app", f"topic {CONTROL}/#", *_some_rights(draft)]
    lines += ["", f"user {READER}", "topic read #", "topic read $local/#"]
    if random.random() < 0.5:
        estate.features.add("acl-pattern")
        for _ in range(random.randint(1, 2)):
            access = random.choice(("read ", "write ", "readwrite ", ""))
            topic = random.choice(("%u/#", "sensors/%u/#", "%c/#", "+/%u/temp"))
            lines.append(f"pattern {access}{topic}")
    where.rights = lines
    estate.features.add("acl")


def _some_rights(draft: Draft) -> list[str]:
    random = draft.random
    made = []
    for _ in range(random.randint(1, 3)):
        access = random.choice(("read ", "write ", "readwrite ", "", "deny "))
        made.append(f"topic {access}{random.choice((*_PATTERNS, 'site1/#', 'sensors/#'))}")
    return made


def _refusal(draft: Draft) -> None:
    """A broker that asks for passwords, and bridges that have one or not."""
    random, estate = draft.random, draft.estate
    where = random.choice([estate.brokers[one.remote] for one in estate.connections])
    where.anonymous, where.users = False, [READER, "app", "link"]
    estate.features.add("password")
    for one in estate.connections:
        if one.remote != where.number:
            continue
        if random.random() < 0.6:
            one.options |= {"remote_username": "link", "remote_password": PASSWORD}
            continue
        one.state = "refused"
        estate.features.add("refused")
        if random.random() < 0.5:
            one.options |= {"remote_username": "link", "remote_password": "other"}


def _take_over(draft: Draft) -> None:
    """Bridges of several brokers with one client id at the same broker: the last one has it."""
    estate = draft.estate
    late = [one for one in estate.connections if one.remote < one.owner]
    busiest = max({one.remote for one in late}, key=lambda n: sum(x.remote == n for x in late))
    same = [one for one in late if one.remote == busiest]
    if len({one.owner for one in same}) < 2 or len({one.owner for one in same}) < len(same):
        return
    estate.features.add("take-over")
    for one in same:
        one.options |= {"remote_clientid": "bridge", "restart_timeout": "600"}
        one.state = "up" if one is same[-1] else "taken"
        one.options.pop("try_private", None)


def _mount(draft: Draft) -> None:
    """Bridges to a listener with a mount point."""
    estate = draft.estate
    one = draft.random.choice(estate.connections)
    where = estate.brokers[one.remote]
    where.mount = draft.random.choice(("site1/", "up/", "mounted/"))
    one.mounted = True
    estate.features.add("mount-point")
    for message in estate.messages:
        if message.control == one.label and message.broker == one.remote:
            message.topic = f"{where.mount}{message.topic}"


def _sizes(draft: Draft) -> None:
    """Limits of bridges and brokers, and messages that are larger."""
    random, estate = draft.random, draft.estate
    estate.features.add("size")
    for one in estate.connections:
        if random.random() < 0.5:
            one.options["bridge_max_packet_size"] = str(_LIMIT)
    if random.random() < 0.5:
        random.choice(estate.brokers).limit = _LIMIT


def _overlap(draft: Draft) -> None:
    """Topics of one bridge that match the same messages."""
    draft.estate.features.add("overlap")
    for one in draft.estate.connections:
        more = draft.random.sample(("#", "sensors/#", "sensors/+/temp", "sensors/a/temp"), 2)
        given = {(each.pattern, each.local, each.remote) for each in one.topics}
        direction = "in" if one.topics[0].direction == "in" else "out"
        one.topics += [Topic(each, direction) for each in more if (each, "", "") not in given]
        if draft.random.random() < 0.4:
            draft.estate.features.add("in-and-out")
            both = draft.random.sample(("in", "out"), 2)
            one.topics += [Topic("alarms/#", each) for each in both]
            if draft.chance(0.3, "attempt-unsubscribe"):
                one.options["bridge_attempt_unsubscribe"] = "false"


Theme = Callable[[Draft], None] | None
_THEMES: tuple[tuple[str, Theme], ...] = (
    ("chain", None), ("star", _rights), ("ring", None), ("tree", _overlap), ("double", None),
    ("star", _refusal), ("two-paths", None), ("tree", _rights), ("mesh", None),
    ("star", _take_over), ("ring", None), ("chain", _mount), ("tree", _sizes), ("double", None),
    ("star", None), ("two-paths", _overlap), ("chain", _rights), ("ring", _refusal),
    ("star", _overlap), ("mesh", None),
)  # fmt: skip


def _example(draft: Draft, pattern: str) -> str:
    """A topic that a pattern matches, or nearly."""
    random = draft.random
    words: list[str] = []
    for word in pattern.split("/"):
        if word == "#":
            words += random.choices(_WORDS, k=random.choice((0, 1, 1, 2)))
        else:
            words.append(random.choice(_WORDS) if word == "+" else word)
    if random.random() < 0.15:
        words = words[:-1] if random.random() < 0.5 else [*words, random.choice(_WORDS)]
    return "/".join(words)


def _messages(draft: Draft) -> None:
    """Messages by the topics of the bridges, and others."""
    random, estate = draft.random, draft.estate
    for _ in range(random.randint(4, 6) if estate.cyclic else random.randint(7, 11)):
        one = random.choice(estate.connections)
        there = random.choice((True, False, False))
        each = random.choice(one.topics[:-1] if len(one.topics) > 1 else one.topics)
        topic = (each.remote if there else each.local) + _example(draft, each.pattern)
        if there and one.mounted:
            topic = estate.brokers[one.remote].mount + topic
        if random.random() < 0.2:
            topic = "/".join(random.choices(_WORDS, k=random.randint(1, 3)))
        topic = topic.replace(f"{CONTROL}/", "") or "other"
        where = random.choice(
            [one.remote if there else one.owner, random.randrange(len(estate.brokers))]
        )
        estate.messages.append(Message(where, topic))
    for message in estate.messages:
        broker = estate.brokers[message.broker]
        if not broker.anonymous or (broker.rights and random.random() < 0.6):
            message.user = "app"
        if message.control:
            continue
        if "size" in estate.features and random.random() < 0.5:
            message.size = _LARGE


def drawn(seed: int) -> Estate:
    """The estate of a seed."""
    draft = Draft(seed)
    shape, theme = _THEMES[seed % len(_THEMES)]
    _network(draft, shape)
    if theme:
        theme(draft)
    _messages(draft)
    estate = draft.estate
    down = {one.label for one in estate.connections if one.state != "up"}
    estate.messages = [one for one in estate.messages if one.control not in down]
    for number, message in enumerate(estate.messages, 1):
        message.id = f"m{number}"
    return estate
