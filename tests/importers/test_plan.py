"""From files to bundles (ems.md 3.1): which sub-files a server is read from, and what is said of
everything else.
"""

from __future__ import annotations

import random
import sys
from types import ModuleType

import pytest

from topograph.files import FileReport
from topograph.findings import Severity, Source
from topograph.importers.amq_interconnect.roles import AMQ_CONF, AMQ_DUMP, AMQ_QDSTAT
from topograph.importers.ems.roles import EMS_JSON, EMS_MAIN, EMS_SHOW_ROUTES, EMS_SUB_FILE
from topograph.importers.plan import MAX_SIZE, plan, read_bundle, recognise
from topograph.importers.reading import Bundle, BundleFile, Options, Recognised, Reference, Role
from topograph.side_inputs import HostEntry, PathEntry, ServerEntry, SideInputs

NOTHING = SideInputs()


def main(path: str, server: str = "A", role: Role = EMS_MAIN, **references: str) -> Recognised:
    named = tuple(
        Reference(kind, name, Source(path, line, 1))
        for line, (kind, name) in enumerate(references.items(), start=2)
    )
    return Recognised(path, role, server, named)


def sub(path: str, role: Role = EMS_SUB_FILE) -> Recognised:
    return Recognised(path, role, note="looks like topics.conf" if role == EMS_SUB_FILE else "")


def files_of(planned, bundle: int = 0) -> dict[str, str]:
    return {file.part: file.path for file in planned.bundles[bundle].files}


def kinds(planned) -> list[tuple[str, str, str]]:
    return [
        (finding.kind, str(finding.severity), str(finding.source)) for finding in planned.findings
    ]


def paths(**entries: str) -> SideInputs:
    return SideInputs(
        paths=tuple(
            PathEntry(prefix, folder, Source("topograph.yaml", 1, 1))
            for prefix, folder in entries.items()
        )
    )


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("topics.conf", "a/topics.conf"),
        ("./topics.conf", "a/topics.conf"),
        ("conf/topics.conf", "a/conf/topics.conf"),
        ("conf\\topics.conf", "a/conf/topics.conf"),
        ("../shared/topics.conf", "shared/topics.conf"),
        ("../a/../shared//topics.conf", "shared/topics.conf"),
    ],
)
def test_a_name_relative_to_the_main_file_is_found_without_a_finding(name, path):
    planned = plan([main("a/tibemsd.conf", topics=name), sub(path)], NOTHING)
    assert files_of(planned) == {"main": "a/tibemsd.conf", "topics": path}
    assert planned.findings == ()
    assert planned.files == ()
    assert planned.bundles[0].missing == ()


def test_a_relative_name_wins_over_every_other_way():
    everywhere = [sub("a/x/topics.conf"), sub("x/topics.conf"), sub("map/topics.conf")]
    planned = plan([main("a/tibemsd.conf", topics="x/topics.conf"), *everywhere], paths(x="map"))
    assert files_of(planned)["topics"] == "a/x/topics.conf"


@pytest.mark.parametrize(
    ("prefix", "folder", "name", "path"),
    [
        ("/opt/ems", "data", "/opt/ems/x/topics.conf", "data/x/topics.conf"),
        ("/opt/ems/", "", "/opt/ems/x/topics.conf", "x/topics.conf"),
        ("/", "host", "/opt/topics.conf", "host/opt/topics.conf"),
        ("C:\\ems", "data", "C:\\ems\\topics.conf", "data/topics.conf"),
        ("c:/EMS", "data", "C:\\ems\\topics.conf", "data/topics.conf"),
        ("shared", "data", "shared/topics.conf", "data/topics.conf"),
    ],
)
def test_a_prefix_of_the_user_is_followed_and_named(prefix, folder, name, path):
    planned = plan([main("a/tibemsd.conf", topics=name), sub(path)], paths(**{prefix: folder}))
    assert files_of(planned)["topics"] == path
    assert kinds(planned) == [("subfile-resolved-by-path-map", "info", "a/tibemsd.conf:2:1")]
    assert f"by the prefix {prefix} in topograph.yaml:1:1" in planned.findings[0].message


