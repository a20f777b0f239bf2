"""Vhost policies (section 5, position 12): who may attach to which address."""

from __future__ import annotations

import fnmatch
import random
from pathlib import Path
from typing import Any

import pytest

import topograph

ROUTER = "router {\n  mode: interior\n  id: A\n}\nlistener {\n  host: a\n  port: 5672\n}\n"
RECEIVER = (
    "clients:\n  - {server: A, destination: 'address:stock', role: receiver, client_id: r%s}\n"
)


def vhost(groups: str, unknown: str = "true", host: str = "$default") -> str:
    own = f"  hostname: {host}\n  allowUnknownUser: {unknown}\n"
    return f"vhost {{\n{own}  groups: {{\n{groups}  }}\n}}\n"


def group(name: str = "$default", **settings: str) -> str:
    own = {"remoteHosts": "*", **settings}
    lines = ",\n".join(f'      "{key}": "{value}"' for key, value in own.items())
    return f'    "{name}": {{\n{lines}\n    }}\n'


def asked(folder: Path, policies: str, *, user: str = "", anonymous: bool = False) -> Any:
    enabled = "policy {\n  enableVhostPolicy: yes\n}\n"
    (folder / "a.conf").write_text(ROUTER + enabled + policies)
    who = f", user: {user}" if user else ""
    (folder / "topograph.yaml").write_text(RECEIVER % who)
    return topograph.read(folder).propagate("A", "address:stock", anonymous=anonymous)


def rules_of(answer: Any) -> list[str]:
    return [one.rule for one in answer.assumptions]


def test_a_sender_whose_group_does_not_name_the_address_is_refused(tmp_path: Path):
    answer = asked(tmp_path, vhost(group(sources="*", targets="orders")))
    assert answer.deliveries == ()
    sender = answer.to_dict()["sender"]
    assert (sender["outcome"], sender["condition"]) == ("REFUSED", "amqp:unauthorized-access")
    assert "the policy of A lets no sender of stock attach" in sender["description"]


def test_a_receiver_whose_group_does_not_name_the_address_gets_nothing(tmp_path: Path):
    answer = asked(tmp_path, vhost(group(sources="orders", targets="*")))
    assert answer.deliveries == ()
    assert "r is left out" in str([one.message for one in answer.warnings])


def test_what_all_groups_allow_is_certain(tmp_path: Path):
    groups = group(sources="stock", targets="sto*").removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann", sources="*", targets="stock")
    answer = asked(tmp_path, vhost(groups))
    assert [one.receiver for one in answer.deliveries] == ["r"]
    assert answer.assumptions == ()


def test_what_depends_on_the_user_is_an_assumption(tmp_path: Path):
    groups = group(sources="*", targets="orders").removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann", sources="*", targets="stock")
    answer = asked(tmp_path, vhost(groups))
    assert [one.receiver for one in answer.deliveries] == ["r"]
    assert rules_of(answer) == ["12"]


def test_a_user_that_is_stated_is_in_its_own_group(tmp_path: Path):
    groups = group(sources="orders", targets="*").removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann, bob", sources="to-${user}, stock", targets="*")
    assert [one.receiver for one in asked(tmp_path, vhost(groups), user="bob").deliveries] == ["r"]
    answer = asked(tmp_path, vhost(groups), user="eve")
    assert [one.subscriber for one in answer.deliveries] == ["assumed"]
    assert "12" in rules_of(answer)


def test_an_anonymous_sender_needs_leave_of_its_own(tmp_path: Path):
    every = vhost(group(sources="*", targets="*"))
    assert asked(tmp_path, every, anonymous=True).deliveries == ()
    leave = vhost(group(sources="*", targets="*", allowAnonymousSender="true"))
    assert len(asked(tmp_path, leave, anonymous=True).deliveries) == 1


@pytest.mark.parametrize("policies", ["", vhost(group(sources="*", targets="*"), "false")])
def test_without_a_group_nobody_attaches(tmp_path: Path, policies: str):
    assert asked(tmp_path, policies).deliveries == ()


def test_policies_of_a_folder_that_is_not_loaded_are_an_assumption(tmp_path: Path):
    answer = asked(tmp_path, "")
    assert answer.deliveries == ()
    text = ROUTER + "policy {\n  enableVhostPolicy: yes\n  policyDir: /etc/policies\n}\n"
    (tmp_path / "a.conf").write_text(text)
    answer = topograph.read(tmp_path).propagate("A", "address:stock")
    assert [one.receiver for one in answer.deliveries] == ["r"]
    assert set(rules_of(answer)) == {"12"}


@pytest.mark.parametrize("number", range(30))
def test_drawn_lists_allow_what_their_names_match(tmp_path: Path, number: int):
    draw = random.Random(number)
    names = ["stock", "sto*", "*", "orders", "st", "stock*", "stock.eu", "Stock", "s*k", ""]
    targets, sources = (draw.sample(names, draw.randint(0, 3)) for _ in range(2))

    def allows(listed: list[str]) -> bool:
        # only a last * is a wildcard
        return any(
            one
            and fnmatch.fnmatchcase(
                "stock",
                one.removesuffix("*").replace("*", "[*]") + "*"
                if one.endswith("*")
                else one.replace("*", "[*]"),
            )
            for one in listed
        )

    answer = asked(tmp_path, vhost(group(sources=", ".join(sources), targets=",".join(targets))))
    assert bool(answer.deliveries) == (allows(targets) and allows(sources))
    assert answer.assumptions == ()


