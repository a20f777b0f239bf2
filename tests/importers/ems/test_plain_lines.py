"""Lines on which nothing is doubtful are read in one step: as the general way reads them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.importers.ems import routes, sections, show
from topograph.importers.ems.file_reading import EmsFileReading
from topograph.importers.ems.routes import read_routes
from topograph.importers.ems.show import tables_of

NEVER = re.compile(r"(?!)")

WORDS = st.sampled_from(
    [
        "url", "URL", "zone_name", "zone_type", "topic_prefetch", "selector", "outgoing_topic",
        "ssl_password", "zome", "=", " = ", "\t=", " ", "  ", "\u00a0", "\x1f", "\u2003", ",", "#",
        '"', "tcp://a:7222", "tcp://u:tiger@b:1,ssl://[::1]", "a@b:c@d", "1hop", "MHOP", "2hop",
        "Z", "a#b", "a=b", "orders.>", "\u201cx\u201d", "[", "]", "[B]", " [ C ]", "x" * 250,
        "server", "Topic Name", "listen  tcp://7", "\u017ferver",
    ]
)  # fmt: skip
LINES = st.lists(WORDS, max_size=6).map("".join)
SECTION = st.builds(
    "[{}]\n{}".format, st.sampled_from(["B", "C", "a.b", " D", "B"]), LINES | st.just("url=tcp://b")
)
TEXTS = st.builds(
    lambda parts, ends: "\n".join(parts) + ends,
    st.lists(SECTION | LINES | st.just("  zone_type=1hop\n  zone_name=Z"), max_size=8),
    st.sampled_from(["", "\n", "\r\n"]),
)


def said(text: str, *, strict: bool) -> tuple[object, ...]:
    reading = EmsFileReading("b", "A", "routes.conf", strict=strict)
    read_routes(reading, text)
    counts = reading.read, reading.ignored, reading.unsupported, reading.incomplete
    return reading.facts, reading.findings, counts


@given(text=TEXTS, strict=st.booleans())
def test_plain_lines_and_headings_of_routes_are_read_as_all_others(text: str, strict: bool) -> None:
    plain = said(text, strict=strict)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes, "_PLAIN", NEVER)
        patch.setattr(sections, "_PLAIN", NEVER)
        assert said(text, strict=strict) == plain


@given(parts=st.lists(TEXTS, max_size=4))
def test_a_text_without_words_of_tables_has_none(parts: list[str]) -> None:
    text = "\n".join(parts) + "\n" * 150
    found = tables_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(show, "_may_show", lambda _: True)
        patch.setattr(show.show_server, "may_be_config", lambda _: True)
        assert tables_of(text) == found


WIDE = st.text(alphabet=" \t\n=:ax\x0b\u00a0", max_size=40)
NAMES = ["routing", "authorization", "listen", "server", "topics", "queues"]


@given(
    lines=st.lists(
        st.builds("{}{}{}".format, st.sampled_from(NAMES), st.text(" \t=:\x0b", max_size=4), WIDE),
        max_size=8,
    )
)
def test_no_text_without_a_gap_is_output_of_show_config(lines: list[str]) -> None:
    text = "\n".join(lines)
    implied = show._implied(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(show.show_server, "may_be_config", lambda _: True)
        assert show._implied(text) == implied