def test_the_longest_prefix_counts_and_parts_are_whole():
    both = paths(**{"/opt": "one", "/opt/ems": "two", "/opt/ems/dat": "three"})
    found = plan(
        [main("m", topics="/opt/ems/data/t"), sub("one/ems/data/t"), sub("two/data/t")], both
    )
    assert files_of(found)["topics"] == "two/data/t"


def test_an_absolute_name_is_found_by_its_longest_suffix_and_said():
    planned = plan(
        [
            main("a/tibemsd.conf", topics="/opt/ems/data/topics.conf"),
            sub("x/data/topics.conf"),
            sub("y/topics.conf"),
        ],
        NOTHING,
    )
    assert files_of(planned)["topics"] == "x/data/topics.conf"
    finding = planned.findings[0]
    assert (finding.kind, finding.severity, finding.rule, finding.source, finding.server) == (
        "subfile-resolved-by-suffix",
        Severity.INFO,
        "TL-20",
        Source("a/tibemsd.conf", 2, 1),
        "A",
    )
    assert "/opt/ems/data/topics.conf" in finding.message
    assert "x/data/topics.conf" in finding.message


def test_a_windows_name_is_found_by_its_suffix():
    planned = plan(
        [main("a/m", topics="D:\\tibco\\data\\topics.conf"), sub("z/data/topics.conf")], NOTHING
    )
    assert files_of(planned)["topics"] == "z/data/topics.conf"
    assert kinds(planned)[0][0] == "subfile-resolved-by-suffix"


def test_a_unique_base_name_is_found_with_a_warning():
    planned = plan([main("a/m", topics="/opt/topics.conf"), sub("z/topics.conf")], NOTHING)
    assert files_of(planned)["topics"] == "z/topics.conf"
    assert kinds(planned) == [("subfile-resolved-by-name", "warning", "a/m:2:1")]


def test_a_base_name_that_several_files_have_decides_nothing():
    planned = plan(
        [main("a/m", topics="/opt/topics.conf"), sub("a/y/topics.conf"), sub("z/topics.conf")],
        NOTHING,
    )
    assert files_of(planned) == {"main": "a/m"}
    assert planned.bundles[0].missing == (
        Reference("topics", "/opt/topics.conf", Source("a/m", 2, 1)),
    )
    finding = next(finding for finding in planned.findings if finding.kind == "subfile-not-found")
    assert (finding.severity, finding.rule, finding.server) == (Severity.ERROR, "TL-20", "A")
    assert "a/y/topics.conf, z/topics.conf" in finding.message
    assert "/opt/topics.conf" in finding.message


def test_of_several_files_with_the_suffix_the_one_in_the_main_files_own_tree_is_read():
    """Two machines, each copied with its whole path: the usual shape of an estate."""
    estate = [
        item
        for host in ("h1", "h2", "h3")
        for item in (
            main(
                f"{host}/opt/ems/bin/tibemsd.conf", host.upper(), topics="/opt/ems/data/topics.conf"
            ),
            sub(f"{host}/opt/ems/data/topics.conf"),
        )
    ]
    planned = plan(estate, NOTHING)
    assert [files_of(planned, number)["topics"] for number in range(3)] == [
        f"{host}/opt/ems/data/topics.conf" for host in ("h1", "h2", "h3")
    ]
    assert {(kind, severity) for kind, severity, _ in kinds(planned)} == {
        ("subfile-resolved-by-suffix", "info")
    }


def test_several_files_with_the_suffix_and_none_nearer_decide_nothing():
    for place in ("m", "c/m"):
        planned = plan(
            [main(place, topics="/x/d/t.conf"), sub("a/d/t.conf"), sub("b/d/t.conf")], NOTHING
        )
        assert [reference.kind for reference in planned.bundles[0].missing] == ["topics"]
    planned = plan(
        [main("h/m", topics="/x/d/t.conf"), sub("h/a/d/t.conf"), sub("h/b/d/t.conf")], NOTHING
    )
    assert [reference.kind for reference in planned.bundles[0].missing] == ["topics"]


