"""Networks in which a position that is left open decides, for ``test_overrides``: what happens
by the rules, and what by another reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topograph.message import ALWAYS, parse_path

from .sibus.buses import script, system_exception

SYSTEM_OF_B = system_exception("B")


@dataclass(frozen=True)
class Case:
    """A message in a network: the outcomes by the rules, and those under each other reading of a
    position.
    """

    system: str
    position: str
    files: Mapping[str, str]
    start: str
    destination: str
    by_rules: tuple[str, ...]
    otherwise: Mapping[str, tuple[str, ...]]
    message: Mapping[str, Any] = field(default_factory=dict)


def _bus(*lines: str, **others: tuple[str, ...]) -> dict[str, str]:
    links = tuple(others)
    files = {f"{name}.py": script(name, *own, links=("B",)) for name, own in others.items()}
    return {"B.py": script("B", *lines, links=links), **files}


def _managers(**managers: str) -> dict[str, str]:
    return {
        f"{name}.mqsc": f"* Queue manager name: {name}\nALTER QMGR DESCR('x')\n{own}\n"
        for name, own in managers.items()
    }


def _devices(**managers: str) -> dict[str, str]:
    return {
        f"{name}.yaml": (
            f"kind: mqe\nqueueManager: {name}\ncodebase: java\nlisteners: [{{name: L, port: "
            f"1}}]\n{own.strip()}\n"
        )
        for name, own in managers.items()
    }


def _servers(**servers: Mapping[str, str]) -> dict[str, str]:
    """Servers by name: their sub-files by kind; further lines of the main file as ``main``."""
    found = {}
    for name, files in servers.items():
        kinds = [kind for kind in files if kind != "main"]
        main = [f"server = {name}", "routing = on", *(f"{kind} = {kind}.conf" for kind in kinds)]
        found[f"{name}/tibemsd.conf"] = "\n".join([*main, files.get("main", "")]) + "\n"
        found |= {f"{name}/{kind}.conf": files[kind] for kind in kinds}
    return found


def _route(to: str, *lines: str) -> str:
    return "".join(
        f"  {line}\n".removeprefix("  " if line[0] == "[" else "")
        for line in (f"[{to}]", f"url = tcp://{to.lower()}:7222", *lines)
    )


def _path(written: str) -> Any:
    return parse_path(written)


def _member(name: str, channel: str = "") -> str:
    """The channel that makes a queue manager a member of cluster C."""
    to = f"CONNAME('{name.lower()}(1414)')"
    return f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(C) {to} {channel}\n"


def _states(**of: str) -> dict[str, str]:
    """Output of L: the states of its cluster channels, by queue manager."""
    blocks = "".join(
        "AMQ8417I: Display Channel Status details.\n"
        f"   CHANNEL(TO.{name})   CHLTYPE(CLUSSDR)\n   STATUS({state})\n"
        for name, state in of.items()
    )
    begin = "Starting MQSC for queue manager L.\n     1 : DISPLAY CHSTATUS(*)\n"
    return {"status.txt": f"{begin}{blocks}One MQSC command read.\n"}


_CLUSTERED = "DEFINE QLOCAL(Q) CLUSTER(C)"
_CHOICE = _managers(L=_member("L"), M=_member("M") + _CLUSTERED, N=_member("N") + _CLUSTERED)
"""A cluster with two instances of a queue, at M and N."""

_LINK = (
    "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) CONNAME('b(1414)')\n"
)

CASES = (
    Case(
        "ems",
        "A9",
        _servers(
            A={"topics": "t global\n", "routes": _route("B", "zone_name = Z", "zone_type = 1hop")},
            B={
                "topics": "t global\n",
                "routes": _route("A", "zone_name = Y", "zone_type = 1hop")
                + _route("C", "zone_name = Z", "zone_type = 1hop"),
            },
            C={"topics": "t global\n"},
        ),
        "A",
        "topic:t",
        ("NOT_FORWARDED(no-interest)",),
        {"last": ("DELIVERED(topic:t)",)},
        {"subscribers": ["C:topic:t"]},
    ),
    Case(
        "ems",
        "A16",
        _servers(
            A={
                "topics": "t global\n",
                "routes": _route(
                    "B", 'outgoing_topic=t selector="x = 1"', 'outgoing_topic=t selector="x = 2"'
                ),
            },
            B={"topics": "t global\n"},
        ),
        "A",
        "topic:t",
        ("NOT_FORWARDED(selector)",),
        {"last": ("DELIVERED(topic:t)",)},
        {"subscribers": ["B:topic:t"], "properties": {"x": 2}},
    ),
    Case(
        "ems",
        "A23",
        _servers(
            A={
                "queues": "Q@B secure\n",
                "routes": _route("B"),
                "acl_list": "",
                "main": "authorization = on",
            },
            B={"queues": "Q global\n"},
        ),
        "A",
        "queue:Q",
        ("DELIVERED(queue:Q)",),
        {"needed": ("STUCK(A, A does not grant user B receive)",)},
    ),
    Case(
        "ems",
        "A27",
        _servers(A={"queues": "Q@B\n", "routes": _route("B")}, B={"queues": "Q\n"}),
        "A",
        "queue:Q",
        ("DELIVERED(queue:Q)",),
        {"stays": ("STUCK(A, Q is not global at its home B)",)},
    ),
    Case(
        "ems",
        "A28",
        _servers(A={"queues": "Q@B\n", "routes": _route("B")}, B={"queues": "> global\n"}),
        "A",
        "queue:Q",
        ("UNDETERMINED",),
        {
            "created": ("DELIVERED(queue:Q)",),
            "not_created": ("STUCK(A, B has Q only by a pattern)",),
        },
    ),
    Case(
        "ems",
        "A29",
        _servers(
            A={"queues": "Q@B\n", "routes": _route("B")},
            B={"queues": "Q@C\n", "routes": _route("C")},
            C={"queues": "Q global\n"},
        ),
        "A",
        "queue:Q",
        ("UNDETERMINED",),
        {
            "at_sender": ("STUCK(A, B has Q only as a routed queue of C)",),
            "at_owner": ("STUCK(B, B has Q only as a routed queue of C)",),
        },
    ),
    Case(
        "sibus",
        "A-1",
        _bus("Queue A", "Queue C -replyDestination RC", "Queue D", "Queue RC", "Queue R"),
        "B",
        "queue:A",
        ("DELIVERED(D@B)",),
        {"engine": ("DELIVERED(D@B)",)},
        {"forward_path": _path("B:C,B:D"), "reverse_path": _path("B:R")},
    ),
    Case(
        "sibus",
        "A-2",
        _bus("TopicSpace T", "Queue Z"),
        "B",
        "queue:T",
        (f"EXCEPTIONED({SYSTEM_OF_B}, 37)",),
        {"rejected": ("REJECTED(37)",)},
        {"forward_path": _path("B:Z")},
    ),
    Case(
        "sibus",
        "A-2",
        _bus("TopicSpace T", "Queue Z"),
        "B",
        "queue:T",
        ("REJECTED(37)",),
        {"exception": (f"EXCEPTIONED({SYSTEM_OF_B}, 37)",)},
        {"forward_path": _path("B:Z"), "mode": "engine"},
    ),
    Case(
        "sibus",
        "A-3",
        _bus(
            "Alias AL -aliasBus B -targetBus B -targetName A",
            "Queue A -defaultForwardRoutingPath [[B C]]",
            "Queue C",
        ),
        "B",
        "queue:AL",
        ("DELIVERED(A@B)",),
        {"apply": ("DELIVERED(C@B)",)},
    ),
    Case(
        "sibus",
        "A-4",
        _bus(
            "Queue A -defaultForwardRoutingPath [[B C]]",
            "Queue C -defaultForwardRoutingPath [[B D]]",
            "Queue D",
        ),
        "B",
        "queue:A",
        ("DELIVERED(D@B)",),
        {"stay": ("DELIVERED(C@B)",)},
    ),
    Case(
        "sibus",
        "A-5",
        _bus("Queue A -exceptionDestination BAD", "Queue C", "Queue BAD"),
        "B",
        "queue:A",
        (f"EXCEPTIONED({SYSTEM_OF_B}, 37)",),
        {"path_start": ("EXCEPTIONED(BAD@B, 37)",)},
        {"forward_path": _path("B:C,B:NOPE")},
    ),
    Case(
        "sibus",
        "A-6",
        _bus('Queue A -exceptionDestination ""'),
        "B",
        "queue:A",
        ("BLOCKED(exception destination none)",),
        {"limit_ignored": ("DELIVERED(A@B)",)},
        {"rollbacks": 7},
    ),
    Case(
        "sibus",
        "A-6",
        _bus('Queue A -exceptionDestination ""'),
        "B",
        "queue:A",
        ("BLOCKED(exception destination none)",),
        {"limit_ignored": ("BLOCKED(retry)",)},
        {"rollbacks": ALWAYS},
    ),
    Case(
        "sibus",
        "A-7",
        _bus("Queue A", "Queue C"),
        "B",
        "queue:A",
        ("DELIVERED(C@B)",),
        {"elements": (f"EXCEPTIONED({SYSTEM_OF_B}, 43)",)},
        {"forward_path": _path(",".join(["B:A", "B:C"] * 11))},
    ),
    Case(
        "sibus",
        "A-8",
        _bus("Queue A", "Queue G", B2=("Queue F", "Queue G")),
        "B",
        "queue:A",
        ("DELIVERED(G@B2)",),
        {"first_bus": ("DELIVERED(G@B)",)},
        {"forward_path": _path("B2:F,G")},
    ),
    Case(
        "sibus",
        "A-11",
        _bus("Queue A", "Queue C -sendAllowed false -exceptionDestination BAD", "Queue BAD"),
        "B",
        "queue:A",
        ("DELIVERED(C@B)",),
        {"refused": ("EXCEPTIONED(BAD@B, 1)",)},
        {"forward_path": _path("B:C")},
    ),
    Case(
        "sibus",
        "S-09",
        _bus(
            "Queue A -defaultForwardRoutingPath [[B C]]",
            "Queue C -defaultForwardRoutingPath [[B D]]",
            "Queue D",
        ),
        "B",
        "queue:A",
        ("DELIVERED(D@B)",),
        {"1": (f"EXCEPTIONED({SYSTEM_OF_B}, 43)",), "2": ("DELIVERED(D@B)",)},
    ),
    Case(
        "mqe",
        "B-1",
        _devices(a="connections: [{name: b, type: direct}]", b="queues: [{type: local, name: Q}]"),
        "a",
        "Q@b",
        ("DELIVERED(Q@b)",),
        {"never": ("REJECTED(no_queue)",)},
    ),
    Case(
        "mqe",
        "B-2",
        _devices(
            a="queues:\n- {type: saf, name: S, qmgrs: [z]}\n- {type: saf, name: T, qmgrs: [z]}"
        ),
        "a",
        "Q@z",
        ("HELD(S, a, no collector)", "HELD(T, a, no collector)"),
        {"first": ("HELD(S, a, no collector)",)},
    ),
    Case(
        "mqe",
        "B-4",
        _devices(
            a=(
                "connections: [{name: b, type: direct}]\nqueues: [{type: saf, name: S, "
                "qmgrs: [v], forwardTo: b}]"
            ),
            b="aliases: {v: b}\nqueues: [{type: local, name: Q}]",
        ),
        "a",
        "Q@v",
        ("DELIVERED(Q@b)",),
        {"not_applied": ("HELD(S, a, rejected by b)",)},
    ),
    Case(
        "mqe",
        "B-5",
        _devices(a="queues: [{type: saf, name: S, qmgrs: [a]}]"),
        "a",
        "Q@a",
        ("HELD(S, a, no collector)",),
        {"fails": ("REJECTED(no_queue)",)},
    ),
    Case(
        "mqe",
        "B-6",
        _devices(
            a="aliases: {x: y, y: x}\nqueues: [{type: remote, name: Q, qmgr: x, mode: async}]"
        ),
        "a",
        "Q@x",
        ("REJECTED(no_queue)",),
        {"as_it_is": ("HELD(Q@x, a, no connection)",)},
    ),
    Case(
        "mqe",
        "B-9",
        _devices(
            a=(
                "connections: [{name: c, type: via, via: b}]\nqueues: [{type: remote, name: "
                "Q, qmgr: c, mode: sync}]"
            ),
            b=(
                "connections: [{name: c, type: direct}]\nqueues: [{type: remote, name: Q, "
                "qmgr: c, mode: sync}]"
            ),
            c="queues: [{type: local, name: Q}]",
        ),
        "a",
        "Q@c",
        ("DELIVERED(Q@c)",),
        {"needed": ("REJECTED(no_connection)",)},
    ),
    Case(
        "ibm_mq",
        "C-2",
        _managers(
            A=(
                f"{_LINK}DEFINE QREMOTE(R) RNAME(X) RQMNAME(M)\nDEFINE QREMOTE(M) RNAME(' ') "
                "RQMNAME(B) XMITQ(XQ)"
            ),
            B="DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(X)",
        ),
        "A",
        "queue:R",
        ("REJECTED(2091)",),
        {"resolved_again": ("DELIVERED(X@B)",)},
    ),
    Case(
        "ibm_mq",
        "C-2",
        _managers(
            A=(
                f"{_LINK}DEFINE QREMOTE(YOUR) RNAME(' ') RQMNAME(M)\nDEFINE QREMOTE(M) "
                "RNAME(' ') RQMNAME(B) XMITQ(XQ)"
            ),
            B="DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(X)",
        ),
        "A",
        "X@YOUR",
        ("REJECTED(2091)",),
        {"resolved_again": ("DELIVERED(X@B)",)},
    ),
    Case(
        "ibm_mq",
        "C-3",
        _managers(
            A=f"ALTER QMGR DEFXMITQ(XQ)\n{_LINK}DEFINE QLOCAL(B)",
            B="DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(X)",
        ),
        "A",
        "X@B",
        ("REJECTED(2092)",),
        {"looked_up_elsewhere": ("DELIVERED(X@B)",)},
    ),
    Case(
        "ibm_mq",
        "C-9",
        {
            "1.mqsc": "* Queue manager name: A\nDEFINE QLOCAL(Q)\nDEFINE QLOCAL(T)\n",
            "2.mqsc": "* Queue manager name: A\nDEFINE QALIAS(Q) TARGET(T)\n",
        },
        "A",
        "queue:Q",
        ("DELIVERED(Q@A)",),
        {"last": ("DELIVERED(T@A)",)},
    ),
    Case(
        "ibm_mq",
        "C-10",
        _managers(A="DEFINE QLOCAL(Q) MAXDEBTH(5)"),
        "A",
        "queue:Q",
        ("DELIVERED(Q@A)",),
        {"refused": ("REJECTED(2085)",)},
    ),
    Case(
        "ibm_mq",
        "C-11",
        _managers(A="DEFINE QLOCAL(Q)"),
        "A",
        "X@B",
        ("REJECTED(2087)",),
        {"not_known": ("UNDETERMINED",), "blank": ("REJECTED(2087)",)},
    ),
    Case(
        "ibm_mq",
        "C-11",
        _managers(
            A=f"{_LINK}DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)",
            B="DEFINE CHANNEL(C) CHLTYPE(RCVR)\nDEFINE QLOCAL(Y)",
        ),
        "A",
        "queue:R",
        ("HELD(XQ, A, channel stopped)",),
        {"not_known": ("UNDETERMINED",)},
        {"persistent": True},
    ),
    Case(
        "ibm_mq",
        "C-13",
        _managers(A=f"ALTER QMGR DEADQ(DEAD)\nDEFINE QLOCAL(DEAD)\n{_LINK}"),
        "A",
        "queue:XQ",
        ("DLQ(DEAD, A, 271)",),
        {"delivered": ("DELIVERED(XQ@A)",)},
    ),
    Case(
        "ibm_mq",
        "C-14",
        _managers(
            A=f"{_LINK}DEFINE QREMOTE(R) RNAME(X) RQMNAME(B) XMITQ(XQ)", B="DEFINE QLOCAL(X)"
        ),
        "A",
        "queue:R",
        ("HELD(XQ, A, no partner)",),
        {"external": ("EXTERNAL(b(1414))",)},
    ),
    Case(
        "ibm_mq",
        "C-16",
        _managers(
            A="DEFINE CHANNEL(C.A) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('a(1414)')",
            B="DEFINE CHANNEL(C.B) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('b(1414)')\n"
            "DEFINE QLOCAL(Q) CLUSTER(C)",
        ),
        "A",
        "Q@A",
        ("REJECTED(2085)",),
        {"cluster": ("DELIVERED(Q@B)",)},
    ),
    Case(
        "ibm_mq",
        "C-17",
        _managers(
            L=_member("L"),
            M=_member("M", "NETPRTY(0) CLWLPRTY(9)")
            + "DEFINE CHANNEL(B.TO.M) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('m2(1414)') "
            f"NETPRTY(9)\n{_CLUSTERED}",
            N=_member("N", "CLWLPRTY(5)") + _CLUSTERED,
        ),
        "L",
        "queue:Q",
        ("DELIVERED(Q@N)", "DELIVERED(Q@M)"),
        {"network_first": ("DELIVERED(Q@N)",), "priority_first": ("DELIVERED(Q@M)",)},
    ),
    Case(
        "ibm_mq",
        "C-18",
        _CHOICE | _states(M="STOPPING", N="RETRYING"),
        "L",
        "queue:Q",
        ("DELIVERED(Q@M)", "DELIVERED(Q@N)"),
        {"starting": ("DELIVERED(Q@M)",), "stopped": ("DELIVERED(Q@N)",)},
    ),
    Case(
        "ibm_mq",
        "C-19",
        _CHOICE
        | _states(N="RETRYING")
        | {
            "members.txt": (
                "Starting MQSC for queue manager L.\n     1 : DISPLAY CLUSQMGR(M) SUSPEND\n"
                "AMQ8441I: Display Cluster Queue Manager details.\n   CLUSQMGR(M)   "
                "CHANNEL(TO.M)\n   CLUSTER(C)   SUSPEND(YES)\nOne MQSC command read.\n"
            )
        },
        "L",
        "queue:Q",
        ("DELIVERED(Q@N)", "DELIVERED(Q@M)"),
        {"before_states": ("DELIVERED(Q@N)",), "after_states": ("DELIVERED(Q@M)",)},
    ),
    Case(
        "ibm_mq",
        "M-18",
        _managers(A="DEFINE QLOCAL(Q) STREAMQ(S)\nDEFINE QLOCAL(S) STREAMQ(T)\nDEFINE QLOCAL(T)"),
        "A",
        "queue:Q",
        ("DELIVERED(Q@A)", "DELIVERED(S@A)", "DELIVERED(T@A)"),
        {"not_streamed_on": ("DELIVERED(Q@A)", "DELIVERED(S@A)")},
    ),
)
