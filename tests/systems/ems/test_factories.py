"""``show factories``: the servers that clients reach by a connection factory (ems.md 1.6)."""

from __future__ import annotations

FACTORIES = """[Both]
  type = generic
  url = tcp://a.example:7222,tcp://b.example:7300

[Lost]
  type = topic
  url = tcp://gone.example:7222

[Named]
  type = queue
  url = tcp://alias.example:7222
"""


def test_each_row_of_a_pair_says_of_which_member_it_is(estate):
    main = "server = A\nft_active = tcp://other:7222\nfactories = f.conf\n"
    answer = estate(
        {"A": {"one.conf": main, "tibemsd.conf": f"{main}\n", "f.conf": "[F]\n  url = tcp://x:1\n"}}
    ).show("factories")
    assert [row["configuration"] for row in answer.rows] == ["A/one.conf", "A/tibemsd.conf"]
    assert "configuration" in answer.columns


def test_a_port_without_a_host_is_the_server_itself_where_it_listens_there(estate):
    factories = "".join(
        f"[{name}]\n  url = {url}\n"
        for name, url in {
            "Own": "tcp://7222",
            "Other": "tcp://7300",
            "Client": "tcp://localhost:7222",
        }.items()
    )
    main = "server = {}\nrouting = enabled\nlisten = tcp://7222\nfactories = factories.conf\n"
    folders = {
        name: {"tibemsd.conf": main.format(name), "factories.conf": factories}
        for name in ("A", "B")
    }
    rows = estate(folders).show("factories").rows
    assert {(row["server"], row["name"]): row["leads_to"] for row in rows} == {
        **{(name, "Own"): name for name in ("A", "B")},
        **{(name, "Other"): "not known: the default host:7300" for name in ("A", "B")},
        **{(name, "Client"): "not known: localhost:7222" for name in ("A", "B")},
    }


def test_the_servers_behind_each_url_come_from_listeners_routes_and_hosts(estate):
    a = (
        "server = A\nrouting = enabled\nlisten = tcp://a.example:7222\nroutes = "
        "routes.conf\nfactories = factories.conf\n"
    )
    folders = {
        "A": {
            "tibemsd.conf": a,
            "routes.conf": "[B]\n  url = tcp://b.example:7300\n",
            "factories.conf": FACTORIES,
        },
        "B": {},
    }
    answer = estate(folders, {"topograph.yaml": "hosts:\n  alias.example: B\n"}).show("factories")
    assert {row["name"]: row["leads_to"] for row in answer.rows} == {
        "Both": "A, B",
        "Lost": "not known: gone.example:7222",
        "Named": "B",
    }
    assert {row["name"]: row["source"]["line"] for row in answer.rows} == {
        "Both": 1,
        "Lost": 5,
        "Named": 9,
    }


def test_a_url_without_a_port_means_the_default_one_and_a_listener_on_every_address_names_no_server(
    estate,
):
    factories = "".join(
        f"[{name}]\n  type = topic\n  url = tcp://{where}\n\n"
        for name, where in (
            ("Default", "a.example"),
            ("Other", "a.example:7223"),
            ("Any", "0.0.0.0:7222"),
        )
    )
    a = (
        "server = A\nlisten = tcp://a.example:7222\nlisten = tcp://0.0.0.0:7222\nfactories = "
        "factories.conf\n"
    )
    answer = estate({"A": {"tibemsd.conf": a, "factories.conf": factories}}).show("factories")
    assert {row["name"]: row["leads_to"] for row in answer.rows} == {
        "Default": "A",
        "Other": "not known: a.example:7223",
        "Any": "not known: 0.0.0.0:7222",
    }