def test_a_name_that_climbs_out_of_the_root_never_leaves_it():
    planned = plan(
        [main("a/m", topics="../../../etc/topics.conf"), sub("b/etc/topics.conf")], NOTHING
    )
    assert files_of(planned)["topics"] == "b/etc/topics.conf"
    assert kinds(planned)[0][0] == "subfile-resolved-by-suffix"
    lonely = plan([main("a/m", topics="../../topics.conf", routes="..", users="/")], NOTHING)
    assert [reference.kind for reference in lonely.bundles[0].missing] == [
        "topics",
        "routes",
        "users",
    ]


def test_other_case_is_the_last_resort_and_said():
    planned = plan([main("a/m", topics="Conf/Topics.conf"), sub("a/conf/topics.conf")], NOTHING)
    assert files_of(planned)["topics"] == "a/conf/topics.conf"
    assert kinds(planned) == [("subfile-resolved-by-case", "info", "a/m:2:1")]
    suffix = plan(
        [
            main("a/m", topics="/OPT/Data/Topics.conf"),
            sub("z/data/topics.conf"),
            sub("y/topics.conf"),
        ],
        NOTHING,
    )
    assert files_of(suffix)["topics"] == "z/data/topics.conf"


def test_a_missing_file_is_an_error_that_says_where_was_looked():
    planned = plan([main("a/m", topics="/opt/ems/t.conf")], paths(**{"/opt": "data"}))
    finding = planned.findings[0]
    assert kinds(planned) == [("subfile-not-found", "error", "a/m:2:1")]
    assert "at data/ems/t.conf (prefix /opt)" in finding.message
    assert "answer about A is incomplete" in finding.message
    relative = plan([main("a/m", topics="x/t.conf")], NOTHING)
    assert "at a/x/t.conf" in relative.findings[0].message


def test_all_missing_files_of_a_main_file_are_one_finding():
    given = {"routes": "data/r.conf", "topics": "/opt/t.conf", "users": "tcp:/u:tiger@h"}
    finding, *others = plan(
        [main("a/m", **given), sub("x/t.conf"), sub("y/t.conf")], NOTHING
    ).findings
    assert [other.kind for other in others] == ["unclaimed-file"] * 2
    assert (finding.kind, finding.severity, finding.rule) == (
        "subfile-not-found",
        Severity.ERROR,
        "TL-20",
    )
    assert (finding.source, finding.server) == (Source("a/m", 2, 1), "A")
    assert finding.message.startswith("3 sub-files of A are not among the imported files: ")
    for text in (
        "routes = data/r.conf (line 2: looked at a/data/r.conf,",
        "topics = /opt/t.conf (line 3: several files may be meant (x/t.conf, y/t.conf)",
        "users = (set)@h (line 4: ",
        "Every answer about A is incomplete",
    ):
        assert text in finding.message


def test_guessed_files_of_a_main_file_are_one_finding_a_way():
    given = [main("a/m", routes="/o/d/r.conf", topics="/o/d/t.conf", users="/o/d/U.conf")]
    planned = plan([*given, *map(sub, ("z/d/r.conf", "z/d/t.conf", "y/d/u.conf"))], NOTHING)
    assert kinds(planned) == [
        ("subfile-resolved-by-suffix", "warning", "a/m:2:1"),
        ("subfile-resolved-by-case", "warning", "a/m:4:1"),
    ]
    assert (
        "routes = /o/d/r.conf (line 2) does not exist; z/d/r.conf is read"
        in planned.findings[0].message
    )
    assert (
        "topics = /o/d/t.conf (line 3) does not exist; z/d/t.conf is read"
        in planned.findings[0].message
    )


