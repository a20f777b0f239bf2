"""Lint rules of IBM MQ: what neither their pages in docs/rules nor vectors show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from systems.ibm_mq.views import Drawn, whole_display

import topograph
from topograph.facts.ibm_mq import Described
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options
from topograph.side_inputs import SideInputs
from topograph.systems import compile_network

LINK = (
    "DEFINE QLOCAL(B) USAGE(XMITQ) {queue}\nDEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) "
    "CONNAME('b(1414)') {channel}"
)


def found(folder: Path, a: str, b: str = "") -> dict[str, str]:
    """The message of each lint rule."""
    for name, text in (("A", a), ("B", b)):
        (folder / f"{name}.mqsc").write_text(
            f"* Queue manager name: {name}\nALTER QMGR DESCR('x') DEADQ(D)\nDEFINE "
            f"QLOCAL(D)\n{text}\n"
        )
    return {
        str(one["rule"]): f"{one['severity']}: {one['message']}"
        for one in topograph.read(folder).check().findings
    }


def test_the_objects_that_new_ones_are_made_like_have_no_faults_and_do_not_fail(
    tmp_path: Path,
) -> None:
    """As a dump with -a shows them, with the topics of the queue manager itself."""
    (tmp_path / "A.mqsc").write_text(
        "* Queue manager name: A\n* Command issued: dmpmqcfg -m A -a\n"
        "ALTER QMGR DEADQ('D') DEFXMITQ(' ') REPOS(' ')\nDEFINE QLOCAL('D') REPLACE\n"
        "DEFINE QALIAS('SYSTEM.DEFAULT.ALIAS.QUEUE') TARGET(' ') TARGTYPE(QUEUE) REPLACE\n"
        "DEFINE QREMOTE('SYSTEM.DEFAULT.REMOTE.QUEUE') RNAME(' ') RQMNAME(' ') REPLACE\n"
        "DEFINE CHANNEL('SYSTEM.DEF.SENDER') CHLTYPE(SDR) CONNAME(' ') XMITQ(' ') REPLACE\n"
        "DEFINE CHANNEL('SYSTEM.DEF.CLUSRCVR') CHLTYPE(CLUSRCVR) CLUSTER(' ') CONNAME(' ')\n"
        "DEFINE TOPIC('SYSTEM.ADMIN.TOPIC') TOPICSTR('$SYS/MQ') REPLACE\n"
    )
    network = topograph.read(tmp_path)
    assert network.check().findings == ()
    assert [one.failed for one in network.impact(sweep=True).failures] == ["server:A"]


@pytest.mark.parametrize(
    ("rule", "severity", "a", "b"),
    [
        (
            "ML-04",
            "warning",
            LINK,
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT(1999)",
        ),
        ("ML-12", "error", LINK, "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) SSLPEER('CN=A')"),
        (
            "ML-13",
            "warning",
            LINK + "\nDEFINE QREMOTE(R) RNAME(SMALL) RQMNAME(B)",
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nDEFINE QLOCAL(SMALL) MAXMSGL(100)",
        ),
    ],
)
def test_a_lint_rule_finds_what_it_is_for(
    tmp_path: Path, rule: str, severity: str, a: str, b: str
) -> None:
    assert found(tmp_path, a.format(queue="", channel=""), b)[rule].startswith(f"{severity}: ")


@pytest.mark.parametrize(
    ("rule", "b"),
    [
        ("ML-04", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)"),
        ("ML-12", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"),
        ("ML-13", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"),
        (
            "ML-14",
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nSET CHLAUTH('*') TYPE(ADDRESSMAP) "
            "ADDRESS('*') USERSRC(NOACCESS)\n"
            "SET CHLAUTH('A.B') TYPE(QMGRMAP) QMNAME(A) USERSRC(MAP) MCAUSER('m')",
        ),
    ],
)
def test_a_lint_rule_finds_nothing_where_all_is_well(tmp_path: Path, rule: str, b: str) -> None:
    assert rule not in found(tmp_path, LINK.format(queue="", channel=""), b)


@pytest.mark.parametrize("number", range(4))
def test_no_check_fails_where_an_attribute_is_not_shown(number: int) -> None:
    files = {
        f"{name}.txt": whole_display(manager).encode()
        for name, manager in Drawn(number).managers.items()
    }
    planned = plan([recognise(path, data) for path, data in files.items()], SideInputs())
    readings = [
        read_bundle(one, {file.path: files[file.path] for file in one.files}, Options())
        for one in planned.bundles
    ]
    facts = [fact for reading in readings for fact in reading.facts]
    described = [one for one in facts if isinstance(one, Described)]
    for name in sorted({attribute.name for one in described for attribute in one.attributes}):
        fewer = [without(one, name) if isinstance(one, Described) else one for one in facts]
        assert compile_network(fewer, SideInputs()).errors == (), name


def without(fact: Described, name: str) -> Described:
    """An object of which output does not show an attribute."""
    left = tuple(one for one in fact.attributes if one.name != name)
    return replace(fact, attributes=left, partial=True)
