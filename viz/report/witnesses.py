"""Messages that show what a change does, as links to the question in the page that follows them."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from topograph.questions.answers.audit import AuditAnswer, DeliveryMoved
from topograph.questions.texts.audits import message_of

MOST = 60
"""Messages of a report."""


def witnesses(answer: AuditAnswer) -> list[tuple[str, str, str, str]]:
    """(what happens, server, the message in words, the link) of the first MOST messages."""
    return list(_all(answer))[:MOST]


def _all(answer: AuditAnswer) -> Iterator[tuple[str, str, str, str]]:
    for rows, what in (
        (answer.deliveries.lost, "no longer gets"),
        (answer.would_lose, "would no longer get"),
        (answer.deliveries.duplicated, "gets more than once"),
        (answer.deliveries.gained, "gets now"),
        (answer.would_gain, "would get now"),
    ):
        for one in rows:
            if one.from_:
                yield what, one.server, message_of(one), link(one)


def link(one: DeliveryMoved) -> str:
    """The question of the page about this message (``script/asked.js``).

    >>> from topograph.findings import Source
    >>> link(DeliveryMoved("B", "topic:t", {"n": 1, "s": "x y"}, Source(""), from_="A"))
    '#ask?q=propagate&from=A&destination=topic%3At&set=long%3An%3D1&set=string%3As%3Dx+y'
    """
    parts = [("q", "propagate"), ("from", one.from_), ("destination", one.destination)]
    parts += [
        ("set", f"{_type(value)}:{name}={_text(value)}")
        for name, value in sorted(one.witness.items())
    ]
    return f"#ask?{urlencode(parts)}"


def _type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return {int: "long", float: "double"}.get(type(value), "string")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
