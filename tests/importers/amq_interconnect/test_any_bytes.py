"""An importer never raises, whatever the bytes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.importers.amq_interconnect import parse_dump, parse_text, read, recognise
from topograph.importers.reading import Bundle, BundleFile, Options

NAMES = (
    "router listener connector address linkRoute auto-link fixedAddress linkRoutePattern vhost id name host addr port role cost prefix "
    "pattern phase direction dir waypoint openProperties groups priority connection containerId ingressPhase egressPhase saslPassword"
)
WORDS = st.sampled_from([*NAMES.split(), *'{}:,[]"#\n\n \\é', "in", "out", "1", "-7", "inter-router", "null", "true"])
TEXTS = st.lists(WORDS, max_size=60).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
)


def everything(data: bytes) -> None:
    text = data.decode(errors="replace")
    recognise("f", data)
    parse_dump(text)
    bundle = Bundle("f", "amq_interconnect", "", (BundleFile("main", "f"),))
    for form in ("conf", "json"):
        for finding in parse_text(form, text, "f").findings:
            assert 0 <= finding.source.line <= text.count("\n") + text.count("\r") + 1
    assert len(read(bundle, {"f": data}, Options()).files) == 1


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_text_made_of_the_words_of_the_grammar(text):
    everything(text.encode())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_arbitrary_bytes(data):
    everything(data)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(WORDS, st.dictionaries(WORDS, VALUES, max_size=5)), max_size=5))
def test_json_sections_with_any_values(sections):
    import json

    everything(json.dumps(sections).encode())
    everything(json.dumps([{"type": name, **body} for name, body in sections]).encode())
