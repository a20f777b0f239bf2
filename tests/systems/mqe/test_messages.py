"""Where messages of MQ Everyplace end beyond what the vectors show: what is not stated, not
loaded or not understood; circles, failures, IBM MQ behind a bridge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topograph
from topograph.errors import UsageError
from topograph.network import Network
from topograph.questions.answers import TraceAnswer
from topograph.questions.text import text

Make = Callable[..., Network]

UP = "listeners: [{name: L, port: 8081}]"
DEVICE = """
connections: [{name: gw, type: direct}]
queues:
- {type: local, name: Q}
- {type: home, name: S, homeServer: gw, timer: %s}
"""
GATEWAY = f"""
{UP}
queues:
- {{type: saf, name: S, qmgrs: [dev]}}
"""


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A network of queue managers: their YAML below ``kind``, ``queueManager`` and ``codebase``."""

    def network(mqsc: str = "", codebase: str = "codebase: java\n", **managers: str) -> Network:
        for name, own in managers.items():
            (tmp_path / f"{name}.yaml").write_text(
                f"kind: mqe\nqueueManager: {name}\n{codebase}{own.strip()}\n"
            )
        if mqsc:
            (tmp_path / "mq.mqsc").write_text(mqsc)
        return topograph.read(tmp_path)

    return network


def rules(answer: TraceAnswer) -> set[str]:
    return {assumption.rule for assumption in answer.assumptions}


def test_of_several_store_and_forward_queues_one_takes_the_message(make: Make) -> None:
    network = make(
        a=(
            "queues:\n- {type: saf, name: S, qmgrs: [z]}\n- {type: saf, name: T, qmgrs: [y, "
            "z], forwardTo: nowhere}"
        )
    )
    answer = network.trace("a", "Q@z")
    assert answer.outcome == "ONE_OF"
    assert answer.outcomes == ("HELD(S, a, no collector)", "HELD(T, a, no connection)")
    assert "B-2" in rules(answer)


def test_a_queue_manager_that_is_not_loaded_is_where_the_message_leaves(make: Make) -> None:
    network = make(
        a=(
            "connections: [{name: b, type: direct}]\nqueues: [{type: remote, name: Q, qmgr: "
            "b, mode: sync}]"
        )
    )
    answer = network.trace("a", "Q@b")
    assert answer.outcome == "EXTERNAL"
    assert answer.outcomes == ("EXTERNAL(b)",)
    assert [row["server"] for row in network.show("servers").rows if not row["loaded"]] == ["b"]
    assert "b" in {entry.server for entry in network.reach("a").undetermined} | {
        entry.server for entry in network.reach("a").servers
    }


def test_what_a_queue_manager_that_is_not_loaded_would_discover_is_not_known(make: Make) -> None:
    answer = make(a="connections: [{name: b, type: direct}]").trace("a", "Q@b")
    assert answer.outcome == "UNDETERMINED"
    assert "not among the loaded files" in answer.steps[-1].text


def test_whether_a_queue_manager_that_is_not_loaded_is_reached_by_discovery_is_not_known(
    make: Make,
) -> None:
    network = make(a="connections: [{name: b, type: direct}]")
    (found,) = network.reach("a").servers
    assert not found.certain
    assert [step.guards for step in found.steps] == [("a discovers (any queue)@b",)]
    answer = network.hops("a", "b")
    (entry,) = answer.undetermined
    assert (answer.reachable, answer.route_hops) == ("unknown", None)
    assert "b, which would have to find (any queue)@b, is not among the loaded" in entry.because
    assert text(answer).startswith("Whether a reaches b cannot be decided.")
    assert dict(network.hop_rows())["a"] == [0, None]
    stated = make(
        a="connections: [{name: b, type: direct}]\nqueues: [{type: remote, name: Q, qmgr: b}]"
    )
    assert stated.hops("a", "b").reachable is True


def test_a_code_base_that_is_not_stated_is_assumed(make: Make) -> None:
    network = make(
        codebase="",
        a="connections: [{name: b, type: direct}]",
        b=f"{UP}\nqueues: [{{type: local, name: Q}}]",
    )
    answer = network.trace("a", "Q@b")
    assert answer.outcome == "DELIVERED"
    assert any("code base is not stated" in assumption.text for assumption in answer.assumptions)