def test_sub_files_that_were_all_found_in_one_folder_are_one_line_of_information():
    """In whatever way each was found: a folder was copied whole, and nothing is wrong with that."""
    names = {f"kind{number}": f"/opt/ems/data/{number}.conf" for number in range(12)}
    files = [sub(f"copy/data/{number}.conf") for number in range(12)]
    planned = plan(
        [main("copy/m", **names, users="/opt/ems/data/U.conf"), *files, sub("copy/data/u.conf")],
        NOTHING,
    )
    assert kinds(planned) == [("subfile-resolved-by-suffix", "info", "copy/m:2:1")]
    message = planned.findings[0].message
    assert message.startswith("13 sub-files do not lie in /opt/ems/data: kind0 (line 2), ")
    assert (
        "users (line 14); those in copy/data are read instead (all of them were found there)."
        in message
    )


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("/opt/ems/data/t.conf", ["other/t.conf"]),
        ("/opt/ems/data/t.conf", ["a/x/data/t.conf", "b/data/t.conf"]),
        ("/opt/t.conf", ["t.conf"]),
    ],
)
def test_a_sub_file_that_may_be_another_one_is_a_warning(name, files):
    """Only its own name is that which is written, or another file ends in the same."""
    planned = plan([main("a/m", topics=name), *map(sub, files)], NOTHING)
    assert files_of(planned)["topics"] == files[0]
    assert kinds(planned)[0][1] == "warning"


def test_of_several_files_of_a_name_the_one_beside_the_main_file_is_read():
    """Every server names the same absolute paths, and its files were copied into a folder of its
    own.
    """
    names = {kind: f"/opt/ems/data/{kind}.conf" for kind in ("topics", "queues", "routes")}
    copied = [sub(f"{folder}/{kind}.conf") for folder in "ab" for kind in names]
    planned = plan(
        [main("a/tibemsd.conf", "A", **names), main("b/tibemsd.conf", "B", **names), *copied],
        NOTHING,
    )
    for number, folder in enumerate("ab"):
        assert {files_of(planned, number)[kind] for kind in names} == {
            f"{folder}/{kind}.conf" for kind in names
        }
    assert kinds(planned) == [
        ("subfile-resolved-by-name", "info", "a/tibemsd.conf:2:1"),
        ("subfile-resolved-by-name", "info", "b/tibemsd.conf:2:1"),
    ]
    assert planned.findings[0].message == (
        "3 sub-files do not lie in /opt/ems/data: topics (line 2), queues (line 3), "
        "routes (line 4); those in a are read instead "
        "(of 2 files of that name the one next to the main file). If that is another "
        "file, map the prefix under paths in topograph.yaml."
    )


def test_more_than_two_missing_files_of_a_folder_are_named_together():
    names = {kind: f"/opt/ems/{kind}.conf" for kind in ("topics", "queues", "routes")}
    (finding,) = plan([main("a/m", **names)], NOTHING).findings
    assert (
        "topics (line 2), queues (line 3), routes (line 4) in /opt/ems (looked for a file with"
        in finding.message
    )
    assert "Every answer about A is incomplete" in finding.message


def test_another_servers_main_file_is_never_guessed_to_be_a_sub_file():
    planned = plan([main("a/m", topics="/opt/x.conf"), main("b/x.conf", "B")], NOTHING)
    assert [reference.kind for reference in planned.bundles[0].missing] == ["topics"]


def test_two_servers_may_share_a_sub_file():
    planned = plan(
        [
            main("a/m", "A", topics="../shared/topics.conf"),
            main("b/m", "B", topics="../shared/topics.conf"),
            sub("shared/topics.conf"),
        ],
        NOTHING,
    )
    assert [bundle.id for bundle in planned.bundles] == ["a/m", "b/m"]
    assert files_of(planned, 0)["topics"] == files_of(planned, 1)["topics"] == "shared/topics.conf"
    assert planned.findings == ()


