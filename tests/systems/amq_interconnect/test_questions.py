"""Questions about messages to addresses: who receives them is said in several places, and what
cannot be asked is one clear line.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import topograph
from topograph.cli.main import exit_code
from topograph.opening.folders import read_snapshot
from topograph.pipeline.snapshot_writer import keep
from topograph.questions.text import text
from topograph.store.names import destination_names

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def routers() -> topograph.Network:
    return topograph.read(EXAMPLES / "routers")


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asking")
    for name in ("routers", "estate"):
        keep(read_snapshot(EXAMPLES / name), folder / f"{name}.snapshot")
    return folder


def receivers(answer) -> dict[str, str]:
    return {entry.receiver: entry.subscriber for entry in answer.deliveries}


@pytest.mark.parametrize("subscriber", ["FRA:address:news", "FRA:news"])
def test_a_subscriber_of_the_question_is_a_declared_receiver(routers, subscriber):
    assert receivers(routers.propagate("LON", "address:news", subscribers=[subscriber])) == {
        "receiver at FRA": "declared"
    }


def test_clients_of_a_file_receive_for_one_question(snapshots, tmp_path, capsys):
    clients = tmp_path / "clients.csv"
    clients.write_text("server,destination,role,client_id\nFRA,address:news,receiver,reader\n")
    words = ["propagate", "LON", "--destination", "address:news", "--clients", str(clients)]
    assert exit_code([*words, "-s", str(snapshots / "routers.snapshot")]) == 0
    assert capsys.readouterr().out.startswith(
        "A message to address:news sent at LON goes to reader at FRA.\n"
    )


def test_a_message_file_says_the_subject_and_that_the_sender_is_anonymous(
    snapshots, tmp_path, capsys
):
    message = tmp_path / "message.json"
    message.write_text(
        '{"destination": "address:retired", "anonymous": true, "properties": {"subject": "x"}}'
    )
    words = [
        "propagate",
        "LON",
        "--message",
        str(message),
        "-s",
        str(snapshots / "routers.snapshot"),
    ]
    assert exit_code(words) == 0
    # refused is the attach, and an anonymous sender attaches to no address: its message is rejected
    assert "The sender sees: rejected" in capsys.readouterr().out


def test_without_that_the_attach_is_refused(routers):
    assert routers.propagate("LON", "address:retired").sender.outcome == "REFUSED"
    answer = routers.propagate("LON", "address:retired", anonymous=True)
    assert (answer.sender.outcome, answer.message["anonymous"]) == ("rejected", True)


REFUSED = [
    ("routers", ["LON", "--destination", "topic:alerts"], "Did you mean address:alerts?"),
    (
        "routers",
        ["LON", "--destination", "address:a.*"],
        "a.* holds a wildcard; a message goes to one address (A-2).",
    ),
    (
        "routers",
        ["LODON", "--destination", "address:a"],
        "No server is called 'LODON' in network routers. Did you mean LON?",
    ),
    (
        "routers",
        ["LON", "--destination", "address:alerts", "--subscriber", "ROM:topic:alerts"],
        "Did you mean ROM:address:alerts?",
    ),
    (
        "routers",
        ["LON", "--destination", "address:alerts", "--subscriber", "NOWHERE:alerts"],
        "No server is called 'NOWHERE'",
    ),
    (
        "estate",
        ["HQ", "--destination", "address:orders"],
        "Did you mean topic:orders or queue:orders?",
    ),
    (
        "estate",
        ["HQ", "--destination", "topic:orders", "--anonymous"],
        "--anonymous has no meaning for TIBCO EMS, which HQ runs.",
    ),
]


@pytest.mark.parametrize(("example", "words", "said"), REFUSED)
@pytest.mark.parametrize("question", ["propagate", "trace"])
def test_what_cannot_be_asked_is_one_line_and_exit_code_2(
    question, example, words, said, snapshots, capsys
):
    assert exit_code([question, *words, "-s", str(snapshots / f"{example}.snapshot")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_client_at_a_router_whose_files_are_missing_is_left_out_and_said(tmp_path):
    (tmp_path / "london.conf").write_text((EXAMPLES / "routers" / "london.conf").read_text())
    (tmp_path / "topograph.yaml").write_text((EXAMPLES / "routers" / "topograph.yaml").read_text())
    answer = topograph.read(tmp_path).propagate("LON", "address:alerts")
    left_out = [
        warning.message for warning in answer.warnings if warning.rule == "client-not-counted"
    ]
    assert receivers(answer) == {"desk-london": "declared"}
    assert left_out == [
        "a client of address:alerts is left out: MAD is not a server here",
        "a client of address:alerts is left out: ROM is not a server here",
    ]


def test_nothing_is_said_of_what_is_sent_at_a_router_whose_files_are_missing(tmp_path):
    for name in ("london.conf", "topograph.yaml"):
        (tmp_path / name).write_text((EXAMPLES / "routers" / name).read_text())
    network = topograph.read(tmp_path)
    with pytest.raises(topograph.errors.NotApplicable, match="No file of PAR is loaded"):
        network.propagate("PAR", "address:alerts")


def test_a_router_that_does_not_start_takes_no_messages(tmp_path):
    (tmp_path / "london.conf").write_text(
        "router {\n    mode: interior\n    id: LON\n    nonsense: 1\n}\n"
    )
    with pytest.raises(
        topograph.errors.NotApplicable,
        match=r"LON takes no messages: .*does not start.*london\.conf",
    ):
        topograph.read(tmp_path).propagate("LON", "address:alerts")


def test_addresses_link_routes_and_autolinks_complete_a_destination(snapshots):
    assert destination_names(snapshots / "routers.snapshot") == [
        "address:alerts",
        "address:archive",
        "address:jobs",
        "address:orders",
        "address:prices",
        "address:retired",
    ]


def test_show_destinations_lists_entries_link_routes_and_autolinks_with_their_places(routers):
    rows = {
        (row["type"], row["name"], str(row["source"]["file"]))
        for row in routers.show("destinations").rows
    }
    assert {
        ("address", "alerts", "london.conf"),
        ("autoLink", "orders", "frankfurt.conf"),
        ("linkRoute", "archive", "paris.conf"),
    } <= rows


def linked(folder: Path, links: str) -> topograph.Network:
    """Interior routers joined as ``A-B:2 B-C:1`` says; those that begin with E are edges."""
    texts: dict[str, str] = {}
    for port, link in enumerate(links.split(), 7000):
        ends, _, cost = link.partition(":")
        a, b = ends.split("-")
        role = "edge" if a.startswith("E") else "inter-router"
        body = f"  host: 127.0.0.1\n  port: {port}\n  role: {role}\n" + (
            f"  cost: {cost}\n" if cost else ""
        )
        texts[a] = texts.get(a, "") + f"connector {{\n{body}}}\n"
        texts[b] = texts.get(b, "") + f"listener {{\n{body}}}\n"
    for name, sections in texts.items():
        mode = "edge" if name.startswith("E") else "interior"
        (folder / f"{name}.conf").write_text(
            f"router {{\n  mode: {mode}\n  id: {name}\n}}\n{sections}"
        )
    return topograph.read(folder)


def test_paths_lists_those_of_equal_cost_that_are_not_taken(tmp_path):
    network = linked(tmp_path, "A-B A-C A-D B-Z C-Z D-Z E1-A")
    answer = network.paths("E1", "Z")
    assert [path.servers for path in answer.paths] == [("E1", "A", "B", "Z")]
    assert (answer.unused, answer.unused_count) == (
        (("E1", "A", "C", "Z"), ("E1", "A", "D", "Z")),
        2,
    )
    assert "1 path from E1 to Z; 2 more of the same cost not taken." in text(answer)
    assert (
        network.paths("A", "Z", maximum=1).unused,
        network.paths("A", "Z", maximum=1).unused_count,
    ) == (
        (("A", "C", "Z"),),
        2,
    )
    assert network.paths("A", "B").unused == ()


@pytest.mark.parametrize(
    ("receivers", "said"),
    [
        (
            ["A:q", "B:q"],
            (
                "only the receivers at A; under backlog also B when the backlog there "
                "exceeds 2 (the cost"
            ),
        ),
        (
            ["B:q", "C:q"],
            (
                "only B; under backlog also C when the backlog there exceeds 3 (the "
                "difference of the costs"
            ),
        ),
        (
            ["A:q", "B:q", "C:q"],
            (
                "also B when the backlog there exceeds 2; then C when the backlog there "
                "exceeds 5 (the cost"
            ),
        ),
        (
            ["B:q", "D:q", "C:q"],
            (
                "only one of B, D (always the same); under backlog also C when the backlog "
                "there exceeds 3"
            ),
        ),
    ],
)
def test_balanced_spills_to_others_by_the_difference_of_the_costs(tmp_path, receivers, said):
    network = linked(tmp_path, "A-B:2 A-C:5 A-D:2")
    answer = network.propagate("A", "address:q", subscribers=receivers)
    (note,) = [one for one in answer.warnings if one.message.startswith("balanced: ")]
    assert said in note.message


@pytest.mark.parametrize(("version", "rules"), [("1.19.0", ["M-4"]), ("1.12.0", [])])
def test_cycles_warns_of_multicast_copies_from_1_13_on(version, rules, tmp_path):
    shutil.copytree(EXAMPLES / "routers", tmp_path / "routers")
    side_inputs = tmp_path / "routers" / "topograph.yaml"
    side_inputs.write_text(side_inputs.read_text().replace("1.19.0", version))
    answer = topograph.read(tmp_path / "routers").cycles()
    assert answer.legal
    assert [warning.rule for warning in answer.warnings] == rules


BROKER = "connector {\n name: b\n host: h\n port: 5672\n role: route-container\n}\n"


@pytest.mark.parametrize(
    ("link", "entry", "outcomes"),
    [
        ("fallback: yes", "", ("DELIVERED(a receiver at A)",)),
        ("fallback: yes", "enableFallback: yes", ("DEPOSITED(h:5672, q)",)),
        ("phase: 2", "", ("DELIVERED(a receiver at A)",)),
        ("phase: 0", "", ("DEPOSITED(h:5672, q)",)),
    ],
)
def test_a_container_counts_as_receiver_where_the_senders_messages_come_to_it(
    tmp_path, link, entry, outcomes
):
    """F-2, W-1: to the fallback where the entry has one, else in the phase of senders alone."""
    (tmp_path / "a.conf").write_text(
        f"router {{\n id: A\n mode: interior\n}}\n{BROKER}"
        f"address {{\n prefix: q\n {entry}\n}}\n"
        f"autoLink {{\n address: q\n direction: out\n connection: b\n {link}\n}}\n"
    )
    assert topograph.read(tmp_path).trace("A", "address:q").outcomes == outcomes
