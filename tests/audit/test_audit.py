"""``audit``: what each command does, what the servers refuse, and what all of them change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import topograph
from topograph.audit import GivenScript
from topograph.audit.differences import compared
from topograph.errors import NotApplicable, UnknownServer, UsageError
from topograph.forwarding.budget import Budget
from topograph.network import Network
from topograph.questions.answers import AuditAnswer
from topograph.questions.text import text

FILES = {
    "a/tibemsd.conf": "server = A\nrouting = enabled\nroutes = "
    "routes.conf\ntopics = topics.conf\nqueues = "
    "queues.conf\nlisten = tcp://a:7222\n"
    "bridges = bridges.conf\ndurables = durables.conf\nacl_list = acl.conf\n",
    "a/routes.conf": "[B]\n url = tcp://b:7222\n zone_name = M\n zone_type "
    "= mhop\n topic_prefetch = 7\n"
    "  outgoing_topic = news selector=\"kind = 'x'\"\n\n[C]\n url = tcp://c:7222\n "
    "zone_name = M\n zone_type = mhop\n",
    "a/topics.conf": "news global\nlog\n>\n",
    "a/queues.conf": "q1 global\n>\n",
    "a/bridges.conf": "[topic:log]\n  queue=q1\n",
    "a/durables.conf": "news keep clientid=k\n",
    "a/acl.conf": "TOPIC=news USER=ann PERM=publish,subscribe\n",
    "b/tibemsd.conf": "server = B\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n",
    "b/routes.conf": "",
    "b/topics.conf": "news global\n>\n",
    "c/tibemsd.conf": "server = C\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n",
    "c/routes.conf": "",
    "c/topics.conf": "news global\n>\n",
}


def read(folder: Path, files: dict[str, str] | None = None) -> Network:
    for name, content in (FILES if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return topograph.read(folder)


@pytest.fixture
def network(tmp_path: Path) -> Network:
    return read(tmp_path)


def notes(answer: AuditAnswer) -> list[str]:
    return [note.message for step in answer.steps for note in step.notes]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("addprop topic log gloabl", "unknown property 'gloabl' (did you mean global?)"),
        ("addprop topic log global=maybe", "the value of global is not understood"),
        ("create queue q9 secrue", "unknown property 'secrue' (did you mean secure?)"),
    ],
)
def test_whether_a_server_takes_what_is_not_understood_is_not_known(
    network: Network, line: str, why: str
) -> None:
    answer = network.audit(line, at="A")
    assert [step.result for step in answer.steps] == ["undetermined"]
    assert [one.message for one in answer.rejections] == [
        f"{why}: whether the server takes the command is not known"
    ]


def test_a_route_that_servers_refuse_is_refused_also_with_an_unknown_property(
    network: Network,
) -> None:
    route = "create route C url=tcp://c:7222 zone_name=M zone_type=mhop"
    results = {
        words: [step.result for step in network.audit(f"{route}{words}", at="B").steps]
        for words in ("", " colour=red")
    }
    assert results == {"": ["refused"], " colour=red": ["refused"]}


@pytest.mark.parametrize(
    ("line", "rule", "message"),
    [
        ("create route B url=tcp://b:7222", "1.2", "A has a route B already (a/routes.conf:1:1)"),
        ("create route A url=tcp://b:7222", "1.2", "a route leads to another server"),
        ("create route D.E url=tcp://b:7222", "1.1", "contains a dot"),
        ("create route D", "1.2", "a route needs a url"),
        (
            "create route D url=tcp://d:7222 zone_name=M zone_type=1hop",
            "R8",
            "zone M exists with type mhop (R8)",
        ),
        ("delete route D", "3.7", "A configures no route D"),
        ("setprop route B zone_name=N", "R9", "zone_name cannot be changed"),
        (
            "addprop route B zone_type=1hop",
            "R9",
            "zone_type cannot be changed after a route is created; it is mhop",
        ),
        ("removeprop route B url", "R9", "url of a route cannot be removed"),
        ("removeprop route B incoming_topic=news", "3.7", "the route B has no incoming_topic=news"),
        ("suspend route D", "3.7", "A configures no route D"),
        ("create topic news", "1.4", "A has a topic news already (a/topics.conf:1:1)"),
        ("create topic a..b", "1.4", "has an empty element"),
        ("create topic $TMP$.x", "R93", "is temporary"),
        ("delete topic nope", "3.7", "A configures no topic nope"),
        ("addprop queue nope global", "3.7", "A configures no queue nope"),
        (
            "create bridge source=topic:log target=queue:q1",
            "1.6",
            "has the bridge topic:log->queue:q1 already",
        ),
        ("create bridge source=topic:log target=queue:a.*", "1.6", "is a wildcard"),
        ("create bridge source=topic:$TMP$.x target=queue:q1", "R93", "is temporary"),
        (
            "delete bridge source=topic:x target=queue:q1",
            "3.7",
            "A configures no bridge topic:x->queue:q1",
        ),
        ("create durable news keep clientid=k", "3.4", "A has the durable keep already"),
        ("create durable $TMP$.a keep", "R93", "is temporary"),
        ("delete durable nope", "3.7", "A configures no durable nope"),
        ("revoke topic news user=bob publish", "3.7", "A grants user bob nothing on topic news"),
        ("delete group g", "3.7", "A has no group g"),
        ("creat topic a", "3.7", "topograph does not know the command 'creat ...'"),
    ],
)
def test_what_a_server_refuses(network: Network, line: str, rule: str, message: str) -> None:
    answer = network.audit(line, at="A")
    assert answer.verdict == "reject"
    assert [step.result for step in answer.steps] == ["refused"]
    (found,) = answer.rejections
    assert (found.rule, found.when, found.server) == (rule, "now", "A")
    assert message in found.message
    assert answer.violation


def test_a_passive_route_is_the_other_servers(network: Network) -> None:
    (found,) = network.audit("delete route A", at="B").rejections
    assert found.message == "B configures no route A; A configures it (a/routes.conf:1:1)"


def test_a_second_path_is_refused_with_both_paths(network: Network) -> None:
    answer = network.audit("create route C url=tcp://c:7222 zone_name=M zone_type=mhop", at="B")
    (found,) = answer.rejections
    assert (found.rule, found.at, found.detected, found.when) == (
        "R24",
        ("B", "C"),
        "endpoint",
        "now",
    )
    assert found.message == "\"Error: Implicit route to 'A' already exists\""
    assert {(one.server, one.paths[0][0]) for one in found.duplicates if one.server == "C"} == {
        ("C", "A"),
        ("C", "B"),
    }
    assert answer.reach.gained == answer.reach.lost == ()
    assert answer.before.legal is True


def test_a_route_that_is_down_postpones_the_refusal(network: Network) -> None:
    line = "create route C url=tcp://c:7222 zone_name=M zone_type=mhop"
    answer = network.audit(line, at="B", down=["route:A-C"])
    assert [step.result for step in answer.steps] == ["conflict"]
    assert [one.when for one in answer.rejections] == ["when A-C comes up"]
    assert answer.verdict == "reject"
    other = network.audit(line, at="B", down=["route:A-B", "route:A-C"])
    assert [one.when for one in other.rejections] == ["when A-B and A-C comes up"]
    with pytest.raises(UsageError, match="route:A-B"):
        network.audit(line, at="B", down=["route:B-X"])


def test_a_network_that_is_illegal_already_is_told_apart(tmp_path: Path) -> None:
    files = FILES | {
        "b/routes.conf": "[C]\n url = tcp://c:7222\n zone_name = M\n zone_type = mhop\n"
    }
    files |= {
        "d/tibemsd.conf": "server = D\nrouting = enabled\nroutes = routes.conf\n",
        "d/routes.conf": "",
    }
    files |= {
        "e/tibemsd.conf": "server = E\nrouting = enabled\nroutes = routes.conf\n",
        "e/routes.conf": "",
    }
    network = read(tmp_path, files)
    answer = network.audit("create route E url=tcp://e:7222", at="D")
    assert (answer.verdict, answer.before.legal) == ("accept", False)
    assert {one.server for one in answer.before.duplicates} == {"A", "B", "C"}
    assert "the network is already illegal" in text(answer)
    worse = network.audit("create route D url=tcp://d:7222 zone_name=N", at="A")
    assert (worse.verdict, worse.rejections[0].rule) == ("reject", "R24")
    better = network.audit("delete route C", at="B")
    assert better.verdict == "accept"


def test_a_server_that_is_not_loaded_leaves_it_undetermined(tmp_path: Path) -> None:
    files = FILES | {
        "c/routes.conf": "[X]\n url = tcp://x:7222\n zone_name = M\n zone_type = mhop\n"
    }
    files |= {
        "d/tibemsd.conf": "server = D\nrouting = enabled\nroutes = routes.conf\n",
        "d/routes.conf": "",
    }
    network = read(tmp_path, files)
    answer = network.audit("create route D url=tcp://d:7222 zone_name=M zone_type=mhop", at="A")
    (found,) = answer.rejections
    assert (answer.verdict, found.undetermined, found.rule) == ("undetermined", True, "R20")
    assert "X may have routes that the loaded files do not show" in found.message
    assert answer.violation
    assert ("A", "D") in answer.reach.gained
    gone = network.audit("delete route X", at="C")
    assert gone.verdict == "accept"
    (there,) = network.audit("delete route A", at="X").rejections
    assert there.undetermined
    assert "the configuration of X is not loaded" in there.message
    (new,) = network.audit(
        "create route NEW url=tcp://n:1 zone_name=M zone_type=mhop", at="A"
    ).rejections
    assert "the configuration of NEW is not loaded" in new.message


def test_a_server_that_is_not_loaded_may_join_the_ends_of_a_route_that_it_does_not_touch(
    tmp_path: Path,
) -> None:
    files = {
        "c/tibemsd.conf": "server = C\nrouting = enabled\nroutes = routes.conf\n",
        "c/routes.conf": "[X]\n url = tcp://x:7222\n zone_name = M\n zone_type = mhop\n",
    }
    for name in "de":
        files[f"{name}/tibemsd.conf"] = (
            f"server = {name.upper()}\nlisten = tcp://{name}:7222\nrouting = enabled\n"
            "routes = routes.conf\n"
        )
        files[f"{name}/routes.conf"] = ""
    command = "create route E url=tcp://e:7222 zone_name=N zone_type=mhop"
    answer = read(tmp_path / "open", files).audit(command, at="D")
    (found,) = answer.rejections
    assert (answer.verdict, found.undetermined, found.rule) == ("undetermined", True, "R20")
    assert "X may have routes that the loaded files do not show" in found.message
    files["x/tibemsd.conf"] = "server = X\nlisten = tcp://x:7222\nrouting = enabled\n"
    assert read(tmp_path / "loaded", files).audit(command, at="D").verdict == "accept"


def test_promoting_a_passive_route_is_accepted_in_its_zone_only(network: Network) -> None:
    same = network.audit("create route A url=tcp://a:7222 zone_name=M zone_type=mhop", at="B")
    assert (same.verdict, same.steps[0].result, same.reach.gained) == ("accept", "accepted", ())
    other = network.audit("create route A url=tcp://a:7222 zone_name=N zone_type=mhop", at="B")
    assert (other.verdict, other.rejections[0].rule) == ("undetermined", "A9")


def test_commands_build_on_each_other(network: Network) -> None:
    answer = network.audit(
        "delete route C\ncreate route C url=tcp://c:7222 zone_name=M zone_type=mhop\n", at="A"
    )
    assert [step.result for step in answer.steps] == ["accepted", "accepted"]
    assert answer.steps[0].reach_lost_count == 4
    assert ("A", "C") in answer.steps[0].reach_lost_so_far
    assert answer.steps[1].reach_lost_so_far == ()
    assert answer.reach.lost == ()
    assert "between two commands 4 pairs of servers cannot reach each other" in text(answer)


def test_a_suspended_route_lets_nothing_out_and_a_resumed_one_does(network: Network) -> None:
    answer = network.audit("suspend route C\n", at="A")
    assert set(answer.reach.lost) == {("A", "C"), ("B", "C")}
    assert (
        "messages for C wait at A until the route is resumed; those that come from C pass"
        in notes(answer)
    )
    both = network.audit("suspend route C\nresume route C\n", at="A")
    assert (both.reach.lost, len(both.steps[0].reach_lost_so_far)) == ((), 2)


def test_setprop_tells_what_it_removes_and_addprop_keeps_it(network: Network) -> None:
    said = notes(network.audit('setprop route B outgoing_topic=log selector="a = 1"', at="A"))
    removed = "setprop removes what it does not restate"
    assert f"{removed}: topic_prefetch (set at a/routes.conf:1:1)" in said
    assert any(
        message.startswith("setprop removes what it does not restate: outgoing_topic=news")
        for message in said
    )
    assert any("pending ones keep the old decision" in message for message in said)
    kept = notes(network.audit('addprop route B outgoing_topic=log selector="a = 1"', at="A"))
    assert not any(message.startswith("setprop") for message in kept)
    topic = notes(network.audit("setprop topic news secure", at="A"))
    assert topic == [
        "setprop removes what it does not restate: global of topic news (set at a/topics.conf:1:1)"
    ]


def test_a_selector_shows_by_a_message_what_it_lets_pass(network: Network) -> None:
    answer = network.audit("addprop route B outgoing_topic=news selector=\"kind = 'y'\"", at="A")
    lost = {(row.server, row.destination, json.dumps(row.witness)) for row in answer.would_lose}
    gained = {(row.server, row.destination, json.dumps(row.witness)) for row in answer.would_gain}
    assert lost == {("B", "topic:news", '{"kind": "x"}')}
    assert gained == {("B", "topic:news", '{"kind": "y"}')}
    (row,) = answer.would_lose
    assert (row.subscriber, row.from_, row.publishers, str(row.source)) == (
        "assumed",
        "A",
        2,
        "change:1:17",
    )
    assert text(answer).splitlines()[1].startswith("  * at B subscribers would lose messages")


def test_known_subscribers_are_told_apart_from_assumed_ones(tmp_path: Path) -> None:
    client = "clients:\n  - {server: B, destination: 'topic:news', role: subscriber}\n"
    network = read(tmp_path, FILES | {"topograph.yaml": client})
    answer = network.audit("removeprop topic news global", at="B")
    assert [(row.server, row.subscriber) for row in answer.deliveries.lost] == [
        ("A", "configured"),
        ("B", "declared"),
    ]
    assert answer.would_lose == ()


def test_a_selector_that_is_proven_to_match_the_same_changes_nothing(network: Network) -> None:
    same = (
        "addprop route B outgoing_topic=news selector=\"kind = 'x' AND NOT (kind = 'never' "
        "AND other = 'z')\""
    )
    answer = network.audit(same, at="A")
    assert (answer.would_lose, answer.would_gain) == ((), ())
    assert not any(one.rule == "undecided" for one in answer.warnings)


def test_a_selector_without_a_witness_is_undecided(network: Network) -> None:
    same = (
        "addprop route B outgoing_topic=news selector=\"kind = 'x' AND (other LIKE 'z%' "
        "OR NOT (other LIKE 'z%') OR other IS NULL)\""
    )
    answer = network.audit(same, at="A")
    assert (answer.would_lose, answer.would_gain) == ((), ())
    assert any(one.rule == "undecided" and "from A to B" in one.message for one in answer.warnings)


def test_bridges_are_compared_where_they_stand(network: Network) -> None:
    answer = network.audit("create bridge source=topic:news target=queue:q1", at="A")
    assert answer.verdict == "accept"
    assert [(row.server, row.destination) for row in answer.deliveries.gained] == [
        ("A", "queue:q1")
    ]
    gone = network.audit("delete bridge source=topic:log target=queue:q1", at="A")
    assert [(row.server, row.destination) for row in gone.deliveries.lost] == [("A", "queue:q1")]
    (row,) = gone.deliveries.lost
    assert row.published == "topic:log"
    assert row.message == "a message to topic:log, copied to queue:q1"
    assert "such as one to topic:log, copied to queue:q1" in text(gone)


def test_what_stops_a_server_names_it_in_the_command_that_shows_what_that_does(
    network: Network,
) -> None:
    answer = network.audit("shutdown", at="A")
    assert [(one.result, [note.message for note in one.notes]) for one in answer.steps] == [
        (
            "no-effect",
            ["A stops: `impact --fail server:A` shows what becomes of messages"],
        )
    ]


def test_a_change_of_both_members_of_a_pair_is_one_command(tmp_path: Path) -> None:
    standby = {
        f"a2/{name[2:]}": content for name, content in FILES.items() if name.startswith("a/")
    }
    standby["a2/tibemsd.conf"] += "ft_active = tcp://a:7222\n"
    network = read(tmp_path, FILES | standby)
    answer = network.audit("delete route C", at="A")
    assert (answer.verdict, len(answer.steps), len(answer.steps[0].notes)) == ("accept", 1, 1)
    assert set(answer.reach.lost) == {("A", "C"), ("B", "C"), ("C", "A"), ("C", "B")}


def test_the_server_is_given_or_said_by_the_script(network: Network, tmp_path: Path) -> None:
    line = "delete route C\n"
    with pytest.raises(UsageError, match="does not say which server it runs on"):
        network.audit(line)
    with pytest.raises(UnknownServer, match="'Z'"):
        network.audit(line, at="Z")
    assert network.audit("connect tcp://a:7222\n" + line).steps[0].server == "A"
    assert (
        network.audit("connect tcp://b:7222\ncreate topic t\n").steps[0].server == "B"
    )  # by the route that leads there
    with pytest.raises(UsageError, match="no server of the loaded files listens"):
        network.audit("connect tcp://nowhere:7222\n" + line)
    script = tmp_path / "change.txt"
    script.write_text(line, encoding="utf-8")
    assert network.audit(script, at="A").steps[0].source.file == str(script)
    assert (
        network.audit(
            [GivenScript(b"delete route C", "1", "A"), GivenScript(b"delete route B", "2", "A")]
        ).reach.lost_count
        == 6
    )
    with pytest.raises(UsageError, match="no command that could change anything"):
        network.audit("show routes\n", at="A")


def test_commands_without_effect_are_said_to_have_none(network: Network) -> None:
    answer = network.audit(
        "create user ann\ngrant topic news user=ann publish\nresume route B\n", at="A"
    )
    assert [step.result for step in answer.steps] == ["no-effect"] * 3
    assert answer.verdict == "accept"
    assert "no message that was tried goes elsewhere" in text(answer)


@pytest.mark.parametrize(
    ("held", "given", "result"),
    [
        ("subscribe,publish,durable,use_durable", "all", "no-effect"),
        ("all", "subscribe,durable", "no-effect"),
        ("all", "create", "accepted"),
        ("publish", "all", "accepted"),
    ],
)
def test_all_permissions_are_those_that_they_stand_for(
    tmp_path: Path, held: str, given: str, result: str
) -> None:
    """1.6: what is held already is not granted again, however it is written."""
    (tmp_path / "acl.conf").write_text(f"TOPIC=news USER=ann PERM={held}\n")
    (tmp_path / "topics.conf").write_text("news\n")
    (tmp_path / "tibemsd.conf").write_text(
        "server = A\nauthorization = enabled\nacl_list = acl.conf\ntopics = topics.conf\n"
    )
    answer = topograph.read(tmp_path).audit(f"grant topic news user=ann {given}", at="A")
    assert [step.result for step in answer.steps] == [result]


def test_a_network_that_takes_no_commands_says_so() -> None:
    network = topograph.read(Path(__file__).parents[2] / "examples" / "mqe_devices")
    with pytest.raises(NotApplicable, match="MQ Everyplace"):
        network.audit("delete route A")


def test_a_budget_that_ends_is_said(network: Network) -> None:
    answer = network.within(1e-9).audit("delete route C", at="A")
    assert not answer.exact


def test_the_last_comparison_of_a_graph_is_kept(network: Network, tmp_path: Path) -> None:
    before = network._model.parts[0].graph
    first, other = (
        read(tmp_path / name, FILES | {"a/routes.conf": routes})._model.parts[0].graph
        for name, routes in (("none", ""), ("same", FILES["a/routes.conf"]))
    )
    found = compared(before, first, Budget(None))
    assert found.reach.lost_count == 6
    assert compared(before, first, Budget(None)) is found
    assert compared(before, other, Budget(None)).reach.lost_count == 0
