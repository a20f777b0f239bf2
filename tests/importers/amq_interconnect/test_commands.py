"""Scripts of qdmanage: what a command says, what of a shell is followed, and what is not
understood.
"""

from __future__ import annotations

import pytest

from topograph.facts.amq_commands import AmqCommand
from topograph.findings import Severity
from topograph.importers.amq_interconnect import parse_text
from topograph.importers.amq_interconnect.commands import read_script, recognises


def commands(text: str) -> list[AmqCommand]:
    found = read_script(text.encode(), "c.sh").commands
    assert all(isinstance(one, AmqCommand) for one in found)
    return [one for one in found if isinstance(one, AmqCommand)]


def only(text: str) -> AmqCommand:
    (one,) = commands(text)
    return one


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("create --type=address prefix=a/b distribution=multicast", ("address {\n prefix: a/b\n "
            "distribution: "
            "multicast\n}\n")),
        ("create --type address name=n pattern='a/*' waypoint=true", ("address {\n name: n\n "
            "pattern: a/*\n waypoint: "
            "yes\n}\n")),
        ("create --type org.apache.qpid.dispatch.router.config.address prefix=a",
            "address {\n prefix: a\n}\n"),
        ("--type autoLink create addr=q dir=in connection=c", ("autoLink {\n address: q\n "
            "direction: in\n connection: "
            "c\n}\n")),
        ("create --ty linkRoute --name l prefix=q direction=out", ("linkRoute {\n name: l\n "
            "prefix: q\n direction: "
            "out\n}\n")),
        ("create type=connector name=c host=h port=7 role=inter-router", ("connector {\n name: "
            "c\n host: h\n port: "
            "7\n role: "
            "inter-router\n}\n")),
        ('create --type listener "host=" port=amqps role=1', ("listener {\n host:\n port: "
            "amqps\n role: inter-router\n}\n")),
    ],
)  # fmt: skip
def test_a_create_says_what_a_section_of_a_file_says(line: str, section: str) -> None:
    fact = only(f"qdmanage {line}\n").fact
    entities = parse_text(
        "conf", "router {\n id: A\n mode: interior\n}\n" + section.replace(" host:\n", ""), "f"
    ).entities
    wanted = entities[1]
    assert fact is not None
    assert (fact.type, fact.name, dict(fact.attributes)) == (
        wanted.type,
        wanted.name,
        dict(wanted.attributes),
    )


def test_words_are_those_of_a_shell() -> None:
    text = (
        "#!/bin/sh\nset -e\nBUS='amqp://u:tiger@hub:55672/x'\n"
        'qdmanage -b "$BUS" create --type address \\\n   prefix="a b" # comment\n'
        "sudo /usr/bin/qdmanage -rB delete --type address --name x&&qdmanage --router=C "
        "delete --name y; echo done\n"
        "qdmanage query --type router | jq .\noc exec pod -- skmanage -d E delete --name "
        "z 2>&1 | tee log\n"
    )
    found = commands(text)
    assert [one.connected for one in found] == ["hub:55672", "B", "C", "E"]
    assert [one.verb for one in found] == ["create", "delete", "delete", "delete"]
    assert [one.fault for one in found] == [""] * 4
    assert found[0].text == 'qdmanage --bus amqp://hub:55672/x create --type address "prefix=a b"'
    assert [(one.source.line, one.source.column) for one in found] == [
        (4, 1),
        (6, 1),
        (6, 60),
        (8, 1),
    ]
    assert found[0].fact is not None
    assert found[0].fact.get("prefix") == "a b"