@pytest.mark.parametrize("targets", ["stock", "orders", "st*", "${user}.in"])
def test_redacted_policies_say_the_same(tmp_path: Path, targets: str):
    groups = group(sources="*", targets=targets).removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann", sources="*", targets=targets)
    plain = asked(tmp_path, vhost(groups))
    redacted = topograph.read(tmp_path, redact=True).propagate("A", "address:stock")
    assert redacted.to_dict()["sender"]["outcome"] == plain.to_dict()["sender"]["outcome"]
    assert len(redacted.deliveries) == len(plain.deliveries)
    assert rules_of(redacted) == rules_of(plain)


def of_users(**targets: str) -> str:
    """A vhost with a group for each user, whose senders may use what is given."""
    groups = [
        group(f"of {user}", users=user, sources="*", targets=own).removesuffix("\n")
        for user, own in targets.items()
    ]
    return vhost(",\n".join(groups) + "\n", unknown="false")


@pytest.mark.parametrize(
    ("user", "outcome"), [("ann", "accepted"), ("bob", "REFUSED"), ("eve", "REFUSED")]
)
def test_the_group_of_the_user_who_sends_decides(tmp_path: Path, user: str, outcome: str):
    asked(tmp_path, of_users(ann="stock", bob="orders"), user="ann")
    answer = topograph.read(tmp_path).propagate("A", "address:stock", user=user)
    assert answer.to_dict()["sender"]["outcome"] == outcome
    assert rules_of(answer) == []


def test_who_sends_is_an_assumption_where_it_is_not_stated(tmp_path: Path):
    answer = asked(tmp_path, of_users(ann="stock", bob="orders"), user="ann")
    assert rules_of(answer) == ["12"]


@pytest.mark.parametrize(
    ("mechanisms", "rules"),
    [
        ("ANONYMOUS", []),
        ("anonymous", []),
        ("PLAIN", ["12"]),
        ("ANONYMOUS PLAIN", ["12"]),
        ("", ["12"]),
    ],
)
def test_where_all_are_anonymous_groups_of_users_do_not_count(
    tmp_path: Path, mechanisms: str, rules: list[str]
):
    named = f"  saslMechanisms: {mechanisms}\n" if mechanisms else ""
    policies = "policy {\n  enableVhostPolicy: yes\n}\n" + vhost(
        group(sources="*", targets="stock").removesuffix("\n")
        + ",\n"
        + group("clerks", users="ann", sources="orders", targets="orders")
    )
    (tmp_path / "a.conf").write_text(
        ROUTER.replace("  port: 5672\n", f"  port: 5672\n{named}") + policies
    )
    (tmp_path / "topograph.yaml").write_text(RECEIVER % "")
    answer = topograph.read(tmp_path).propagate("A", "address:stock")
    assert [one.receiver for one in answer.deliveries] == ["r"]
    assert sorted({*rules_of(answer)}) == rules


def test_who_is_anonymous_is_in_the_group_of_that_name_alone(tmp_path: Path):
    policies = "policy {\n  enableVhostPolicy: yes\n}\n" + vhost(
        group(sources="*", targets="orders").removesuffix("\n")
        + ",\n"
        + group("nameless", users="anonymous", sources="*", targets="${user}, st*")
    )
    named = ROUTER.replace("  port: 5672\n", "  port: 5672\n  saslMechanisms: ANONYMOUS\n")
    (tmp_path / "a.conf").write_text(named + policies)
    (tmp_path / "topograph.yaml").write_text(RECEIVER % "")
    network = topograph.read(tmp_path)
    for address, outcome in (
        ("stock", "accepted"),
        ("orders", "REFUSED"),
        ("anonymous", "NO_CREDIT"),
    ):
        answer = network.propagate("A", f"address:{address}")
        assert answer.sender is not None
        assert answer.sender.outcome == outcome
        assert "12" not in rules_of(answer)


def test_the_policy_of_another_address_is_not_assumed(tmp_path: Path):
    groups = group(sources="stock, orders", targets="*").removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann", sources="stock", targets="*")
    asked(tmp_path, vhost(groups))
    more = "  - {server: A, destination: 'address:orders', role: receiver, client_id: other}\n"
    with (tmp_path / "topograph.yaml").open("a") as file:
        file.write(more)
    network = topograph.read(tmp_path)
    assert rules_of(network.propagate("A", "address:stock")) == []
    assert rules_of(network.propagate("A", "address:orders")) == ["12"]


def test_a_receiver_that_gives_credit_alone_is_an_assumption(tmp_path: Path):
    """A message that a router on its way drops (A-10) is sent because somebody receives."""
    link = "listener {\n  host: %s\n  port: 5000\n  role: inter-router\n}\n"
    to = "connector {\n  host: %s\n  port: 5000\n  role: inter-router\n}\n"
    groups = group("$default", sources="orders", targets="*").removesuffix("\n") + ",\n"
    groups += group("clerks", users="ann", sources="stock", targets="*")
    policy = "policy {\n  enableVhostPolicy: yes\n}\n" + vhost(groups)
    (tmp_path / "a.conf").write_text(ROUTER + link % "a" + policy)
    middle = ROUTER.replace("id: A", "id: B").replace("host: a", "host: b") + link % "b" + to % "a"
    drops = "address {\n  prefix: stock\n  distribution: unavailable\n}\n"
    (tmp_path / "b.conf").write_text(middle + drops)
    (tmp_path / "c.conf").write_text(
        ROUTER.replace("id: A", "id: C").replace("host: a", "host: c") + to % "b"
    )
    (tmp_path / "topograph.yaml").write_text(RECEIVER % "")
    answer = topograph.read(tmp_path).propagate("C", "address:stock")
    assert answer.sender is not None
    assert answer.sender.outcome == "released"
    assert "12" in rules_of(answer)