def test_listeners_that_are_not_stated_are_assumed_to_be_missing(make: Make) -> None:
    own = (
        "connections: [{name: b, type: direct}]\nqueues: [{type: remote, name: Q, qmgr: b, "
        "mode: sync}]"
    )
    answer = make(a=own, b="queues: [{type: local, name: Q}]").trace("a", "Q@b")
    assert answer.outcomes == ("REJECTED(no_connection)",)
    assert [assumption.alternative for assumption in answer.assumptions] == [
        "the connection is made"
    ]
    sure = make(a=own, b="listeners: []\nqueues: [{type: local, name: Q}]").trace("a", "Q@b")
    assert (sure.outcomes, sure.assumptions) == (("REJECTED(no_connection)",), ())


def test_a_mode_that_is_not_stated_is_assumed(make: Make) -> None:
    network = make(
        a="connections: [{name: b, type: direct}]\nqueues: [{type: remote, name: Q, qmgr: b}]",
        b="listeners: []",
    )
    answer = network.trace("a", "Q@b")
    assert answer.outcomes == ("REJECTED(no_connection)",)
    assert "E-10" in rules(answer)


def test_discovery_that_is_turned_off_rejects_and_names_the_position(make: Make) -> None:
    network = make(
        a="discovery: false\nconnections: [{name: b, type: direct}]",
        b=f"{UP}\nqueues: [{{type: local, name: Q}}]",
    )
    answer = network.trace("a", "Q@b")
    assert answer.outcomes == ("REJECTED(no_queue)",)
    assert "B-1" in answer.steps[-1].text


def test_a_queue_that_the_other_side_does_not_find_is_not_discovered(make: Make) -> None:
    network = make(a="connections: [{name: b, type: direct}]", b=UP)
    answer = network.trace("a", "Q@b")
    assert answer.outcomes == ("REJECTED(no_queue)",)
    assert "E-06 e" in answer.steps[-1].text


def test_a_discovery_that_fails_says_why_the_other_side_finds_no_queue(make: Make) -> None:
    way = "connections: [{name: b, type: direct}, {name: z, type: via, via: b}]"
    for there, why in (
        ("", "no connection definition of b leads to z (E-20)"),
        ("discovery: false", "discovery is turned off at b"),
        ("aliases: {z: b}", "b has none"),
        (
            "connections: [{name: c, type: direct}, {name: z, type: via, via: c}]",
            "c is not running",
        ),
    ):
        network = make(a=way, b=f"{UP}\n{there}", c=f"{UP}\nrunning: false")
        answer = network.trace("a", "Q@z")
        assert answer.outcomes == ("REJECTED(no_queue)",)
        assert answer.steps[-1].text.endswith(
            f"b finds no queue for Q@z, because {why} (E-06 e, E-07)"
        )


def test_a_failure_names_the_queue_manager_that_messages_are_for(make: Make) -> None:
    network = make(
        a=(
            "connections: [{name: gw, type: direct}]\nqueues: [{type: saf, name: S, qmgrs: "
            "[dev, other], forwardTo: gw}, {type: local, name: Q}]"
        ),
        gw=GATEWAY,
        dev=DEVICE % 5,
    )
    changed = network.impact(["server:gw"]).to_dict()["changed"]
    assert [one["destination"] for one in changed if one["server"] == "a"] == [
        "any queue of other",
        "Q@dev",
    ]


def test_an_entry_that_is_not_understood_may_have_taken_the_message(make: Make) -> None:
    network = make(a="queues:\n- {type: quick, name: Q}\n- {type: local, name: R}")
    assert network.trace("a", "queue:Q").outcome == "UNDETERMINED"
    assert "B4" in rules(network.trace("a", "queue:R"))


def test_a_home_server_queue_is_no_destination(make: Make) -> None:
    network = make(gw=GATEWAY, dev=DEVICE % 0)
    answer = network.trace("dev", "S@gw")
    assert answer.outcomes == ("REJECTED(no_queue)",)
    assert "E-16" in answer.steps[0].text