def test_the_members_of_a_fault_tolerant_pair_stay_two_bundles():
    planned = plan([main("2/m", "EMS"), main("1/m", "EMS")], NOTHING)
    assert [(bundle.id, bundle.server) for bundle in planned.bundles] == [
        ("1/m", "EMS"),
        ("2/m", "EMS"),
    ]


def test_links_inside_the_root_are_followed_silently():
    aliases = [
        ("a/topics.conf", "shared/topics.conf"),
        ("b", "a"),
        ("a/loop", "a/loop"),
        ("c", "b"),
    ]
    given = [
        main("a/m", topics="topics.conf", routes="../c/routes.conf", users="loop/x/users.conf")
    ]
    planned = plan([*given, sub("shared/topics.conf"), sub("a/routes.conf")], NOTHING, aliases)
    assert files_of(planned) == {
        "main": "a/m",
        "topics": "shared/topics.conf",
        "routes": "a/routes.conf",
    }
    assert kinds(planned) == [("subfile-not-found", "error", "a/m:4:1")]


def test_files_in_an_archive_are_found_beside_their_main_file():
    planned = plan(
        [main("e.zip!/a/m", topics="../t.conf"), sub("e.zip!/t.conf"), sub("t.conf")], NOTHING
    )
    assert files_of(planned)["topics"] == "e.zip!/t.conf"


def test_router_configurations_are_bundles_of_their_system():
    planned = plan([main("r.conf", "R1", AMQ_CONF), main("s.json", "S", EMS_JSON)], NOTHING)
    assert planned.bundles == (
        Bundle("r.conf", "amq_interconnect", "R1", (BundleFile("main", "r.conf"),)),
        Bundle("s.json", "ems", "S", (BundleFile("main", "s.json"),)),
    )


def test_what_no_bundle_uses_is_a_finding_and_a_report():
    planned = plan(
        [
            sub("topics.conf"),
            Recognised("notes.txt", Role.OTHER),
            Recognised("q.txt", AMQ_QDSTAT),
            Recognised("x.bin", Role.BINARY, note="binary, not read"),
        ],
        NOTHING,
    )
    assert kinds(planned) == [
        ("unclaimed-file", "info", "notes.txt"),
        ("unclaimed-file", "warning", "q.txt"),
        ("unclaimed-file", "warning", "topics.conf"),
        ("unclaimed-file", "info", "x.bin"),
    ]
    assert planned.files == (
        FileReport("notes.txt", "unclaimed", "other"),
        FileReport(
            "q.txt",
            "unclaimed",
            "amq-qdstat",
            "amq_interconnect",
            note="does not say which server it is of",
        ),
        FileReport(
            "topics.conf", "unclaimed", "ems-sub-file", "ems", note="looks like topics.conf"
        ),
        FileReport("x.bin", "not-read", "binary", note="binary, not read"),
    )


def test_side_inputs_are_reported_as_read_only_where_they_were_used():
    host = HostEntry("h", "A", Source("topograph.yaml", 2, 3))
    given = [
        Recognised("topograph.yaml", Role.SIDE_INPUTS),
        Recognised("a/topograph.yaml", Role.SIDE_INPUTS),
    ]
    planned = plan(given, SideInputs(hosts=(host,), files=("topograph.yaml",)))
    assert planned.files == (
        FileReport("a/topograph.yaml", "unclaimed", "side-inputs"),
        FileReport("topograph.yaml", "read", "side-inputs", read=1),
    )
    assert kinds(planned) == [("side-inputs-not-used", "warning", "a/topograph.yaml")]


TWO = [main("a/m", "EMS-A"), main("b/m", "EMS-B")]


