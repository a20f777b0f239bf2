"""Scripts of administration commands (ems.md 3.7): what each line says, as the configuration
file says it that would hold it.
"""

from __future__ import annotations

import pytest

from topograph.facts.ems import (
    EmsBridge,
    EmsDestination,
    EmsDurable,
    EmsGrant,
    EmsGroup,
    EmsRoute,
    EmsServer,
)
from topograph.facts.ems_commands import EmsCommand
from topograph.importers.ems.commands import read_script


def commands(text: str) -> list[EmsCommand]:
    found = []
    for command in read_script(text.encode(), "change.txt").commands:
        assert isinstance(command, EmsCommand)
        found.append(command)
    return found


def one(line: str) -> EmsCommand:
    (command,) = commands(line + "\n")
    return command


def test_a_route_is_read_as_routes_conf_has_it() -> None:
    command = one(
        "create route D url=tcp://d:7222,tcp://e:7222 zone_name=Z zone_type=1HOP "
        "incoming_topic=a selector=\"x = 'y'\""
    )
    assert (command.verb, command.object, command.fault) == ("create", "route", "")
    route = command.fact
    assert isinstance(route, EmsRoute)
    assert (route.name, route.url, route.zone_name, route.zone_type) == (
        "D",
        ("tcp://d:7222", "tcp://e:7222"),
        "Z",
        "1hop",
    )
    (selector,) = route.selectors
    assert (selector.direction, selector.topic, selector.selector) == ("incoming", "a", "x = 'y'")
    assert (selector.source.file, selector.source.line, selector.source.column) == (
        "change.txt",
        1,
        73,
    )
    assert command.stated == {"url", "zone_name", "zone_type"}


def test_a_route_without_zone_is_in_the_default_zone() -> None:
    route = one("create route D url=tcp://d:7222").fact
    assert isinstance(route, EmsRoute)
    assert (route.zone_name, route.zone_type, route.zone_stated) == (
        "default_mhop_zone",
        "mhop",
        (),
    )


def test_typographic_quotes_and_a_missing_equals_sign_are_repaired_with_a_warning() -> None:
    script = read_script(
        'setprop route M outgoing_topic="orders" selector "country=’Mexico’"\n'.encode(), "c"
    )
    route = script.commands[0].fact  # type: ignore[attr-defined]
    assert route.selectors[0].selector == "country='Mexico'"
    assert script.commands[0].fault == ""
    assert {finding.kind for finding in script.findings} == {"missing-equals", "non-ascii-quote"}


def test_what_removeprop_names() -> None:
    command = one("removeprop route M topic_prefetch outgoing_topic=orders incoming_topic")
    assert command.stated == {"topic_prefetch"}
    assert [(each.direction, each.topic) for each in command.unselected] == [
        ("outgoing", "orders"),
        ("incoming", ""),
    ]


@pytest.mark.parametrize(
    ("line", "type_", "name", "owner", "properties"),
    [
        (
            "create topic a.b global,secure",
            "topic",
            "a.b",
            "",
            (("global", "true"), ("secure", "true")),
        ),
        ("addprop queue q maxbytes=10MB", "queue", "q", "", (("maxbytes", "10MB"),)),
        (
            "setprop queue q@HOME prefetch=5, global",
            "queue",
            "q",
            "HOME",
            (("prefetch", "5"), ("global", "true")),
        ),
        ("delete topic a.>", "topic", "a.>", "", ()),
    ],
)
def test_a_destination(
    line: str, type_: str, name: str, owner: str, properties: tuple[tuple[str, str], ...]
) -> None:
    fact = one(line).fact
    assert isinstance(fact, EmsDestination)
    assert (fact.type, fact.name, fact.owner, fact.properties) == (type_, name, owner, properties)


def test_removeprop_of_a_destination_names_properties() -> None:
    command = one("removeprop topic a Global, maxbytes")
    assert isinstance(command.fact, EmsDestination)
    assert (command.fact.name, command.fact.properties, command.stated) == (
        "a",
        (),
        {"global", "maxbytes"},
    )


