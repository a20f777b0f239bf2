"""Secrets planted at every word of every kind of file: no finding and no note shows one,
whatever it quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from draws import some
from redaction.planted import planted_estate
from redaction.planting.forms import FORMS, PLANTED, planted_form

from topograph.credentials import without_credentials
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers.amq_interconnect.commands import read_script
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Options
from topograph.side_inputs import SideInputs

SECRETS = (
    b"tcp://u:tiger@h:1",
    b"pw=tiger",
    b"$man$tiger",
    b"pass:tiger",
    b"tcp://a:1,tcp://u:x/tiger@b",
)
"""What a file may hold in place of any word."""

IN_VALUES = (b"scott/tiger@h", b"u:tiger@h:1", b"tcp:/u:tiger@h")
"""What is a secret only in a value: names of servers, durables and addresses may look like it."""

COMMANDS = (
    b"-p tiger",
    b"--password tiger",
    b"-password tiger",
    b"-Dtoken=tiger",
    b"-Dpassword tiger",
    b"curl -u u:tiger h",
    b"Authorization: Bearer tiger",
    b"a;pwd=tiger;b",
)
"""Commands and headers that stand in values."""

WORD = re.compile(rb'[^\s=,"\[\]{}]+')
AFTER_A_KEY = re.compile(rb'([\w.$-]+)"?[ \t]*[=:][ \t]*"?$')
NAMES = re.compile(
    (
        rb"server|name|id|address|prefix|pattern|topic|queue|user|group|route|identity|"
        rb"connection|container|zone|client|mode|key\d*"
    ),
    re.IGNORECASE,
)
"""Keys whose values are names of the estate, or hold them; and those of which the sample only
says that nobody knows them.
"""

SELECTORS = re.compile(rb"selector", re.IGNORECASE)
"""An expression compares names: ``a = -p`` and ``password=x`` are none of ours to leave out."""

STRIDE = 3

# All files of a folder but one are the same each time.
recognised = cache(recognise)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """The files of an estate with every kind of file and key, by their topmost folder."""
    root = tmp_path_factory.mktemp("planted")
    planted_estate(root)
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix not in (".zip", ".gz"):
            name = path.relative_to(root).as_posix()
            found.setdefault(name.split("/")[0], {})[name] = path.read_bytes()
    return found


def shown(contents: Mapping[str, bytes]) -> Iterator[str]:
    """All texts that an import of these files shows."""
    planned = plan([recognised(path, data) for path, data in contents.items()], SideInputs())
    readings = [
        read_bundle(bundle, {file.path: contents[file.path] for file in bundle.files}, Options())
        for bundle in planned.bundles
    ]
    for part in (planned, *readings):
        for finding in part.findings:
            yield f"{finding.kind}: {finding.message}"
            yield f"{finding.kind}: {finding.excerpt}"
        yield from (report.note for report in part.files)


def with_secrets(data: bytes, secrets: tuple[bytes, ...], first: int, *, values: bool) -> bytes:
    """Every third word replaced by the next of the secrets; of ``values`` only words that are
    the value of a key that takes no name.
    """
    parts, at, number = [], 0, 0
    for place, word in enumerate(WORD.finditer(data)):
        key = AFTER_A_KEY.search(data, max(0, word.start() - 60), word.start())
        if place % STRIDE != first or (values and (key is None or NAMES.search(key[1]))):
            continue
        parts += [data[at : word.start()], secrets[number % len(secrets)]]
        at, number = word.end(), number + 1
    return b"".join([*parts, data[at:]])


@pytest.mark.parametrize(
    ("secrets", "values"),
    [
        pytest.param(SECRETS, False, id="anywhere", marks=pytest.mark.slow),
        pytest.param(IN_VALUES, True, id="in values"),
        pytest.param(COMMANDS, True, id="commands", marks=pytest.mark.slow),
    ],
)
def test_no_finding_shows_a_secret(
    folders: dict[str, dict[str, bytes]], secrets: tuple[bytes, ...], values: bool
) -> None:
    leaks = set()
    for contents in folders.values():
        for path, data in contents.items():
            for first in range(STRIDE):
                planted = with_secrets(data, secrets, first, values=values)
                leaks |= {
                    f"{path}: {text}"
                    for text in shown({**contents, path: planted})
                    if "tiger" in text
                }
    assert leaks == set()


def with_forms(data: bytes, shift: int, first: int, *, appended: bool) -> bytes:
    """Every second value of a key that takes no name replaced by, or followed by, the next form of
    a credential, each with a number by which it is found again."""
    parts, at, number = [], 0, shift
    for place, word in enumerate(WORD.finditer(data)):
        line = data[data.rfind(b"\n", 0, word.start()) + 1 : word.start()]
        key = AFTER_A_KEY.search(data, max(0, word.start() - 60), word.start())
        if place % 2 != first or key is None or NAMES.search(key[1]) or SELECTORS.search(line):
            continue
        form = planted_form(number)
        parts += [data[at : word.start()], word.group() + b" " if appended else b"", form.encode()]
        at, number = word.end(), number + 1
    return b"".join([*parts, data[at:]])


def records(contents: Mapping[str, bytes]) -> Iterator[object]:
    """Everything that an import of these files gives."""
    planned = plan([recognised(path, data) for path, data in contents.items()], SideInputs())
    yield from (*planned.findings, *planned.files)
    for bundle in planned.bundles:
        own = {file.path: contents[file.path] for file in bundle.files}
        reading = read_bundle(bundle, own, Options())
        yield from (*reading.facts, *reading.findings, *reading.files)


@pytest.mark.slow
@pytest.mark.parametrize("appended", [False, True], ids=["replaced", "appended"])
def test_no_record_holds_a_credential_in_any_form(
    folders: dict[str, dict[str, bytes]], appended: bool
) -> None:
    """Whatever an answer, a snapshot or a database says is made of these records."""
    leaks: set[str] = set()
    planted = 0
    for contents in folders.values():
        for path, data in contents.items():
            for shift in some(range(0, len(FORMS), 4), len(FORMS) // 8):
                changed = with_forms(data, shift, shift // 4 % 2, appended=appended)
                planted += changed.count(b"tiger")
                for record in records({**contents, path: changed}):
                    shown = repr(record)
                    leaks |= {
                        f"{path}: {FORMS[int(found[1])]}: {shown[found.start() - 60 : found.end()]}"
                        for found in PLANTED.finditer(shown)
                    }
    assert planted > 1500
    assert sorted(leaks) == []


SCRIPT = b"""#!/bin/sh
BUS=amqp://hub:5672
qdmanage -b $BUS create --type connector name=c host=h port=5 role=inter-router saslUsername=u saslPassword=p verifyHostname=no
qdmanage -r A --sasl-username u --sasl-password p --ssl-key k --ssl-password q delete --type listener --name x
qdmanage create --type sslProfile name=s password=p privateKeyFile=f
qdmanage create --stdin <<'END'
[{"type": "connector", "saslPassword": "p", "failoverUrls": "u", "openProperties": {"a": "b"}}]
END
echo '{"prefix": "a"}' | qdmanage --type address create --stdin
for i in a b; do
frobnicate x y
"""  # noqa: E501
"""Commands to routers, with what they may hold in them and around them."""


@pytest.mark.parametrize(
    ("secrets", "values"),
    [(SECRETS, False), (IN_VALUES, True), (COMMANDS, True)],
    ids=["anywhere", "in values", "commands"],
)
def test_no_command_to_a_router_shows_a_secret(secrets: tuple[bytes, ...], values: bool) -> None:
    leaks = set()
    for first in range(STRIDE):
        for turn in range(len(secrets)):
            turned = (*secrets[turn:], *secrets[:turn])
            script = read_script(with_secrets(SCRIPT, turned, first, values=values), "c.sh")
            for command in script.commands:
                leaks |= {
                    text
                    for text in (command.text, command.fault, command.connected)
                    if "tiger" in text
                }
            leaks |= {finding.message for finding in script.findings if "tiger" in finding.message}
    assert leaks == set()


@pytest.mark.parametrize("secret", [secret.decode() for secret in SECRETS])
def test_no_finding_holds_credentials_whoever_makes_it(secret: str) -> None:
    finding = Finding("k", Severity.INFO, f"not {secret!r}", Source("f"), "", f"a = {secret}")
    assert "tiger" not in repr(finding)
    assert "tiger" not in repr(FileReport("f", "not-read", note=f"not {secret}"))
    assert without_credentials(finding.message) == finding.message


@pytest.mark.parametrize(
    "text",
    [
        "keys.conf:12:3: the key x is unknown",
        "queue:orders@B",
        "a/b@prod/routes.conf",
        "bindingKey a.b",
        "tcp://h:7222",
        "password is (set)",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert without_credentials(text) == text
