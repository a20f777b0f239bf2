"""Whatever the bytes, an importer returns; and what it returns holds no secret."""

import json

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

from topograph.facts.rows import decode, encode
from topograph.importers.ems import read, recognise
from topograph.importers.ems.kinds import READERS
from topograph.importers.reading import Bundle, BundleFile, Options, Reading

pytestmark = pytest.mark.slow

KINDS = ("main", *READERS)
WORDS = (
    "[", "]", "{", "}", "=", '"', "'", ",", ":", "#", ";", "@", "*", ">", ".", "\n", "\r\n", " ",
    "\t", "\u00a0", "\u2019",
    "\u201c", "\u201d", "\u2013", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "\x0c", "\u2028", "\\",
    "server", "routing", "listen", "routes", "password", "url", "tcp://", "7222", "zone_type",
    "1hop", "outgoing_topic",
    "selector", "topic", "queue", "global", "exclusive", "prefetch", "none", "route", "clientid",
    "nolocal", "USER", "PERM",
    "TOPIC", "ADMIN", "Route  T  ConnID  URL  ZoneName  ZoneType", " A 1 tcp://x Z m", "x",
    "$TMP$.", '"tibemsd":{', "null",
    '"topics":[', '{"name":"a"}', "\\u00e9", "\\ud800", "1e5",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=60).map("".join)
BYTES = st.one_of(
    st.binary(max_size=300),
    TEXTS.map(lambda text: text.encode()),
    TEXTS.map(lambda text: text.encode("cp1252", "replace")),
    TEXTS.map(lambda text: ('{"tibemsd":{"server":"A"},' + text).encode()),
)


def reading_of(kind: str, data: bytes, *, strict: bool) -> Reading:
    files = (
        (BundleFile("main", "main"),)
        if kind == "main"
        else (BundleFile("main", "main"), BundleFile(kind, "sub"))
    )
    contents = {"main": data} if kind == "main" else {"main": b"server = A\n", "sub": data}
    return read(Bundle("main", "ems", "", files), contents, Options(strict=strict))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=draws(75), deadline=None)
@given(BYTES, st.booleans())
def test_no_bytes_make_a_reader_raise_and_every_place_exists(
    kind: str, data: bytes, strict: bool
) -> None:
    reading = reading_of(kind, data, strict=strict)
    assert len(reading.files) == (1 if kind == "main" else 2)
    text = (
        data.decode("utf-8", "replace")
        .removeprefix("\ufeff")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
    )
    longest = max(
        map(len, (data + b" ").decode("utf-16", "replace").split("\n") + text.split("\n"))
    ) + len(data)
    for finding in reading.findings:
        assert 0 <= finding.source.line <= text.count("\n") + 1
        assert 0 <= finding.source.column <= longest + 1
        json.dumps(finding.to_dict()).encode()
    for fact in reading.facts:
        assert decode(encode(fact)) == fact
        json.dumps(encode(fact), ensure_ascii=False).encode()


@settings(max_examples=draws(100), deadline=None)
@given(BYTES, st.sampled_from(["x", "routes.conf", "users.conf", "tibemsd.conf"]))
def test_no_bytes_make_recognition_raise(data: bytes, name: str) -> None:
    recognised = recognise(name, data)
    assert recognised is None or recognised.path == name


SECRET = "Zx9-hush"

