"""Every line for topograph.yaml that a finding suggests works when it is pasted there."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
import yaml

import topograph

HINT = re.compile(r"add to topograph\.yaml under hosts: (.*)\Z", re.DOTALL)


def router(id_, *endpoints, mode="interior"):
    """Endpoints as ``connector HOST:PORT ROLE [COST]``."""
    text = f"router {{\n    mode: {mode}\n    id: {id_}\n}}\n"
    for one in endpoints:
        kind, address, role, *cost = one.split()
        host, port = address.rsplit(":", 1)
        text += f"{kind} {{\n    host: {host}\n    port: {port}\n    role: {role}\n"
        text += "".join(f"    cost: {number}\n" for number in cost) + "}\n"
    return text


def read(folder, texts, hosts=()):
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "topograph.yaml").write_text(
        "".join(["hosts:\n", *(f"  {line}\n" for line in hosts)]) if hosts else "{}\n"
    )
    return topograph.read(folder)


def findings(network):
    return [SimpleNamespace(**row) for row in network.check().findings]


def hints(network):
    """The suggested lines of every finding, each alternative apart."""
    found = (HINT.search(one.message) for one in findings(network))
    return [line for match in found if match for line in match[1].split(" or ")]


def asking(address, role="inter-router", mode="interior"):
    return router("A", f"connector {address} {role}", mode=mode)


def listening(id_, *more, host="0.0.0.0", role="inter-router"):
    return router(id_, f"listener {host}:1 {role}", *more)


NETWORKS = {
    "a name like the host's": {
        "a": asking("west:1"),
        "w": listening("WEST"),
        "e": listening("EAST"),
    },
    "one of several": {"a": asking("hub:1"), "w": listening("W"), "e": listening("E")},
    "taken by elimination": {"a": asking("hub:1"), "w": listening("W")},
    "on one machine": {"a": asking("127.0.0.1:1"), "w": listening("W")},
    "an id that is filled in": {"a": asking("hub:1"), "w": listening("${HOSTNAME}")},
    "ids that are filled in": {
        "a": asking("hub:1"),
        "w": listening("${HOSTNAME}"),
        "v": listening("${HOSTNAME}"),
    },
    "ids that YAML reads as something else": {
        "a": asking("hub:1"),
        "w": listening("no"),
        "v": listening("17"),
    },
    "no listener on that port": {"a": asking("hub:443"), "w": listening("ROUTER")},
    "several listeners behind a route": {
        "a": asking("hub:443"),
        "w": listening("ROUTER", "listener 0.0.0.0:2 inter-router 5"),
    },
    "an uplink": {
        "a": asking("hub:443", "edge", "edge"),
        "w": listening("ROUTER", "listener 0.0.0.0:2 inter-router", role="edge"),
    },
    "a host to be filled in": {"a": asking("<hub>:1"), "w": listening("W"), "v": listening("V")},
    "an address of version 6": {
        "a": asking("fd00::1:1"),
        "w": listening("W", host="::"),
        "v": listening("V", host="::"),
    },
}


@pytest.mark.parametrize("texts", NETWORKS.values(), ids=NETWORKS)
def test_a_suggested_host_is_followed_and_not_suggested_again(tmp_path, texts):
    lines = hints(read(tmp_path, texts))
    assert lines
    for line in lines:
        ((key, server),) = yaml.safe_load(line).items()
        assert isinstance(server, str)
        network = read(tmp_path, texts, [line])
        assert hints(network) == [], line
        (there,) = [one for one in network.reach("A").servers if one.hops == 1]
        assert there.server == server, key


def test_a_host_alone_that_is_reached_on_another_port_is_suggested_with_its_port(tmp_path):
    texts = NETWORKS["no listener on that port"]
    (line,) = hints(read(tmp_path, texts, ["hub: ROUTER"]))
    assert line == '"hub:443": ROUTER'
    assert hints(read(tmp_path, texts, [line])) == []


@pytest.mark.parametrize(
    ("texts", "entry", "why"),
    [
        (
            {"a": asking("hub:443"), "b": router("B", "listener 0.0.0.0:1 normal")},
            "B",
            (
                "B (topograph.yaml) does not listen on port 443 and has no listener of role "
                "inter-router"
            ),
        ),
        (
            {"a": asking("hub:443")},
            "FAR",
            "topograph.yaml names FAR, of which no file is loaded",
        ),
    ],
)
def test_a_line_that_leads_nowhere_is_not_suggested_again(tmp_path, texts, entry, why):
    network = read(tmp_path, texts, [f'"hub:443": {entry}'])
    assert hints(network) == ['"hub:443": ROUTER'] * (entry == "FAR")
    assert [
        why in one.message for one in findings(network) if one.kind == "unmatched-connector"
    ] == [True]


def test_a_host_that_topograph_yaml_does_not_take_is_not_suggested(tmp_path):
    network = read(tmp_path, {"a": asking("amqp://hub:1")})
    assert hints(network) == []


def test_an_id_that_several_files_have_is_suggested_by_the_names_that_tell_them_apart(tmp_path):
    texts = NETWORKS["ids that are filled in"]
    (tmp_path / "first").mkdir()
    lines = hints(read(tmp_path / "first", texts, ['"hub:1": "${HOSTNAME}"']))
    assert lines == ['"hub:1": "${HOSTNAME} (v)"', '"hub:1": "${HOSTNAME} (w)"']


@pytest.mark.parametrize("name", ["EMS", "no", "a,b", "x y", "4711"])
def test_the_suggested_choice_among_configurations_of_one_name_is_followed(tmp_path, name):
    for folder in ("one, two", "three"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tibemsd.conf").write_text(f"server = {name}\nlisten = tcp://7222\n")
    (finding,) = [
        one for one in findings(topograph.read(tmp_path)) if one.kind == "duplicate-server-name"
    ]
    line = finding.message.partition("topograph.yaml: ")[2]
    (tmp_path / "topograph.yaml").write_text(line + "\n")
    assert [
        one.kind
        for one in findings(topograph.read(tmp_path))
        if one.kind == "duplicate-server-name"
    ] == []
