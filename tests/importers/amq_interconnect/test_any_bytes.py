"""An importer never raises, whatever the bytes."""

from __future__ import annotations

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.importers.amq_interconnect import parse_dump, parse_text, read, recognise
from topograph.importers.amq_interconnect.manifests import read_manifest
from topograph.importers.amq_interconnect.qdstat import read_qdstat
from topograph.importers.positions.places import Placing
from topograph.importers.reading import Bundle, BundleFile, Options

NAMES = (
    "router listener connector address linkRoute auto-link fixedAddress linkRoutePattern "
    "vhost id name host addr port role cost prefix "
    "pattern phase direction dir waypoint openProperties groups priority connection "
    "containerId ingressPhase egressPhase saslPassword"
)
WORDS = st.sampled_from(
    [*NAMES.split(), *'{}:,[]"#\n\n \\é', "in", "out", "1", "-7", "inter-router", "null", "true"]
)
TEXTS = st.lists(WORDS, max_size=60).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
)


def everything(data: bytes) -> None:
    text = data.decode(errors="replace")
    recognise("f", data)
    lines = text.count("\n") + text.count("\r") + 1
    for findings in (
        parse_dump(text, "f")[1],
        read_qdstat(text, Placing("f")).findings,
        read_manifest(text, "f").findings,
    ):
        assert all(0 <= finding.source.line <= lines + 1 for finding in findings)
    bundle = Bundle("f", "amq_interconnect", "", (BundleFile("main", "f"),))
    for form in ("conf", "json"):
        for finding in parse_text(form, text, "f").findings:
            assert 0 <= finding.source.line <= text.count("\n") + text.count("\r") + 1
    assert len(read(bundle, {"f": data}, Options()).files) == 1


@settings(max_examples=draws(100), deadline=None)
@given(TEXTS)
def test_text_made_of_the_words_of_the_grammar(text):
    everything(text.encode())


@settings(max_examples=draws(75), deadline=None)
@given(st.binary(max_size=200))
def test_arbitrary_bytes(data):
    everything(data)


@pytest.mark.slow
@settings(max_examples=draws(100), deadline=None)
@given(st.lists(st.tuples(WORDS, st.dictionaries(WORDS, VALUES, max_size=5)), max_size=5))
def test_json_sections_with_any_values(sections):
    import json

    everything(json.dumps(sections).encode())
    everything(json.dumps([{"type": name, **body} for name, body in sections]).encode())


TABLE_WORDS = st.sampled_from(
    [
        "$ qdstat -a",
        "2026-01-01 10:11:12 UTC",
        "Router  A",
        "A",
        "Router Statistics",
        "Routers in the Network",
        "Router Addresses",
        "Connections",
        "Router Links",
        "AutoLinks",
        "Link Routes",
        "Policy Configuration",
        "Vhosts",
        "Memory Pools",
        "No AutoLinks found",
        "Last Topology Change: x",
        "  attr  value",
        "  id  host  container",
        "=====",
        "  ======",
        '"id","host"',
        '"1",,"a',
        ",,",
        "  router-id  next-hop  link  cost",
        "  Version   1.19",
        "  class  addr  phs",
        "  mobile  x  F",
        "",
        "",
        "- ",
        " é",
    ]
)


@settings(max_examples=draws(75), deadline=None)
@given(st.lists(TABLE_WORDS, max_size=40))
def test_lines_of_tables_in_any_order(lines):
    everything("\n".join(lines).encode())


YAML_WORDS = st.sampled_from(
    [
        "kind: ConfigMap",
        "kind: Interconnect",
        "kind: List",
        "apiVersion: interconnectedcloud.github.io/v1alpha1",
        "data:",
        "  qdrouterd.conf: >",
        "    router {",
        "    }",
        "      id: R",
        "spec:",
        "  listeners:",
        "  addresses:",
        "    - prefix: q",
        "    - 7",
        "    - host: [",
        "metadata: {name: n}",
        "items:",
        "- kind: ConfigMap",
        "---",
        "&a x",
        "*a",
        "%TAG",
        '"a": {',
        "}",
        "x: !!python/object:os.system y",
        "  deploymentPlan: {size: 9e9, role: edge}",
        "\t",
        ": :",
        "? [a]",
    ]
)


@settings(max_examples=draws(75), deadline=None)
@given(st.lists(YAML_WORDS, max_size=30))
def test_lines_of_manifests_in_any_order(lines):
    everything("\n".join(lines).encode())


TYPES = (
    "router",
    "connector",
    "router.node",
    "router.link",
    "connection",
    "router.config.address",
    "router.config.autoLink",
    "listener",
    "odd",
)
ATTRIBUTES = (
    "id identity name mode host port cost role dir container linkState nextHop routerLink "
    "owningAddr connectionId linkType linkDir "
)
ATTRIBUTES += "connectionStatus connectionMsg operStatus prefix pattern distribution phase fallback"


@pytest.mark.slow
@settings(max_examples=draws(100), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(TYPES),
            st.dictionaries(st.sampled_from(ATTRIBUTES.split()), VALUES, max_size=8),
        ),
        max_size=8,
    )
)
def test_dumps_with_any_values_compile_too(rows):
    import json

    from topograph.side_inputs import SideInputs
    from topograph.systems import assemble, compile_network

    text = json.dumps(
        [{"type": f"org.apache.qpid.dispatch.{type_}", **body} for type_, body in rows]
    )
    everything(text.encode())
    entities, _ = parse_dump(text, "f")
    if entities:
        for tables in compile_network(entities, SideInputs()).tables:
            assemble(tables)
