from pathlib import Path

import pytest

from topograph.findings import Source
from topograph.importers.ems import recognise
from topograph.importers.ems.roles import (
    EMS_JSON,
    EMS_MAIN,
    EMS_SHOW,
    EMS_SHOW_ROUTES,
    EMS_SUB_FILE,
)
from topograph.importers.reading import Recognised, Reference, Role

SAMPLES = Path(__file__).parents[4] / "shared" / "samples"

ROUTER_CONF = (
    "router {\n    mode: interior\n    id: A\n}\n\nlistener {\n    host: 0.0.0.0\n    port: "
    "amqp\n}\n"
)
MAIN = (
    "# main\nserver = HUB\nrouting = on\nlisten = tcp://7222\nroutes = "
    "conf/routes.conf\nusers = /opt/users.conf\n"
)


def test_a_main_file_of_any_name_says_its_server_and_its_sub_files() -> None:
    usual = [
        "groups",
        "topics",
        "queues",
        "acl",
        "factories",
        "bridges",
        "transports",
        "tibrvcm",
        "durables",
        "channels",
        "stores",
    ]
    assert recognise("hub/whatever.txt", MAIN.encode()) == Recognised(
        "hub/whatever.txt",
        EMS_MAIN,
        "HUB",
        (
            Reference("routes", "conf/routes.conf", Source("hub/whatever.txt", 5, 10)),
            Reference("users", "/opt/users.conf", Source("hub/whatever.txt", 6, 9)),
            *(
                Reference(
                    "acl_list" if kind == "acl" else kind,
                    f"{kind}.conf",
                    Source("hub/whatever.txt"),
                    unstated=True,
                )
                for kind in usual
            ),
        ),
    )


def role(name: str, text: str) -> Role | None:
    recognised = recognise(name, text.encode())
    return recognised.role if recognised else None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x", "server = A\n", EMS_MAIN),
        ("x", MAIN.replace("\n", "\r\n"), EMS_MAIN),
        ("x", "\ufeff" + MAIN, EMS_MAIN),
        ("x", "routing = on\ntopics = t.conf\nqueues = q.conf\n", EMS_MAIN),
        ("x", '{"model_version":"1.0","tibemsd":{"server":"A"}}', EMS_JSON),
        ("x", '{"tibemsd":{"server":"A"},"routes":[{"na', EMS_JSON),
        ("x", "[B]\n url=tcp://b:1\n zone_name=Z\n", EMS_SUB_FILE),
        ("routes.conf", "[B]\n url=tcp://b:1\n", EMS_SUB_FILE),
        ("routes.conf", "[B", EMS_SUB_FILE),
        ("x", "[topic:A]\n queue=B\n", EMS_SUB_FILE),
        ("x", "> \ntest.> global,secure\n", EMS_SUB_FILE),
        ("x", "TOPIC=a USER=b PERM=publish\n", EMS_SUB_FILE),
        ("x", '$admin:"Administrators"\n  admin\n', EMS_SUB_FILE),
        ("x", 'admin::"Administrator"\n', EMS_SUB_FILE),
        ("x", "topic4 Paris route\n", EMS_SUB_FILE),
        ("topics.conf", "one\ntwo\n", EMS_SUB_FILE),
        ("bridges.conf", "# nothing\n", EMS_SUB_FILE),
        (
            "x",
            "Route  T  ConnID  URL  ZoneName  ZoneType\r\nB  A  1  tcp://b:1  Z  m\r\n",
            EMS_SHOW_ROUTES,
        ),
        ("tibemsd.conf", ROUTER_CONF, None),
        ("routes.conf", ROUTER_CONF, None),
        ("tibemsd.conf", "hosts:\n  a: A\nroutes:\n  - x\ntopics:\n  - y\nserver: z\n", None),
        ("x", "DEFINE QLOCAL(A) REPLACE\nALTER QMGR DEADQ(B)\n", None),
        ("x", "<server><routes/></server>\n", None),
        (
            "README.md",
            "# Routes\n\nThe server forwards messages along routes.\nIt takes the route\n",
            None,
        ),
        ("README", "one\ntwo\n", None),
        ("app.ini", "[main]\nserver = a\nport = 1\n", None),
        ("app.properties", "server = a\nport = 1\nname = x\n", None),
        ("x.json", '{"router": {"id": "A"}}', None),
        ("x", "", None),
    ],
)
def test_content_decides_what_a_file_is(name: str, text: str, expected: Role | None) -> None:
    assert role(name, text) == expected


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "tcp://localhost:7222> show topics\n  Topic Name   SNFGEIBCTM\n",
            "recognised as `show topics` output",
        ),
        (
            "tcp://localhost:7222> show config\n  something else\n",
            "recognised as `show config` output",
        ),
        (
            "max_connections  7\nlogfile  x\nserver_trace  y\nlog_trace  z\n",
            "recognised as `show config` output",
        ),
    ],
)
def test_other_output_of_the_administration_tool_is_named(text: str, note: str) -> None:
    assert recognise("out.txt", text.encode()) == Recognised("out.txt", Role.OTHER, note=note)


