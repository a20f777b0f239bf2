"""Output of skstat of today [skupper-router tools/skstat.in, commit 0a4e3fd8]."""

from __future__ import annotations

from pathlib import Path

import topograph
from topograph.importers.amq_interconnect.qdstat import read_qdstat
from topograph.importers.positions.places import Placing

HEAD = "2026-11-28 01:18:06.073878+00:00 UTC\nHUB\n\n"
GENERAL = """Router Statistics
  attr                       value
  =================================
  Version                    3.5.1
  Mode                       interior
  Router Id                  HUB
  Host Name                  hub-1
  Hello Interval Seconds     1
  Remote Ls Max Age Seconds  60
  Timestamps In UTC          no
  Default Distribution       unavailable
  Metadata                   tiger
  Data Connection Count      2
  Van Id                     mill
  Total Connections          4
  TCP Service Connections    1
  HTTP/2 Service Connections 0
"""
EDGES = """Connections
  id  host             container  dir  security     authentication  active
  ========================================================================
  12  127.0.0.1:34726  SHOP       in   no-security  anonymous-user  yes
"""
ADDRESSES = """Router Addresses
  class   addr   distrib   pri  in-proc  local  remote  in  out  thru  to-proc  from-proc  watch
  ==============================================================================================
  mobile  stock  balanced  -    0        1      0       0   0    0     0        0          Y
"""


def findings_of(folder: Path) -> list[str]:
    return [
        one["message"]
        for one in topograph.read(folder).check().findings
        if "not read" in one["message"] or "no part of" in one["message"]
    ]


def test_every_row_and_column_is_known(tmp_path: Path) -> None:
    text = "".join(HEAD + table + "\n" for table in (GENERAL, EDGES, ADDRESSES))
    (tmp_path / "hub.txt").write_text(text, "utf-8")
    assert findings_of(tmp_path) == []


def test_a_row_that_nobody_knows_is_a_finding(tmp_path: Path) -> None:
    text = HEAD + GENERAL.replace("Van Id", "Zan Id")
    (tmp_path / "hub.txt").write_text(text, "utf-8")
    assert [one for one in findings_of(tmp_path) if "Zan Id" in one]


def test_the_table_of_edges_shows_edges_and_no_other_connections() -> None:
    said = read_qdstat(HEAD + GENERAL + "\n" + HEAD + EDGES, Placing("hub.txt"))
    (edge,) = [one for one in said.entities if one.type == "connection"]
    assert (edge.get("role"), edge.get("container")) == ("edge", "SHOP")
    assert {one.classes: one.extent for one in said.shown}[("connection",)] == "condition"


def test_the_default_distribution_is_what_the_router_says(tmp_path: Path) -> None:
    (tmp_path / "hub.txt").write_text(HEAD + GENERAL, "utf-8")
    messages = [one["message"] for one in topograph.read(tmp_path).check().findings]
    assert not [one for one in messages if "counts as balanced" in one]
    answer = topograph.read(tmp_path).propagate("HUB", "address:nobody.configured")
    assert "tiger" not in str(answer.to_dict())
    assert "not-found" in str(answer.to_dict())
