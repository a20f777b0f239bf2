"""XML with the places of elements and attributes; hostile files end in a fault."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.importers.positions.xml_text import XmlLimits, parse


def test_elements_and_attributes_know_their_line_and_column() -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<a:r xmlns:a="u" xmlns:x="v" q='ü>' x:id="3"
   é = "a
b" c="1"><b t="ä" u="2"/></a:r>"""
    root = parse(text.encode()).root
    assert root is not None
    assert (root.name, root.namespace, root.attributes) == (
        "r",
        "u",
        {"q": "ü>", "{v}id": "3", "é": "a b", "c": "1"},
    )
    assert [root.place(name) for name in ("", "q", "{v}id", "é", "c", "none")] == [
        (2, 1),
        (2, 30),
        (2, 37),
        (3, 4),
        (4, 4),
        (2, 1),
    ]
    (child,) = root.children
    assert [child.place(name) for name in ("", "t", "u")] == [(4, 10), (4, 13), (4, 19)]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_counts_once(ends: str) -> None:
    root = parse(f'<a>{ends}  <b{ends}   c="1"{ends}{ends} d="2"/></a>'.encode()).root
    assert root is not None
    assert [root.children[0].place(name) for name in ("", "c", "d")] == [(2, 3), (3, 4), (5, 2)]


def test_a_byte_order_mark_moves_no_column() -> None:
    root = parse(b'\xef\xbb\xbf<a b="1"/>').root
    assert root is not None
    assert (root.place(), root.place("b")) == ((1, 1), (1, 4))


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_in_other_encodings_an_attribute_stands_where_its_element_does(encoding: str) -> None:
    root = parse(f'<?xml version="1.0" encoding="{encoding}"?>\n<a b="ä"/>'.encode(encoding)).root
    assert root is not None
    assert (root.attributes, root.place("b")) == ({"b": "ä"}, (2, 1))


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "entities", 1),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<a>&x;</a>', "entities", 1),
        ("<a>\n&nbsp;</a>", "entities", 2),
        ("<a>" * 65, "depth", 1),
        ("<a>" + "<b/>" * 10, "elements", 1),
    ],
)
def test_what_is_beyond_a_limit_is_a_fault_with_its_place(text: str, limit: str, line: int) -> None:
    fault = parse(text.encode(), XmlLimits(elements=70 if limit != "elements" else 5)).fault
    assert fault is not None
    assert (fault.limit, fault.line) == (limit, line)


def test_entities_are_never_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">' + "".join(
        f'<!ENTITY x{n} "&x{n - 1 or ""};&x{n - 1 or ""};&x{n - 1 or ""};">' for n in range(1, 30)
    )
    assert parse(f"{bomb}]><a>&x29;</a>".encode()).root is None


def test_a_document_type_without_entities_is_no_fault() -> None:
    found = parse(b'<!DOCTYPE server SYSTEM "http://example/none.dtd"><server/>')
    assert (found.fault, found.root and found.root.name) == (None, "server")


def test_what_stands_before_a_cut_is_kept() -> None:
    found = parse(b'<a>\n<b c="1"/>\n<b c="2">')
    assert found.root is not None
    assert [(child.attributes["c"], child.complete) for child in found.root.children] == [
        ("1", True),
        ("2", False),
    ]
    assert (found.fault and found.fault.limit, found.root.complete) == ("", False)


def test_an_encoding_that_nobody_knows_is_a_fault() -> None:
    fault = parse(b'<?xml version="1.0" encoding="foo"?><a/>').fault
    assert fault is not None
    assert "encoding" in fault.reason


@pytest.mark.parametrize(
    "text",
    [
        b"<a " + b" ".join(b'x%d="1"' % n for n in range(20_000)) + b"/>",
        b"<a>" + b"<b c='\"' d=\"'\"/>" * 20_000 + b"</a>",
        b'<a b="' + b"'" * 300_000 + b'"/>',
        b"<a>" + b"x<b/>" * 40_000,
    ],
)
def test_reading_takes_linear_time(text: bytes) -> None:
    begun = time.process_time()
    root = parse(text).root
    assert root is not None
    root.place("b")
    for child in root.children:
        child.place("c")
    assert time.process_time() - begun < 3


@given(st.binary(max_size=60) | st.text(alphabet="<>/a =\"'&;!?[]-\n", max_size=60).map(str.encode))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    found = parse(data)
    assert (found.root is None) <= (found.fault is not None)
