"""Links that run, beside links that are configured."""

from __future__ import annotations

import json

from systems.amq_interconnect.dumped import Dump, findings, linked, links


def test_a_configured_link_that_is_not_up_stays_and_is_named(estate):
    network = estate(
        Dump("A").neighbours(), files={"a.conf": linked("A"), "b.conf": linked("B", up=True)}
    )
    assert links(network) == [("A", "B", 1)]
    ((_, place, message),) = findings(network, "link-not-up")
    assert place == "b.conf:5"
    assert (
        "connector to, listener a.conf:5:1), and is not up: A lists no such neighbour (A.json:"
        in message
    )
    assert [place for _, place, _ in findings(network, "router-not-running")] == ["b.conf:1"]


def test_a_link_that_both_dumps_deny_is_named_once_with_the_row_of_each(estate):
    dumps = (Dump("A").neighbours("C"), Dump("B").neighbours())
    network = estate(*dumps, files={"a.conf": linked("A"), "b.conf": linked("B", up=True)})
    ((_, _, message),) = findings(network, "link-not-up")
    own = [f"{dump.id}.json:{place['line']}" for dump in dumps for place in [own_row(dump)]]
    assert f"A and B list no such neighbour ({own[0]}:2, {own[1]}:2)" in message


def own_row(dump):
    """Where the row of a dump's own router begins in its file."""
    lines = json.dumps(dump.rows, indent=1).splitlines()
    number = next(
        place for place, line in enumerate(lines) if line.endswith('"nextHop": "(self)",')
    )
    return {
        "line": max(place for place, line in enumerate(lines[:number], start=1) if line == " {")
    }


def test_a_resource_whose_routers_get_their_ids_at_start_is_not_said_not_to_run(estate):
    resource = """\
        apiVersion: interconnectedcloud.github.io/v1alpha1
        kind: Interconnect
        metadata:
          name: mesh
        spec:
          deploymentPlan:
            role: interior
            size: 2
        """
    network = estate(Dump("A").neighbours(), files={"mesh.yaml": resource})
    assert [place.partition(":")[0] for _, place, _ in findings(network, "router-not-told")] == [
        "mesh.yaml"
    ]
    assert not findings(network, "router-not-running")


def test_a_link_that_no_file_configures_is_named(estate):
    network = estate(
        Dump("A").neighbours("B"), files={"a.conf": linked("A"), "b.conf": linked("B")}
    )
    ((_, place, message),) = findings(network, "link-not-configured")
    assert (place.startswith("A.json:"), message) == (
        True,
        "A lists B as its neighbour, and no file configures a link between them",
    )


def test_routes_that_do_not_follow_from_the_files_are_named(estate):
    network = estate(
        Dump("A").neighbours("B", B=4),
        files={"a.conf": linked("A"), "b.conf": linked("B", up=True)},
    )
    ((_, _, message),) = findings(network, "route-differs")
    assert (
        message
        == "A reaches B with cost 4, while the links loaded give B as next hop and the cost 1"
    )
