"""What findings say of messages (``FindingKind.bearing``) is so: of each kind that stops, opens or
is walked an estate shows it, beside the same estate without the fault.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from systems.open_links import SERVERS, drawn, write

import topograph
from topograph.findings import Severity
from topograph.rules import FindingKind
from topograph.systems import system

TOPICS = "T global,maxbytes=1MB\n"
MAIN = {
    "A": "server = A\nlisten = tcp://a:7222\nrouting = enabled\n",
    "B": "server = B\nlisten = tcp://b:7222\nrouting = enabled\n",
}
ROUTE = "[B]\n url = tcp://b:7222\n zone_name = M\n zone_type = mhop\n"
JSON = """{"model_version": "1.0",
 "tibemsd": {"server": "A", "routing": true, "primary_listens": [{"url": "tcp://a:7222"}]},
 "topics": [{"name": "T", "global": true, "maxbytes": "1MB"}], "queues": [], "bridges": [],
 "routes": [{"name": "B", "url": "tcp://b:7222", "zone_name": "M", "zone_type": "mhop"%s}]%s}
"""
"""The same server A as one JSON file: what more its route and the file say."""
NO_FILE = "\0"

Files = dict[str, str]


def with_main(lines: str, name: str = "A") -> str:
    """A main file with further lines."""
    return MAIN[name] + lines


def read(folder: Path, files: Files) -> topograph.Network:
    """A with a route to B that only A configures, with other ``files``."""
    own = {
        "A/routes.conf": ROUTE,
        "A/topics.conf": TOPICS,
        "B/topics.conf": TOPICS,
        **{f"{name}/tibemsd.conf": text for name, text in MAIN.items()},
        **files,
    }
    for name in ("A", "B"):
        main = own.get(f"{name}/tibemsd.conf", NO_FILE)
        kinds = sorted(
            place.split("/")[1].removesuffix(".conf")
            for place in own
            if place.startswith(f"{name}/")
            and place.endswith(".conf")
            and not place.endswith("tibemsd.conf")
        )
        parameter = {"acl": "acl_list"}
        lines = "".join(f"{parameter.get(kind, kind)} = {kind}.conf\n" for kind in kinds)
        if main != NO_FILE and main.startswith("server"):
            own[f"{name}/tibemsd.conf"] = main + lines
    for place, text in own.items():
        if text != NO_FILE:
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return topograph.read(folder)


def said(network: topograph.Network, destination: str = "topic:T") -> dict[str, object]:
    """What answers from A say of B and of a message, without what only names the estate."""
    answers = [network.reach("A").to_dict()]
    if destination:
        sent = network.propagate("A", destination, {"k": 1})
        answers.append(sent.to_dict())
    left_out = ("snapshot", "network", "engine")
    return {
        f"{number} {key}": value
        for number, answer in enumerate(answers)
        for key, value in answer.items()
        if key not in left_out
    }


def queues(a: str, b: str = "", **more: str) -> Files:
    return {"A/queues.conf": a, "B/queues.conf": b or "x\n", **more}


def twin(text: str) -> Files:
    return {"A/routes.conf": ROUTE + text}


STOPS_OR_OPENS: dict[str, Files] = {
    "routing-disabled": {
        "B/tibemsd.conf": "server = B\nlisten = tcp://b:7222\nrouting = disabled\n"
    },
    "route-user-missing": {
        "B/tibemsd.conf": with_main("authorization = enabled\n", "B"),
        "B/users.conf": "admin:\n",
    },
    "name-url-mismatch": {"A/routes.conf": ROUTE.replace("//b:", "//a:")},
    "route-port-not-listened-on": {"A/routes.conf": ROUTE.replace("7222", "7333")},
    "route-protocol-not-listened-on": {"A/routes.conf": ROUTE.replace("tcp:", "ssl:")},
    "missing-url": {"A/routes.conf": ROUTE.replace(" url = tcp://b:7222\n", "")},
    "duplicate-bridge": {
        "B/bridges.conf": "[topic:T]\n queue=q\n queue=q\n",
        "B/queues.conf": "q\n",
    },
    "ft-names-differ": {
        "A/tibemsd.conf": with_main("ft_active = tcp://b:7222\n"),
        "B/tibemsd.conf": with_main("ft_active = tcp://a:7222\n", "B"),
    },
    "listen-shared": {"B/tibemsd.conf": MAIN["B"].replace("//b:", "//a:")},
}

WALKED: dict[str, tuple[Files, str]] = {
    "bridge-queue-undefined": (
        {"A/bridges.conf": "[topic:T]\n queue=nope\n", "A/queues.conf": "x\n"},
        "topic:T",
    ),
    "bridge-topic-undefined": ({"A/bridges.conf": "[topic:T]\n topic=nope\n"}, "topic:T"),
    "durable-topic-undefined": ({"B/durables.conf": "nope d\n"}, "topic:nope"),
    "destination-defined-twice": ({"A/topics.conf": TOPICS + "T maxmsgs=9\n"}, "topic:T"),
    "duplicate-selector": (
        twin(' outgoing_topic=T selector="k = 1"\n outgoing_topic=T selector="k = 2"\n'),
        "topic:T",
    ),
    "selector-constant": (twin(' outgoing_topic=T selector="1 = 2"\n'), "topic:T"),
    "entry-selector-constant": (
        {"B/bridges.conf": '[topic:T]\n queue=q selector="1 = 2"\n', "B/queues.conf": "q\n"},
        "topic:T",
    ),
    "entry-selector-invalid": (
        {"B/bridges.conf": '[topic:T]\n queue=q selector="k = ="\n', "B/queues.conf": "q\n"},
        "topic:T",
    ),
    "selector-invalid": (twin(' outgoing_topic=T selector="k = = 2"\n'), "topic:T"),
    "non-ascii-quote": (twin(" outgoing_topic=T selector=\u201ck = 2\u201d\n"), "topic:T"),
    "grant-missing": (
        {
            "A/tibemsd.conf": with_main("authorization = enabled\n"),
            "A/topics.conf": "T global,secure,maxbytes=1MB\n",
            "A/acl.conf": "TOPIC=T USER=anybody PERM=publish\n",
            "A/users.conf": "B:\n",
        },
        "topic:T",
    ),
    "queue-grant-missing": (
        {
            **queues("q@B\n", "q global,secure\n"),
            "B/tibemsd.conf": with_main("authorization = enabled\n", "B"),
            "B/acl.conf": "QUEUE=q USER=anybody PERM=send\n",
            "B/users.conf": "A:\n",
        },
        "queue:q",
    ),
    "routed-queue-exclusive": (queues("q@B exclusive\n", "q global\n"), "queue:q"),
    "routed-queue-owner-unknown": (queues("q@Z\n"), "queue:q"),
    "routed-queue-no-route": (
        {**queues("q@B\n", "q global\n"), "A/routes.conf": "", "B/routes.conf": ""},
        "queue:q",
    ),
    "routed-queue-no-home": (queues("q@B\n"), "queue:q"),
    "routed-queue-home-dynamic": (queues("q@B\n", "> global\n"), "queue:q"),
    "home-queue-not-global": (queues("q@B\n", "q\n"), "queue:q"),
    "zone-conflict": (
        {"B/routes.conf": ROUTE.replace("B", "A").replace("//b", "//a").replace("= M", "= N")},
        "",
    ),
    "zone-type": ({"A/routes.conf": ROUTE.replace("mhop", "2hop")}, ""),
    "not-a-wildcard": ({"A/topics.conf": "T* global,maxbytes=1MB\nT\n"}, "topic:T"),
    "duplicate-server-name": ({"C/tibemsd.conf": MAIN["B"].replace("//b:", "//c:")}, ""),
    "ft-pair-mismatch": (
        {
            "B/tibemsd.conf": with_main("ft_active = tcp://c:7222\n", "B"),
            "C/tibemsd.conf": "server = B\nrouting = enabled\nlisten = tcp://c:7222\n"
            "ft_active = tcp://b:7222\n",
        },
        "",
    ),
    "route-to-unloaded-server": (
        {"A/routes.conf": ROUTE.replace("B", "Z").replace("//b", "//z")},
        "",
    ),
    "subfile-not-found": ({"A/tibemsd.conf": with_main("durables = gone.conf\n")}, ""),
    "template": ({"A/topics.conf": TOPICS + "{{ name }} global\n"}, ""),
    "duplicate-route": (twin(ROUTE.replace("= M", "= N")), ""),
    "bridge-target-wildcard": ({"A/bridges.conf": "[topic:T]\n topic=T.*\n"}, "topic:T"),
    "binary-file": ({"A/topics.conf": "T\0 global\n"}, ""),
    "line-too-long": ({"A/topics.conf": TOPICS + "x" * 2_000_000 + "\n"}, ""),
    "not-a-boolean": ({"A/tibemsd.conf": MAIN["A"].replace("enabled", "enabeld")}, ""),
    "missing-equals": (twin(' outgoing_topic=T selector "k = 2"\n'), "topic:T"),
    "text-after-quote": (twin(' outgoing_topic=T selector="k = 2"x\n'), "topic:T"),
    "unquoted-selector": (twin(" outgoing_topic=T selector=k = 2\n"), "topic:T"),
    "unterminated-quote": (twin(' outgoing_topic=T selector="k = 2\n'), "topic:T"),
    "missing-selector": (twin(" outgoing_topic=T\n"), "topic:T"),
    "missing-topic": (twin(' selector="k = 2"\n'), "topic:T"),
    "missing-value": ({"A/routes.conf": ROUTE.replace("zone_name = M", "zone_name")}, ""),
    "empty-name": (twin("[]\n url = tcp://c:7222\n"), ""),
    "cut-off": ({"A/routes.conf": ROUTE + "[C]\n url = tcp://c:7222\n zone_na"}, ""),
    "unclosed-heading": (twin("[C\n url = tcp://c:7222\n"), ""),
    "bridge-selector": (
        {
            "A/bridges.conf": '[topic:T]\n queue=q selector="k=2" selector="k=3"\n',
            "A/queues.conf": "q\n",
        },
        "topic:T",
    ),
    "bridge-source": ({"A/bridges.conf": "[T]\n queue=q\n", "A/queues.conf": "q\n"}, ""),
    "missing-name": ({"A/durables.conf": "T\n"}, ""),
    "route-suspended": (
        {
            "A/show.txt": "A> show routes\n"
            "Route       T    ConnID  URL              ZoneName    ZoneType   Status\n"
            "B           A        12  tcp://b:7222     M           m          suspended\n"
            "A> exit\n"
        },
        "topic:T",
    ),
    "route-durable-without-route": ({"A/durables.conf": "T Z route\n"}, "topic:T"),
    "route-durable-not-global": (
        {"A/topics.conf": "T\n", "A/durables.conf": "T B route\n"},
        "topic:T",
    ),
    "routing-not-stated": ({"A/tibemsd.conf": MAIN["A"].replace("routing = enabled\n", "")}, ""),
    "global-at-one-end": ({"B/topics.conf": "T\n"}, "topic:T"),
    "global-in-part-at-one-end": ({"A/topics.conf": "> global,maxbytes=1MB\n"}, "topic:U"),
    "selector-topic-not-global": (
        {**twin(' outgoing_topic=T selector="k = 2"\n'), "A/topics.conf": "T\n"},
        "topic:T",
    ),
    "wildcard-not-subset-of-global": ({"B/durables.conf": "> d\n"}, "topic:T"),
    "duplicate-path": (
        {
            "A/routes.conf": ROUTE + ROUTE.replace("B", "C").replace("//b", "//c"),
            "B/routes.conf": ROUTE.replace("B", "C").replace("//b", "//c"),
            "C/tibemsd.conf": "server = C\nlisten = tcp://c:7222\nrouting = enabled\n",
        },
        "",
    ),
}
AS_JSON = {
    "unknown-selector": (', "selectorList": {"outgoing": "k = 2"}', ""),
    "missing-key": (', "x": 1}, {"url": "tcp://c:7222"', ""),
    "not-an-array": ("", ', "durables": {"topic": "T"}'),
    "not-an-object": ("", ', "durables": ["T"]'),
    "duplicate-key": ("", ', "topics": []'),
    "json-syntax": ("", ",,"),
}
"""By kind what more the route and the file say."""


def kinds() -> dict[str, list[FindingKind]]:
    """The kinds of findings of EMS that are worse than information, by name: several rules may
    share a name."""
    found: dict[str, list[FindingKind]] = {}
    for rule in system("ems").rules():
        for kind in rule.kinds:
            if kind.severity is not Severity.INFO and kind not in found.get(kind.kind, ()):
                found.setdefault(kind.kind, []).append(kind)
    return found


KINDS = kinds()
NOT_SHOWN = {
    "unreadable-file": "a test of reading takes away the permission",
    "too-many-properties": "a test of the importer writes a thousand of them",
    "trailing-comment": "strict reading alone finds it",
    "unclosed-bracket": "the entry is lost as one with missing-comma is",
}
"""Kinds that are walked and whose estate is elsewhere, with where."""


def test_each_kind_says_what_it_is_about_and_what_it_does_to_messages() -> None:
    lacking = {
        kind.kind for all_ in KINDS.values() for kind in all_ if not (kind.about and kind.bearing)
    }
    assert lacking == set()


def test_each_kind_that_does_anything_has_an_estate_that_shows_it() -> None:
    effects = {name: {kind.bearing.effect for kind in all_} for name, all_ in KINDS.items()}
    acting = {name for name, of in effects.items() if of & {"stops", "opens"}}
    walked = {name for name, of in effects.items() if of == {"walked"}}
    assert acting <= STOPS_OR_OPENS.keys()
    assert walked - WALKED.keys() - AS_JSON.keys() - NOT_SHOWN.keys() == set()


@pytest.mark.parametrize("kind", STOPS_OR_OPENS)
def test_a_link_that_a_finding_stops_or_opens_is_not_certain(kind: str, tmp_path: Path) -> None:
    sound = read(tmp_path / "sound", {})
    assert [one.server for one in sound.reach("A").servers] == ["B"]
    faulty = read(tmp_path / "faulty", STOPS_OR_OPENS[kind])
    (finding, *_) = [one for one in faulty.check().findings if one["kind"] == kind]
    bearing = next(one.bearing for one in KINDS[kind] if one.bearing.effect in ("stops", "opens"))
    reached, hops, matrix = faulty.reach("A"), faulty.hops("A", "B"), faulty.hops_matrix().hops
    sent = faulty.propagate("A", "topic:T")
    assert reached.servers == ()
    assert "B" not in {one.server for one in sent.deliveries if one.destination == "topic:T"}
    if bearing.effect == "stops":
        assert reached.unreachable == ("B",)
        assert hops.reachable is False
        assert matrix[0][1] is None
        (stop,) = reached.stopped
        assert (stop.at, stop.to, stop.source.to_dict()) == ("A", "B", finding["source"])
    else:
        assert hops.reachable == "unknown"
        assert matrix[0][1] == "unknown"
        (left_open,) = reached.undetermined
        assert finding["rule"] in left_open.because
        assert left_open.source.to_dict()["file"] == finding["source"]["file"]
        assert {one.server for one in sent.undetermined} == {"B"}


@pytest.mark.parametrize("kind", [*WALKED, *AS_JSON])
def test_what_a_finding_says_is_walked(kind: str, tmp_path: Path) -> None:
    if kind in AS_JSON:
        of_route, of_file = AS_JSON[kind]
        base = {"A/tibemsd.conf": NO_FILE, "A/routes.conf": NO_FILE, "A/topics.conf": NO_FILE}
        files = {**base, "A/tibemsd.json": JSON % (of_route, of_file)}
        without, destination = {**base, "A/tibemsd.json": JSON % ("", "")}, "topic:T"
    else:
        (files, destination), without = WALKED[kind], {}
    faulty = read(tmp_path / "faulty", files)
    assert kind in {one["kind"] for one in faulty.check().findings}, kind
    sound = read(tmp_path / "sound", {**without, **_same_queues(files)})
    try:
        expected = said(sound, destination)
    except topograph.TopographError:
        expected = {}
    assert said(faulty, destination) != expected


def _same_queues(files: Files) -> Files:
    """For a question about a queue, an estate in which nothing is wrong with it."""
    if "A/queues.conf" not in files or "q@" not in files["A/queues.conf"]:
        return {}
    return {"A/queues.conf": "q@B\n", "B/queues.conf": "q global\n"}


def reached(state: dict[tuple[str, str], str], start: str, passing: set[str]) -> set[str]:
    """The servers that links in one of some states lead to: a tree of one mhop zone."""
    found = {start}
    for _ in SERVERS:
        for (one, other), said_ in state.items():
            if said_ in passing and found & {one, other}:
                found |= {one, other}
    return found - {start}


@pytest.mark.parametrize("seed", range(60))
def test_links_of_drawn_estates_are_up_down_or_left_open(seed: int, tmp_path: Path) -> None:
    _, state = drawn(seed)
    write(tmp_path, seed)
    network = topograph.read(tmp_path)
    order = sorted(SERVERS)
    matrix = dict(zip(order, network.hops_matrix().hops, strict=True))
    for start in order:
        sure, perhaps = reached(state, start, {"up"}), reached(state, start, {"up", "unknown"})
        answer = network.reach(start)
        sent = network.propagate(start, "topic:T")
        assert {one.server for one in answer.servers} == sure, (seed, start, state)
        assert {one.server for one in answer.undetermined} == perhaps - sure
        assert {one.server for one in sent.deliveries} == sure | {start}
        assert {one.server for one in sent.undetermined} == perhaps - sure
        for end, hops in zip(order, matrix[start], strict=True):
            assert isinstance(hops, int) == (end in sure | {start})
            assert (hops == "unknown") == (end in perhaps - sure)
        names = network.interests(start)
        held = {one.name for one in names.servers[start]}
        assert held == {f"$TMP$.{end}.>" for end in sure}
        assert bool(names.undetermined) == bool(perhaps - sure)


def users(folder: Path, commands: str) -> topograph.Network:
    return read(
        folder,
        {
            "B/tibemsd.conf": with_main("authorization = enabled\n", "B"),
            "B/users.conf": "admin:\nA:\n",
        },
    ).audit(commands, at="B")


def test_commands_about_users_decide_who_logs_in_over_routes(tmp_path: Path) -> None:
    gone = users(tmp_path / "1", "delete user A\n")
    assert set(gone.reach.lost) == {("A", "B"), ("B", "A")}
    every = users(tmp_path / "2", "delete all users\n")
    assert set(every.reach.lost) == {("A", "B"), ("B", "A")}
    back = users(tmp_path / "3", "delete user A\ncreate user A password=x\n")
    assert back.reach.lost == ()
    assert [len(one.reach_lost_so_far) for one in back.steps] == [2, 0]
    twice = users(tmp_path / "4", "create user A\ndelete user nobody\ndelete user admin\n")
    assert [one.message for one in twice.rejections] == [
        "B has the user A already (B/users.conf:2:1)",
        "B has no user nobody",
        "the user admin of B cannot be deleted",
    ]
    ldap = users(tmp_path / "5", "set server user_auth=ldap\n")
    assert [one.rule for one in ldap.assumptions] == ["R50"]
    assert ldap.reach.lost == ()


def test_a_change_that_leaves_a_link_open_or_takes_an_open_one_loses_nothing_for_certain(
    tmp_path: Path,
) -> None:
    pairs = {("A", "B"), ("B", "A")}
    opened = read(tmp_path / "1", {}).audit("setprop route B url=tcp://b:7999\n", at="A")
    assert (opened.reach.lost, set(opened.reach.undetermined)) == ((), pairs)
    open_ = {"A/routes.conf": ROUTE.replace("7222", "7999")}
    gone = read(tmp_path / "2", open_).audit("delete route B\n", at="A")
    assert (gone.reach.lost, set(gone.reach.undetermined)) == ((), pairs)


FORMS = (
    '"selectors": {"outgoing_topic": [{"name": "T", "selector": "k = 2"}]}',
    '"selectors": {"outgoing": {"topic": "T", "selector": "k = 2"}}',
    '"selectors": {"outgoing_topic": {"T": "k = 2"}}',
    '"selectors": {"T": {"selector": "k = 2"}}',
    '"selectors": ["T: k = 2"]',
    '"selectors": "T: k = 2"',
    '"selectors": [[{"direction": "outgoing", "topic": "T", "selector": "k = 2"}]]',
    '"Selectors": {"outgoing": [{"topic": "T", "selector": "k = 2"}]}',
    '"filters": [{"topic": "T", "selector": "k = 2"}]',
    '"outgoing_topic": {"name": "T", "selector": "k = 2"}',
    '"topic_selectors": [{"T": "k = 2"}]',
    '"options": {"selector": {"T": "k = 2"}}',
)


@pytest.mark.parametrize("form", FORMS)
def test_a_selector_of_a_json_route_is_read_or_left_open(form: str, tmp_path: Path) -> None:
    base = {"A/routes.conf": NO_FILE, "A/topics.conf": NO_FILE, "A/tibemsd.conf": NO_FILE}
    network = read(tmp_path, {**base, "A/tibemsd.json": JSON % (f", {form}", "")})
    assert "B" not in {one.server for one in network.propagate("A", "topic:T", {"k": 1}).deliveries}


ZONES = (
    '"zone": {"name": "N", "type": "1hop"}',
    '"zone": "N"',
    '"zoneName": "N", "zoneType": "1hop"',
    '"zone_name": {"value": "N"}',
    '"zones": [{"name": "N"}]',
    '"properties": {"zone_name": "N", "zone_type": "1hop"}',
    '"Zone": ["N", "1hop"]',
    '"zone_type": ["1hop", "mhop"]',
)


@pytest.mark.parametrize("form", ZONES)
def test_a_zone_of_a_json_route_in_another_form_is_an_assumption(form: str, tmp_path: Path) -> None:
    base = {"A/routes.conf": NO_FILE, "A/topics.conf": NO_FILE, "A/tibemsd.conf": NO_FILE}
    whole = JSON % (f", {form}", "")
    whole = whole.replace(', "zone_name": "M", "zone_type": "mhop"', "")
    network = read(tmp_path, {**base, "A/tibemsd.json": whole})
    assert {one.rule for one in network.reach("A").assumptions} == {"A9"}


@pytest.mark.parametrize(
    ("url", "certain"),
    [
        ("tcp://b:7222", True),
        ("tcp://b:7999,tcp://b:7222", True),
        ("tcp://elsewhere:7222", True),  # nothing says who listens there
        ("tcp://b:7999,tcp://elsewhere:7222", True),
        ("tcp://b:7999,ssl://b:7222", False),
        ("tcp://a:7222,tcp://b:7999", False),
        ("tcp://localhost:7222", True),  # A listens at another address
        ("tcp://$HOST:7222", True),
    ],
)
def test_a_route_is_left_open_only_where_none_of_its_urls_may_lead_there(
    url: str, certain: bool, tmp_path: Path
) -> None:
    network = read(tmp_path, {"A/routes.conf": ROUTE.replace("tcp://b:7222", url)})
    assert network.hops("A", "B").reachable == (True if certain else "unknown")


def test_hosts_of_topograph_yaml_settle_where_a_port_leads(tmp_path: Path) -> None:
    """A port that is forwarded to the server."""
    forwarded = {"A/routes.conf": ROUTE.replace("7222", "7999")}
    assert read(tmp_path, forwarded).hops("A", "B").reachable == "unknown"
    config = tmp_path / "topograph.yaml"
    config.write_text('hosts: {"b:7999": B}\n', encoding="utf-8")
    assert topograph.read(tmp_path, config=config).hops("A", "B").reachable is True


@pytest.mark.parametrize(
    ("lines", "users", "rule"),
    [
        ("", "admin:\n", ""),
        ("authorization = disabled\n", "admin:\n", ""),
        ("authorization = enabled\n", "admin:\nA:x\n", ""),
        ("authorization = enabled\nuser_auth = local\n", "admin:\nA:x\n", ""),
        ("authorization = enabled\nuser_auth = ldap,local\n", "admin:\nA:x\n", ""),
        ("authorization = enabled\nuser_auth = ldap\n", "admin:\nA:x\n", "R50"),
        ("authorization = enabled\nuser_auth = jaas\n", "admin:\n", "R50"),
        ("authorization = enabled\nuser_auth = oauth2,local\n", "admin:\n", "R50"),
        ("authorization = enabled\n", "", "R50"),
    ],
)
def test_whether_a_server_gets_in_that_the_files_do_not_say_is_an_assumption(
    lines: str, users: str, rule: str, tmp_path: Path
) -> None:
    files = {"B/tibemsd.conf": with_main(lines, "B")}
    network = read(tmp_path, files | ({"B/users.conf": users} if users else {}))
    answer = network.hops("A", "B")
    assert answer.reachable is True
    assert [one.rule for one in answer.assumptions] == ([rule] if rule else [])


def test_a_standby_of_a_server_of_another_name_is_not_certain(tmp_path: Path) -> None:
    """One-sided: B is active, A waits for it."""
    files = {
        "A/tibemsd.conf": with_main("ft_active = tcp://c:7222\n"),
        "C/tibemsd.conf": "server = C\nlisten = tcp://c:7222\nrouting = enabled\n"
        "routes = routes.conf\n",
        "C/routes.conf": ROUTE,
    }
    network = read(tmp_path, files)
    assert network.hops("C", "B").reachable is True
    assert network.hops("A", "B").reachable == "unknown"


def test_links_say_whether_they_are_up(tmp_path: Path) -> None:
    def states(name: str, files: Files) -> list[tuple[object, object]]:
        rows = read(tmp_path / name, files).show("links").rows
        return [(row["state"], row["because"]) for row in rows]

    assert states("up", {}) == [("in use", "")]
    ((open_, why),) = states("open", STOPS_OR_OPENS["name-url-mismatch"])
    assert (open_, "TL-16" in str(why)) == ("not known", True)
    ((down, why),) = states("down", STOPS_OR_OPENS["route-user-missing"])
    assert (down, "TL-21" in str(why)) == ("down", True)
    ((off, why),) = states("off", STOPS_OR_OPENS["routing-disabled"])
    assert (off, why) == ("down", "routing is disabled at B")
