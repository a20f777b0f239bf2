"""Small estates that show what each finding about routers does to messages.

Two routers, A that listens and B that connects to it; what is wrong stands at one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from systems.amq_interconnect.configured import router

from topograph.rules import FindingKind
from topograph.rules import amq_interconnect_findings as rules

A = router("A", "listener a:1 inter-router")
B = router("B", "connector a:1 inter-router")
SHARED = "listener a:1 inter-router"
HOSTS = "hosts:\n  h: A\n"


@dataclass(frozen=True)
class Shown:
    """An estate with a finding of a kind. ``reached`` says what ``reach`` from A says of B: True,
    False, or None where it is not known."""

    kind: FindingKind
    files: Mapping[str, str]
    reached: bool | None = False
    start: str = "A"
    other: str = "B"
    assumed: str = ""
    """The rule of an assumption that the answer rests on."""

    @property
    def id(self) -> str:
        return f"{self.kind.kind} ({self.kind.about})"


@dataclass(frozen=True)
class Sent:
    """An estate with a finding of a kind, and what becomes of a message sent at A to ``address``:
    who gets it, and what its sender sees where nobody does. ``without`` is the estate without what
    is wrong, in which another answer shows that the finding is the cause."""

    kind: FindingKind
    files: Mapping[str, str]
    address: str
    ends: tuple[str, ...] = ()
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.kind.kind} ({self.kind.about})"


def section(type_: str, **attributes: object) -> str:
    lines = "".join(f"  {name}: {value}\n" for name, value in attributes.items())
    return f"{type_} {{\n{lines}}}\n"


def _ends(listener: str, connector: str, **more: str) -> Mapping[str, str]:
    """A and B, with further attributes of the listener and the connector that meet."""
    profile = section("sslProfile", name="tls", certFile="/c")
    a = A.removesuffix("}\n") + "".join(f"  {one}\n" for one in listener.split("; ") if one) + "}\n"
    b = (
        B.removesuffix("}\n")
        + "".join(f"  {one}\n" for one in connector.split("; ") if one)
        + "}\n"
    )
    return {"a.conf": a + profile, "b.conf": b + profile, **more}


def _b(text: str) -> Mapping[str, str]:
    return {"a.conf": A, "b.conf": B + text}


REFUSED_FILES = [
    (rules.UNKNOWN_ATTRIBUTE, section("address", prefix="x", colour="red")),
    (rules.MISSING_ATTRIBUTE, section("linkRoute", prefix="x", connection="c")),
    (rules.UNKNOWN_SECTION, section("nonsense", a="b")),
    (
        rules.BOTH_SPELLINGS,
        section("autoLink", addr="x", address="x", direction="in", connection="c"),
    ),
    (rules.SECOND_SINGLETON, section("router", mode="interior", id="B")),
    (
        rules.DUPLICATE_NAME,
        section("address", name="n", prefix="x") + section("address", name="n", prefix="y"),
    ),
    (rules.INVALID_VALUE, section("address", prefix="x", distribution="sometimes")),
    (rules.EXTRA_BRACE, "}\n"),
    (rules.INVALID_JSON, 'vhost {\n  groups: {\n    "a": nothing of JSON "\n  }\n}\n'),
    (rules.MAP_ON_ONE_LINE, 'vhost {\n  groups: {\n    "n": {"a": 1}\n  }\n}\n'),
    (rules.MISSING_BRACE, "address {\n  prefix: x\nlistener {\n}\n"),
    (rules.OUTSIDE_SECTION, "prefix: x\n"),
    (rules.SECTION_ON_ONE_LINE, "address { prefix: x }\n"),
    (rules.UNREADABLE_LINE, "what is this\n"),
    (rules.UNREADABLE_VALUE, section("address", prefix='a"b')),
    (
        rules.SKUPPER_REFUSES,
        section("site", name="s") + section("linkRoute", prefix="x", direction="in"),
    ),
]
"""Files that the router refuses: what stands in B beside its connector."""

JSON_B = (
    '[["router", {"mode": "interior", "id": "B"}],'
    ' ["connector", {"host": "a", "port": 1, "role": "inter-router"}], 5]'
)
LINKS = [
    Shown(rules.NOT_A_SECTION, {"a.conf": A, "b.json": JSON_B}),
    Shown(
        rules.INVALID_ROUTER_ID,
        {"a.conf": A, "b.conf": B.replace("id: B", "id: B B")},
        other="B B",
    ),
    Shown(
        rules.ROLE_NOT_ALLOWED,
        {"a.conf": A, "b.conf": router("B", "connector a:1 inter-router", mode="edge")},
    ),
    Shown(rules.LINK_TO_STOPPED_ROUTER, {"a.conf": A + "}\n", "b.conf": B}, start="B", other="A"),
    Shown(
        rules.LINK_COST_BELOW_ONE,
        {
            "a.conf": router("A", "listener a:1 inter-router 0"),
            "b.conf": router("B", "connector a:1 inter-router 0"),
        },
    ),
    Shown(
        rules.COST_BELOW_ONE,
        {"a.conf": A, "b.conf": router("B", "connector a:1 inter-router 0")},
        reached=True,
    ),
    Shown(rules.ROLE_MISMATCH, {"a.conf": router("A", "listener a:1 edge"), "b.conf": B}),
    Shown(
        rules.NEIGHBOUR_OF_SAME_ID,
        {"a.conf": A, "b.conf": B.replace("id: B", "id: A")},
        start="A (a.conf)",
        other="A (b.conf)",
    ),
    Shown(
        rules.DUPLICATE_ROUTER_ID,
        {
            "a.conf": A,
            "b.conf": B + "listener {\n  host: b\n  port: 2\n  role: inter-router\n}\n",
            "c.conf": router("B", "connector a:1 inter-router"),
        },
        other="B (b.conf)",
        reached=None,
    ),
    Shown(
        rules.SELF_CONNECTION,
        {
            "a.conf": router("A", "listener a:1 inter-router", "connector a:1 inter-router"),
            "b.conf": router("B"),
        },
    ),
    Shown(
        rules.EDGE_CONNECTOR_NOT_ON_EDGE,
        {"a.conf": router("A", "listener a:1 edge"), "b.conf": router("B", "connector a:1 edge")},
    ),
    Shown(rules.PARTITION, {"a.conf": A, "b.conf": router("B")}),
    Shown(
        rules.UNMATCHED_CONNECTOR,
        {"a.conf": A, "b.conf": router("B", "connector elsewhere:9 inter-router")},
        reached=None,
    ),
    Shown(
        rules.PARALLEL_LINKS,
        {
            "a.conf": router("A", "listener a:1 inter-router", "listener a:2 inter-router"),
            "b.conf": router("B", "connector a:1 inter-router", "connector a:2 inter-router"),
        },
        reached=True,
        assumed="T-11",
    ),
    Shown(
        rules.LISTENERS_AT_ONE_PORT,
        {"a.conf": router("A", "listener a:1 inter-router", "listener a:1 normal"), "b.conf": B},
        reached=True,
        assumed="T-13",
    ),
    Shown(
        rules.TOO_MANY_ROUTERS,
        {
            "a.conf": A,
            **{
                f"{one}.conf": router(one, "connector a:1 inter-router")
                for one in ("B", *(f"R{number}" for number in range(127)))
            },
        },
        reached=True,
        assumed="T-12",
    ),
    Shown(
        rules.SASL_MECHANISMS_DISJOINT, _ends("saslMechanisms: EXTERNAL", "saslMechanisms: PLAIN")
    ),
    Shown(rules.TLS_REQUIRED, _ends("sslProfile: tls; requireSsl: yes", "")),
    Shown(rules.TLS_NOT_OFFERED, _ends("", "sslProfile: tls")),
    Shown(
        rules.ENCRYPTION_REQUIRED,
        _ends("requireEncryption: yes; saslMechanisms: PLAIN", "saslMechanisms: PLAIN"),
    ),
    Shown(rules.ENCRYPTION_UNDECIDED, _ends("requireEncryption: yes", ""), reached=None),
    Shown(rules.EXTERNAL_WITHOUT_TLS, _ends("saslMechanisms: EXTERNAL", ""), reached=None),
    Shown(
        rules.ANONYMOUS_WITH_AUTHENTICATION,
        _ends("authenticatePeer: yes", "saslMechanisms: ANONYMOUS"),
        reached=None,
    ),
    Shown(
        rules.SSL_PROFILE_UNDECIDED,
        _ends("sslProfile: other", "sslProfile: tls"),
        reached=None,
    ),
    Shown(
        rules.SSL_PROFILE_UNDEFINED,
        _ends("sslProfile: other", "sslProfile: tls"),
        reached=None,
    ),
    Shown(
        rules.OLD_ATTRIBUTE,
        _b("listener {\n  addr: b\n  port: 9\n}\n"),
        reached=True,
    ),
    Shown(
        rules.OLD_SECTION, _b("fixedAddress {\n  prefix: x\n  fanout: single\n}\n"), reached=True
    ),
    Shown(
        rules.OLD_ROLE,
        _b("connector {\n  host: c\n  port: 9\n  role: on-demand\n}\n"),
        reached=True,
    ),
    Shown(
        rules.PLAIN_MAP,
        _b("vhost {\n  groups: {\n    $default: {\n      targets: *\n    }\n  }\n}\n"),
        reached=True,
    ),
    Shown(
        rules.ROUTER_ID_TEMPLATE,
        {"a.conf": A, "b.conf": B.replace("id: B", "id: b-${HOSTNAME}")},
        reached=True,
        other="b-${HOSTNAME}",
    ),
    *(Shown(kind, _b(text)) for kind, text in REFUSED_FILES),
]
"""Findings about routers and links, with what ``reach`` says."""

RECEIVER = "clients:\n  - {server: A, destination: 'address:x', role: receiver, client_id: r}\n"
NOBODY = "topograph.yaml"
CONTAINER = section("connector", name="c", host="broker", port="5672", role="route-container")
WAYPOINT = section("address", prefix="x", waypoint="yes")
OUT = section("autoLink", address="x", direction="out", connection="c")
IN = section("autoLink", address="x", direction="in", connection="c")
ALONE = section("router", mode="standalone", id="A")


def _alone(text: str, clients: str = RECEIVER) -> Mapping[str, str]:
    return {"a.conf": ALONE + text, "topograph.yaml": clients}


MESSAGES = [
    Sent(
        rules.ADDRESS_DROPPED,
        _alone(section("address", prefix="x", distribution="unavailable", ingressPhase="1")),
        "x",
        ("r",),
        _alone(section("address", prefix="x", distribution="unavailable")),
    ),
    Sent(
        rules.AUTOLINK_DROPPED,
        _alone(CONTAINER + OUT.replace("}", "  containerId: b\n}"), ""),
        "x",
        (),
        _alone(CONTAINER + OUT, ""),
    ),
    Sent(
        rules.LINKROUTE_DROPPED,
        _alone(
            CONTAINER
            + section("linkRoute", prefix="x", pattern="x", direction="in", connection="c"),
        ),
        "x",
        ("r",),
        _alone(CONTAINER + section("linkRoute", prefix="x", direction="in", connection="c")),
    ),
    Sent(
        rules.AUTOLINK_NEVER_ACTIVE,
        _alone(CONTAINER + OUT.replace("connection: c", "connection: d"), ""),
        "x",
        (),
        _alone(CONTAINER + OUT, ""),
    ),
    Sent(
        rules.LINKROUTE_NEVER_ACTIVE,
        _alone(CONTAINER + section("linkRoute", prefix="x", direction="in", connection="d")),
        "x",
        (),
        _alone(CONTAINER + section("linkRoute", prefix="x", direction="in", connection="c")),
    ),
    Sent(
        rules.PREFIX_WITH_WILDCARD,
        _alone(section("address", prefix="*", distribution="unavailable")),
        "x",
        (),
        _alone(section("address", prefix="y", distribution="unavailable")),
    ),
    Sent(
        rules.AUTOLINK_WRONG_PHASE,
        _alone(CONTAINER + WAYPOINT + IN + OUT.replace("}", "  phase: 2\n}"), ""),
        "x",
        (),
        _alone(CONTAINER + WAYPOINT + IN + OUT, ""),
    ),
    Sent(
        rules.AUTOLINK_ONE_DIRECTION,
        _alone(CONTAINER + WAYPOINT + OUT),
        "x",
        ("broker:5672",),
        _alone(CONTAINER + WAYPOINT + OUT + IN),
    ),
    Sent(rules.WAYPOINT_WITHOUT_AUTOLINK, _alone(WAYPOINT), "x", (), _alone("")),
    Sent(
        rules.AUTOLINK_WITHOUT_WAYPOINT,
        _alone(CONTAINER + OUT + IN, ""),
        "x",
        ("broker:5672",),
        _alone("", ""),
    ),
    Sent(
        rules.FALLBACK_WITHOUT_AUTOLINK,
        _alone(section("address", prefix="x", enableFallback="yes"), ""),
        "x",
        (),
        _alone(
            CONTAINER
            + section("address", prefix="x", enableFallback="yes")
            + OUT.replace("}", "  fallback: yes\n}"),
            "",
        ),
    ),
    Sent(
        rules.LINK_ROUTE_OVER_ADDRESS,
        _alone(
            CONTAINER
            + section("address", prefix="x", distribution="multicast")
            + section("linkRoute", prefix="x", direction="in", connection="c")
        ),
        "x",
        ("broker:5672",),
        _alone(CONTAINER + section("address", prefix="x", distribution="multicast")),
    ),
    Sent(
        rules.LINK_ROUTE_OVER_AUTOLINK,
        _alone(
            CONTAINER
            + CONTAINER.replace("name: c", "name: d").replace("broker", "other")
            + OUT
            + section("linkRoute", prefix="x", direction="in", connection="d"),
            "",
        ),
        "x",
        ("other:5672",),
        _alone(CONTAINER + OUT, ""),
    ),
    Sent(
        rules.REPEATED_ATTRIBUTE,
        _alone("address {\n  prefix: x\n  prefix: y\n  distribution: unavailable\n}\n"),
        "x",
        ("r",),
        _alone(section("address", prefix="x", distribution="unavailable")),
    ),
    Sent(
        rules.CUT_BY_COMMENT,
        _alone("address {\n  prefix: x#y\n  distribution: unavailable\n}\n"),
        "x",
        (),
        _alone(section("address", prefix="xy", distribution="unavailable")),
    ),
    Sent(
        rules.TCP_LISTENER_ALONE,
        _alone(section("tcpListener", name="t", port=1, address="x"), ""),
        "x",
        (),
        _alone(
            section("tcpListener", name="t", port=1, address="x")
            + section("tcpConnector", name="c", host="h", port=1, address="x"),
            "",
        ),
    ),
    Sent(
        rules.POLICY_NOT_EVALUATED,
        _alone(section("policy", enableVhostPolicy="yes")),
        "x",
        (),
        _alone(section("policy", enableVhostPolicy="no")),
    ),
]
"""Findings about destinations, with what ``propagate`` says."""

ELSEWHERE: Mapping[FindingKind, tuple[str, str]] = {
    rules.NEIGHBOURS_DISAGREE: (
        "test_links_of_dumps.py",
        "test_a_link_counts_only_if_both_routers_list_each_other",
    ),
    rules.LINK_NOT_UP: (
        "test_links_of_dumps.py",
        "test_a_connector_that_is_not_connected_gives_no_link_and_says_why",
    ),
    rules.ROUTER_NOT_LOADED: (
        "test_links_of_dumps.py",
        "test_a_neighbour_of_which_nothing_is_loaded_may_lead_anywhere",
    ),
    rules.RUNS_OTHERWISE: (
        "test_dumps_beside_files.py",
        "test_a_router_that_runs_although_its_file_is_refused_runs_another_one",
    ),
    rules.NESTED_TOO_DEEPLY: (
        "test_gaps_in_dumps.py",
        "test_no_router_is_certainly_not_reached_where_a_dump_lost_an_entity",
    ),
    rules.NOT_AN_ENTITY: (
        "test_gaps_in_dumps.py",
        "test_no_router_is_certainly_not_reached_where_a_dump_lost_an_entity",
    ),
    rules.INVALID_JSON_D_1: (
        "test_gaps_in_dumps.py",
        "test_no_router_is_certainly_not_reached_where_a_dump_lost_an_entity",
    ),
    rules.TREATMENT_MISMATCH: (
        "test_messages_distributions.py",
        "test_multicast_at_the_ingress_and_balanced_behind_it_gives_one_copy_a_next_hop",
    ),
    rules.MULTICAST_COPIES: (
        "test_questions.py",
        "test_cycles_warns_of_multicast_copies_from_1_13_on",
    ),
    rules.FALLBACK_NOT_ENABLED: (
        "test_messages_containers.py",
        "test_fallback_takes_what_finds_no_destination_anywhere_in_the_network",
    ),
    rules.RESOURCE_ASSUMED: (
        "test_links_beside_files.py",
        "test_a_resource_whose_routers_get_their_ids_at_start_is_not_said_not_to_run",
    ),
    rules.CONNECTOR_NOT_LOADED: (
        "test_skupper_examples.py",
        "test_an_attached_connector_needs_its_binding",
    ),
    rules.SITE_ASSUMED: (
        "test_skupper_examples.py",
        "test_a_replica_set_over_an_edge_and_two_public_sites",
    ),
}
"""Kinds that other tests of this folder show, each with file and test."""
