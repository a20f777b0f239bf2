"""Changes that are saved: judged again elsewhere, and compared with what is there once they went
in.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st

import topograph
from topograph.audit import GivenScript
from topograph.audit.saved import read_change
from topograph.cli.main import exit_code
from topograph.errors import InputError, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDERS, STAR = EXAMPLES / "orders", EXAMPLES / "mhop-star"
SECRET = "tiger-7Q"

SCRIPT = """\
# parcels
create topic parcels global
setprop route Canada outgoing_topic="orders" selector="country = 'Kanada'"
delete topic invoices.>
addprop topic orders maxmsgs=10
"""


@pytest.fixture
def orders(tmp_path, monkeypatch):
    """Two copies of an estate, ``before`` and ``after``; the folder of both is the current one."""
    for name in ("before", "after"):
        shutil.copytree(ORDERS, tmp_path / name)
    (tmp_path / "change.txt").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(folder: Path) -> None:
    """What the script does, by hand and in other places of the files."""
    hub = folder / "hub"
    (hub / "topics.conf").write_text(
        "parcels  global\n\n# moved down\norders  maxmsgs=10, global, maxbytes=256MB\n"
    )
    routes = (hub / "routes.conf").read_text()
    (hub / "routes.conf").write_text("# a line more\n" + routes.replace("'Canada'", "'Kanada'"))


def asked(capsys, *words: str) -> tuple[int, str, str]:
    code = exit_code(["audit", *words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def essence(answer):
    """An answer without what says where it was asked."""
    return replace(answer, warnings=())


def test_a_saved_change_is_judged_as_the_script_was(orders, capsys):
    code, first, _ = asked(
        capsys,
        "-s",
        "before",
        "--change",
        "HUB=change.txt",
        "--save",
        "change.json",
        "--format",
        "json",
    )
    saved = json.loads((orders / "change.json").read_text())
    assert (
        saved["judged"]["verdict"],
        saved["scripts"][0]["server"],
        saved["scripts"][0]["name"],
    ) == (
        json.loads(first)["verdict"],
        "HUB",
        "change.txt",
    )
    assert asked(capsys, "-s", "before", "--replay", "change.json", "--format", "json") == (
        code,
        first,
        "",
    )
    network = topograph.open("before")
    kept = network.saved_change("change.txt", at="HUB")
    assert read_change(kept.written().encode(), "x") == kept
    assert (
        network.replay(kept)
        == network.replay("change.json")
        == network.audit("change.txt", at="HUB")
    )


def test_a_change_that_went_in_as_it_was_meant_is_accepted(orders, capsys):
    asked(capsys, "-s", "before", "--change", "HUB=change.txt", "--save", "change.json")
    edit(orders / "after")
    code, out, err = asked(capsys, "-s", "before", "--replay", "change.json", "--after", "after")
    assert (code, err) == (0, "")
    assert out.startswith(
        "As the change was to give it: nothing of it is missing, and nothing else was changed."
    )
    answer = topograph.open("before").replay("change.json", "after")
    assert (answer.verdict, answer.replayed, answer.missing, answer.besides) == (
        "accept",
        True,
        (),
        (),
    )
    assert (answer.reach.lost, answer.deliveries.lost, answer.would_lose) == ((), (), ())


def test_what_is_missing_and_what_came_besides_is_listed_with_its_line(orders, capsys):
    asked(capsys, "-s", "before", "--change", "HUB=change.txt", "--save", "change.json")
    hub = orders / "after" / "hub"
    (hub / "topics.conf").write_text(
        "orders global,maxbytes=256MB\ninvoices.> global,maxbytes=64MB\nextra global\n"
    )
    code, out, _ = asked(
        capsys,
        "--before",
        "before",
        "--replay",
        "change.json",
        "--after",
        "after",
        "--format",
        "json",
    )
    answer = json.loads(out)

    def rows(entries):
        return {
            (
                one["change"],
                one["kind"],
                one["server"],
                one["name"],
                one["source"]["file"],
                one["source"]["line"],
            )
            for one in entries
        }

    assert (code, answer["verdict"]) == (1, "reject")
    assert rows(answer["missing"]) >= {
        ("added", "destination", "HUB", "parcels", "change.txt", 2),
        ("removed", "destination", "HUB", "invoices.>", "hub/topics.conf", 4),
        ("added", "destination", "HUB", "orders", "hub/topics.conf", 3),
    }
    assert {kind for _, kind, *_ in rows(answer["missing"])} == {"destination", "route"}
    assert rows(answer["besides"]) == {
        ("added", "destination", "HUB", "extra", "hub/topics.conf", 3)
    }
    # The selector that did not change: who gets less than was meant, and who gets more.
    assert {"country": "Canada"} in [one["witness"] for one in answer["deliveries"]["gained"]]
    code, out, _ = asked(capsys, "-s", "before", "--replay", "change.json", "--after", "before")
    assert out.startswith("Not what the change was to give: ")
    assert "changed as well." not in out.partition("\n")[0]
    assert "\nPart of the change, but missing\n" in out


def test_a_refused_command_is_not_expected(orders):
    shutil.copytree(STAR / "legal", orders / "star")
    network = topograph.open("star")
    script = "create route D url=tcp://d.example.net:7222 zone_name=CAMPUS zone_type=mhop\n"
    saved = network.saved_change(script, at="B")
    assert saved.verdict == "reject"
    assert network.replay(saved, "star").verdict == "accept"
    worse = network.replay(saved, STAR / "with-b-d")
    assert {(one.change, one.kind, one.server, one.name) for one in worse.besides} == {
        ("added", "route", "B", "D"),
    }


def test_another_verdict_than_before_is_said(orders):
    script = "create route D url=tcp://d.example.net:7222 zone_name=CAMPUS zone_type=mhop\n"
    saved = topograph.open(STAR / "legal").saved_change(script, at="B")
    (orders / "two").mkdir()
    for name in ("B", "D"):
        (orders / "two" / name).mkdir()
        (orders / "two" / name / "tibemsd.conf").write_text(
            f"server = {name}\nrouting = enabled\nroutes = routes.conf\n"
        )
        (orders / "two" / name / "routes.conf").write_text("")
    answer = topograph.open("two").replay(saved)
    assert answer.verdict == "accept"
    assert [one.message for one in answer.warnings if one.rule == "verdict-changed"] == [
        f"when this change was saved, the verdict was reject, on snapshot {saved.snapshot}"
    ]


def test_routes_that_were_down_are_kept_and_can_be_replaced(orders):
    network = topograph.open(STAR / "legal")
    script = "create route D url=tcp://d.example.net:7222 zone_name=CAMPUS zone_type=mhop\n"
    saved = network.saved_change(script, at="B", down=("route:A-D",))
    assert saved.down == ("route:A-D",)
    assert network.replay(saved) == network.audit(script, at="B", down=("route:A-D",))
    assert essence(network.replay(saved, down=())) == essence(network.audit(script, at="B"))


def test_secrets_are_not_saved_and_a_script_that_does_without_them_is_replayed(orders, capsys):
    script = (
        f"# the password is {SECRET}\nconnect tcp://admin:{SECRET}@hub.example.net:7222 "
        f"admin {SECRET}\n"
        f"create route Peru url=tcp://u:{SECRET}@peru:7222 zone_name=SALES "
        "zone_type=mhop\ncreate topic parcels global\n"
    )
    (orders / "change.txt").write_text(script)
    code, first, err = asked(
        capsys,
        "-s",
        "before",
        "--change",
        "HUB=change.txt",
        "--save",
        "change.json",
        "--format",
        "json",
    )
    text = (orders / "change.json").read_text()
    assert SECRET not in text
    assert err == ""
    assert asked(capsys, "-s", "before", "--replay", "change.json", "--format", "json") == (
        code,
        first,
        "",
    )
    saved = read_change(text.encode(), "change.json").scripts[0]
    assert saved.text.split("\n")[0] == ""
    assert "peru:7222" in saved.text.split("\n")[2]


def test_a_script_whose_secrets_decide_is_saved_without_them_and_not_replayed(orders, capsys):
    (orders / "change.txt").write_text(
        'create topic parcels global\nsetprop route Canada outgoing_topic="orders" '
        f"selector=\"token = '{SECRET}'\"\n"
    )
    _, _, err = asked(capsys, "-s", "before", "--change", "HUB=change.txt", "--save", "change.json")
    assert err == (
        "change.txt: secrets in line 2 are not saved, and without them change.json "
        "cannot be replayed.\n"
    )
    assert SECRET not in (orders / "change.json").read_text()
    code, out, err = asked(capsys, "-s", "before", "--replay", "change.json")
    assert (code, out) == (2, "")
    assert (
        "change.txt cannot be replayed: it had secrets in line 2, which were not saved"
        in " ".join(err.split())
    )
    with pytest.raises(UsageError, match="cannot be replayed"):
        topograph.open("before").replay("change.json", "after")


WORDS = (
    "create",
    "topic",
    "route",
    "a",
    "Canada",
    "global",
    "password",
    SECRET,
    f"pw={SECRET}",
    f"ssl_password={SECRET}",
    "url=tcp://h:1",
    f"url=tcp://u:{SECRET}@h:1",
    "zone_name=Z",
    "zone_type=mhop",
    "#",
    "connect",
    "connect tcp://h:1",
    "selector=\"a = 'b'\"",
    "\n",
    "\n",
    "delete",
)


@pytest.mark.slow
@settings(max_examples=draws(36), deadline=None)
@given(st.integers(0, 2**32))
def test_random_scripts_with_secrets_are_saved_without_them_and_replayed_alike(number):
    """Whatever is saved as replayable gives the same commands and results; no secret after the
    name of one is saved.
    """
    rng = random.Random(number)
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 25)))
    lines = [line for line in text.split("\n") if _could_be_known(line)]
    scripts = [GivenScript("\n".join([*lines, "create topic z"]).encode(), "c.txt", "HUB")]
    try:
        answer = orders_network().audit(scripts)
    except UsageError:
        return
    saved = orders_network().saved_change(scripts, judged=answer)
    assert SECRET not in saved.written()
    if saved.scripts[0].hidden:
        return
    again = orders_network().replay(saved)
    assert [(one.source.line, one.result, one.server) for one in again.steps] == [
        (one.source.line, one.result, one.server) for one in answer.steps
    ]
    assert (again.verdict, again.reach, again.hops, again.would_lose) == (
        answer.verdict,
        answer.reach,
        answer.hops,
        answer.would_lose,
    )


def _could_be_known(line: str) -> bool:
    """Whether each bare secret of a line stands behind the name of one, or where a connect line
    has it; else it is a word as any other.
    """
    bare = re.search(rf"(?:^|\s){SECRET}", line)
    return (
        bare is None or re.search(r"password|^\s*connect tcp", line[: bare.start() + 1]) is not None
    )


@cache
def orders_network() -> topograph.Network:
    return topograph.open(ORDERS)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c | {"format": "x"}, "is not a saved change. Save one with"),
        (lambda c: c | {"version": 2}, "of version 2; this topograph reads version 1"),
        (
            lambda c: c | {"scripts": [c["scripts"][0] | {"text": "delete topic orders\n"}]},
            "was altered after it was saved",
        ),
        (lambda c: c | {"scripts": [c["scripts"][0] | {"hidden": ["x"]}]}, "is damaged"),
        (lambda c: c | {"scripts": {}}, "no command that could change anything"),
        (lambda c: c | {"down": 7}, "is damaged"),
        (lambda c: {key: value for key, value in c.items() if key != "judged"}, "is damaged"),
        (lambda c: [c], "is damaged"),
        (lambda c: None, "is damaged"),
    ],
)
def test_what_is_no_saved_change_is_refused(orders, capsys, change, said):
    asked(capsys, "-s", "before", "--change", "HUB=change.txt", "--save", "change.json")
    content = json.loads((orders / "change.json").read_text())
    (orders / "change.json").write_text(json.dumps(change(content)))
    code, out, err = asked(capsys, "-s", "before", "--replay", "change.json")
    assert (code, out) == (2 if "no command" in said else 3, "")
    assert said in " ".join(err.split())


@settings(max_examples=draws(100), deadline=None)
@given(
    st.one_of(
        st.binary(max_size=60),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=3),
            lambda s: (
                st.lists(s, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["format", "version", "judged", "down", "scripts", "topograph-change"]
                    ),
                    s,
                    max_size=6,
                )
            ),
            max_leaves=8,
        ).map(lambda v: json.dumps(v).encode()),
    )
)
def test_any_bytes_are_a_saved_change_or_an_input_error(data):
    with pytest.raises(InputError):
        read_change(data, "x")


@pytest.mark.parametrize(
    "words",
    [
        ["--replay", "change.json", "--change", "HUB=change.txt"],
        ["--replay", "change.json", "--save", "other.json"],
        ["--replay", "change.json", "--before", "before"],
        ["--save", "other.json"],
        ["--before", "before", "--after", "after", "--save", "other.json"],
    ],
)
def test_options_that_do_not_go_together_are_refused(orders, capsys, words):
    asked(capsys, "-s", "before", "--change", "HUB=change.txt", "--save", "change.json")
    code, out, _ = asked(capsys, *words)
    assert (code, out) == (2, "")
    assert not (orders / "other.json").exists()


def test_a_redacted_snapshot_is_said_not_to_redact_the_script(orders, capsys, monkeypatch):
    network = topograph.read("before", redact=True)
    monkeypatch.setattr("topograph.network.open_network", lambda *_: network)
    _, _, err = asked(capsys, "--change", "HUB=change.txt", "--save", "change.json")
    assert err == (
        "The snapshot is redacted, change.json is not: it has hosts, users and client "
        "ids as the scripts have them.\n"
    )


OTHERS = [
    (
        "queue_managers",
        "HUB",
        f"DEFINE QLOCAL(NEWQ) +\n   MAXDEPTH(10)\nALTER QMGR SSLCRYP +\n  ('{SECRET}')\n"
        f"DEFINE AUTHINFO(LD) AUTHTYPE(IDPWLDAP) +\n  LDAPPWD( +\n   '{SECRET}' )\n",
    ),
    (
        "sibus_orders",
        None,
        f"x = '{SECRET}'\nAdminTask.createSIBDestination('[-bus ORDERS -name NEWQ -type Queue]')\n"
        "AdminTask.createSIBMQLink('[-bus ORDERS -name L -password ' + x + ']')\n",
    ),
    (
        "routers",
        "FRA",
        (
            f"qdmanage create --type=sslProfile name=p password={SECRET}\nqdmanage -b "
            f"amqp://u:{SECRET}@h:1 create --type=address prefix=zz\n"
        ),
    ),
    (
        "rabbitmq",
        "north",
        f"rabbitmqctl add_user ann '{SECRET}'\nPW='{SECRET}'\n"
        "curl -u admin:$PW -X PUT http://localhost:15672/api/queues/%2F/NEWQ -d '{}'\n"
        f"rabbitmqadmin -p {SECRET} declare user name=eve password={SECRET} tags=\n",
    ),
]


@pytest.mark.parametrize(
    ("example", "at", "script"), OTHERS, ids=[example for example, _, _ in OTHERS]
)
def test_no_language_saves_secrets_on_other_lines_or_in_variables(example, at, script):
    saved = topograph.open(EXAMPLES / example).saved_change([GivenScript(script.encode(), "c", at)])
    assert SECRET not in saved.written()
    assert saved.scripts[0].text.count("\n") == script.count("\n")
    assert "NEWQ" in saved.written() or "prefix=zz" in saved.written()


@pytest.mark.parametrize(
    ("example", "at", "script"),
    [
        (
            "queue_managers",
            "HUB",
            "DEFINE QLOCAL(NEWQ) +\n MAXDEPTH(10)\n* gone again\nDELETE QLOCAL(NEWQ)\n",
        ),
        (
            "sibus_orders",
            None,
            (
                "for q in ['A', 'B']:\n    AdminTask.createSIBDestination(['-bus', 'ORDERS', "
                "'-name', q, '-type', 'Queue'])\nAdminConfig.save()\n"
            ),
        ),
        ("routers", "FRA", "qdmanage create --type=address prefix=zz distribution=closest\n"),
        (
            "rabbitmq",
            "north",
            "for q in a b; do rabbitmqadmin declare queue name=$q durable=true; done\n"
            "rabbitmqctl add_user ann 's3cret'\n"
            "rabbitmqadmin -p 's3cret' declare binding source=orders destination=a "
            "routing_key='a.#'\n",
        ),
    ],
)
def test_scripts_of_every_language_are_replayed_alike(example, at, script):
    network = topograph.open(EXAMPLES / example)
    scripts = [GivenScript(script.encode(), "c", at)]
    saved = network.saved_change(scripts)
    assert saved.scripts[0].hidden == ()
    assert network.replay(saved) == network.audit(scripts)
