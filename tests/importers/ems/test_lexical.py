import pytest
from hypothesis import given
from hypothesis import strategies as st

from topograph.importers import lexical
from topograph.importers.lexical import Decoded, Line


@pytest.mark.parametrize(
    ("data", "decoded"),
    [
        (b"server = A\n", Decoded("server = A\n")),
        (b"", Decoded("")),
        (b"\xef\xbb\xbfserver = A", Decoded("server = A")),
        ("müller".encode(), Decoded("müller")),
        ("größe".encode("utf-16"), Decoded("größe", "utf-16")),
        (b"a\r\nb = \x93x\x94\n", Decoded("a\r\nb = \u201cx\u201d\n", "cp1252", 2, 5)),
        (b"x\ny\n\xe9", Decoded("x\ny\n\u00e9", "cp1252", 3, 1)),
        (b"\xe9", Decoded("\u00e9", "cp1252", 1, 1)),
        (b"\xef\xbb\xbfab\xe9", Decoded("ab\u00e9", "cp1252", 1, 3)),
        (b"ab\x81", Decoded("ab\x81", "latin-1", 1, 3)),
    ],
)
def test_text_is_decoded_with_the_place_where_a_guess_begins(data: bytes, decoded: Decoded) -> None:
    assert lexical.decode(data) == decoded


@pytest.mark.parametrize(
    "data",
    [
        b"\x00",
        b"PK\x03\x04\x00\x00",
        b"\x7fELF\x02\x01\x01\x00",
        b"\x1f\x8b\x08\xff\x01",
        b"\xff\xfe\x00",
    ],
)
def test_binary_data_is_no_text(data: bytes) -> None:
    assert lexical.decode(data) is None


def test_only_line_ends_of_editors_end_a_line() -> None:
    text = "a\r\nb\nc\rd\x0ce\u2028f\x85g"
    assert list(lexical.lines(text)) == [
        Line(1, "a"),
        Line(2, "b"),
        Line(3, "c"),
        Line(4, "d\x0ce\u2028f\x85g", last=True),
    ]


def test_a_final_line_end_opens_no_further_line() -> None:
    assert list(lexical.lines("a\n\n")) == [Line(1, "a"), Line(2, "")]


@pytest.mark.parametrize(
    ("text", "quotes", "offsets"),
    [
        ("country=\u2019Canada\u2019", "'", (8, 15)),
        ("country='it\u2019s'", "'", ()),
        ("a='x' AND b=\u2018y\u2019", "'", (12, 14)),
        ("a='x\u2019 AND b='y'", "'", (4,)),
        ("name='it''\u2019s'", "'", ()),
        ("a\u00a0b\u2013c\u2014d\u201ce\u201d", "", (1, 3, 5, 7, 9)),
        ("plain 'text'", "'", ()),
    ],
)
def test_hazards_are_found_outside_correctly_quoted_literals(
    text: str, quotes: str, offsets: tuple[int, ...]
) -> None:
    assert lexical.hazards(text, quotes) == offsets


@given(st.text(alphabet="ab'\"=\u2018\u2019\u201c\u201d\u00a0\u2013\u2014 "))
def test_text_in_ascii_has_no_hazards_left_and_keeps_its_length(text: str) -> None:
    made = lexical.to_ascii(text, lexical.hazards(text))
    assert (lexical.hazards(made), len(made)) == ((), len(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  zone_name=Z  ", "zone_name=Z"),
        ("password = hush hush", "password = (set)"),
        ("ssl_password=hush zone=Z", "ssl_password=(set)"),
        ("ssl_server_key \u201chush\u201d", "ssl_server_key (set)"),
        ('  "password": "hush"', '"password": (set)'),
        ("password =", "password ="),
        ("connect tcp://a:7222 admin hush", "connect tcp://a:7222 (set)"),
        ("foo = $man$HushHush", "foo = (set)"),
        ("url=tcp://bob:hush@a:7222", "url=tcp://(set)@a:7222"),
        ("x" * 200, "x" * 159 + "\u2026"),
    ],
)
def test_an_excerpt_shows_the_line_without_secrets(text: str, shown: str) -> None:
    assert lexical.excerpt(text) == shown


def test_a_secret_far_into_a_long_line_is_not_shown() -> None:
    assert "hush" not in lexical.excerpt("x" * 150 + " password = hush")
