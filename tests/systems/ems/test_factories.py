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


def test_the_servers_behind_each_url_come_from_listeners_routes_and_hosts(estate):
    a = "server = A\nrouting = enabled\nlisten = tcp://a.example:7222\nroutes = routes.conf\nfactories = factories.conf\n"
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
    assert {row["name"]: row["source"]["line"] for row in answer.rows} == {"Both": 1, "Lost": 5, "Named": 9}