@pytest.mark.parametrize(
    ("timer", "said", "outcome"),
    [
        (0, "", "HELD(S, gw, not triggered)"),
        (0, "not_triggered", "HELD(S, gw, not triggered)"),
        (0, "triggered", "DELIVERED(Q@dev)"),
        (500, "not_triggered", "DELIVERED(Q@dev)"),
    ],
)
def test_who_collects_when(make: Make, timer: int, said: str, outcome: str) -> None:
    answer = make(gw=GATEWAY, dev=DEVICE % timer).trace("gw", "Q@dev", home_servers=said)
    assert answer.outcomes == (outcome,)
    later = [branch.condition for branch in answer.branches if branch.kind == "later"]
    assert later == (["when S of dev is triggered"] if outcome.startswith("HELD") else [])


def test_what_is_held_is_not_delivered(make: Make) -> None:
    network = make(gw=GATEWAY, dev=DEVICE % 0)
    assert [delivery.choice for delivery in network.propagate("gw", "Q@dev").deliveries] == [
        "later"
    ]
    first = text(network.propagate("gw", "Q@dev")).splitlines()[0]
    assert "is held (S, gw, not triggered) at gw" in first
    assert first.endswith("is to be delivered at dev later.")
    told = text(network.trace("gw", "Q@dev"))
    assert "is held at gw." in told
    assert "when S of dev is triggered  DELIVERED(Q@dev)" in told


def test_hops_and_paths_say_later_of_what_waits_until_a_queue_manager_can_be_reached(
    make: Make, tmp_path: Path
) -> None:
    (tmp_path / "topograph.yaml").write_text("overrides:\n  mqe: {B-9: needed}\n", "utf-8")
    network = make(
        a=(
            "connections: [{name: b, type: direct}]\n"
            "queues: [{type: remote, name: Q, qmgr: b, mode: async}]"
        ),
        b="queues: [{type: local, name: Q}]",
    )
    (entry,) = network.reach("a", "b").servers
    answer = network.hops("a", "b")
    assert (entry.certain, entry.later, entry.hops) == (False, True, 1)
    assert (answer.reachable, answer.later, answer.route_hops) == (True, True, 1)
    assert text(answer).startswith("a reaches b in 1 hop later: messages wait on the way.")
    (path,) = network.paths("a", "b").paths
    assert (path.certain, path.later) == (False, True)
    matrix = network.hops_matrix()
    assert (matrix.hops[0], matrix.later) == ((0, 1), {"a": ("b",)})


def test_a_device_without_a_connection_to_its_home_server_collects_nothing(make: Make) -> None:
    network = make(
        gw=GATEWAY,
        dev="queues: [{type: local, name: Q}, {type: home, name: S, homeServer: gw, timer: 0}]",
    )
    assert network.trace("gw", "Q@dev", home_servers="triggered").outcomes == (
        "HELD(S, gw, no connection)",
    )


def test_a_queue_manager_without_a_bridge_hands_nothing_over(make: Make) -> None:
    bridge = "queues: [{type: bridge, name: Q, qmgr: MQ1}]"
    refused = make(gw=f"bridgeEnabled: false\n{bridge}").trace("gw", "Q@MQ1")
    assert refused.outcomes == ("REJECTED(no_connection)",)
    assert rules(refused) == {"E-30"}
    silent = make(gw=bridge).trace("gw", "Q@MQ1")
    assert (silent.outcomes, rules(silent)) == (("EXTERNAL(MQ1)",), {"E-30"})
    stated = make(gw=f"bridgeEnabled: true\n{bridge}").trace("gw", "Q@MQ1")
    assert (stated.outcomes, rules(stated)) == (("EXTERNAL(MQ1)",), set())


@pytest.mark.parametrize(
    ("own", "outcome"),
    [
        ("aliases: {V: W, W: V}", "REJECTED(no_queue)"),
        (
            "connections: [{name: V, type: via, via: W}, {name: W, type: via, via: V}]",
            "REJECTED(no_connection)",
        ),
        ("connections: [{name: V, type: via, via: V}]", "REJECTED(no_connection)"),
        ("aliases: {V: V}", "REJECTED(no_queue)"),
    ],
)
def test_circles_end(make: Make, own: str, outcome: str) -> None:
    assert make(a=own).trace("a", "Q@V").outcomes == (outcome,)


def test_a_loop_says_its_rule(make: Make) -> None:
    push = (
        "connections: [{name: %s, type: direct}]\nqueues: [{type: saf, name: S, qmgrs: [T], "
        "forwardTo: %s}]"
    )
    answer = make(a=f"{UP}\n{push % ('b', 'b')}", b=f"{UP}\n{push % ('a', 'a')}").trace("a", "Q@T")
    assert answer.outcome == "LOOP"
    assert (answer.steps[-1].rule, answer.steps[-1].confidence) == ("E-40", "L")
    assert "E-40" in rules(answer)


