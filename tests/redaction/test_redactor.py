"""One network's values in facts, paths and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.parsers.expat import ExpatError, ParserCreate

import pytest

from topograph.facts import Fact
from topograph.facts.ems import EmsGrant, EmsRoute, EmsServer, EmsUser
from topograph.findings import Finding, Severity, Source
from topograph.importers.holds import Holds
from topograph.network import read
from topograph.opening.folders import read_snapshot
from topograph.redaction.key import Key
from topograph.redaction.redactor import Redactor, redactor_of
from topograph.redaction.tokens import Tokens
from topograph.side_inputs import SideInputs

KEY = Key(b"k" * 32)
TOKENS = Tokens(KEY)
HUB, BOB = TOKENS.host("hub.acme.example"), TOKENS.user("bob.smith")


def server(name: str, *listen: str, bundle: str = "b") -> EmsServer:
    return EmsServer(bundle=bundle, server=name, source=Source("b"), listen=listen)


def user(name: str) -> EmsUser:
    return EmsUser(bundle="b", server="A", source=Source("b"), name=name)


def redactor(*facts: Fact, paths: Iterable[str] = ()) -> Redactor:
    return redactor_of(KEY, facts, SideInputs(), paths)


def test_values_are_replaced_in_sentences_as_whole_words_and_in_any_case() -> None:
    made = redactor(server("A", "tcp://hub.acme.example:7222"), user("bob.smith"))
    assert (
        made.message("the route of A to hub.acme.example:7222") == f"the route of A to {HUB}:7222"
    )
    assert made.message("BOB.SMITH is a user") == f"{BOB} is a user"
    assert "bob.smithy" not in made.message("bob.smithy is a user")
    assert BOB not in made.message("bob.smithy is a user")


def test_of_a_sentence_only_our_own_words_and_names_that_stay_are_kept() -> None:
    made = redactor(server("ALPHA"))
    shown = made.message(
        "the property zebra of ALPHA is not understood: 10.0.0.7, tcp://zoo:1?x=y, "
        "'apple pie' (line 7)"
    )
    assert "ALPHA" in shown
    assert "(line 7)" in shown
    assert "is not understood" in shown
    for word in ("zebra", "10.0.0.7", "zoo", "apple", "pie", "x=y"):
        assert word not in shown


def test_paths_keep_their_form_and_stay_different() -> None:
    paths = ["Bob.Smith/x.conf", "bob.smith/x.conf", "estate/hub/x.conf", "other/x.conf"]
    made = redactor(server("A", "tcp://hub.acme.example:7222"), user("bob.smith"), paths=paths)
    label = TOKENS.host("hub")
    assert [made.path(path) for path in paths] == [
        f"{BOB}/x.conf",
        f"{BOB}/x.conf~2",
        f"estate/{label}/x.conf",
        "other/x.conf",
    ]
    assert made.path("archive.zip!/hub.acme.example/x") == f"archive.zip!/{HUB}/x"


def test_a_user_called_like_a_server_is_that_server_and_stays() -> None:
    """R49: a neighbour is a user by its server's name; the grants of a redacted network still
    hold.
    """
    grant = EmsGrant(
        bundle="b",
        server="A",
        source=Source("b"),
        type="topic",
        name="orders",
        principal_type="user",
        principal="B",
    )
    route = EmsRoute(bundle="b", server="A", source=Source("b"), name="B")
    made = redactor(server("A"), route, grant, user("B"), user("admin"))
    assert made.record(grant) == grant
    assert made.record(user("B")).name == "B"
    assert made.record(user("admin")).name == "admin"


def test_a_group_that_is_granted_something_stays_and_a_user_of_that_name_does_not() -> None:
    def grant(kind: str) -> EmsGrant:
        return EmsGrant(
            bundle="b",
            server="A",
            source=Source("b"),
            type="topic",
            name="orders",
            principal_type=kind,
            principal="ops",
        )

    made = redactor(server("A"), grant("user"), grant("group"))
    assert made.record(grant("group")).principal == "ops"
    assert made.record(grant("user")).principal == TOKENS.user("ops")


def test_a_value_that_is_also_a_word_or_a_name_stays_in_sentences_and_that_is_said() -> None:
    facts = [server("HUB", "tcp://hub:7222"), user("topic"), user("a"), user("4711")]
    made = redactor(*facts)
    assert made.record(facts[0]).listen == (f"tcp://{TOKENS.host('hub')}:7222",)
    assert made.record(facts[1]).name == TOKENS.user("topic")
    assert made.message("a topic of HUB in line 4711") == "a topic of HUB in line 4711"
    assert made.path("hub/tibemsd.conf") == "hub/tibemsd.conf"
    (said,) = made.findings()
    assert said.kind == "redaction-word-stays"
    assert "1 hosts, 3 users" in said.message
    assert list(redactor(server("A", "tcp://zebra:7222")).findings()) == []


def test_lines_of_the_files_are_left_out_of_findings() -> None:
    finding = Finding(
        "k",
        Severity.ERROR,
        "not a connection URL: tcp://x",
        Source("f", 3),
        excerpt="listen = tcp://x",
    )
    assert redactor(server("A")).record(finding).excerpt == ""


def test_a_field_that_nobody_declared_is_hidden() -> None:
    made = redactor(server("A"))
    assert made.treat(Holds.OPAQUE, "whatever").startswith("value-")
    fact = EmsServer(
        bundle="b",
        server="A",
        source=Source("b"),
        parameters=(
            ("new_thing", "bob"),
            ("new_size", "10MB"),
            ("new_flag", "enabled"),
            ("new_url", "x://hub:1"),
            ("x_user", "7"),
        ),
    )
    kept = dict(made.record(fact).parameters)
    assert kept["new_thing"] == made.treat(Holds.OPAQUE, "bob")
    assert kept["new_size"] == "10MB"
    assert kept["new_flag"] == "enabled"
    assert kept["new_url"] == f"x://{TOKENS.host('hub')}:1"
    assert kept["x_user"] == TOKENS.user("7")


def write(root: Path, name: str, **files: str) -> None:
    (root / name).mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (root / name / f"{file}.conf").write_text(text)


@pytest.fixture
def network(tmp_path: Path) -> Path:
    root = tmp_path / "net"
    main = (
        "server = {0}\nrouting = enabled\nauthorization = enabled\nlisten = tcp://{1}:7222\n"
        + "".join(f"{kind} = {kind}.conf\n" for kind in ("users", "groups", "topics", "routes"))
    )
    acl = "acl_list = acl.conf\n"
    for name, other in (("A", "B"), ("B", "A")):
        write(
            root,
            name.lower(),
            tibemsd=main.format(name, f"{name.lower()}1.acme.example") + acl,
            users=f"mary:x:\n{other}:x:\n",
            groups="clerks:\n  mary\n",
            topics="orders global,secure\n",
            routes=(
                f"[{other}]\nurl = tcp://{other.lower()}1.acme.example:7222\nzone_name = "
                "Z\nzone_type = 1hop\n"
            ),
            acl=(
                f"TOPIC=orders USER={other} PERM=subscribe,durable,publish\nTOPIC=orders "
                "GROUP=clerks PERM=publish\n"
            ),
        )
    return root


def test_answers_on_a_redacted_network_are_those_on_the_network(network: Path) -> None:
    plain, redacted = read(network), read(network, redact=True)
    assert redacted.snapshot_id != plain.snapshot_id
    assert redacted.reach("A").to_dict()["servers"] == plain.reach("A").to_dict()["servers"]
    for user in ("", "mary", "A", "somebody"):
        there, here = (
            net.propagate("A", "topic:orders", user=user, subscribers=["B:topic:orders"])
            for net in (plain, redacted)
        )
        assert here.deliveries == there.deliveries
    kinds = [
        sorted(finding["kind"] for finding in net.check().findings) for net in (plain, redacted)
    ]
    assert kinds[0] == kinds[1]


def test_each_answer_says_that_it_is_redacted_and_with_which_key(network: Path) -> None:
    from topograph.questions.text import text
    from topograph.redaction.key import key_in_effect

    fingerprint = key_in_effect().fingerprint
    redacted = read(network, redact=True)
    answer = redacted.reach("A")
    assert answer.to_dict()["redaction"] == fingerprint
    assert f"redacted with key {fingerprint}" in text(answer)
    assert read(network).reach("A").redaction == ""
    assert "redacted" not in text(read(network).reach("A"))


def test_a_user_can_be_named_where_the_key_is_and_by_token_elsewhere(
    network: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from topograph.errors import UsageError

    redacted = read(network, redact=True)
    token = next(
        str(row["permissions"]) for row in redacted.show("access").rows if row["what"] == "group"
    )
    by_name = redacted.propagate("A", "topic:orders", user="mary")
    assert by_name.to_dict()["message"]["user"] == token
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", "another key, long enough")
    assert redacted.propagate("A", "topic:orders", user=token).deliveries == by_name.deliveries
    with pytest.raises(UsageError, match="by its token"):
        redacted.propagate("A", "topic:orders", user="mary")
    monkeypatch.delenv("TOPOGRAPH_REDACT_KEY")
    with pytest.raises(UsageError, match="there is none here"):
        redacted.propagate("A", "topic:orders", user="mary")


def test_the_same_inputs_and_key_give_the_same_id_and_another_key_another(
    network: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = read_snapshot(network, redact=True), read_snapshot(network, redact=True)
    assert (first.id, first.data) == (again.id, again.data)
    monkeypatch.setenv("TOPOGRAPH_REDACT_KEY", "another key, long enough")
    assert read_snapshot(network, redact=True).id != first.id


def test_a_container_at_a_loopback_host_keeps_its_name_and_one_at_a_host_has_its_token(
    tmp_path: Path,
) -> None:
    """``HOST:PORT at ROUTER``: the host is loopback or unspecified, and the router's name stays."""
    link = "{0} {{\n host: b.acme.example\n port: 7001\n role: inter-router\n}}\n"
    stored = (
        "connector {{\n name: {0}\n host: {1}\n port: 5672\n role: route-container\n}}\n"
        "address {{\n prefix: {0}\n waypoint: yes\n}}\nautoLink {{\n address: {0}\n "
        "connection: {0}\n direction: out\n}}\n"
    )
    for name, joined in (("A", "connector"), ("B", "listener")):
        router = f"router {{\n id: {name}\n mode: interior\n}}\n" + link.format(joined)
        text = (
            router + stored.format("near", "127.0.0.1") + stored.format("far", "store.acme.example")
        )
        (tmp_path / f"{name}.conf").write_text(text, encoding="utf-8")
    answers = {redact: read(tmp_path, redact=redact) for redact in (False, True)}

    def receivers(redact: bool, address: str) -> set[str]:
        return {
            each.receiver
            for each in answers[redact].propagate("A", f"address:{address}").deliveries
        }

    assert receivers(True, "near") == receivers(False, "near") == {"127.0.0.1:5672 at A"}
    assert receivers(False, "far") == {"store.acme.example:5672"}
    (far,) = receivers(True, "far")
    assert far.startswith("host-")
    assert far.endswith(":5672")
    assert "acme" not in far
    failed = answers[True].impact(fail=["broker:127.0.0.1:5672 at A"])
    assert "127.0.0.1:5672 at A" in repr(failed)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a><b", "unclosed token"),
        ("<a></b>", "mismatched tag"),
        ("<a/>x", "junk after document element"),
        ("<a><![CDATA[", "unclosed CDATA section"),
        ("<x:a/>", "unbound prefix"),
    ],
)
def test_what_the_reader_of_xml_says_stays_in_a_redacted_message(text: str, reason: str) -> None:
    parser = ParserCreate(namespace_separator=" ")
    with pytest.raises(ExpatError) as raised:
        parser.Parse(text, True)
    said = str(raised.value)
    assert said.startswith(reason)
    assert redactor(user("unclosed.smith")).message(said) == said
