"""Tokens: what a host, user, client id or URL becomes."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from topograph.errors import UsageError
from topograph.redaction.key import FILE, Key, key_file, key_in_effect, known_key
from topograph.redaction.tokens import Tokens

TOKENS = Tokens(Key(b"k" * 32))
HOST = r"host-[0-9a-f]{12}(?:\.[0-9a-f]{12})?"


def test_the_same_value_has_the_same_token_and_another_value_another() -> None:
    assert TOKENS.user("bob") == TOKENS.user("bob") != TOKENS.user("Bob")
    assert TOKENS.client("bob").startswith("client-")
    assert TOKENS.user("bob")[5:] != TOKENS.client("bob")[7:]
    assert TOKENS.host("Hub.Example.com") == TOKENS.host("hub.example.com")
    assert TOKENS.host("[FE80:0:0::1]") == TOKENS.host("fe80::1")


def test_another_key_gives_other_tokens() -> None:
    assert Tokens(Key(b"other")).user("bob") != TOKENS.user("bob")


def test_a_name_with_and_without_its_domain_share_their_first_part() -> None:
    short, long = TOKENS.host("hub"), TOKENS.host("hub.example.com")
    assert re.fullmatch(r"host-[0-9a-f]{12}", short)
    assert long.startswith(f"{short}.")
    assert TOKENS.host("hub.other.com") not in (short, long)


@pytest.mark.parametrize(
    "text", ["", "*", "localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "0.0.0.0", "::"]
)
def test_hosts_that_name_no_machine_stay(text: str) -> None:
    assert TOKENS.host(text) == text


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("tcp://hub.example.com:7222", rf"tcp://{HOST}:7222"),
        ("ssl://[fe80::1]:7243", rf"ssl://{HOST}:7243"),
        ("tcp://7222", r"tcp://7222"),
        ("tcp://:7222", r"tcp://:7222"),
        ("tcp://localhost:7222", r"tcp://localhost:7222"),
        ("tcp://a:1,ssl://b:2", rf"tcp://{HOST}:1,ssl://{HOST}:2"),
        ("ssl://(set)@hub:7243", rf"ssl://\(set\)@{HOST}:7243"),
        ("tcp://hub:7222?user=bob", rf"tcp://{HOST}:7222/value-[0-9a-f]{{12}}"),
        ("http://hub/path/bob", rf"http://{HOST}/value-[0-9a-f]{{12}}"),
        ("tcp://hub:port:bob", r"tcp://value-[0-9a-f]{12}"),
        ("a b c://x", r"value-[0-9a-f]{12}://value-[0-9a-f]{12}"),
        ("hub.example.com:7222", rf"{HOST}:7222"),
        ("nonsense/bob", rf"{HOST}"),
    ],
)
def test_of_a_url_scheme_and_port_stay(url: str, pattern: str) -> None:
    assert re.fullmatch(pattern, TOKENS.urls(url)), TOKENS.urls(url)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("hub, spoke;third", rf"{HOST}, {HOST};{HOST}"),
        ("tcp:hub:7500", rf"tcp:{HOST}:7500"),
        ("tcp:7500", "tcp:7500"),
        ("10.0.0.1-10.0.0.9,*", rf"{HOST}-{HOST},\*"),
        ("*.example.com", rf"\*\.{HOST}"),
        ("fe80::1", HOST),
        ("5672", "5672"),
        ("hub:amqp", rf"{HOST}:amqp"),
        ("hub(1414),spoke (1415)", rf"{HOST}\(1414\),{HOST} \(1415\)"),
    ],
)
def test_lists_of_hosts_keep_their_form(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, TOKENS.hosts(text)), TOKENS.hosts(text)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("(set)", r"\(set\)"),
        ("-p (set)", rf"{HOST} \(set\)"),
        ("(set)@hub:1414,(set)", rf"\(set\)@{HOST}:1414,\(set\)"),
    ],
)
def test_what_stands_for_a_secret_is_no_host(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, TOKENS.hosts(text))
    assert TOKENS.hosts("(set)@hub:1414") == f"(set)@{TOKENS.host('hub')}:1414"


def test_a_random_client_id_becomes_another_random_client_id() -> None:
    """A query tool is known by its UUID (D-7), also in a redacted snapshot."""
    uuid = "0f4c1a52-3b1e-4a4d-9a3a-0123456789ab"
    token = TOKENS.client(uuid)
    assert token != uuid
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", token)


def test_the_key_is_made_once_and_only_its_owner_can_read_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment = {"TOPOGRAPH_HOME": str(tmp_path / "kept")}
    assert known_key(environment) is None
    made = key_in_effect(environment)
    assert key_in_effect(environment) == made == known_key(environment)
    path = key_file(environment)
    assert path == tmp_path / "kept" / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == [FILE]
    assert path.read_text().strip() not in repr(made)
    assert made.fingerprint not in path.read_text()


def test_a_key_that_others_can_read_or_that_is_short_is_refused(tmp_path: Path) -> None:
    environment = {"TOPOGRAPH_HOME": str(tmp_path)}
    key_in_effect(environment)
    key_file(environment).chmod(0o640)
    with pytest.raises(UsageError, match="chmod 600"):
        known_key(environment)
    with pytest.raises(UsageError, match="at least 16"):
        known_key({"TOPOGRAPH_REDACT_KEY": "short"})
    key_file(environment).chmod(0o600)
    key_file(environment).write_text("short")
    with pytest.raises(UsageError, match="has 5 characters"):
        known_key(environment)


def test_the_variable_wins_over_the_file(tmp_path: Path) -> None:
    kept = key_in_effect({"TOPOGRAPH_HOME": str(tmp_path)})
    given = known_key({"TOPOGRAPH_HOME": str(tmp_path), "TOPOGRAPH_REDACT_KEY": "k" * 16})
    assert given is not None
    assert given.fingerprint != kept.fingerprint


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write everywhere")
def test_a_folder_that_takes_no_key_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="TOPOGRAPH_REDACT_KEY"):
        key_in_effect({"TOPOGRAPH_HOME": str(tmp_path / "kept")})
