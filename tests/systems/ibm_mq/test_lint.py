"""Lint rules of IBM MQ: what neither their pages in docs/rules nor vectors show."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

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