def test_json_is_read_from_here_documents_and_pipes() -> None:
    found = commands(
        "qdmanage create --stdin <<'END'\n"
        '[{"type": "address", "prefix": "a", "distribution": "closest"},\n'
        ' {"type": "listener", "port": 5, "http": true, "openProperties": {"k": 1}},\n'
        ' {"type": "address", "prefix": "$b", "waypoint": null}]\n'
        "END\n"
        'qdmanage --type address --stdin create <<< \'{"prefix": "c"}\'\n'
        'echo \'{"prefix": "d"}\' | qdmanage create --type address --stdin\n'
        '\tcat <<-END | qdmanage create --type address --stdin\n\t{"prefix": "e"}\n\tEND\n'
    )
    assert [one.fault for one in found] == [""] * 6
    facts = [one.fact for one in found if one.fact is not None]
    assert [one.get("prefix") or one.get("port") for one in facts] == [
        "a",
        "5",
        "$b",
        "c",
        "d",
        "e",
    ]
    assert [one.source.line for one in facts] == [2, 3, 4, 6, 7, 9]
    assert facts[1].get("openProperties") == '{"k":"1"}'
    assert (
        found[1].text == "qdmanage create --stdin type=listener port=5 http=True openProperties=…"
    )


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("qdmange create --type address prefix=a", "topograph does not know the command 'qdmange'"),
        ("qdmanage frobnicate", "none of the operations create, update and delete"),
        ("qdmanage", "it has no operation"),
        ("qdmanage create --type adress prefix=a", "there is no entity type adress"),
        ("qdmanage create prefix=a", "does not say the type"),
        ("qdmanage create -t address prefix=a", "-t is the timeout in seconds"),
        ("qdmanage create --type address", "create needs attributes"),
        ("qdmanage create --type address prefix=a --frob", "there is no option --frob"),
        ("qdmanage create --type address --name", "--name needs a value"),
        ("qdmanage create --type address type=listener prefix=a", "two values for type"),
        ("qdmanage create --type address identity=7 prefix=a", "identity is given by the router"),
        ("qdmanage create --type address prefx=a", "address has no attribute prefx"),
        ("qdmanage create --type address distribution=closest", "neither prefix nor pattern"),
        ("qdmanage create --type address prefix=a pattern=b", "both prefix and pattern"),
        ("qdmanage create --type address prefix=./", "nothing is left of its prefix"),
        ("qdmanage create --type address prefix=a ingressPhase=1", ("only one of ingressPhase "
            "and egressPhase")),
        ("qdmanage create --type address prefix=a priority=10", "above 9"),
        ("qdmanage create --type address prefix=a distribution=nearest", ("none of multicast, "
            "closest")),
        ("qdmanage create --type address prefix=a waypoint=maybe", "is not a boolean"),
        ("qdmanage create --type connector host=h cost=low", "is not an integer"),
        ("qdmanage create --type autoLink address=a", "needs the attribute direction"),
        ("qdmanage create --type autoLink direction=in", "needs the attribute address"),
        ("qdmanage create --type autoLink address=a direction=in phase=10", "not between 0 and 9"),
        ("qdmanage create --type autoLink address=a direction=in operStatus=active",
            "read-only"),
        ("qdmanage create --type linkRoute prefix=a direction=in connection=c containerId=d",
            "both connection and containerId"),
        (("qdmanage create --stdin <<< '{\"type\": \"connector\", \"role\": \"edge\", "
            "\"openProperties\": {\"a\": 1}}'"), "openProperties cannot go"),
        ("qdmanage create --type router id=A", "cannot create an entity of type router"),
        ("qdmanage update --type connector --name c cost=3", ("cannot update an entity of type "
            "connector")),
        ("qdmanage delete --type router --name A", "cannot delete an entity of type router"),
        ("qdmanage delete --type address", "names no entity"),
        ("qdmanage delete --type address --name a b=c", "delete takes no attributes"),
        ("qdmanage create --type address prefix=$NAME", "hold $NAME"),
        ("qdmanage create --type address prefix=$(date)", "a shell replaces"),
        ("qdmanage create --type address 'prefix=a", "not closed"),
        ("qdmanage create --stdin < a.json", "it reads a file"),
        ("cat a.json | qdmanage create --stdin", "the output of another command"),
        ("qdmanage create --stdin", "JSON that the script does not hold"),
        ("qdmanage create --stdin <<< '{'", "is not JSON at c.sh:1"),
        ("qdmanage create --stdin <<< '[1]'", "neither a JSON map nor a list of maps"),
        ("qdmanage create --stdin <<END\n{\"prefix\": \"$x\"}\nEND", "quote END behind <<"),
        ("qdmanage create --stdin <<'END'\n{}", "is not closed by END"),
        ("if true", "branches and loops"),
        ("(cd x)", "subshell"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_a_command_with_a_fault(line: str, fault: str) -> None:
    found = commands(line + "\n")
    assert found[0].verb == "none"
    assert fault in found[0].fault
    assert found[0].fact is None


def test_a_variable_that_changes_is_followed_and_one_that_is_not_plain_is_not() -> None:
    text = (
        "R=A\nqdmanage -r $R delete --name x\nR=B\nqdmanage -r ${R} delete --name "
        "x\nR=$(hostname)\nqdmanage -r $R delete --name x\n"
    )
    assert [(one.connected, bool(one.fault)) for one in commands(text)] == [
        ("A", False),
        ("B", False),
        ("", True),
    ]
    assert "split" in only("R='A B'\nqdmanage -r $R delete --name x\n").fault
    assert only('R="A B"\nqdmanage -r "$R" delete --name x\n').connected == "A B"


def test_nothing_lasts_beyond_a_restart() -> None:
    (found,) = read_script(b"qdmanage create --type address prefix=a\n", "c.sh").findings
    assert (found.kind, found.severity, str(found.source)) == (
        "not-saved",
        Severity.WARNING,
        "c.sh:1:1",
    )
    assert (
        read_script(
            b"qdmanage update --type log --name log/ROUTER enable=trace+\n", "c.sh"
        ).findings
        == ()
    )


def test_what_only_some_routers_read_is_marked() -> None:
    def marks(line: str) -> list[str]:
        return [mark.get("starts") for mark in only(f"qdmanage create {line}\n").marks]

    assert marks("--type address prefix=a") == []
    assert marks("--type address prefix=a waypoint=yes") == ["until-1.19"]
    assert marks("--type connector host=h role=inter-edge") == ["from-2.0"]


def test_the_name_of_the_fallback_in_management_is_taken() -> None:
    script = read_script(b"qdmanage create --type address prefix=a fallback=true\n", "c.sh")
    (one,) = script.commands
    assert isinstance(one, AmqCommand)
    assert one.fact is not None
    assert one.fact.get("enableFallback") == "true"
    assert [finding.kind for finding in script.findings] == ["not-saved"]
    other = read_script(b"qdmanage create --type address prefix=a enableFallback=true\n", "c.sh")
    assert [finding.kind for finding in other.findings] == ["name-in-files-only", "not-saved"]


@pytest.mark.parametrize(
    "text",
    [
        "qdmanage create --type connector host=h saslPassword=tiger\n",
        "qdmanage --sasl-password tiger delete --name x\n",
        "qdmanage --sasl-pass=tiger --ssl-key tiger -b amqp://u:tiger@h:1 delete --name x\n",
        "qdmanage create --type connector passwrd=tiger\n",
        "qdmanage create --type connector host=h tiger\n",
        (
            'qdmanage create --stdin <<< \'{"type": "connector", "saslPassword": "tiger", '
            '"zome": "tiger"}\'\n'
        ),
        (
            'qdmanage create --stdin <<< \'{"type": "listener", "openProperties": {"token": '
            '"tiger"}}\'\n'
        ),
        "PASSWORD=tiger qdmanage delete --name x\n",
        "PW=tiger\nqdmanage --sasl-password $PW delete --name x\n",
        "pw=tiger x\npassword tiger\n'pass tiger' y\n",
        "qdmanage tiger\nqdmanage --tiger=tiger delete\nqdmanage -xtiger\n",
        "qdmanage create --type sslProfile name=p password=tiger\n",
        "echo tiger | qdmanage create --stdin\n",
    ],
)
def test_no_secret_is_kept(text: str) -> None:
    assert "tiger" not in repr(read_script(text.encode(), "c")).replace("--tiger", "")


@pytest.mark.parametrize("blank", ["\xa0", "\x1c", "\x85", "\u2028", "\u3000"])
def test_blanks_that_a_shell_does_not_split_at_are_parts_of_words(blank: str) -> None:
    assert only(f"qdmanage delete --type address --name a{blank}b\n").name == f"a{blank}b"
    assert commands(f"{blank} x\n")[0].fault


def test_a_file_that_is_no_text_has_no_commands() -> None:
    script = read_script(b"\x00\x01", "c")
    assert script.commands == ()
    assert [finding.kind for finding in script.findings] == ["not-a-script"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("qdmanage delete --name x\n", True),
        ("#!/bin/sh\nset -e\nsudo skmanage -r A \\\n  create --type address\n", True),
        ("true && /opt/bin/qdmanage CREATE --stdin <<E\n", True),
        ("# qdmanage create\ncreate route B url=tcp://b:1\n", False),
        ("* qdmanage create\nDEFINE QLOCAL(Q)\n", False),
        ("AdminTask.createSIBus('[-bus qdmanage]')\n", False),
        ("qdmanage query --type router\n", False),
        ("\x00", False),
    ],
)
def test_a_script_is_recognised_by_the_tool_that_it_runs(text: str, wanted: bool) -> None:
    assert recognises(text.encode()) is wanted
