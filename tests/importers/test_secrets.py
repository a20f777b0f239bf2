"""Secrets under unusual names and in malformed URLs are neither kept nor shown."""

from __future__ import annotations

import pytest

from topograph.importers import lexical
from topograph.importers.amq_interconnect import names, parse_text, secrets
from topograph.importers.ems import access, bridges, destinations, durables, keys, routes
from topograph.importers.ems.single_file import parse_text as parse_ems

NAMES = pytest.mark.parametrize(
    "name",
    [
        "authPass",
        "pw",
        "ssl_pw",
        "rv_pass",
        "psk",
        "storepass",
        "keypass",
        "passphrase",
        "kennwort",
        "passcode",
        "db_pwd",
        "ssl_psk",
        "pass",
        "PASSWORD",
        "clientSecret",
        "sas_token",
        "credentials",
        "apiKey",
    ],
)
STRINGS = pytest.mark.parametrize(
    "text",
    [
        "tcp:/u:tiger@h",
        "u:tiger@h:1",
        "tcp://a:1,u:tiger@h",
        "jdbc:oracle:thin:scott/tiger@h",
        "scott/tiger@h",
        "u:x=tiger@h",
        "u:a,tiger@h:1",
        "pass:tiger",
        "a pw=tiger",
    ],
)


@NAMES
def test_a_secret_of_any_usual_name_is_not_kept(name):
    assert lexical.kept(name, "tiger") == "(set)"
    assert secrets.kept_value(name, "tiger") == "(set)"


@NAMES
def test_no_excerpt_shows_the_value_of_a_secret(name):
    for line in (
        f"{name}=tiger",
        f"{name} = tiger",
        f"{name}: tiger",
        f"url=tcp://h:1 {name}=tiger",
    ):
        assert "tiger" not in lexical.excerpt(line)
        assert "tiger" not in secrets.excerpt(line)


@STRINGS
def test_credentials_in_what_is_not_quite_a_url_are_neither_kept_nor_shown(text):
    assert "tiger" not in lexical.kept("x", text)
    assert "tiger" not in lexical.excerpt(f"x = {text}")
    assert "tiger" not in str(secrets.kept_value("x", text))
    assert "tiger" not in secrets.excerpt(f"x: {text}")


@pytest.mark.parametrize("name", ["zone_name", "passive_mode", "bypassed", "host", "powder"])
def test_other_names_keep_their_values(name):
    assert lexical.kept(name, "m") == secrets.kept_value(name, "m") == "m"


@pytest.mark.parametrize("text", ["ann@h", "a,b@c", "topic.@x", "tcp://h:1", "a:b"])
def test_text_without_credentials_stays(text):
    assert lexical.kept("x", text) == secrets.kept_value("x", text) == text


def test_an_address_with_an_at_sign_stays_as_it_is_compared():
    assert secrets.kept_value("address", "a/b@c") == "a/b@c"


@pytest.mark.parametrize("url", ["tcp:/u:tiger@h", "u:tiger@h:1"])
def test_the_finding_about_a_malformed_url_of_a_route_hides_its_password(url):
    read = parse_ems("routes.conf", f"[B]\nurl = {url}\n", strict=False)
    assert any(finding.kind == "invalid-url" for finding in read.findings)
    assert "tiger" not in repr(read)


def test_an_attribute_named_pass_is_not_shown():
    read = parse_text(
        "conf", "router {\n id: A\n}\nlistener {\n port: 5672\n pass: tiger\n}\n", "r.conf"
    )
    assert read.findings
    assert "tiger" not in repr(read)


UNKNOWN = pytest.mark.parametrize("name", ["zome", "geheim", "some.thing", "x-y"])


@UNKNOWN
@pytest.mark.parametrize("value", ["7", "10MB", "enabled", "False"])
def test_of_a_key_that_nobody_knows_only_a_harmless_value_is_kept(name, value):
    assert keys.kept(name, value) == names.kept(name, value) == value
    assert keys.kept(name, "tiger") == names.kept(name, "tiger") == "(set)"


@UNKNOWN
def test_no_excerpt_shows_the_value_of_a_key_that_nobody_knows(name):
    for line in (
        f"{name}=tiger",
        f"{name} = tiger",
        f"url=tcp://h:1 {name}=tiger",
        f"x global,{name}=tiger",
    ):
        assert "tiger" not in keys.excerpt(line)
        assert keys.shown_word(f"{line} wolf", len(line) + 1, "wolf") == "(set)"
    for line in (f"{name}: tiger", f"{name} = tiger", f'"{name}":"tiger"'):
        assert "tiger" not in names.excerpt(line)


def test_an_excerpt_shows_what_known_keys_hold_a_whole_selector_too():
    line = "outgoing_topic=orders selector=\"country='Canada'\" zone_name=Z"
    assert keys.excerpt(line) == line
    assert names.excerpt("    role: inter-router") == "role: inter-router"


def test_every_key_that_a_reader_takes_is_a_known_key():
    taken = {
        *destinations.PROPERTIES,
        *durables.PROPERTIES,
        *bridges._KEYS,
        *access._KEYS,
        *routes.ROUTE_KEYS,
    }
    assert taken <= keys.KEYS
