"""Scripts of wsadmin, judged: the verdict, what the person reads first, and what the
configuration is after them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.network import Network
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.text import text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUEUE = (
    "AdminTask.createSIBDestination('[-bus Orders -name %s -type Queue -node node1 -server "
    "server1%s]')\n"
)
SAVE = "AdminConfig.save()\n"


@pytest.fixture(scope="module")
def orders() -> Network:
    return topograph.read(EXAMPLES / "sibus_orders")


def results(answer: AuditAnswer) -> list[str]:
    return [step.result for step in answer.steps]


def warned(answer: AuditAnswer) -> list[str]:
    return [one.rule for one in answer.warnings]


def first_lines(answer: AuditAnswer) -> list[str]:
    return [line.strip() for line in text(answer).splitlines()[:4]]


def test_nobody_has_to_name_a_server(orders: Network) -> None:
    answer = orders.audit(QUEUE % ("NEW", "") + SAVE)
    assert (answer.verdict, results(answer)) == ("accept", ["accepted"])
    assert [(step.server, step.system) for step in answer.steps] == [("Orders", "sibus")]
    lost = "EXCEPTIONED(_SYSTEM.Exception.Destination.node1.server1-Orders@Orders, 15) at Orders"
    stored = ("DELIVERED(NEW@Orders) at Orders",)
    assert [(row.server, row.destination, row.before, row.after) for row in answer.outcomes] == [
        ("Archive", "NEW@Orders", (lost,), stored),
        ("Orders", "NEW", ("REJECTED(15) at Orders",), stored),
    ]


def test_what_is_not_saved_is_judged_and_said_first(orders: Network) -> None:
    answer = orders.audit(QUEUE % ("NEW", ""))
    assert (answer.verdict, len(answer.outcomes), warned(answer)[-1]) == ("accept", 2, "not-saved")
    assert (
        "* the script has no AdminConfig.save(): what this command changes does not last"
        in first_lines(answer)[1]
    )


def test_what_is_discarded_does_nothing(orders: Network) -> None:
    answer = orders.audit(QUEUE % ("NEW", "") + "AdminConfig.reset()\n" + SAVE)
    assert (results(answer), answer.outcomes) == (["no-effect"], ())


def test_a_refused_command_has_its_line(orders: Network) -> None:
    answer = orders.audit("# twice\n" + QUEUE % ("NEW", "") + QUEUE % ("NEW", "") + SAVE)
    assert (answer.verdict, results(answer)) == ("reject", ["accepted", "refused"])
    (rejection,) = answer.rejections
    assert (rejection.source.line, rejection.server, rejection.rule) == (3, "Orders", "A1.3")


def test_a_typing_error_on_line_3_is_refused_and_the_rest_is_judged(orders: Network) -> None:
    answer = orders.audit(
        QUEUE % ("A", "")
        + "\nAdminTask.createSIBDestinaton('[-bus Orders]')\n"
        + QUEUE % ("C", "")
        + SAVE
    )
    assert (answer.verdict, results(answer)) == ("reject", ["accepted", "refused", "accepted"])
    assert answer.rejections[0].source.line == 3


def test_what_the_script_computes_is_undetermined_and_so_are_messages(orders: Network) -> None:
    answer = orders.audit(
        "AdminTask.modifySIBDestination('[-bus Orders -name REFUSED -sendAllowed ' + x + ']')\n"
        + SAVE
    )
    assert (answer.verdict, results(answer)) == ("undetermined", ["undetermined"])
    assert answer.rejections[0].undetermined


def test_a_path_that_leads_nowhere_is_a_warning_at_the_line_of_the_script(orders: Network) -> None:
    answer = orders.audit(
        QUEUE % ("NEW", " -defaultForwardRoutingPath [[Orders ORDERS.WROK]]") + SAVE
    )
    (warning,) = [one for one in answer.warnings if one.rule == "path-element-not-found"]
    assert warning.source.line == 1
    assert "names ORDERS.WROK, which cannot be found" in warning.message


def test_a_name_that_a_later_command_makes_is_no_warning(orders: Network) -> None:
    first = QUEUE % (
        "NEW",
        " -defaultForwardRoutingPath [[Orders LATER]] -exceptionDestination LATER.BAD",
    )
    answer = orders.audit(first + QUEUE % ("LATER", "") + QUEUE % ("LATER.BAD", "") + SAVE)
    assert (answer.verdict, warned(answer)) == (
        "accept",
        warned(orders.audit(QUEUE % ("NEW", "") + SAVE)),
    )


def test_what_names_a_deleted_destination_is_a_warning(orders: Network) -> None:
    answer = orders.audit(
        "AdminTask.deleteSIBDestination('[-bus Orders -name ORDERS.BAD]')\n" + SAVE
    )
    found = [(one.rule, str(one.source)) for one in answer.warnings if one.rule != "held-messages"]
    assert found == [
        ("exception-destination-not-found", "orders.jy:6:1"),
        ("exception-destination-not-found", "orders.jy:9:1"),
    ]


def test_a_deleted_link_ends_reach(orders: Network) -> None:
    answer = orders.audit(
        (
            "AdminTask.deleteSIBForeignBus('[-bus Orders -name "
            "Archive]')\nAdminTask.deleteSIBLink('[-bus Orders -name ToArchive]')\n"
        )
        + SAVE
    )
    assert answer.reach.lost == (("Orders", "Archive"),)
    assert results(answer) == ["undetermined", "accepted"]


def test_jacl_is_judged_alike(orders: Network) -> None:
    jacl = (
        'foreach q {A C} {\n $AdminTask createSIBDestination "-bus Orders -name $q -type '
        'Queue"\n}\n$AdminConfig save\n'
    )
    jython = (
        "for q in ['A', 'C']:\n AdminTask.createSIBDestination('[-bus Orders -name ' + q "
        "+ ' -type Queue]')\n"
    ) + SAVE
    one, other = orders.audit(jacl), orders.audit(jython)
    assert [step.command for step in one.steps] == [step.command for step in other.steps]
    assert (
        [row.destination for row in one.outcomes]
        == ["A@Orders", "C@Orders", "A", "C"]
        == [row.destination for row in other.outcomes]
    )