@pytest.mark.parametrize(
    "text",
    [
        "tcp://localhost:7222> show config\n  server  A\n",
        "server      A\nrouting     enabled\nlisten      tcp://7222\nflow_control  disabled\n",
        "  Server:     A (version: 8.6.0 V3)\n  Hostname:   h\n",
        "tcp://localhost:7222> info\n  Server:     A\n  State:      active\n",
    ],
)
def test_what_a_server_shows_of_itself_is_output_of_that_server(text: str) -> None:
    assert recognise("out.txt", text.encode()) == Recognised("out.txt", EMS_SHOW, "A")


def test_the_prompt_of_show_routes_may_name_the_server() -> None:
    text = "EMS-A> show routes\nRoute  T  ConnID  URL  ZoneName  ZoneType\n"
    assert recognise("x", text.encode()) == Recognised("x", EMS_SHOW_ROUTES, "EMS-A")


@pytest.mark.parametrize(
    "data", [b"\x00\x01server = A\nrouting = on\n", b"\x7fELF\x00", b"\xff\xfe\x00"]
)
def test_binary_files_are_nothing_to_ems(data: bytes) -> None:
    assert recognise("tibemsd.conf", data) is None


def test_configurations_of_other_products_are_not_claimed() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the sample files are not next to this checkout")
    files = [path for path in sorted(SAMPLES.rglob("*")) if path.is_file()]
    assert len(files) > 20
    assert [
        path.name for path in files if recognise(path.name, path.read_bytes()) is not None
    ] == []


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("tibemsd.conf_template", "server = A\nrouting = on\n", "tibemsd.conf"),
        ("x/tibemsd.conf.j2", "server = A\nrouting = on\n", "tibemsd.conf"),
        ("tibemsd.conf", "server = {{ name }}\nrouting = on\n", "tibemsd.conf"),
        ("tibemsd.conf", "server = EMS-${SITE}\nrouting = on\n", "tibemsd.conf"),
        (
            "tibemsd.conf",
            "server = A\nrouting = on\nlisten = tcp://{{ host }}:7222\n",
            "tibemsd.conf",
        ),
        ("tibemsd.json", '{"tibemsd": {"server": "${NAME}"}}', "tibemsd.json"),
        ("routes.conf.template", "[B]\n url=tcp://b:1\n zone_name=Z\n", "routes.conf"),
    ],
)
def test_a_template_is_recognised_as_one_and_never_read_as_a_server(
    name: str, text: str, kind: str
) -> None:
    note = f"recognised as a template of {kind}, not read: import the file that is made from it"
    assert recognise(name, text.encode()) == Recognised(name, Role.OTHER, note=note)


