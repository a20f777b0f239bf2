"""What a report says of the networks of ``examples/``, read from the questions of the command
line.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest

import topograph
from topograph.findings import Source
from topograph.network import Network
from topograph.reporting import Report, collect
from topograph.reporting.report import FindingGroup, FindingShown
from topograph.reporting.verdict import first_things, order_of

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = (
    "estate",
    "routers",
    "mixed",
    "retail",
    "orders",
    "two-1hop-zones",
    "mhop-star",
    "sibus_orders",
    "queue_managers",
)


@pytest.fixture(scope="module", params=NAMES)
def asked(request) -> tuple[Network, Report]:
    network = topograph.read(EXAMPLES / request.param)
    return network, collect(network._model)


def test_every_finding_of_check_stands_in_one_group_in_its_order(asked):
    network, report = asked
    found = [
        (one.severity, one.message, str(one.source))
        for group in report.groups
        for one in group.findings
    ]
    told = [
        (one["severity"], one["message"], _place(one["source"])) for one in network.check().findings
    ]
    assert Counter(found) == Counter(told)
    assert report.counts == network.check().counts
    ranks = [group.severity for group in report.groups]
    assert ranks == sorted(ranks, key=["error", "warning", "info"].index)
    assert len({(group.severity, group.label) for group in report.groups}) == len(report.groups)


def test_the_inventory_has_what_show_servers_and_show_zones_list(asked):
    network, report = asked
    rows = {
        (row["server"], row["loaded"], row["neighbours"]) for row in network.show("servers").rows
    }
    assert {(one.name, one.loaded, one.neighbours) for one in report.servers} == rows
    zones = [
        (row["zone"], row["type"], row["routes"], tuple(row["servers"]))
        for row in network.show("zones").rows
    ]
    assert [(one.name, one.type, one.links, one.servers) for one in report.zones] == sorted(zones)
    assert report.header.servers_loaded + report.header.servers_named == len(report.servers)


def test_the_matrix_of_zones_has_the_hops_of_reach(asked):
    network, report = asked
    matrix = report.matrix
    assert matrix is not None
    reached = {
        name: {one.server: one.hops for one in network.reach(name).servers if one.certain}
        for name in network.server_names()
    }
    assert matrix.reached == sum(map(len, reached.values()))
    members = {zone.name: set() for zone in report.zones}
    for zone in report.zones:
        members[zone.name] |= set(zone.servers)
    if matrix.noun == "server":
        members = {name: {name} for name in network.server_names()}
    for row, first in enumerate(matrix.groups):
        for column, second in enumerate(matrix.groups):
            pairs = [(a, b) for a in members[first] for b in members[second] if a != b]
            cell = matrix.cells[row][column]
            if not pairs:
                assert cell is None
                continue
            hops = [reached[a][b] for a, b in pairs if b in reached[a]]
            assert (cell.pairs, cell.reached) == (len(pairs), len(hops))
            if hops:
                assert (cell.least, cell.most) == (min(hops), max(hops))
                assert reached[cell.example[0]][cell.example[1]] == cell.most


def test_every_file_has_the_digest_of_its_content(asked):
    network, report = asked
    root = Path(network._model.records.named)
    for row in report.provenance.files:
        data = (root / row.path).read_bytes() if root.is_dir() else root.read_bytes()
        assert row.sha256 == hashlib.sha256(data).hexdigest(), row.path


def test_the_verdict_says_what_cycles_and_check_say(asked):
    network, report = asked
    legal, counts = network.cycles(), network.check().counts
    sentence, state = report.verdict.sentence, report.verdict.state
    assert ("Illegal" in sentence) == (legal.legal is False)
    assert state == "bad" or not (counts["error"] or legal.legal is False)
    assert state != "good" or not (counts["warning"] or report.header.servers_named)


def test_a_clean_estate_is_said_to_be_clean_with_what_that_rests_on():
    report = collect(topograph.read(EXAMPLES / "orders")._model)
    assert report.verdict.sentence == "Legal and clean: no errors and no warnings."
    assert report.verdict.state == "good"
    assert report.first == ()
    assert (
        "every configured link, whether it is up or not, was checked for a second path"
        in report.verdict.rests_on
    )


def test_things_to_do_first_are_five_at_most_errors_before_warnings_one_for_each_rule():
    def group(severity: str, label: str, number: int) -> FindingGroup:
        one = FindingShown(
            severity, label, "kind", f"{label} is wrong", "A", (), Source("a.conf", 1, 1), ""
        )
        return FindingGroup(severity, label, "", "", (one,) * number)

    groups = [
        group("error", "E1", 1),
        group("error", "E2", 3),
        group("error", "MISSING", 1),
        group("warning", "W1", 9),
        group("warning", "MISSING", 50),
        group("warning", "W2", 2),
        group("info", "I1", 99),
    ]
    first = first_things(groups, {"MISSING"})
    assert [(one.severity, one.rule, one.alike) for one in first] == [
        ("error", "MISSING", 0),
        ("error", "E2", 2),
        ("error", "E1", 0),
        ("warning", "W1", 8),
        ("warning", "W2", 1),
    ]
    assert order_of(first, {"MISSING"}) == (
        "By harm: errors, which cannot work as written, before warnings; of each, the most "
        "frequent first; missing files before other errors."
    )
    warnings = first_things(groups[3:6], {"MISSING"})
    assert [one.rule for one in warnings] == ["W1", "W2", "MISSING"]
    assert order_of(warnings, {"MISSING"}) == (
        "All are warnings: the most frequent first; missing files after other warnings."
    )
    assert order_of(first[:1], {"MISSING"}) == ""


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("estate", {"TIBCO EMS": "12 servers"}),
        ("routers", {"AMQ Interconnect": "5 routers, 1 edge router and 2 brokers or containers"}),
        (
            "mixed",
            {
                "IBM MQ": "1 queue manager",
                "WebSphere MQ Everyplace": "2 queue managers",
                "SIBus": "1 bus",
            },
        ),
        ("queue_managers", {"IBM MQ": "5 queue managers"}),
    ],
)
def test_a_report_says_which_kinds_of_servers_the_files_show(name, kinds):
    header = collect(topograph.read(EXAMPLES / name)._model).header
    assert dict(zip(header.systems, header.kinds, strict=True)) == kinds


def _place(source: dict[str, object]) -> str:
    return str(Source(source["file"], source["line"], source["column"]))


def test_a_report_lists_services_as_the_question_does() -> None:
    (table,) = [
        one
        for one in collect(topograph.read(EXAMPLES / "services")._model).tables
        if one.what == "services"
    ]
    told = [(row["address"], row["server"], row["at"], row["served"]) for row in table.rows]
    assert told == [
        ("address:orders", "SHOP", "", "no"),
        ("address:prices", "", "DEPOT", "no"),
        ("address:stock", "SHOP", "DEPOT", "yes"),
        ("address:stock", "SHOP", "YARD", "at run time"),
    ]
    assert table.total == len(table.rows)
    assert "services" not in [
        one.what for one in collect(topograph.read(EXAMPLES / "estate")._model).tables
    ]
