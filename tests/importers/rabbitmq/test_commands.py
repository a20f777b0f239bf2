"""Scripts for RabbitMQ as commands: tools, options, and what only a run could tell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph.audit.changing_parts import read_script
from topograph.errors import UsageError
from topograph.facts.rabbit_commands import RabbitCommand
from topograph.importers.rabbitmq.commands import recognises


def commands(script: str) -> list[RabbitCommand]:
    found = read_script("rabbitmq", script.encode(), "change.sh").commands
    return [one for one in found if isinstance(one, RabbitCommand)]


def only(script: str) -> RabbitCommand:
    (found,) = commands(script)
    return found


def brief(one: RabbitCommand) -> tuple[Any, ...]:
    fact = one.fact
    return one.verb, one.kind, getattr(fact, "vhost", one.vhost), getattr(fact, "name", one.name)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("rabbitmqctl -p prod set_policy a '^q' '{\"max-length\": 1}'",
         ("set", "policy", "prod", "a")),
        ("rabbitmqctl clear_operator_policy --vhost=prod a", ("delete", "policy", "prod", "a")),
        ("sudo -u rabbitmq rabbitmqctl delete_queue q", ("delete", "queue", "/", "q")),
        ("docker exec -it mq rabbitmqctl add_vhost v", ("add", "vhost", "v", "v")),
        (
            "kubectl -n x exec pod -- sh -c 'rabbitmqctl delete_vhost v'",
            ("delete", "vhost", "v", "v"),
        ),
        ("rabbitmqctl delete_shovel -p v s", ("delete", "shovel", "v", "s")),
        ("python3 ./rabbitmqadmin declare exchange name=x type=fanout -V v",
         ("declare", "exchange", "v", "x")),
        ("rabbitmqadmin delete binding source=a destination_type=queue destination=q "
         "properties_key=k", ("delete", "binding", "/", "a")),
        ("rabbitmqadmin --vhost v queues declare --name q --type quorum --durable true",
         ("declare", "queue", "v", "q")),
        ("rabbitmqadmin declare binding --source a --destination-type queue --destination q "
         "--routing-key k --arguments '{}'", ("declare", "binding", "/", "a")),
        ("rabbitmqadmin shovels declare_amqp091 --name s --source-uri amqp://u:p@h/v "
         "--source-queue q --destination-uri amqp:// --destination-exchange x",
         ("set", "shovel", "/", "s")),
        ("rabbitmqadmin --vhost v federation declare_upstream --name up --uri amqp://h",
         ("set", "upstream", "v", "up")),
        ("rabbitmqadmin operator_policies declare --name a --pattern q --apply-to queues "
         "--definition '{\"max-length\": 1}'", ("set", "policy", "/", "a")),
        ("rabbitmqadmin delete permissions --username u", ("delete", "permission", "/", "u")),
        ("curl -u a:b -XDELETE http://h:15672/api/queues/%2F/a%2Fb",
         ("delete", "queue", "/", "a/b")),
        ("curl --request=PUT h:15672/api/parameters/federation-upstream/v/up "
         "-d '{\"value\": {\"uri\": \"amqp://\"}}'", ("set", "upstream", "v", "up")),
        ("echo '{\"type\": \"topic\"}' | curl -sSX PUT https://h/mq/api/exchanges/v/x -d @-",
         ("declare", "exchange", "v", "x")),
        ("rabbitmqctl purge_queue q", ("none", "", "", "")),
        ("rabbitmqadmin publish routing_key=k payload=x", ("none", "", "", "")),
    ],
)  # fmt: skip
def test_what_a_command_says(line: str, meant: tuple[str, ...]) -> None:
    one = only(line)
    assert (one.fault, one.doubt) == ("", "")
    verb, kind, vhost, name = brief(one)
    assert (verb, kind, vhost or meant[2], name) == meant


@pytest.mark.parametrize(
    "line",
    [
        "rabbitmqctl list_queues", "rabbitmqctl status", "rabbitmqadmin list queues name",
        "curl http://h:15672/api/queues", "curl -X POST http://h/api/login -d '{}'",
        "rabbitmqctl export_definitions x.json", "rabbitmqadmin queues list", "ls -l",
    ],
)  # fmt: skip
def test_what_only_shows_something_is_no_command(line: str) -> None:
    assert commands(line) == []


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ('rabbitmqctl add_vhost "$VHOST"', "$VHOST"),
        ("rabbitmqctl add_vhost ${VHOST}_x", "${VHOST}"),
        ("rabbitmqctl add_vhost v$(date +%s)", "$(date +%s)"),
        ('rabbitmqctl set_policy p "^$1" \'{"max-length": 1}\'', "$1"),
        ("rabbitmqctl set_policy p q \"{\\\"max-length\\\": $MOST}\"", "$MOST"),
        ('for v in $ALL; do rabbitmqctl add_vhost "$v"; done', "$v"),
        ("rabbitmqctl import_definitions other.json", "other.json"),
        ("$CTL add_vhost v", "$CTL"),
        ("source lib.sh\nadd_all", "another script"),
        ("./more.sh", "another script"),
        ("xargs -n1 rabbitmqctl delete_queue < names", "$(xargs)"),
        ("retry 5 rabbitmqctl delete_queue q", "retry"),
        ("rabbitmqadmin declare queue name=q{1,2}", "braces"),
        ("rabbitmqctl eval 'x().'", "not followed"),
        ("rabbitmq-plugins disable rabbitmq_shovel", "plugin"),
        ('curl -X PUT "$API/queues/%2F/q" -d "{}"', "leads"),
        ("if true; then\nrabbitmqctl add_vhost v", "not one of a POSIX shell"),
        ("rabbitmqadmin policies delete_definition_keys --name p", "not followed"),
    ],
)  # fmt: skip
def test_what_only_a_run_tells_is_said_and_never_passed_over(script: str, why: str) -> None:
    found = [one for one in commands(script) if one.doubt]
    assert found, commands(script)
    assert why in found[0].doubt, found
    assert found[0].source.file == "change.sh"
    assert found[0].source.line >= 1


@pytest.mark.parametrize(
    "line",
    [
        'rabbitmqctl add_user ann "$PASSWORD"',
        "curl -u a:$PW -X PUT http://$HOST:15672/api/vhosts/v",
        "rabbitmqadmin -u a -p $PW declare vhost name=v",
        'rabbitmqadmin shovels declare_amqp091 --name s --source-uri "amqp://$U:$PW@north" '
        "--source-queue q --destination-uri amqp:// --destination-queue p",
    ],
)
def test_what_is_not_known_does_not_matter_where_it_is_a_secret(line: str) -> None:
    assert (only(line).doubt, only(line).fault) == ("", "")


@pytest.mark.parametrize(
    ("script", "conditional"),
    [
        ("rabbitmqctl add_vhost v", [False]),
        ("rabbitmqctl add_vhost v || true", [False]),
        ("rabbitmqctl add_vhost v && rabbitmqctl add_vhost w", [False, False]),
        ("grep -q v x || rabbitmqctl add_vhost v", [True]),
        ("[ -f x ] && rabbitmqctl add_vhost v", [True]),
        ("if rabbitmqctl add_vhost v; then rabbitmqctl add_vhost w; fi", [False, True]),
        ("until rabbitmqctl add_vhost v; do sleep 1; done", [False]),
        ("for v in a b; do rabbitmqctl add_vhost $v; done", [False, False]),
        ("f() { rabbitmqctl add_vhost $1; }\nf a\nf b", [False, False]),
        ("case $X in a) rabbitmqctl add_vhost v;; esac", [True]),
    ],
)
def test_what_a_condition_decides(script: str, conditional: list[bool]) -> None:
    assert [one.conditional for one in commands(script)] == conditional


def test_files_are_those_that_the_script_has_written_by_then() -> None:
    script = "".join(
        f"cat > q.json <<END\n{json.dumps({'arguments': {'x-max-length': n}})}\nEND\n"
        f"curl -X PUT -d @q.json http://localhost:15672/api/queues/%2F/q{n}\n"
        for n in (1, 2)
    )
    facts = [one.fact for one in commands(script)]
    assert [dict(getattr(one, "arguments")) for one in facts] == [  # noqa: B009
        {"x-max-length": "1"},
        {"x-max-length": "2"},
    ]


def test_places_are_lines_and_columns_of_the_script() -> None:
    script = "#!/bin/sh\nif true; then\n  rabbitmqctl add_vhost v\nfi\ncat > d.json <<'END'\n"
    script += '{"users": [],\n  "vhosts": [\n    {"name": "w"}]}\nEND\n'
    script += "rabbitmqctl import_definitions d.json\n"
    places = [(one.source.line, one.source.column) for one in commands(script)]
    assert places == [(3, 3), (8, 5)]


@pytest.mark.parametrize(
    ("script", "yes"),
    [
        (b"rabbitmqctl add_vhost v", True),
        (b"# rabbitmqctl add_vhost v\ncreate queue q", False),
        (b"curl -X PUT http://h/api/exchanges/a/b", True),
        (b"curl -X PUT http://h/api/dashboards/a", False),
        (b"\x00\x01", False),
    ],
)
def test_scripts_are_told_by_their_commands(script: bytes, yes: bool) -> None:
    assert recognises(script) is yes


def definitions(name: str) -> str:
    own: dict[str, Any] = {"vhost": "/", "durable": True, "auto_delete": False, "arguments": {}}
    return json.dumps(
        {
            "rabbit_version": "3.13.7",
            "global_parameters": [{"name": "cluster_name", "value": name}],
            "vhosts": [{"name": "/"}],
            "exchanges": [{**own, "name": "x", "type": "topic"}],
            "queues": [{**own, "name": "q"}],
            "bindings": [],
        }
    )


@pytest.fixture
def estate(tmp_path: Path) -> topograph.Network:
    folder = tmp_path / "estate"
    folder.mkdir()
    for name in ("north", "south"):
        (folder / f"{name}.json").write_text(definitions(name), encoding="utf-8")
    (folder / "topograph.yaml").write_text("hosts:\n  mq.example: south\n", encoding="utf-8")
    return topograph.read(folder)


def test_the_host_of_a_command_is_that_of_topograph_yaml(
    estate: topograph.Network, tmp_path: Path
) -> None:
    script = tmp_path / "change.sh"
    script.write_text(
        "rabbitmqctl -n rabbit@north delete_queue q\n"
        "rabbitmqadmin -H mq.example delete queue name=q\n"
        "curl -X DELETE http://mq.example:15672/api/exchanges/%2F/x\n",
        encoding="utf-8",
    )
    found = estate.audit(script)
    assert [(one.server, one.result) for one in found.steps] == [
        ("north", "accepted"),
        ("south", "accepted"),
        ("south", "accepted"),
    ]


@pytest.mark.parametrize(
    "line", ["rabbitmqctl add_vhost v", "rabbitmqctl -n rabbit@east add_vhost v"]
)
def test_a_command_for_nobody_that_is_known_is_never_guessed(
    line: str, estate: topograph.Network, tmp_path: Path
) -> None:
    script = tmp_path / "change.sh"
    script.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match="Say which server the script runs on"):
        estate.audit(script)
    assert estate.audit(script, at="north").steps[0].server == "north"


def test_what_may_be_run_is_undetermined_and_changes_nothing_if_it_is_refused(
    estate: topograph.Network, tmp_path: Path
) -> None:
    script = tmp_path / "change.sh"
    script.write_text(
        "grep -q q x || rabbitmqadmin declare queue name=q durable=false\n"
        "grep -q p x || rabbitmqadmin declare queue name=p\n",
        encoding="utf-8",
    )
    found = estate.audit(script, at="north")
    assert [one.result for one in found.steps] == ["no-effect", "undetermined"]
    assert [note.rule for note in found.steps[0].notes] == ["may-be-run"]
    assert found.verdict == "undetermined"
