"""Records that are looked at together keep and lose what each keeps and loses by itself."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from topograph.facts import Fact
from topograph.facts.ibm_mq import Attribute, OtherObject, Queue
from topograph.findings import Source
from topograph.importers.secrets import all_without_secrets, without_secrets

TEXTS = st.sampled_from(
    (
        "",
        "APP.0",
        "h(1414)",
        "a b",
        "Bearer",
        "BEARER tiger",
        "Authorization",
        "tcp://u:tiger@h:1",
        "deploy -p t1ger",
        "pw=tiger",
        "pwd: tiger",
        "$man$tiger",
        "\u00fc",
        "\u0130",
        "x" * 70,
        "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn1ygWyF8PbnGy0AHB7MhgwMFQyC1vRPtZx",
    )
)
ATTRIBUTES = st.lists(
    st.builds(Attribute, st.sampled_from(("DESCR", "CONNAME", "USERDATA")), TEXTS), max_size=2
).map(tuple)


PLACE: dict[str, Any] = {"bundle": "b", "server": "QM", "source": Source("f", 1)}
"""Bundle, queue manager and place of all facts."""


def _queue(name: str, attributes: tuple[Attribute, ...], doubt: str) -> Fact:
    return Queue(**PLACE, name=name, attributes=attributes, noun="QLOCAL", doubt=doubt)


def _other(name: str, attributes: tuple[Attribute, ...], doubt: str) -> Fact:
    unknown = (doubt,) if doubt else ()
    return OtherObject(**PLACE, name=name, attributes=attributes, noun="SERVICE", unknown=unknown)


PLAIN = [_queue(f"Q{number}", (Attribute("DESCR", "plain"),), "") for number in range(70)]


@given(
    st.lists(
        st.builds(_queue, TEXTS, ATTRIBUTES, TEXTS) | st.builds(_other, TEXTS, ATTRIBUTES, TEXTS),
        max_size=20,
    ),
    st.integers(0, 70),
)
def test_records_lose_together_what_each_loses_by_itself(facts: list[Fact], at: int) -> None:
    all_of_them = [*PLAIN[:at], *facts, *PLAIN[at:]]
    found = all_without_secrets(all_of_them)
    assert found == tuple(map(without_secrets, all_of_them))
    assert all(one is plain for one, plain in zip(found, PLAIN[:at], strict=False))
