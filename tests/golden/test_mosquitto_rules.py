"""The rules of ``docs/specs/mosquitto.md`` say what real brokers did: of every recorded message."""

from __future__ import annotations

from collections import Counter

from golden.mosquitto_rules import Estate, matches, renamed
from golden.test_mosquitto_recordings import records


def test_the_rules_say_of_every_recorded_message_what_came_of_it() -> None:
    for record in records():
        estate = Estate(record)
        for message in record["messages"]:
            recorded = Counter(
                {
                    (broker, topic): number
                    for broker, topics in message["copies"].items()
                    for topic, number in topics.items()
                }
            )
            expected = None if message["outcome"] == "endless" else recorded
            assert estate.copies(message) == expected, (record["seed"], message["id"])


def test_patterns_and_names() -> None:
    pairs = [("a/#", "a"), ("a/#", "a//b"), ("+/b", "/b"), ("+/#", "a"), ("$a/#", "$a/b")]
    assert [each for each in pairs if not matches(*each)] == []
    pairs = [("#", "$SYS/x"), ("a/+", "a"), ("a/b", "a/b/"), ("a", "a/b"), ("+", "/")]
    assert [each for each in pairs if matches(*each)] == []
    names = [("", "a/#", ""), ("x/", "a/#", "y/"), ("", "a/b", "z/")]
    assert renamed(names, "a/b") == "z/a/b"
    assert renamed(names, "x/a/b") == "y/a/b"
    assert renamed(names, "a/c") == "a/c"
