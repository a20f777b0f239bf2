"""Names that have the form of a credential: another stands for each, which is compared as the name
would be.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redaction.planting.forms import FORMS, NAMES, PLANTED, planted_form

import topograph
from topograph.credentials import name_without_secret, without_arguments, without_credentials
from topograph.questions.text import text

PARTS = st.sampled_from(
    ["user:", "pw", "=", "tiger", "@", "host", "://", "amqps", "token", ".", "/", " ", "-p ", "*",
     ">", "#", "key", ":", "$man$", "hidden-6ad0", "topic:", "queue:", "(set)", "Bearer ", "é"]
)  # fmt: skip
TEXTS = st.lists(PARTS, max_size=9).map("".join)


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_no_form_of_a_credential_is_left_in_a_name(number: int) -> None:
    form = planted_form(number)
    for name in (form, f"orders.{form}") if FORMS[number] in NAMES else (form,):
        shown = name_without_secret(name)
        assert not PLANTED.search(shown)
        assert shown == name_without_secret(shown) == without_arguments(shown)


@settings(max_examples=300)
@given(TEXTS)
def test_what_stands_for_a_name_stays_in_every_text(name: str) -> None:
    shown = name_without_secret(name)
    assert name_without_secret(shown) == shown
    assert without_credentials(shown) == shown
    if without_arguments(name) == name:
        assert shown == name


@settings(max_examples=300)
@given(TEXTS)
def test_what_divides_names_stays_where_it_was(name: str) -> None:
    dividing = [character for character in name if character in "./@*>#"]
    assert [one for one in name_without_secret(name) if one in "./@*>#"] == dividing


def test_names_that_differ_only_in_their_passwords_stay_apart() -> None:
    names = [f"amqps://user:tiger{number}@host" for number in range(50)]
    assert len(set(map(name_without_secret, names))) == 50


@pytest.mark.parametrize(
    "name",
    ["queue:orders@B", "a:b", "$management", "orders.>", "listener/0.0.0.0:5672:x", "a@b", "A=1"],
)
def test_other_names_stay(name: str) -> None:
    assert name_without_secret(name) == name


MAIN = "server = {0}\nrouting = enabled\nlisten = tcp://{2}:7222\nroutes = {2}.routes\n"
EMS = {
    "{2}.conf": MAIN + "topics = {2}.topics\nqueues = {2}.queues\n",
    "{2}.topics": "a.{3} global\na.> global\n",
    "{2}.queues": "orders@{0} global\n{3} global\n",
    "{2}.routes": "[{1}]\n url = tcp://{4}:7222\n zone_name = {5}\n zone_type = mhop\n",
}
ROUTER = {
    "{2}.conf": "router {{\n mode: interior\n id: {0}\n}}\nlistener {{\n host: {2}\n port: 5672\n "
    "role: inter-router\n}}\nconnector {{\n name: {5}\n host: {4}\n port: 5672\n role: inter-router"
    "\n}}\naddress {{\n prefix: {3}\n distribution: multicast\n}}\n"
}
MQ = {
    "{2}.mqsc": "* Queue manager name: {0}\nDEFINE QLOCAL('{1}') USAGE(XMITQ)\n"
    "DEFINE QREMOTE('{3}') RNAME('{5}') RQMNAME('{1}')\nDEFINE QLOCAL('{5}')\n"
    "DEFINE CHANNEL('{0}.{1}') CHLTYPE(SDR) CONNAME('{4}(1414)') XMITQ('{1}')\n"
    "DEFINE CHANNEL('{1}.{0}') CHLTYPE(RCVR)\n"
}
MQE = {
    "{2}.yaml": "kind: mqe\nqueueManager: '{0}'\nlisteners:\n- {{name: L, port: 8081}}\n"
    "connections:\n- {{name: '{1}', type: direct, address: {4}, port: 8081}}\n"
    "queues:\n- {{type: local, name: '{3}'}}\n"
    "- {{type: remote, name: '{5}', queueManager: '{1}'}}\n"
}
SIBUS = {
    "all.jy": "AdminTask.createSIBus('[-bus {0}]')\nAdminTask.createSIBus('[-bus {1}]')\n"
    "AdminTask.addSIBusMember('[-bus {0} -node n -server s]')\n"
    "AdminTask.createSIBDestination('[-bus {0} -name {3} -type Queue -node n -server s]')\n"
    "AdminTask.createSIBForeignBus('[-bus {0} -name {1} -routingType Direct -type SIBus]')\n"
    "AdminTask.createSIBDestination('[-bus {0} -name {5} -type Alias -aliasBus {0} -targetBus {1} "
    "-targetName {3}]')\n"
}
ESTATES = {
    "ems": (EMS, "topic:a.{3}"),
    "amq_interconnect": (ROUTER, "address:{3}"),
    "ibm_mq": (MQ, "queue:{3}"),
    "mqe": (MQE, "queue:{5}"),
    "sibus": (SIBUS, "queue:{5}"),
}


def answers(folder, names: list[str], estate: dict[str, str], destination: str) -> list[str]:
    """What is said of two servers that name each other; the names are those of the servers, of a
    destination, and of something else."""
    one, two, queue, other = names
    if estate is MQ:
        one, two = "ONE", "TWO"  # nothing else names a queue manager
    if estate is MQE:
        queue, other = "Q", "R"  # nothing else names a queue
    folder.mkdir(parents=True)
    for fields in ((one, two, "h1", queue, "h2", other), (two, one, "h2", queue, "h1", other)):
        for file, content in estate.items():
            (folder / file.format(*fields)).write_text(content.format(*fields))
    network = topograph.read(folder)
    destination = destination.format("", "", "", queue, "", other)
    return [
        text(answer).rpartition("snapshot ")[0]
        for answer in (
            network.reach(one),
            network.reach(two, one),
            network.trace(one, destination),
            network.propagate(one, destination),
            network.show("links"),
            *([network.show("destinations")] if estate is not SIBUS else []),  # has points n.s-BUS
        )
    ]


@pytest.mark.parametrize("system", ESTATES)
@pytest.mark.parametrize("numbers", [(0, 1, 2, 3), (3, 4, 5, 1), (7, 0, 1, 2), (1, 2, 0, 7)])
def test_answers_are_those_about_the_names_that_stand_for_them(system, numbers, tmp_path) -> None:
    """Asked by the names that the files have."""
    written = [planted_form(len(FORMS) - len(NAMES) + number) for number in numbers]
    estate = ESTATES[system]
    plain = [name_without_secret(name) for name in written]
    found = answers(tmp_path / "written" / "estate", written, *estate)
    assert not PLANTED.search("".join(found))
    assert found == answers(tmp_path / "plain" / "estate", plain, *estate)
