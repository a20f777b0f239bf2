"""Recognition by content, and bytes of any kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sibus_forms import NAMESPACES, Stated, as_jacl, as_jython_text, as_liberty, as_xml

from topograph.findings import Finding
from topograph.importers.plan import plan, read_bundle, recognise
from topograph.importers.reading import Bundle, BundleFile, Options
from topograph.importers.sibus import read
from topograph.side_inputs import SideInputs

STATED = [
    Stated("Queue", "A", (("sendAllowed", "false"),), (("B", "C"),)),
    Stated("Alias", "AL", target=("B", "A")),
]
FORMS = {
    "buses/B/x.xml": as_xml(STATED).encode(),
    "x.py": as_jython_text("B", STATED).encode(),
    "x.jacl": as_jacl("B", STATED).encode(),
    "server.xml": as_liberty(STATED).encode(),
    "x.txt": (
        b"[identifier Q]\n[exceptionDestination x]\n[defaultForwardRoutingPath [[bus B] "
        b"[destination D]]]\n"
    ),
}


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("buses/B/x.xml", "sib-cell"),
        ("x.py", "sib-script"),
        ("x.jacl", "sib-script"),
        ("server.xml", "sib-liberty"),
        ("x.txt", "sib-output"),
    ],
)
def test_a_file_is_known_by_what_it_holds(path: str, role: str) -> None:
    assert str(recognise(path, FORMS[path]).role) == role


@pytest.mark.parametrize(
    "text",
    [
        "AdminTask.createSIBJMSQueue(s, '[-name q]')",
        "AdminApp.install('x.ear')",
        "This page is about identifiers and exceptionDestination.",
        "<html><body>AdminTask.createSIBDestination()</body></html>",
        "<server><httpEndpoint/></server>",
        '{"identifier": "x", "exceptionDestination": "y", "maxFailedDeliveries": 5}',
    ],
)
def test_other_files_are_not_ours(text: str) -> None:
    assert recognise("x", text.encode()).role.system != "sibus"


@pytest.mark.parametrize("element", ["SIBMQServer", "SIBService", "SIBAuthSpace"])
def test_documents_that_say_nothing_of_routes_make_no_bus(element: str) -> None:
    found = recognise(
        "cells/c/sib-x.xml", f"<sibresources:{element} {NAMESPACES} name='x'/>".encode()
    )
    assert "says nothing of where messages go" in found.note
    assert plan([found], SideInputs()).bundles == ()


def test_an_archive_of_a_configuration_is_named_and_not_read() -> None:
    found = recognise("profile.car", b"PK\x03\x04....\0")
    assert "not read" in found.note
    assert ".car" in found.note


def test_a_document_without_a_bus_is_of_the_one_in_its_folder() -> None:
    bus = f'<sibresources:SIBus {NAMESPACES} name="B"/>'.encode()
    files = {"sib-bus.xml": bus, "sib-destinations.xml": FORMS["buses/B/x.xml"]}
    planned = plan([recognise(path, data) for path, data in files.items()], SideInputs())
    assert [(bundle.id, bundle.server) for bundle in planned.bundles] == [
        ("sib-bus.xml", "B"),
        ("sib-destinations.xml", "B"),
    ]
    alone = plan([recognise("sib-destinations.xml", FORMS["buses/B/x.xml"])], SideInputs())
    assert alone.bundles == ()
    assert [report.status for report in alone.files] == ["unclaimed"]


def test_a_server_xml_that_another_one_includes_is_no_server_of_its_own() -> None:
    main = (
        b'<server><include location="q.xml"/><messagingEngine><queue '
        b'id="Q"/></messagingEngine></server>'
    )
    files = {"servers/a/server.xml": main, "servers/a/q.xml": FORMS["server.xml"]}
    planned = plan([recognise(path, data) for path, data in files.items()], SideInputs())
    assert [[file.path for file in bundle.files] for bundle in planned.bundles] == [
        ["servers/a/server.xml", "servers/a/q.xml"]
    ]


def _read(path: str, data: bytes) -> tuple[Finding, ...]:
    recognised = recognise(path, data)
    planned = plan([recognised], SideInputs())
    return tuple(
        finding
        for bundle in planned.bundles
        for finding in read_bundle(bundle, {path: data}, Options()).findings
    )


@given(
    st.sampled_from(sorted(FORMS)), st.integers(0, 400), st.integers(0, 40), st.binary(max_size=6)
)
def test_no_change_of_a_file_makes_the_reader_fail(
    path: str, at: int, length: int, put: bytes
) -> None:
    data = FORMS[path]
    changed = data[:at] + put + data[at + length :]
    assert "importer-failed" not in {finding.kind for finding in _read(path, changed)}
    bundle = Bundle(path, "sibus", "B", (BundleFile("main", path),))
    read(bundle, {path: changed}, Options())


def test_a_reader_that_is_given_nothing_says_so() -> None:
    found = read(Bundle("x.py", "sibus", "", (BundleFile("main", "x.py"),)), {}, Options())
    assert [report.status for report in found.files] == ["not-read"]
