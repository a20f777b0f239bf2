"""Lint rules of IBM MQ (ML-04, ML-07 to ML-09, ML-12 to ML-15); vectors hold the others."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

CLUSTERED = "DEFINE CHANNEL(TO.A) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('a(1414)')\n"
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


@pytest.mark.parametrize(
    ("rule", "severity", "a", "b"),
    [
        (
            "ML-04",
            "warning",
            LINK,
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nDEFINE LISTENER(L) TRPTYPE(TCP) PORT(1999)",
        ),
        ("ML-04", "error", LINK, "DEFINE CHANNEL(AB) CHLTYPE(RCVR)"),
        ("ML-07", "error", "DEFINE CHANNEL(TO.X) CHLTYPE(CLUSSDR) CLUSTER(BETA) CONNAME('x')", ""),
        ("ML-08", "error", "ALTER QMGR DEADQ(NONE)", ""),
        ("ML-09", "error", "ALTER QMGR DEFXMITQ(SYSTEM.CLUSTER.TRANSMIT.QUEUE)", ""),
        (
            "ML-12",
            "error",
            LINK.replace("{channel}", "SSLCIPH(TLS_AES_128)"),
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) SSLCIPH(TLS_AES_256)",
        ),
        ("ML-12", "error", LINK, "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) SSLPEER('CN=A')"),
        (
            "ML-13",
            "warning",
            LINK.replace("{queue}", "MAXMSGL(9000000)"),
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)",
        ),
        (
            "ML-13",
            "warning",
            LINK + "\nDEFINE QREMOTE(R) RNAME(SMALL) RQMNAME(B)",
            "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nDEFINE QLOCAL(SMALL) MAXMSGL(100)",
        ),
        (
            "ML-14",
            "warning",
            LINK,
            (
                "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)\nSET CHLAUTH('*') TYPE(ADDRESSMAP) "
                "ADDRESS('*') USERSRC(NOACCESS)"
            ),
        ),
        ("ML-15", "info", CLUSTERED + "DEFINE QLOCAL(ALONE) CLUSTER(C)", ""),
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