@pytest.mark.parametrize(
    ("mains", "path", "prompt", "owner"),
    [
        (TWO, "out/x.txt", "EMS-B", "b/m"),
        (TWO, "a/x.txt", "ems-b", "b/m"),
        (TWO, "a/EMS-A_routes.txt", "EMS-B", "b/m"),
        (TWO, "out/show_routes.EMS-B.txt", "", "b/m"),
        (TWO, "a/routes of ems-b.txt", "", "b/m"),
        (TWO, "b/out/routes.txt", "", "b/m"),
        (TWO[:1], "routes.txt", "", "a/m"),
        ([*TWO, main("c/m", "EMS-A-2")], "out/EMS-A-2.txt", "", "c/m"),
        ([main("p/1/m", "EMS"), main("p/2/m", "EMS")], "p/2/routes.txt", "EMS", "p/2/m"),
        ([main("p/1/m", "EMS"), main("p/2/m", "EMS")], "routes.txt", "", "p/1/m"),
        ([main("q/m", "EMS"), main("a/b/1/2/3/4/m", "EMS")], "a/b/x.txt", "EMS", "q/m"),
        ([main("q/m", "EMS"), main("a/b/1/2/m", "EMS")], "a/b/x.txt", "EMS", "a/b/1/2/m"),
    ],
)
def test_show_routes_output_goes_to_the_server_of_its_prompt_its_name_or_its_folder(
    mains, path, prompt, owner
):
    planned = plan([*mains, Recognised(path, EMS_SHOW_ROUTES, prompt)], NOTHING)
    owners = [
        bundle.id for bundle in planned.bundles if BundleFile("show-routes", path) in bundle.files
    ]
    assert owners == [owner]
    by_place = not prompt and "ems-" not in path.lower()
    assert kinds(planned) == ([("owner-assumed", "info", path)] if by_place else [])
    assert planned.files == ()


def test_that_the_place_of_an_output_is_taken_for_its_owner_is_said():
    nameless = Recognised("sites/r/dump.json", AMQ_DUMP)
    planned = plan(
        [main("sites/r/r.conf", "R", AMQ_CONF), main("s.conf", "S", AMQ_CONF), nameless], NOTHING
    )
    assert [(bundle.id, bundle.server) for bundle in planned.bundles][1:] == [
        ("sites/r/dump.json", "R"),
        ("sites/r/r.conf", "R"),
    ]
    (finding,) = planned.findings
    assert (finding.kind, finding.severity, finding.server) == ("owner-assumed", Severity.INFO, "R")
    assert "it is taken for that of R, the only one in sites/r" in finding.message


@pytest.mark.parametrize(
    ("mains", "path", "prompt", "why"),
    [
        (TWO, "routes.txt", "", "which of the servers in its folder"),
        (TWO, "a/routes.txt", "EMS-C", "names the server EMS-C"),
        ([], "routes.txt", "", "no server is imported"),
        ([main("r.conf", "R", AMQ_CONF)], "routes.txt", "", "no server is imported"),
        (TWO, "EMS-A to EMS-B.txt", "", "which of the servers in its folder"),
    ],
)
def test_show_routes_output_that_nothing_assigns_is_a_warning(mains, path, prompt, why):
    planned = plan([*mains, Recognised(path, EMS_SHOW_ROUTES, prompt)], NOTHING)
    assert kinds(planned) == [("unclaimed-file", "warning", path)]
    assert why in planned.findings[0].message
    assert [report.status for report in planned.files] == ["unclaimed"]


def test_the_host_in_a_prompt_is_looked_up_in_topograph_yaml():
    hosts = SideInputs(hosts=(HostEntry("ems01", "EMS-B", Source("topograph.yaml", 2, 3)),))
    planned = plan([*TWO, Recognised("r.txt", EMS_SHOW_ROUTES, "EMS01")], hosts)
    assert BundleFile("show-routes", "r.txt") in planned.bundles[1].files


def test_the_plan_does_not_depend_on_the_order_of_the_files():
    given = [main(f"{n}/m", f"S{n}", topics="/d/t.conf", users="u.conf") for n in range(6)]
    given += [sub(f"{n}/d/t.conf") for n in range(5)] + [Recognised("x", Role.OTHER)]
    wanted = plan(given, NOTHING)
    for seed in range(5):
        random.Random(seed).shuffle(given)
        assert plan(given, NOTHING) == wanted