def test_a_password_that_a_script_fills_in_makes_no_template() -> None:
    assert (
        role("tibemsd.conf", "server = A\nrouting = on\npassword = ${EMS_PASSWORD}\n") == EMS_MAIN
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # server and one telling name, or three telling ones
        ("server = A\nrouting = on\n", EMS_MAIN),
        ("server = A\nother = on\n", None),
        ("server = A\nserver = B\n", EMS_MAIN),
        ("routing = on\nroutes = r.conf\ntopics = t.conf\n", EMS_MAIN),
        ("routing = on\nroutes = r.conf\n", None),
        ("routing = on\nroutes = r.conf\nother = x\n", None),
        # more than half of the lines have to be parameters
        ("server = A\nrouting = on\nprose is here\n", EMS_MAIN),
        ("server = A\nrouting = on\nprose is here\nand more of it\n", None),
        ("server = A\nrouting = on\ntopics = t\nprose is here\nand more of it\n", EMS_MAIN),
        # no section, no block
        ("server = A\nrouting = on\n[x]\n", None),
        ("server = A\nrouting = on\nx {\n", None),
    ],
)
def test_a_main_file_is_told_by_the_names_of_its_parameters(
    text: str, expected: Role | None
) -> None:
    assert role("x", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("server    A\nrouting    on\nlisten    tcp://1\n", EMS_SHOW),
        ("server    A\nrouting    on\n", None),
        ("server    A\nrouting    on\nother    x\n", None),
        (
            "server    A\nrouting    on\nlisten    x\n" + "".join(f"p{n}    x\n" for n in range(3)),
            EMS_SHOW,
        ),
        (
            "server    A\nrouting    on\nlisten    x\n" + "".join(f"p{n}    x\n" for n in range(4)),
            None,
        ),
        ("server A\nrouting on\nlisten x\n", None),
        ("host> show   QUEUES\n", "recognised as `show queues` output"),
        ("show queues\n", None),
        ("Server A (version: 8)\n", EMS_SHOW),
        ("Server A (8)\n", None),
    ],
)
def test_output_of_the_administration_tool_is_told_by_prompt_or_parameters(
    text: str, expected: Role | str | None
) -> None:
    found = recognise("out.txt", text.encode())
    assert (found and (found.note or found.role)) == expected


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("x", "[B]\n url=tcp://b:1\n zone_name=Z\n", "routes.conf"),
        ("x", "[topic:A]\n queue=B\n", "bridges.conf"),
        ("x", "TOPIC=a USER=b PERM=publish\n", "acl.conf"),
        ("x", "QUEUE=a GROUP=b PERM=send\n", "acl.conf"),
        ("x", "ADMIN USER=b PERM=all\n", "acl.conf"),
        ("x", "TOPIC=a USER=b\n", None),
        ("x", "TOPIC=a PERM=publish\n", None),
        ("x", 'ops:"Operators"\n  bob\n', "groups.conf"),
        ("x", "ops:Operators\n", None),
        ("x", 'bob::"Bob"\n', "users.conf"),
        ("x", "t1 global\n", "topics.conf or queues.conf"),
        ("queues.conf", "q1 global\n", "queues.conf"),
        ("topics.conf", "q1 global\n", "topics.conf"),
        ("x", "t1 nonsense\n", None),
        ("x", "t1 global\nt2 nonsense\n", None),
        ("x", ">\n", "topics.conf or queues.conf"),
        ("x", "t1\n", None),
        ("topics.conf", "t1\n", "topics.conf"),
        ("acl.conf", 'ops:"Operators"\n', None),
        ("groups.conf", 'ops:"Operators"\n', "groups.conf"),
        ("topics.conf", "a {\n}\n", None),
        ("topics.conf", "a global\n}\n", None),
        ("users.conf", "bob:pw\nann:\n", "users.conf"),
        ("users.conf", "bob:pw\nann=q\n", None),
        ("tibrvcm.conf", "transport listener subject\n", "tibrvcm.conf"),
        ("x", "topic.a d1\ntopic.b d2 clientid=c\n", "durables.conf"),
        ("x", "topic.a d1\ntopic.b d2\n", None),
        ("x", "[f]\n url = tcp://a:1\n", "routes.conf or factories.conf"),
        ("factories.conf", "[f]\n url = tcp://a:1\n", "factories.conf"),
        ("routes.conf", "[f]\n url = ssl://a:1\n", "routes.conf"),
        ("topics.conf", "# c\n", "topics.conf"),
        ("other.conf", "# c\n", None),
    ],
)
def test_a_sub_file_is_told_by_its_lines_and_its_name_only_where_they_say_nothing(
    name: str, text: str, kind: str | None
) -> None:
    found = recognise(name, text.encode())
    assert (found.note if found else None) == (f"looks like {kind}" if kind else None)


def test_a_sub_file_is_told_by_its_first_400_lines() -> None:
    assert role("x", "t global\n" * 400 + "not = a destination { x\n") == EMS_SUB_FILE
    assert role("x", "t global\n" * 399 + "not = a destination { x\n") is None