@pytest.mark.slow
def test_a_chain_of_five_thousand_queue_managers_is_followed(tmp_path: Path) -> None:
    most = 5_000
    names = [f"q{number}" for number in range(most)]
    documents = [
        f"kind: mqe\nqueueManager: {own}\n{UP}\nconnections:\n- {{name: {after}, type: direct}}\n"
        f"- {{name: last, type: via, via: {after}}}\nqueues:\n- {{type: saf, name: S, "
        f"qmgrs: [last], forwardTo: {after}}}\n"
        for own, after in zip(names, [*names[1:], "last"], strict=True)
    ]
    documents.append(f"kind: mqe\nqueueManager: last\n{UP}\nqueues: [{{type: local, name: Q}}]\n")
    (tmp_path / "all.yaml").write_text("---\n".join(documents))
    answer = topograph.read(tmp_path).within(None).trace("q0", "Q@last")
    assert (answer.outcomes, answer.exact) == (("DELIVERED(Q@last)",), True)


def test_a_message_names_one_queue_manager(make: Make) -> None:
    network = make(a="queues: [{type: local, name: Q}]")
    assert network.trace("a", "queue:Q").outcomes == ("DELIVERED(Q@a)",)
    assert network.trace("a", "queue:Q", queue_manager="").outcomes == ("DELIVERED(Q@a)",)
    with pytest.raises(UsageError, match="give one of them"):
        network.trace("a", "Q@a", queue_manager="b")


def test_a_put_at_a_queue_manager_that_is_stated_not_to_run_says_so(make: Make) -> None:
    answer = make(a="running: false\nqueues: [{type: local, name: Q}]").trace("a", "queue:Q")
    assert answer.outcomes == ("DELIVERED(Q@a)",)
    assert [assumption.alternative for assumption in answer.assumptions] == [
        "nothing can be put there"
    ]


def test_reach_follows_what_queue_managers_know_of_each_other(make: Make) -> None:
    network = make(
        a=(
            "connections: [{name: gw, type: direct}, {name: c, type: via, via: gw}, {name: "
            "V, type: via, via: gw}]"
        ),
        gw=(
            f"{UP}\naliases: {{V: gw}}\nconnections: [{{name: c, type: direct}}]\nqueues: "
            f"[{{type: local, name: R}}]"
        ),
        c=f"{UP}\nqueues: [{{type: local, name: Q}}]",
        lonely="queues: [{type: local, name: Q}]",
    )
    answer = network.reach("a")
    assert {entry.server: entry.path for entry in answer.servers} == {
        "gw": ("a", "gw"),
        "c": ("a", "gw", "c"),
    }
    assert answer.unreachable == ("lonely",)


def test_reach_asks_for_a_queue_that_the_queue_manager_on_the_way_passes_on(make: Make) -> None:
    network = make(
        a="connections: [{name: b, type: direct}, {name: c, type: via, via: b}]",
        b=f"{UP}\nconnections: [{{name: c, type: direct}}]\n"
        "queues: [{type: remote, name: X, qmgr: d, mode: async}, {type: remote, name: T, "
        "qmgr: c, mode: async}]\ndiscovery: false",
        c=f"{UP}\nqueues: [{{type: local, name: Q}}, {{type: local, name: T}}]",
    )
    assert {entry.server for entry in network.reach("a").servers} == {"b", "c"}


MQ1 = """* Queue manager name: MQ1
DEFINE QLOCAL(ORDERS)
DEFINE QLOCAL(GW.XMITQ) USAGE(XMITQ)
DEFINE QREMOTE(dev) RQMNAME(dev) XMITQ(GW.XMITQ)
DEFINE QREMOTE('back') RQMNAME('MQ1') RNAME('ORDERS')
"""


