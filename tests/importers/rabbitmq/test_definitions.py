"""Definitions of RabbitMQ as facts and findings: any bytes, both kinds of exports, no secrets."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from topograph.facts import rabbitmq as f
from topograph.importers.rabbitmq import read, recognise
from topograph.importers.rabbitmq.addresses import address
from topograph.importers.reading import Bundle, BundleFile, Options, Reading

EMPTY = {"exchanges": [], "queues": [], "bindings": []}


def reading(said: Any) -> Reading:
    data = said if isinstance(said, bytes) else json.dumps(said, indent=1).encode()
    bundle = Bundle("d.json", "rabbitmq", "b", (BundleFile("main", "d.json"),))
    return read(bundle, {"d.json": data}, Options())


def test_a_cluster_is_called_as_its_definitions_say_or_like_its_file() -> None:
    named = {**EMPTY, "global_parameters": [{"name": "cluster_name", "value": "rabbit@a"}]}
    for said, server, unnamed in (
        (named, "rabbit@a", False),
        ({**EMPTY, "original_cluster_name": "c"}, "c", False),
        (EMPTY, "north", True),
    ):
        found = recognise("f/north.json", json.dumps(said).encode())
        assert found is not None
        assert (found.server, found.unnamed) == (server, unnamed)
    assert recognise("a.json", b'{"queues": 1}') is None


def test_an_export_of_one_virtual_host() -> None:
    said = {**EMPTY, "rabbitmq_version": "4.1.0", "original_vhost_name": "v"}
    said["queues"] = [{"name": "q", "durable": True, "arguments": {}, "type": "quorum"}]
    facts = reading(said).facts
    queue = next(one for one in facts if isinstance(one, f.RabbitQueue))
    assert (queue.vhost, queue.type) == ("v", "quorum")
    broker = next(one for one in facts if isinstance(one, f.RabbitBroker))
    assert (broker.vhost, broker.version) == ("v", "4.1.0")


def test_what_is_not_understood_is_a_finding_at_its_line() -> None:
    said = {**EMPTY, "queues": [{"name": "q", "vhost": "/"}, {"name": 7, "vhost": "/"}, 5]}
    found = reading(said)
    assert [(one.kind, one.source.line) for one in found.findings] == [
        ("not-understood", 8),
        ("not-understood", 12),
    ]
    cut = reading(json.dumps(said).encode()[:60])
    assert [one.kind for one in cut.findings][-1] == "definitions-cut-off"


SECRETS = {
    **EMPTY,
    "users": [{"name": "u", "password_hash": "SECRET1", "tags": ""}],
    "parameters": [
        {
            "vhost": "/",
            "component": "shovel",
            "name": "s",
            "value": {
                "src-uri": "amqp://u:SECRET2@h/v?password=SECRET3",
                "src-queue": "q",
                "dest-uri": ["amqp://u:SE@CRET4@h", "http://SECRET5"],
            },
        },
        {
            "vhost": "/",
            "component": "federation-upstream",
            "name": "u",
            "value": {"uri": "amqps://u:SECRET6@[::1]:5671/%2fa"},
        },
    ],
}


def test_no_secret_is_kept() -> None:
    found = reading(SECRETS)
    assert "SECRET" not in repr(found)
    assert "CRET4" not in repr(found)
    upstream = next(one for one in found.facts if isinstance(one, f.RabbitUpstream))
    assert upstream.at == (f.RabbitAddress("::1", "5671", "/a"),)


def test_addresses() -> None:
    assert address("amqp://host") == f.RabbitAddress("host")
    assert address("amqp://u:p@Host:1234/a%2Fb?heartbeat=5") == f.RabbitAddress(
        "host", "1234", "a/b"
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
LISTS = ("exchanges", "queues", "bindings", "policies", "parameters", "users", "vhosts")
ENTRIES = st.dictionaries(
    st.sampled_from(["name", "vhost", "type", "arguments", "value", "component", "source", "tags"]),
    JSON | st.sampled_from(["shovel", "operator_policy", "federation-upstream-set"]),
)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    recognise("d.json", data)
    reading(data)


@given(
    lists=st.dictionaries(st.sampled_from(LISTS), st.lists(ENTRIES | JSON, max_size=3)),
    cut=st.integers(0, 400),
)
def test_every_entry_is_a_fact_or_counted(lists: dict[str, Any], cut: int) -> None:
    (report,) = reading(lists).files
    entries = sum(map(len, lists.values()))
    assert report.read - 1 + report.ignored + report.unsupported == entries
    reading(json.dumps(lists).encode()[:cut])
