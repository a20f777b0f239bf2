"""The section that says which router a .conf text is for gives the same id as the whole text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from topograph.importers.amq_interconnect import parse_text
from topograph.importers.amq_interconnect.conf import router_section

LINES = [
    "router {",
    "  router { # ours",
    "router{",
    "org.apache.qpid.dispatch.router {",
    "container {",
    "listener {",
    "    id: A",
    "    id: B",
    '    id: "C"',
    "    workerThreads: x",
    "    openProperties: {",
    '        "router {"',
    "    metadata: a } b",
    "}",
    "} # end",
    "",
    "# router {",
    "address { prefix: a }",
    "router { id: D }",
    "    { id: E",
]


@example(["router {", "    id: A", "}", "router {", "    id: B", "}"])
@example(["listener {", "    openProperties: {", "router {", "    id: A", "}", "}", "}"])
@example(["router {", "    id: A"])
@given(st.lists(st.sampled_from(LINES), max_size=14))
def test_the_id_is_that_of_the_whole_text(lines: list[str]) -> None:
    for end in ("\n", "\r\n", "\r"):
        text = end.join(lines)
        whole, section = (parse_text("conf", one, "f") for one in (text, router_section(text)))
        assert section.server == whole.server


def test_other_sections_are_not_read_for_it() -> None:
    router = "router {\n    id: A\n}\n"
    assert router_section("address {\n    prefix: a\n}\n" + router) == router.rstrip()
