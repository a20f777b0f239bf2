"""Whole routings against a slow and independent way: a list of exchanges still to be looked at, as
the documents describe it, and every pattern by every choice of words.
"""

from __future__ import annotations

from itertools import chain, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rabbitmq_replay import results, stepping

EXCHANGES = ("x", "y", "z")
QUEUES = ("q", "r")
KEYS = ("a", "a.b", "b", "")
Entry = dict[str, Any]

ARGUMENTS = st.fixed_dictionaries(
    {"x-match": st.sampled_from(["all", "any"])}, optional={"h": st.sampled_from([1, "1", True])}
)
BINDINGS = st.lists(
    st.tuples(
        st.sampled_from(EXCHANGES),
        st.sampled_from(
            [*(("queue", one) for one in QUEUES), *(("exchange", one) for one in EXCHANGES)]
        ),
        st.sampled_from([*KEYS, "#", "a.*", "*", "#.b"]),
        ARGUMENTS,
    ),
    max_size=7,
)
TYPES = st.tuples(*[st.sampled_from(["direct", "topic", "fanout", "headers"])] * 3)
ALTERNATES = st.tuples(*[st.sampled_from([None, None, *EXCHANGES, "gone"])] * 3)


def matches(type_: str, binding: tuple[Any, ...], key: str, headers: Entry) -> bool:
    _, _, pattern, arguments = binding
    match type_:
        case "direct":
            return bool(pattern == key)
        case "fanout":
            return True
        case "headers":
            asked = [
                name in headers and (type(headers[name]), headers[name]) == (type(value), value)
                for name, value in arguments.items()
                if name != "x-match"
            ]
            return all(asked) if arguments["x-match"] == "all" else any(asked)
    words, parts = pattern.split(".") if pattern else [], key.split(".") if key else []
    rows = {
        "*": [[part] for part in parts],
        "#": [parts[i:j] for i in range(len(parts) + 1) for j in range(i, len(parts) + 1)],
    }
    choices = [rows.get(word, [[word]]) for word in words]
    return any(list(chain(*chosen)) == parts for chosen in product(*choices))


def routed(
    types: Entry, alternates: Entry, bindings: list[Any], start: str, key: str, headers: Entry
) -> set[str]:
    work, seen, queues = [start], {start}, set()
    while work:
        now = work.pop()
        ends = [
            one[1] for one in bindings if one[0] == now and matches(types[now], one, key, headers)
        ]
        if not ends and alternates[now] in types:
            ends = [("exchange", alternates[now])]
        for kind, name in ends:
            if kind == "queue":
                queues.add(name)
            elif name not in seen:
                seen.add(name)
                work.append(name)
    return queues


@settings(max_examples=200)
@given(
    types=TYPES,
    alternates=ALTERNATES,
    bindings=BINDINGS,
    key=st.sampled_from(KEYS),
    headers=st.dictionaries(st.just("h"), st.sampled_from([1, "1", True, 2])),
)
def test_a_message_gets_into_the_queues_that_the_documents_say(
    types: tuple[str, ...],
    alternates: tuple[str | None, ...],
    bindings: list[Any],
    key: str,
    headers: Entry,
) -> None:
    by_name = dict(zip(EXCHANGES, types, strict=True))
    other = dict(zip(EXCHANGES, alternates, strict=True))
    definitions = {
        "vhosts": [{"name": "/"}],
        "exchanges": [
            {
                "name": name,
                "vhost": "/",
                "type": by_name[name],
                "arguments": {"alternate-exchange": other[name]} if other[name] else {},
            }
            for name in EXCHANGES
        ],
        "queues": [{"name": name, "vhost": "/", "arguments": {}} for name in QUEUES],
        "bindings": [
            {
                "source": source,
                "vhost": "/",
                "destination_type": kind,
                "destination": name,
                "routing_key": pattern,
                "arguments": arguments,
            }
            for source, (kind, name), pattern, arguments in bindings
        ],
    }
    own = stepping(definitions)
    for start in EXCHANGES:
        sent = {"vhost": "/", "exchange": start, "key": key, "headers": headers}
        sent |= {"expiration": None, "acts": []}
        (found,) = results(own, sent)
        expected = routed(by_name, other, bindings, start, key, headers)
        assert dict(found.queues) == {f"//{name}": 1 for name in expected}