def test_bridges_durables_grants_groups_and_the_server() -> None:
    found = commands(
        'create bridge source=topic:a target=queue:b@C selector="x = 1"\ndelete bridge '
        "source=queue:b target=topic:c\n"
        "create durable orders PARIS route\ndelete durable d client\n"
        "grant topic a user=P publish,subscribe\nrevoke queue q group=g receive\n"
        "create group g\naddmember g ann,bob\nset server authorization=enabled routing=disabled\n"
    )
    assert [command.fault for command in found] == [""] * 9
    facts = [command.fact for command in found]
    assert isinstance(facts[0], EmsBridge)
    assert (facts[0].label, facts[0].selector) == ("topic:a->queue:b@C", "x = 1")
    assert isinstance(facts[2], EmsDurable)
    assert (facts[2].topic, facts[2].name, facts[2].route) == ("orders", "PARIS", True)
    assert isinstance(facts[3], EmsDurable)
    assert (facts[3].name, facts[3].client_id) == ("d", "client")
    assert isinstance(facts[4], EmsGrant)
    assert (facts[4].type, facts[4].principal_type, facts[4].principal) == ("topic", "user", "P")
    assert facts[4].permissions == ("publish", "subscribe")
    assert isinstance(facts[7], EmsGroup)
    assert (facts[7].name, facts[7].members) == ("g", ("ann", "bob"))
    assert isinstance(facts[8], EmsServer)
    assert (facts[8].authorization, facts[8].routing) == (True, False)
    assert [command.verb for command in found] == [
        "create", "delete", "create", "delete", "grant", "revoke", "create", "addprop", "set"
    ]  # fmt: skip


def test_commands_as_the_manual_writes_them() -> None:
    found = commands(
        "add member g ann,bob\nremove member g carl\ngrant queue q joe send, "
        "receive\nrevoke topic t * both\nrevoke topic t *\n"
        "delete all topics a.>\ndelete all groups\ndelete all users\ny\nYes\n"
    )
    assert [command.fault for command in found] == [""] * 8
    assert [(command.verb, command.object) for command in found] == [
        ("addprop", "group"), ("removeprop", "group"), ("grant", "grant"), ("revoke", "grant"),
            ("revoke", "grant"),
        ("delete", "destination"), ("delete", "group"), ("delete", "user"),
    ]  # fmt: skip
    joe, both, users = (command.fact for command in found[2:5])
    assert isinstance(joe, EmsGrant)
    assert (joe.principal_type, joe.principal, joe.permissions) == ("", "joe", ("send", "receive"))
    assert isinstance(both, EmsGrant)
    assert isinstance(users, EmsGrant)
    assert (both.principal, both.permissions, users.permissions) == ("*", ("both",), ("user",))
    assert [(command.every, command.pattern) for command in found[5:7]] == [
        ("topics", "a.>"),
        ("groups", ""),
    ]


def test_a_user_without_a_server_is_no_url() -> None:
    assert [command.connected for command in commands("connect admin tiger\ndelete route A\n")] == [
        ""
    ]


