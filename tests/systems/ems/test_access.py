"""``show access DESTINATION``: who may do what there, by which line, and what neighbours lack
(R49, R50, R84, R107).
"""

from __future__ import annotations

import pytest

from topograph.errors import UsageError

MAIN = """server = {0}
routing = enabled
authorization = {1}
topics = topics.conf
queues = queues.conf
routes = routes.conf
acl_list = acl.conf
groups = groups.conf
"""


def server(
    name: str, acl: str = "", groups: str = "", routes: str = "", authorization: str = "enabled"
) -> dict[str, str]:
    return {
        "tibemsd.conf": MAIN.format(name, authorization),
        "topics.conf": "orders.> global,secure\nopen global\n",
        "queues.conf": "Q global,secure\n",
        "routes.conf": routes,
        "acl.conf": acl,
        "groups.conf": groups,
    }


A = server(
    "A",
    (
        "TOPIC=orders.* USER=bob PERM=publish\nTOPIC=orders.eu GROUP=traders "
        "PERM=subscribe,durable\nTOPIC=orders.eu USER=B PERM=subscribe\n"
    ),
    'traders: "those who trade"\n  ann\n  bob\n',
    "[B]\n  url = tcp://b:7222\n",
)


def rows(answer, name="A"):
    return [
        (row["who"], row["permissions"], row["state"])
        for row in answer.rows
        if row["server"] == name
    ]


def test_groups_are_expanded_and_each_permission_cites_its_line(estate):
    answer = estate({"A": A, "B": server("B", authorization="disabled")}).show(
        "access", "topic:orders.eu"
    )
    found = rows(answer)
    assert ("", "", "checked: it is secure") in found
    assert ("user bob", "publish", "granted") in found
    through = "granted through group traders (A/groups.conf:1:1)"
    assert ("user ann", "subscribe, durable", through) in found
    assert ("user bob", "subscribe, durable", through) in found
    cited = {row["who"]: row["source"]["line"] for row in answer.rows if row["state"] == through}
    assert cited == {"user ann": 2, "user bob": 2}
    assert rows(answer, "B") == [("", "", "not checked: authorization is not enabled")]


def test_what_a_neighbour_lacks_is_said_with_the_line_to_add_and_its_place(estate):
    answer = estate({"A": A, "B": server("B", authorization="disabled")}).show(
        "access", "topic:orders.eu"
    )
    missing = {
        row["state"]: row["source"]
        for row in answer.rows
        if str(row["state"]).startswith("missing")
    }
    place = {"file": "A/acl.conf", "line": 4, "column": 1}
    assert missing == {
        "missing for messages from A to B: add TOPIC=orders.eu USER=B PERM=durable": place,
        "missing for messages from B to A: add TOPIC=orders.eu USER=B PERM=publish": place,
    }


def test_a_queue_asks_for_send_alone(estate):
    answer = estate({"A": A, "B": server("B")}).show("access", "queue:Q")
    assert (
        "user B",
        "send",
        "missing for messages from B to A: add QUEUE=Q USER=B PERM=send",
    ) in rows(answer)


def test_one_user_is_shown_with_the_grants_of_its_groups(estate):
    answer = estate({"A": A, "B": server("B")}).show("access", "topic:orders.eu", user="ann")
    assert [row[:2] for row in rows(answer)] == [("", ""), ("user ann", "subscribe, durable")]


def test_a_group_without_members_or_without_a_definition_is_shown_itself(estate):
    acl = "TOPIC=orders.eu GROUP=nobody PERM=publish\nTOPIC=orders.eu GROUP=gone PERM=publish\n"
    answer = estate({"A": server("A", acl, 'nobody: "none"\n')}).show("access", "topic:orders.eu")
    assert rows(answer)[1:] == [
        ("group nobody", "publish", "granted through group nobody, which has no members"),
        ("group gone", "publish", "granted through group gone, which is defined nowhere there"),
    ]


@pytest.mark.parametrize(
    ("permissions", "missing"), [("all", 0), ("subscribe,durable,publish", 0), ("publish", 1)]
)
def test_the_permission_all_stands_for_each(estate, permissions, missing):
    acl = f"TOPIC=orders.eu USER=B PERM={permissions}\n"
    folders = {
        "A": server("A", acl, routes="[B]\n  url = tcp://b:7222\n"),
        "B": server("B", authorization="disabled"),
    }
    found = rows(estate(folders).show("access", "topic:orders.eu"))
    assert len([state for *_, state in found if state.startswith("missing")]) == missing


def test_a_destination_that_is_not_secure_is_not_checked(estate):
    assert rows(estate({"A": A}).show("access", "topic:open")) == [
        ("", "", "not checked: it is not secure")
    ]


def test_a_server_that_does_not_have_the_destination_and_grants_nothing_on_it_has_no_rows(estate):
    answer = estate({"A": A, "B": {"topics.conf": "bills\n"}}).show("access", "topic:orders.eu")
    assert {row["server"] for row in answer.rows} == {"A"}


def test_files_that_were_not_found_leave_it_open_and_nothing_is_called_missing(estate):
    without = {name: text for name, text in A.items() if name != "acl.conf"}
    found = rows(estate({"A": without}).show("access", "topic:orders.eu"))
    assert [state for *_, state in found] == ["not known: acl_list of A not found or not all read"]


@pytest.mark.parametrize("asked", [("zones", "topic:orders"), ("access", "")])
def test_a_destination_goes_with_access_and_a_user_with_a_destination(estate, asked):
    with pytest.raises(UsageError, match="show access topic:orders --user U"):
        estate({"A": A}).show(*asked, user="ann")
