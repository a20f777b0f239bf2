"""Topic strings: which topic objects stand at or above one, and which subscriptions take it (M-30,
M-31).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from topograph.facts.ibm_mq import Subscription, Topic
from topograph.systems.ibm_mq.objects.attributes import keyword, value
from topograph.systems.ibm_mq.routing.lookup import Lookup


def is_above(topic: Topic, published_on: str) -> bool:
    """Whether a topic object stands at a topic or above it."""
    string = value(topic, "TOPICSTR").strip("/")
    return not string or f"{published_on.strip('/')}/".startswith(f"{string}/")


def ancestors(estate: Lookup, server: str, topic: str) -> Iterator[Topic]:
    """The topic objects at a topic and above it, the nearest first (M-30)."""
    by_string: dict[str, Topic] = {}
    for one in estate.network.topics.of(server):
        by_string.setdefault(value(one, "TOPICSTR").strip("/"), one)
    levels = _levels(topic)
    for length in range(len(levels), -1, -1):
        found = by_string.get("/".join(levels[:length]))
        if found is not None:
            yield found


def governing(estate: Lookup, server: str, topic: str) -> list[Sequence[Topic]]:
    """The topic objects that a queue manager goes by at a topic and above it, the nearest first: at
    each topic string its own, else those of its clusters, which may differ (M-30)."""
    found: dict[int, list[Topic]] = {}
    for cluster in estate.clusters.receivers(server):
        for one in estate.clusters.topics(cluster):
            if is_above(one, topic):
                found.setdefault(len(levels_of(one)), []).append(one)
    found |= {len(levels_of(one)): [one] for one in ancestors(estate, server, topic)}
    return [found[length] for length in sorted(found, reverse=True)]


def resolved(levels: Sequence[Sequence[Topic]], attribute: str, default: str) -> frozenset[str]:
    """What topic objects say of an attribute, ASPARENT being what stands above: several values
    where definitions of one cluster topic differ. Linear."""
    said = frozenset((default,))
    for level in reversed(levels):
        words = {keyword(one, attribute) or "ASPARENT" for one in level}
        said = frozenset(words - {"ASPARENT"}) | (said if "ASPARENT" in words else frozenset())
    return said


def is_inhibited(levels: Sequence[Sequence[Topic]]) -> bool:
    """Whether publications are refused (PUB(DISABLED)): one definition of a cluster topic that
    lets them pass is enough (M-30)."""
    return resolved(levels, "PUB", "ENABLED") == {"DISABLED"}


def topic_string(estate: Lookup, one: Subscription) -> str:
    """TOPICSTR of a subscription behind that of its topic object."""
    own, named = value(one, "TOPICSTR"), value(one, "TOPICOBJ")
    above = next(
        (
            value(found, "TOPICSTR")
            for found in estate.network.topics.of(one.server)
            if found.name == named
        ),
        "",
    )
    return "/".join(part for part in (above.rstrip("/"), own.lstrip("/") if above else own) if part)


def subscribes(estate: Lookup, one: Subscription, topic: str) -> bool:
    """Whether a subscription takes what is published on a topic, its selector left out."""
    pattern = topic_string(estate, one)
    if value(one, "WSCHEMA").upper() == "CHAR":
        return (
            re.fullmatch(
                "".join(_BY_CHARACTER.get(sign, re.escape(sign)) for sign in pattern),
                topic,
                re.DOTALL,
            )
            is not None
        )
    return matches_levels(pattern.split("/"), topic.split("/"))


_BY_CHARACTER = {"*": ".*", "?": "."}


def matches_levels(pattern: list[str], topic: list[str]) -> bool:
    """Wildcards of levels: ``+`` is one level, ``#`` any number of them. O(levels of both
    multiplied).

    >>> (matches_levels(["a", "#"], ["a"]), matches_levels(["a", "+"], ["a", "b"]),
    ...  matches_levels(["#", "b"], ["a", "c"]))
    (True, True, False)
    """
    possible = {0}
    for level in pattern:
        if level == "#":
            possible = set(range(min(possible), len(topic) + 1)) if possible else set()
        else:
            possible = {at + 1 for at in possible if at < len(topic) and level in ("+", topic[at])}
    return len(topic) in possible


def levels_of(topic: Topic) -> list[str]:
    """The levels of the topic string of a topic object; none of the root."""
    return _levels(value(topic, "TOPICSTR"))


def _levels(string: str) -> list[str]:
    return string.strip("/").split("/") if string.strip("/") else []


def before_wildcard(estate: Lookup, one: Subscription) -> str | None:
    """What a subscription takes before its first wildcard; None where it has none."""
    pattern = topic_string(estate, one)
    if value(one, "WSCHEMA").upper() == "CHAR":
        plain = re.split(r"[*?]", pattern, maxsplit=1)
        return plain[0] if len(plain) > 1 else None
    levels, fixed = _levels(pattern), fixed_part(estate, one)
    return "/".join(fixed) if len(fixed) < len(levels) else None


def fixed_part(estate: Lookup, one: Subscription) -> list[str]:
    """The levels of what a subscription takes before its first wildcard."""
    pattern = topic_string(estate, one)
    if value(one, "WSCHEMA").upper() == "CHAR":
        plain = re.split(r"[*?]", pattern, maxsplit=1)
        return _levels(plain[0]) if len(plain) == 1 else _levels(plain[0].rpartition("/")[0])
    levels = _levels(pattern)
    first = next((place for place, one in enumerate(levels) if one in "#+" and one), len(levels))
    return levels[:first]