def test_the_server_is_what_the_script_is_connected_to() -> None:
    found = commands(
        "delete route A\nconnect tcp://h:7222 admin secret\ndelete route "
        "B\ndisconnect\ndelete route C\n"
    )
    assert [command.connected for command in found] == ["", "tcp://h:7222", ""]
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("craete topic a", "topograph does not know the command 'craete ...'"),
        ("create", "what it is about is missing"),
        ("create route", "the name of the route is missing"),
        ("delete route A B", "something follows the name A"),
        ("create bridge source=topic:a", "a bridge has a source and a target"),
        ("create bridge source=a target=queue:b", "source=topic:NAME"),
        ("grant topic a", "user=NAME or group=NAME is missing"),
        ("grant bridge a user=b publish", "permissions are those of a topic or a queue"),
        ("set server routing=maybe", "routing is enabled or disabled"),
        ("create durable orders", "the name of the durable is missing"),
        ("addprop route A outgoing_topic=x", "must be followed by its selector"),
        ("create route A url=tcp://a:1 zone_type=2hop", "zone_type is 1hop or mhop"),
        ("suspend topic a", "topograph does not know the command 'suspend ...'"),
        ("removeprop route A", "the names of properties are missing"),
        ("add member", "the name of the group is missing"),
        ("add route g", "topograph does not know the command 'add ...'"),
        ("grant topic a b", "the permissions are missing"),
        ("grant topic a *", "the permissions are missing"),
        ("grant topic a role=b send", "user=NAME or group=NAME is missing"),
        ("delete all routes", "all users, groups, topics, queues or durables can be deleted"),
        ("delete all", "what is deleted is missing"),
        ("create durable a B route,clientid=x", "has no other property"),
    ],
)
def test_what_is_not_understood_is_a_command_with_a_fault(line: str, fault: str) -> None:
    command = one(line)
    assert fault in command.fault
    assert command.source.line == 1


@pytest.mark.parametrize(
    "line",
    [
        "show routes",
        "echo on",
        "time off",
        "# a comment",
        "",
        "whoami",
        "info",
        "commit",
        "timeout 5",
    ],
)
def test_what_changes_nothing_is_no_command(line: str) -> None:
    assert commands(line + "\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "addprop user ann password=x",
        "create factory F topic",
        "set password admin tiger",
        "purge queue q",
    ],
)
def test_what_decides_about_no_message_is_a_command_without_effect(line: str) -> None:
    command = one(line)
    assert (command.verb, command.fault) == ("none", "")
    assert "tiger" not in command.text
    assert "password=x" not in command.text


def test_without_autocommit_what_no_commit_follows_does_not_last() -> None:
    def kinds(text: str) -> list[str]:
        return [finding.kind for finding in read_script(text.encode(), "c").findings]

    assert kinds("autocommit off\ndelete route A\n") == ["not-saved"]
    assert kinds("autocommit off\ndelete route A\ncommit\n") == []
    assert kinds("autocommit off\ndelete route A\ncommit\ndelete route B\n") == ["not-saved"]
    assert kinds("autocommit off\ncreate user x\n") == ["not-saved"]
    assert kinds("autocommit off\nset password x y\n") == []
    assert kinds("autocommit off\nautocommit on\ndelete route A\n") == []
    assert kinds("delete route A\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "connect tcp://h:7222 admin s3cret",
        "connect tcp://admin:s3cret@h:7222",
        "create route A url=tcp://u:s3cret@a:1",
        "addprop route A ssl_password=s3cret",
        "setprop route A pasword=s3cret",
        'create user bob "desc" password=s3cret',
        "set password bob s3cret",
        "set pasword bob s3cret",
        "setpassword bob s3cret",
        "set server password=s3cret",
        "set server pasword=s3cret routing=enabled",
        "create factory f topic url=tcp://u:s3cret@h:1",
        "create topic a password=s3cret",
        "create bridge source=topic:a target=queue:b pasword=s3cret",
        "create durable a b pasword=s3cret",
    ],
)
def test_no_secret_of_a_script_is_kept(line: str) -> None:
    assert "s3cret" not in repr(read_script(f"{line}\ndelete route A\n".encode(), "c"))


def test_bytes_that_are_no_text_are_no_commands() -> None:
    script = read_script(b"\x00\x01", "c")
    assert (script.commands, [finding.kind for finding in script.findings]) == (
        (),
        ["not-a-script"],
    )