def test_messages_go_over_to_ibm_mq_and_come_from_it(make: Make) -> None:
    network = make(
        MQ1.replace("(dev)", "('dev')"),
        gw=f"{UP}\nbridgeEnabled: true\nxmitqListeners: [{{mqQueueManager: MQ1, xmitq: "
        f"GW.XMITQ}}]\n"
        "queues:\n- {type: saf, name: S, qmgrs: [dev]}\n- {type: bridge, name: ORDERS, "
        "qmgr: MQ1}\n- {type: bridge, name: NONE, qmgr: MQ1}",
        dev=DEVICE % 0,
    )
    there = network.trace("gw", "ORDERS@MQ1")
    assert [step.system for step in there.steps] == ["mqe", "ibm_mq"]
    assert there.outcome == "DELIVERED"
    assert network.trace("gw", "NONE@MQ1").outcome == "REJECTED"
    back = network.trace("MQ1", "queue:Q", queue_manager="dev", home_servers="triggered")
    assert back.outcomes == ("DELIVERED(Q@dev)",)
    assert [step.rule for step in back.steps if step.to == "gw"] == ["E-31"]
    assert str(next(step.source for step in back.steps if step.to == "gw")) == "gw.yaml:6:18"
    assert {entry.server for entry in network.reach("MQ1").servers} == {"gw", "dev"}


def test_what_ibm_mq_refuses_stays_where_it_is_kept_and_what_mqe_refuses_on_the_transmission_queue(
    make: Make,
) -> None:
    network = make(
        """* Queue manager name: MQ1
DEFINE QLOCAL(GW.XMITQ) USAGE(XMITQ)
DEFINE QREMOTE(TO.GW) RNAME(NONE) RQMNAME('gw') XMITQ(GW.XMITQ)
""",
        gw=f"{UP}\nbridgeEnabled: true\nxmitqListeners: [{{mqQueueManager: MQ1, xmitq: "
        f"GW.XMITQ}}]\n"
        "queues: [{type: bridge, name: NONE, qmgr: MQ1}]",
        dev="connections: [{name: gw, type: direct}, {name: MQ1, type: via, via: gw}]\n"
        "queues: [{type: remote, name: NONE, qmgr: MQ1, mode: async}]",
    )
    there = network.trace("dev", "NONE@MQ1")
    assert there.outcomes == ("HELD(NONE@MQ1, dev, rejected by gw)",)
    assert (there.steps[-1].at, there.steps[-1].rule) == ("gw", "E-12")
    assert network.trace("gw", "NONE@MQ1").outcome == "REJECTED"
    back = network.trace("MQ1", "queue:TO.GW")
    assert back.outcomes == ("HELD(GW.XMITQ, MQ1, rejected by gw)",)
    assert "E-31" in rules(back)


def test_a_message_that_ibm_mq_and_mqe_pass_to_each_other_goes_round(make: Make) -> None:
    network = make(
        """* Queue manager name: MQ1
DEFINE QLOCAL(GW.XMITQ) USAGE(XMITQ)
DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(GONE) XMITQ(GW.XMITQ)
""",
        gw="bridgeEnabled: true\nxmitqListeners: [{mqQueueManager: MQ1, xmitq: "
        "GW.XMITQ}]\naliases: {GONE: MQ1}\n"
        "queues: [{type: bridge, name: ORDERS, qmgr: MQ1}]",
    )
    assert network.trace("gw", "ORDERS@MQ1").outcome == "LOOP"


def test_a_failing_queue_manager_rejects_what_is_synchronous_and_holds_the_rest(make: Make) -> None:
    network = make(
        a="connections: [{name: b, type: direct}]\n"
        "queues: [{type: remote, name: Q, qmgr: b, mode: sync}, {type: remote, name: R, "
        "qmgr: b, mode: async}]",
        b=f"{UP}\nqueues: [{{type: local, name: Q}}, {{type: local, name: R}}]",
    )
    for failure in ("server:b", "route:a-b", "connection:a:b"):
        answer = network.impact([failure])
        assert {one["destination"]: one["after"] for one in answer.to_dict()["changed"]} == {
            "Q@b": ["REJECTED(no_connection) at a"],
            "R@b": ["HELD(R@b, a, network) at a"],
        }