def test_files_are_recognised_by_content_and_unknown_ones_named():
    found = recognise("x", b"server = EMS-A\nrouting = enabled\nroutes = r.conf\n")
    assert (found.path, found.role, found.server) == ("x", EMS_MAIN, "EMS-A")
    named = [reference for reference in found.references if not reference.unstated]
    assert named == [Reference("routes", "r.conf", Source("x", 3, 10))]
    assert recognise("x", b"router {\n  id: R1\n}\nlistener {\n  port: 5672\n}\n").role == AMQ_CONF
    assert recognise("a/topograph.yaml", b"").role is Role.SIDE_INPUTS
    assert recognise("x", b"\x00\x01\x02") == Recognised("x", Role.BINARY, note="binary, not read")
    assert recognise("x", b"<server><featureManager/></server>") == Recognised(
        "x", Role.OTHER, note="recognised as a server.xml of Liberty, not read"
    )
    assert recognise("README", b"Hello world.\nThis is text.\n") == Recognised("README", Role.OTHER)


def test_a_bundle_is_read_by_the_importer_of_its_system():
    contents = {"m": b"server = A\nrouting = on\nroutes = r\n", "r": b"[B]\n  url = tcp://b:7222\n"}
    planned = plan([recognise(path, data) for path, data in contents.items()], NOTHING)
    reading = read_bundle(planned.bundles[0], contents, Options())
    assert [(fact.kind, fact.label) for fact in reading.facts] == [("server", "A"), ("route", "B")]
    assert [report.path for report in reading.files] == ["m", "r"]


def test_a_file_that_cannot_be_read_is_missing_and_said():
    bundle = Bundle("m", "ems", "A", (BundleFile("main", "m"), BundleFile("routes", "r")))
    reading = read_bundle(bundle, {"m": b"server = A\nrouting = on\nroutes = r\n"}, Options())
    assert [fact.missing for fact in reading.facts] == [("routes",)]
    assert [(finding.kind, finding.source.file) for finding in reading.findings] == [
        ("unreadable-file", "r")
    ]
    assert {report.path: report.status for report in reading.files} == {
        "r": "not-read",
        "m": "read",
    }
    nothing = read_bundle(bundle, {"r": b"[B]\n"}, Options())
    assert nothing.facts == ()
    assert [(finding.kind, finding.severity) for finding in nothing.findings] == [
        ("unreadable-file", Severity.ERROR)
    ]
    assert {report.path: report.status for report in nothing.files} == {
        "m": "not-read",
        "r": "not-read",
    }


@pytest.fixture
def failing_importer(monkeypatch):
    """An importer of a system of its own that raises, with a secret in its message."""
    module = ModuleType("topograph.importers.failing")

    def read(bundle, contents, options):
        raise KeyError("password=hunter2")

    module.read = read
    module.recognise = lambda path, data: read(None, None, None)
    monkeypatch.setitem(sys.modules, "topograph.importers.failing", module)
    monkeypatch.setattr("topograph.extensions.OWN", ("failing",))


@pytest.mark.usefixtures("failing_importer")
def test_an_importer_that_fails_is_a_finding_and_not_the_end():
    bundle = Bundle("m", "failing", "A", (BundleFile("main", "m"), BundleFile("routes", "r")))
    reading = read_bundle(bundle, {"m": b"", "r": b""}, Options())
    assert reading.facts == ()
    assert [(f.kind, f.severity, f.source, f.server) for f in reading.findings] == [
        ("importer-failed", Severity.ERROR, Source("m"), "A")
    ]
    assert "KeyError (test_plan.py:" in reading.findings[0].message
    assert "hunter2" not in repr(reading)
    assert [report.status for report in reading.files] == ["not-read", "not-read"]
    found = recognise("m", b"text")
    assert found == Recognised(
        "m", Role.OTHER, note="could not be recognised: the failing importer failed with KeyError"
    )