SHELL = r"""#!/bin/sh
# tibemsadmin is run for each server
set -e
URL=tcp://a:7222
PW=$(cat /etc/pw)
$EMS_HOME/bin/tibemsadmin -server $URL -user admin -password $PW <<EOF
delete route B
y
create topic $TOPIC global
commit
EOF
echo "delete route C" | /opt/tibemsadmin -server "tcp://b:7222" -ignore
printf 'autocommit off\ndelete route D\n' | tibemsadmin -server tcp://c:7222 \
   -password s3cret
tibemsadmin -server tcp://d:7222 -script change.ems
cat <<X > notes
delete route Q
X
tibemsadmin -server tcp://e:7222 <<'Z'
addprop route B outgoing_topic=$TMP$.> selector="x = 1"
Z
tibemsadmin -server tcp://f:7222 <<< "delete topic t"
tibemsadmin -mangle s3cret
tibemsadmin < more.ems
"""


def test_a_shell_script_gives_commands_to_the_tool() -> None:
    script = read_script(SHELL.encode(), "x.sh")
    assert [
        (one.source.line, one.source.column, one.connected, one.fault[:30])
        for one in script.commands
    ] == [
        (7, 1, "tcp://a:7222", ""),
        (9, 1, "tcp://a:7222", "the script does not say what $"),
        (12, 7, "tcp://b:7222", ""),
        (13, 25, "tcp://c:7222", ""),
        (15, 1, "tcp://d:7222", "the commands are in change.ems"),
        (20, 1, "tcp://e:7222", ""),
        (22, 39, "tcp://f:7222", ""),
        (24, 1, "", "the commands are in more.ems, "),
    ]
    assert [finding.kind for finding in script.findings] == ["shell-script", "not-saved"]
    assert "s3cret" not in repr(script)


def test_a_variable_that_branches_set_differently_has_no_known_value() -> None:
    text = (
        "N=a\nif x; then N=b; fi\nM='c'\ntibemsadmin -server tcp://$N:1 <<E\ndelete topic ${M}\nE\n"
    )
    (command,) = read_script(text.encode(), "x.sh").commands
    assert command.fault == "the script does not say what $N stands for"
    (known,) = read_script(text.replace("N=b;", "N=a;").encode(), "x.sh").commands
    assert (known.connected, known.text, known.fault) == ("tcp://a:1", "delete topic c", "")


def test_a_commit_saves_what_its_own_server_was_given() -> None:
    text = (
        "autocommit off\nconnect tcp://a:1\ndelete route B\nconnect tcp://b:1\ndelete route "
        "A\ncommit\n"
    )
    (finding,) = read_script(text.encode(), "c").findings
    assert (finding.kind, finding.message.partition(":")[0]) == (
        "not-saved",
        "autocommit is off and no commit follows one command",
    )


def test_each_run_of_the_tool_is_for_its_own_server_whatever_line_it_begins_with() -> None:
    text = (
        "tibemsadmin -server tcp://a:1 <<E\ndelete topic t\nE\n"
        "tibemsadmin -server tcp://b:1 <<E\n\n# the next one\ndelete topic u\nE\n"
    )
    commands = read_script(text.encode(), "x.sh").commands
    assert [one.connected for one in commands] == ["tcp://a:1", "tcp://b:1"]


ONE = "tibemsadmin -server $S <<E\n\ndelete topic t\nE\n"


@pytest.mark.parametrize(
    ("script", "known"),
    [
        (ONE, True),
        ('if [ -z "$S" ]\nthen\n  S=$1\nfi\n' + ONE + ONE, True),
        ("S=$(cat name)\n" + ONE, True),
        ("for S in $NAMES\ndo\n" + ONE + "done\n", False),
        ("while read -r S\ndo\n" + ONE + "done < names\n", False),
        (f"S=$1\n{ONE}S=$2\n{ONE}", False),
        (ONE + ONE.replace("$S", "$T"), False),
        (ONE + ONE.replace("$S", "tcp://b:1"), False),
    ],
)
def test_a_server_that_a_script_does_not_say_is_the_one_it_is_given_to_where_it_is_one(
    script: str, known: bool
) -> None:
    read = read_script(script.encode(), "x.sh")
    first = read.commands[0]
    assert (first.connected, not first.fault) == ("", known)
    told = [one.message for one in read.findings if "is given to" in one.message]
    assert bool(told) is known
    assert all("$S" in one for one in told)