def test_a_transmission_queue_listener_that_is_not_understood_leaves_the_rest_certain(
    make: Make,
) -> None:
    """It brings messages in, and says nothing of where they go."""
    lost = "xmitqListeners:\n- {mqQueueManager: HQ}\nqueues:\n- {type: local, name: R}"
    network = make(a=lost)
    assert network.trace("a", "queue:Q").outcomes == ("REJECTED(no_queue)",)
    answer = network.trace("a", "queue:R")
    assert "B4" not in rules(answer)
    assert (answer.outcome, answer.undetermined) == ("DELIVERED", ())
    assert not [one for one in answer.warnings if one.rule == "incomplete"]
    (finding,) = [one for one in network.show("findings").rows if one["kind"] == "not-understood"]
    assert "xmitqListeners of a" in str(finding["message"])


@pytest.mark.parametrize(
    ("gateway", "ends", "why"),
    [
        ("connections: [{name: z, type: direct}]", "DELIVERED(Q@z)", ""),
        (
            "connections: [{name: y, type: direct}]\naliases: {z: y}",
            "REJECTED(rejected_remote)",
            "y finds no queue for Q@y",
        ),
        (
            "connections: [{name: x, type: direct}]\naliases: {z: y, y: x}",
            "DELIVERED(Q@x)",
            "",
        ),
        (
            "aliases: {z: y, y: b}",
            "REJECTED(rejected_remote)",
            "no queue of b takes Q@b, and it is not discovered: b is the local queue manager",
        ),
        (
            "aliases: {z: y, y: a}",
            "REJECTED(rejected_remote)",
            "no connection definition of b leads to a (E-20)",
        ),
    ],
)
def test_at_a_via_connection_the_last_alias_says_where_it_goes_on(
    make: Make, gateway: str, ends: str, why: str
) -> None:
    """E-01, E-20: of a chain of aliases the last name counts."""
    device = """
connections: [{name: b, type: direct}, {name: z, type: via, via: b}]
queues: [{type: remote, name: Q, qmgr: z, mode: synchronous}]
"""
    local = f"{UP}\nqueues: [{{type: local, name: Q}}]"
    found = make(a=device, b=f"{UP}\n{gateway}", x=local, y=UP, z=local).trace("a", "Q@z")

    assert found.outcomes == (ends,)
    assert why in found.steps[-1].text


@pytest.mark.parametrize(("stated", "assumed"), [("bridgeEnabled: true\n", set()), ("", {"E-30"})])
def test_that_a_queue_manager_is_bridge_enabled_is_assumed_where_it_is_not_stated(
    make: Make, stated: str, assumed: set[str]
) -> None:
    found = make(a=f"{stated}queues: [{{type: bridge, name: Q, qmgr: MQ1}}]").trace("a", "Q@MQ1")

    assert rules(found) & {"E-30"} == assumed


def test_a_sweep_lists_the_failure_that_changes_most_first_among_those_that_lose_as_much(make):
    """B asks A for queues that A does not have: another reason once A fails, and no loss."""
    asking = "connections: [{name: A, type: direct}]\naliases: {X: A}\n"
    network = make(
        A=f"{UP}\nqueues: [{{type: local, name: q}}]",
        B=f"{UP}\n{asking}queues: [{{type: remote, name: r, qmgr: X, mode: sync}}]",
        C=f"{UP}\nconnections: [{{name: A, type: direct}}]\nqueues: [{{type: local, name: q}}]",
    )
    rows = network.impact(sweep=True).failures
    order = [(-row.lost - row.own, "server" not in row.failed, -row.changed) for row in rows]
    assert order == sorted(order)
    assert len({row.changed for row in rows if not row.lost}) > 1


@pytest.mark.parametrize(("end", "whole"), [("\n", True), ("", False)])
def test_a_file_whose_last_line_has_no_end_may_be_cut_off(
    tmp_path: Path, end: str, whole: bool
) -> None:
    text = "kind: mqe\nqueueManager: a\nqueues:\n- {type: local, name: Q}"
    (tmp_path / "a.yaml").write_text(text + end)
    (tmp_path / "b.yaml").write_text("kind: mqe\nqueueManager: b\n")
    network = topograph.read(tmp_path)
    missed = network.trace("a", "queue:GONE")
    assert missed.outcomes == ("REJECTED(no_queue)",)
    for answer in (missed, network.reach("a", "b")):
        said = [one.text for one in answer.assumptions]
        assert any("no line end" in one for one in said) is not whole
    (tmp_path / "a.yaml").write_text('{"kind": "mqe", "queueManager": "a"}')
    assert not topograph.read(tmp_path).trace("a", "queue:GONE").assumptions