def test_a_text_beyond_the_limit_is_not_read_and_a_finding_says_so():
    found = recognise("t.conf", b"server = A\nrouting = on\n".ljust(MAX_SIZE + 1, b"\n"))
    planned = plan([found], NOTHING)
    assert planned.bundles == ()
    assert [(finding.kind, finding.severity) for finding in planned.findings] == [
        ("unclaimed-file", Severity.WARNING)
    ]
    assert "larger than 64 MB" in planned.findings[0].message
    assert planned.files[0].status == "not-read"


def test_a_sub_file_beyond_the_limit_is_missing_and_its_server_is_read():
    bundle = Bundle("m", "ems", "A", (BundleFile("main", "m"), BundleFile("routes", "r")))
    contents = {
        "m": b"server = A\nrouting = on\nroutes = r\n",
        "r": b"[B]\nurl=tcp://b:1\n".ljust(MAX_SIZE + 1, b"\n"),
    }
    reading = read_bundle(bundle, contents, Options())
    assert [(fact.server, fact.missing) for fact in reading.facts] == [("A", ("routes",))]
    assert [(finding.kind, str(finding.source)) for finding in reading.findings] == [
        ("unreadable-file", "r")
    ]


def chosen(server: str, *files: str) -> SideInputs:
    return SideInputs(servers=(ServerEntry(server, files, Source("topograph.yaml", 2, 3)),))


def test_of_several_main_files_of_one_name_the_one_that_topograph_yaml_chooses_is_read():
    files = [main(f"v{n}/tibemsd.conf", topics="topics.conf") for n in (1, 2, 3)] + [
        sub(f"v{n}/topics.conf") for n in (1, 2, 3)
    ]
    planned = plan([*files, main("b/tibemsd.conf", "B")], chosen("A", "v2/tibemsd.conf"))
    assert [bundle.id for bundle in planned.bundles] == ["b/tibemsd.conf", "v2/tibemsd.conf"]
    assert kinds(planned) == [
        ("unclaimed-file", "info", f"v{n}/{name}")
        for n in (1, 3)
        for name in ("tibemsd.conf", "topics.conf")
    ]
    assert planned.findings[0].message == (
        "This file is not used: topograph.yaml:2:3 says that A is read from v2/tibemsd.conf."
    )


def test_both_members_of_a_pair_may_be_chosen_and_a_sub_file_that_they_share_is_read():
    files = [main(f"p{n}/tibemsd.conf", topics="../topics.conf") for n in (1, 2, 3)]
    planned = plan([*files, sub("topics.conf")], chosen("A", "p1/tibemsd.conf", "p2/tibemsd.conf"))
    assert [bundle.id for bundle in planned.bundles] == ["p1/tibemsd.conf", "p2/tibemsd.conf"]
    assert kinds(planned) == [("unclaimed-file", "info", "p3/tibemsd.conf")]


def test_a_choice_that_is_no_main_file_of_the_server_is_an_error_and_leaves_nothing_out():
    files = [main(f"v{n}/tibemsd.conf") for n in (1, 2)]
    planned = plan(files, chosen("A", "v3/tibemsd.conf"))
    assert len(planned.bundles) == 2
    (finding,) = planned.findings
    assert (finding.kind, str(finding.severity), str(finding.source)) == (
        "server-file-not-found",
        "error",
        "topograph.yaml:2:3",
    )
    assert finding.message == (
        "v3/tibemsd.conf is not a main file of A: those are v1/tibemsd.conf, v2/tibemsd.conf."
    )


def test_a_choice_for_a_server_leaves_another_systems_file_of_that_name_alone():
    planned = plan(
        [main("a/tibemsd.conf"), main("b/tibemsd.conf"), main("r/x.conf", role=AMQ_CONF)],
        chosen("A", "b/tibemsd.conf"),
    )
    assert [bundle.id for bundle in planned.bundles] == ["b/tibemsd.conf", "r/x.conf"]
