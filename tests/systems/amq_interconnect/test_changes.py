"""What management commands do to the configuration of a router: what is refused, what is left
open, and what people have to know of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.errors import UsageError
from topograph.network import Network
from topograph.questions.answers import AuditAnswer
from topograph.systems.amq_interconnect import probes

FILES = {
    "a.conf": "router {\n mode: interior\n id: A\n}\nlistener {\n name: in\n host: a.net\n port: "
    "5001\n role: inter-router\n}\n"
    "listener {\n host: 0.0.0.0\n port: 5672\n}\n"
    "connector {\n name: broker\n host: broker.net\n port: 5672\n role: route-container\n}\n"
    "address {\n name: orders\n prefix: orders\n distribution: closest\n}\naddress {\n "
    "pattern: */x/#\n}\n"
    "linkRoute {\n name: all\n prefix: queue\n direction: in\n connection: broker\n}\n",
    "b.conf": (
        "router {\n mode: interior\n id: B\n}\nconnector {\n name: to-a\n host: a.net\n "
        "port: 5001\n role: inter-router\n}\n"
    ),
    "e.conf": (
        "router {\n mode: edge\n id: E\n}\nconnector {\n name: up\n host: a.net\n port: 9\n "
        "role: edge\n}\n"
    ),
    "s.conf": "router {\n id: S\n}\n",
}


def read(folder: Path, files: dict[str, str]) -> Network:
    for name, content in files.items():
        (folder / name).write_text(content)
    return topograph.read(folder)


@pytest.fixture
def network(tmp_path: Path) -> Network:
    return read(tmp_path, FILES)


def kinds(answer: AuditAnswer) -> list[str]:
    return [note.rule for step in answer.steps for note in step.notes]


def told(answer: AuditAnswer) -> str:
    return " ".join(note.message for step in answer.steps for note in step.notes)


@pytest.mark.parametrize(
    ("at", "line", "rule", "message"),
    [
        ("A", "create --type address prefix=/orders/", "C-6", ("address prefix orders matches "
            "the same addresses already "
            "(a.conf:")),
        ("A", "create --type address pattern=orders/#", "C-6", ("matches the same addresses "
            "already")),
        ("A", "create --type address pattern=*.x.#.#", "C-6", "address pattern */x/# matches"),
        ("A", "create --type address name=orders prefix=b", "C-2", ("A has an address named "
            "orders already (a.conf:")),
        ("A", "create --type connector name=orders host=h", "C-2", ("A has an address named "
            "orders already")),
        ("A", "create --type listener host=0.0.0.0 port=5672", "C-2", ("A has a listener named "
            "listener/0.0.0.0:5672 "
            "already")),
        ("S", "create --type connector host=h role=inter-router", "C-3", ("not allowed in a "
            "router of mode "
            "standalone")),
        ("S", "create --type listener port=1 role=edge", "C-3", ("not allowed in a router of "
            "mode standalone")),
        ("E", "create --type listener port=1 role=edge", "C-3", ("a listener of role edge is "
            "not allowed in a router of "
            "mode edge")),
        ("A", "delete --type address --name order", "C-2", ("A has no address named order. Did "
            "you mean orders?")),
        ("A", "delete --type listener --name orders", "C-2", ("orders is an address, not a "
            "listener")),
        ("A", "delete --type connector --identity connector/broker.net:5672", "C-2",
            "with the identity connector/broker.net:5672"),
        ("A", "create --type address prefix=b distribution=any", "C-2", "is none of"),
        ("A", "update --type address --name orders distribution=multicast", "C-2",
            "cannot update an entity of type address"),
    ],
)  # fmt: skip
def test_what_a_router_refuses(
    network: Network, at: str, line: str, rule: str, message: str
) -> None:
    answer = network.audit(f"qdmanage {line}\n", at=at)
    (found,) = answer.rejections
    assert (found.rule, found.server, found.undetermined) == (rule, at, False)
    assert message in found.message
    assert answer.verdict == "reject"
    assert answer.steps[0].result == "refused"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("delete --name orders", "asked only with --type address"),
        ("delete --type address --identity 7", "gives out such numbers"),
    ],
)
def test_what_the_core_alone_knows_is_left_open(network: Network, line: str, message: str) -> None:
    answer = network.audit(f"qdmanage {line}\n", at="A")
    assert answer.verdict == "undetermined"
    assert message in answer.rejections[0].message
    assert answer.steps[0].result == "undetermined"


@pytest.mark.parametrize(
    ("line", "kind", "message"),
    [
        ("create --type address prefix=b", "in-use-keeps", ("under b that have links at the "
            "moment keep")),
        ("delete --type address --name orders", "in-use-keeps", "under orders"),
        ("delete --type listener --name in", "connections-stay", ("connections that came by in "
            "stay open")),
        ("delete --type linkRoute --name all", "links-stay", "links that all has routed stay"),
        ("delete --type connector --name broker", "never-active", "linkRoute all (a.conf:"),
        ("create --type autoLink address=q direction=in", "never-active", ("neither connection "
            "nor containerId")),
        ("create --type autoLink address=q direction=in connection=nope", "never-active",
            "no connector or listener named nope"),
        ("create --type autoLink address=q direction=in connection=in", "never-active",
            "in has the role inter-router"),
        ("create --type autoLink address=q direction=in connection=connector/h:1", "never-active",
            "a generated name"),
        ("create --type listener name=n host=0.0.0.0 port=amqp", "port-taken",
            "A listens on 0.0.0.0:5672 already"),
        ("create --type linkRoute name=orders prefix=l direction=in containerId=c",
            "name-of-another-type", "an address has the name orders"),
        ("create --type connector host=h role=inter-edge", "skupper-only",
            "only Skupper Router takes this"),
    ],
)  # fmt: skip
def test_what_people_have_to_know(network: Network, line: str, kind: str, message: str) -> None:
    answer = network.audit(f"qdmanage {line}\n", at="A")
    assert kinds(answer) == [kind]
    assert message in told(answer)
    # That an entry never becomes active is a new error (C-7), as it is where files say the same.
    judged = dict.fromkeys(["connections-stay", "port-taken", "never-active"], "undetermined")
    assert answer.verdict == (judged | {"skupper-only": "reject"}).get(kind, "accept")


@pytest.mark.parametrize(
    "line",
    [
        "create --type autoLink address=q direction=in connection=broker",
        "create --type autoLink address=q direction=in containerId=c",
        "delete --type connector --identity connector/broker.net:5672:broker",
        "create --type connector name=n host=h role=inter-router",
    ],
)
def test_what_goes_without_saying(network: Network, line: str) -> None:
    answer = network.audit(f"qdmanage {line}\n", at="A")
    # where a connector to a host of which nothing is loaded leads is not known, as where two
    # states are compared (T-13)
    open_ = "delete" in line or "inter-router" in line
    assert answer.verdict == ("undetermined" if open_ else "accept")
    assert kinds(answer) == ([] if "delete" not in line else ["never-active"])
    assert [one.rule for one in answer.warnings if one.rule == "not-saved"] == ["not-saved"]


def test_links_come_and_go(tmp_path: Path) -> None:
    network = read(tmp_path, {name: text for name, text in FILES.items() if name != "e.conf"})
    gone = network.audit("qdmanage delete --type connector --name to-a\n", at="B")
    assert set(gone.reach.lost) == {("A", "B"), ("B", "A")}
    back = network.audit(
        "qdmanage -r B delete --type connector --name to-a\n"
        "qdmanage -r B create --type connector host=a.net port=5001 role=inter-router cost=7\n"
    )
    assert back.reach.lost == back.reach.gained == ()
    assert back.steps[0].reach_lost_count == 2
    assert [(one.before, one.after) for one in back.links.changed] == [(("cost 1",), ("cost 7",))]


def test_what_is_created_can_be_deleted_again(network: Network) -> None:
    answer = network.audit(
        "qdmanage create --type address name=n prefix=b\nqdmanage create --type address prefix=b\n"
        "qdmanage delete --type address --name n\nqdmanage create --type address prefix=b\n",
        at="A",
    )
    assert [step.result for step in answer.steps] == ["accepted", "refused", "accepted", "accepted"]


def test_a_command_says_which_router_it_goes_to(network: Network) -> None:
    def at(to: str) -> str:
        return network.audit(f"qdmanage {to} create --type address prefix=b\n").steps[0].server

    assert at("-r B") == "B"
    assert at("-b a.net:5001") == "A"
    assert at("-b localhost") == "A"
    assert at("-b amqp://u:p@A.net:5001") == "A"
    with pytest.raises(UsageError, match=r"hub:5672 is where no server"):
        at("-b hub")
    assert (
        network.audit("qdmanage -b hub delete --type address --name orders\n", at="A").verdict
        == "accept"
    )


def test_a_link_that_is_down_changes_no_verdict(network: Network) -> None:
    answer = network.audit("qdmanage create --type address prefix=b\n", at="A", down=["route:A-B"])
    assert answer.verdict == "accept"


def test_a_router_that_does_not_start_leaves_it_open(tmp_path: Path) -> None:
    answer = read(tmp_path, FILES | {"s.conf": "router {\n id: S\n mode: none\n}\n"}).audit(
        "qdmanage create --type address prefix=b\n", at="S"
    )
    assert answer.verdict == "undetermined"
    assert "S does not start with its file" in answer.rejections[0].message


def test_a_skupper_router_has_no_link_routes(tmp_path: Path) -> None:
    files = {
        "k.conf": (
            "router {\n id: K\n mode: interior\n}\nlistener {\n port: 1\n role: inter-edge\n}\n"
        )
    }
    network = read(tmp_path, files)
    for line in (
        "linkRoute prefix=a direction=in",
        "address prefix=a waypoint=yes",
        "autoLink address=a direction=in phase=0",
    ):
        (found,) = network.audit(f"skmanage create --type {line}\n", at="K").rejections
        assert found.rule == "S-2", line
    assert (
        network.audit(
            "skmanage create --type autoLink address=a direction=in containerId=c\n", at="K"
        ).verdict
        == "accept"
    )


RECEIVERS = (
    "clients:\n"
    "  - {server: A, destination: 'address:orders/eu', role: receiver, client_id: at-a}\n"
    "  - {server: B, destination: 'address:orders/eu', role: receiver, client_id: at-b}\n"
)


def test_a_distribution_that_changes_is_told_with_the_receivers_it_moves(tmp_path: Path) -> None:
    network = read(tmp_path, FILES | {"topograph.yaml": RECEIVERS})
    answer = network.audit(
        "qdmanage create --type address prefix=orders/eu distribution=multicast\n", at="A"
    )
    gained = [(one.server, one.from_, one.copies) for one in answer.deliveries.gained]
    assert gained == [
        ("A", "B", 1),
        ("B", "A", 1),
    ]  # B has no entry, and takes the treatment of A
    (moved,) = [
        one
        for one in answer.outcomes
        if (one.server, one.destination) == ("A", "address:orders/eu")
    ]
    assert moved.before == ("closest: at-a over A",)
    assert moved.after == ("multicast: at-a over A", "multicast: at-b over A → B")
    assert (moved.rule, str(moved.source)) == ("M-4", "change:1:1")
    back = network.audit(
        "qdmanage create --type address prefix=orders/us distribution=multicast\n", at="A"
    )
    assert back.deliveries.gained == back.deliveries.lost == ()
    assert {one.destination for one in back.outcomes} == {"address:orders/us"}
    other = network.audit(
        "qdmanage create --type address prefix=orders/us distribution=closest\n", at="A"
    )
    assert other.outcomes == ()


def test_an_entry_that_goes_leaves_the_default(tmp_path: Path) -> None:
    network = read(tmp_path, FILES | {"topograph.yaml": RECEIVERS})
    answer = network.audit("qdmanage delete --type address --name orders\n", at="A")
    moved = {
        one.server: (one.before, one.after)
        for one in answer.outcomes
        if one.destination == "address:orders/eu"
    }
    assert moved["A"] == (("closest: at-a over A",), ("balanced: at-a over A",))


def test_an_address_that_becomes_unavailable_is_told(tmp_path: Path) -> None:
    files = {name: content for name, content in FILES.items() if name != "e.conf"}
    network = read(tmp_path, files | {"topograph.yaml": RECEIVERS})
    answer = network.audit(
        "qdmanage create --type address prefix=orders/eu distribution=unavailable\n", at="A"
    )
    assert {one.from_ for one in answer.deliveries.lost} == {"A"}
    moved = {one.server: one for one in answer.outcomes}
    assert moved["A"].after[-1].startswith("the sender sees REFUSED")


END = "{\n host: a\n port: 5001\n role: inter-router\n}\n"
A = f"router {{\n mode: interior\n id: A\n}}\nlistener {END}"
B = f"router {{\n mode: interior\n id: B\n}}\nconnector {END}"
HOSTS = "hosts: {a: A, b: B}\nclients:\n  - {server: A, destination: 'address:q', role: receiver}\n"


def compared(folder: Path, before: dict[str, str], after: dict[str, str]) -> AuditAnswer:
    """The answer about two states of routers A and B."""
    states = []
    for name, files in (("before", before), ("after", after)):
        (folder / name).mkdir()
        own = {"a.conf": A, "b.conf": B, "topograph.yaml": HOSTS} | files
        states.append(read(folder / name, own).within(None))
    return topograph.compare(*states)


def outcomes(answer: AuditAnswer) -> set[tuple[str, str]]:
    return {(one.server, one.destination) for one in answer.outcomes}


def test_a_policy_decides_about_every_address(tmp_path: Path) -> None:
    policy = {"b.conf": f"{B}policy {{\n enableVhostPolicy: yes\n}}\n"}
    answer = compared(tmp_path, policy, {})
    assert outcomes(answer) == {("B", "address:q"), ("B", "address:example")}
    assert {(one.server, one.from_) for one in answer.deliveries.gained} == {("A", "B")}


def test_what_a_router_gains_that_starts_is_told(tmp_path: Path) -> None:
    answer = compared(tmp_path, {"b.conf": f"{B}nonsense {{\n x: y\n}}\n"}, {})
    assert [(one.server, one.from_) for one in answer.deliveries.gained] == [("A", "B")]


def test_an_address_that_only_output_shows_is_followed(tmp_path: Path) -> None:
    shown = (
        '[{"type": "org.apache.qpid.dispatch.router", "id": "A", "mode": "interior"},'
        '{"type": "org.apache.qpid.dispatch.connection", "identity": "1", "role": "normal",'
        '"container": "c1", "dir": "in"},'
        '{"type": "org.apache.qpid.dispatch.router.link", "identity": "2", "connectionId": "1",'
        '"linkType": "endpoint", "linkDir": "out", "owningAddr": "M0seen/x"}]'
    )
    files = {"a.json": shown}
    policy = {"b.conf": f"{B}policy {{\n enableVhostPolicy: yes\n}}\n"}
    answer = compared(tmp_path, files | policy, files)
    assert ("B", "address:seen/x") in outcomes(answer)


def test_addresses_are_told_as_they_are_written(tmp_path: Path) -> None:
    entry = "address {\n prefix: a.b\n distribution: multicast\n}\n"
    answer = compared(tmp_path, {"a.conf": A + entry}, {})
    assert ("A", "address:a.b") in outcomes(answer)


def test_an_address_that_two_patterns_match_is_followed(tmp_path: Path) -> None:
    """With the entry of both A and B, orders/eu is treated otherwise than what only one matches."""
    other = {"b.conf": f"{B}address {{\n pattern: */eu\n distribution: multicast\n}}\n"}
    entry = "address {\n prefix: orders\n distribution: closest\n}\n"
    answer = compared(tmp_path, other, other | {"a.conf": A + entry})
    assert {"address:orders", "address:orders/example", "address:orders/eu"} >= {
        name for _, name in outcomes(answer)
    }
    assert ("A", "address:orders/eu") in outcomes(answer)


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("orders/#/late", "*/eu/#", "orders/eu/late"),
        ("#/late", "orders/#", "orders/late"),
        ("#/a/#", "#/b", "a/b"),
    ],
)
def test_what_two_patterns_match_is_followed_wherever_their_signs_stand(
    tmp_path: Path, one: str, other: str, both: str
) -> None:
    """At B the entry of the one counts, too: the addresses of both are treated otherwise."""
    entry = "address {{\n pattern: {}\n distribution: {}\n}}\n"
    files = {"b.conf": B + entry.format(other, "multicast")}
    answer = compared(tmp_path, files, files | {"a.conf": A + entry.format(one, "closest")})
    assert ("A", f"address:{both}") in outcomes(answer)


def test_addresses_that_are_too_many_leave_the_comparison_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "MOST_MESSAGES", 3)
    monkeypatch.setattr(probes, "MOST_PAIRS", 1)
    entry = "address {\n pattern: */eu\n}\naddress {\n pattern: orders/#\n}\n"
    policy = f"{B}policy {{\n enableVhostPolicy: yes\n}}\n"
    before = {"b.conf": policy + entry}
    answer = compared(tmp_path, before, {"b.conf": B + entry})
    too_many = "were not followed before and after: they are too many"
    assert [(one.polarity, one.because) for one in answer.left_open] == [
        ("not_looked_at", f"5 messages to known addresses {too_many}"),
        ("not_looked_at", f"4 messages to addresses that two patterns match {too_many}"),
    ]
    assert (answer.exact, answer.verdict) == (False, "undetermined")


def test_a_budget_that_ends_makes_the_comparison_incomplete(network: Network) -> None:
    answer = network.within(1e-9).audit("qdmanage delete --type connector --name to-a\n", at="B")
    assert not answer.exact