PLANTED = {
    "main": [
        (
            f"server = A\npassword = {SECRET}\nssl_password = x {SECRET}\nssl_server_key = "
            f"{SECRET}\nldap_credential={SECRET}\n"
        ),
        (
            f"server = A\npassword {SECRET}\npassword\u00a0=\u00a0{SECRET}\npassword = "
            f"{SECRET} # {SECRET}\n"
        ),
        (
            f"server = A\nlisten = tcp://bob:{SECRET}@h:1\nft_active = "
            f"tcp://bob:{SECRET}@h:x\nfoo = $man${SECRET}\n"
        ),
        f'{{"tibemsd":{{"server":"A","password":"{SECRET}","ssl":{{"ssl_password":"{SECRET}"}}}},'
        f'"users":[{{"name":"u","password":"{SECRET}"}},{{"password":"{SECRET}"}}],'
        f'"factories":[{{"name":"F","ssl":{{"ssl_private_key":"{SECRET}"}}}}],'
        f'"routes":[{{"name":"B","url":"tcp://b:1","ssl_password":"{SECRET}",'
        f'"ssl":{{"key":"{SECRET}"}}}}],'
        f'"topics":[{{"name":"t","password":"{SECRET}"}}],"acls":[{{"password":"{SECRET}"}}]}}',
        f'{{"tibemsd":{{"server":"A","password":"{SECRET}',
    ],
    "routes": [
        (
            f"[B]\nurl=tcp://b:1 ssl_password={SECRET}\nssl_key=a {SECRET} "
            f"zone_name=Z\n[C]\nssl_password {SECRET}\n"
        ),
        (
            '[B]\nurl=tcp://b:1\nssl_password="a '
            f"{SECRET}\nssl_password=\u201c{SECRET}\u201d x {SECRET}\n[C\nx\n[D] "
            f"ssl_password={SECRET}\n"
        ),
        f"ssl_password={SECRET}\n[B]\nurl=tcp://u:{SECRET}@b:1\nssl_password = \u2019{SECRET}",
    ],
    "users": [
        f'bob:{SECRET}:"x"\nbob {SECRET}\n{SECRET}\nb\u2019ob:{SECRET}\n:{SECRET}:\n',
        f"bob:{SECRET}",
    ],
    "topics": [f"foo password={SECRET}\nfoo global password {SECRET}\n"],
    "factories": [
        (
            f'[F]\nssl_password = a "{SECRET}" b\nclient_key={SECRET}\npassword '
            f"{SECRET}\nurl=tcp://u:{SECRET}@h:1\n"
        )
    ],
    "stores": [f"[S]\ntype=dbstore\ndbstore_driver_password={SECRET}\nprocessor_key = {SECRET}\n"],
    "durables": [f"t n password={SECRET}\nt n password {SECRET}\n"],
    "acl_list": [
        f"TOPIC=a USER=b PERM=c password={SECRET} {SECRET}\nconnect tcp://a admin {SECRET}\n"
    ],
    "bridges": [f"[topic:A]\nqueue=B password={SECRET}\nsecret = {SECRET}\n"],
    "show-routes": [
        f"> connect tcp://a admin {SECRET}\nRoute  T  ConnID  URL  ZoneName  "
        f"ZoneType\nconnect tcp://a admin {SECRET}\n"
        f"B  A  1  tcp://u:{SECRET}@b  Z  m\n"
    ],
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in PLANTED.items() for text in texts]
)
def test_no_secret_leaves_the_importer(kind: str, text: str, strict: bool) -> None:
    data = text.encode()
    reading = reading_of(kind, data, strict=strict)
    assert SECRET not in repr(reading)
    assert SECRET not in repr(recognise("sub", data))
    assert reading.facts


def test_a_file_that_is_something_else_gives_a_bounded_list_of_findings_that_says_so() -> None:
    reading = reading_of("topics", b"x shiny\n" * 5000, strict=False)
    kinds = [finding.kind for finding in reading.findings]
    assert (len(kinds), kinds[0], kinds[-1]) == (1001, "unknown-directive", "more-findings")
    assert (
        reading.findings[-1].message
        == "4000 more findings of the kind unknown-directive in this file are not listed"
    )
    assert (reading.files[-1].read, reading.files[-1].unsupported) == (5000, 5000)


def test_a_line_with_endless_properties_is_not_kept() -> None:
    reading = reading_of("topics", b"x " + b"global," * 5000 + b"\ny\n", strict=False)
    assert [finding.kind for finding in reading.findings] == ["too-many-properties"]
    assert [fact.label for fact in reading.facts] == ["A", "y"]
