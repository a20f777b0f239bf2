"""What moves between the driver and the workers."""

from __future__ import annotations

import pickle
import pickletools
import random
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np
from drawn.all_systems import DRAWN

from topograph.facts import Fact
from topograph.findings import Finding, Severity, Source
from topograph.importers.plan import recognise
from topograph.importers.reading import (
    Bundle,
    BundleFile,
    Reading,
    Recognised,
    Reference,
    Role,
    Use,
)
from topograph.pipeline.file_columns import FileList, recognised_of, seen_of
from topograph.pipeline.reading_tasks import BundleTask, _records
from topograph.pipeline.tasks import PartKey
from topograph.store.listing import InputFile


def moved(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def test_what_is_moved_arrives_as_it_was() -> None:
    reference = Reference("routes", "routes.conf", Source("a.conf", 3, 1))
    role = Role("main", Use.MAIN, "ems")
    assert (moved(reference), moved(role)) == (reference, role)
    file = InputFile("a.conf", 10, "/x/a.conf")
    bundle = Bundle("a.conf", "ems", "A", (BundleFile("main", "a.conf"),))
    task = BundleTask(bundle, (file,), 3)
    assert moved(task) == task
    output = moved(BundleFile("main", "a.conf", is_output=True))
    assert isinstance(output, BundleFile)
    assert output.is_output  # which equality does not look at


def test_files_in_columns_are_the_same_files() -> None:
    files = (
        InputFile("a.conf", 10, "/x/a.conf"),
        InputFile("link.conf", 11, "/x/elsewhere/b.conf"),
        InputFile("z.zip!/a.conf", 2**40, "/x/z.zip", member=True),
        InputFile("\\xff.conf", 0, "/x/\udcff.conf"),
    )
    columns = FileList.of(files)
    assert tuple(columns) == files
    arrived: Any = moved(columns.between(1, 3))
    assert tuple(arrived) == files[1:3]
    assert tuple(columns.chosen(np.array([2, 0]))) == (files[2], files[0])


def test_what_files_are_stays_the_same_in_columns() -> None:
    """Of drawn files of every system, each field, whether equality looks at it or not."""
    for system, ways in DRAWN.items():
        drawn = ways["two"](random.randrange(10**6))
        found = [recognise(path, text.encode()) for path, text in drawn.files.items()]
        assert {one.role.system for one in found} >= {system}
        columns = seen_of([(file, "00" * 32) for file in found], [("gone", "why")])
        arrived: Any = moved(columns)
        assert list(map(fields_of, recognised_of(arrived))) == list(map(fields_of, found))
        assert arrived.failures == (("gone", "why"),)
    odd = Recognised(
        "a\ud800.yaml",
        Role.OTHER,
        server="\ud800",
        references=(Reference("kind", "name", Source("other.conf", 1, 2)),),
    )
    assert recognised_of(seen_of([(odd, "11" * 32)])) == [odd]


fields_of = attrgetter(*(one.name for one in fields(Recognised)))


def test_facts_of_classes_that_share_a_kind_are_all_kept() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class One(Fact):
        system: ClassVar[str] = "crane"
        kind: ClassVar[str] = "hook"

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Other(Fact):
        system: ClassVar[str] = "crane"
        kind: ClassVar[str] = "hook"

    facts = [cls(bundle="b", server="s", source=Source("f", 1)) for cls in (One, Other, One)]
    task = BundleTask(Bundle("b", "crane", "s", ()), ())
    found = _records("net", task, Reading(tuple(facts)), None, sound=True)
    kept = found[PartKey("facts", "net", "crane", "hook")]
    assert sorted(map(id, kept)) == sorted(map(id, facts))


def test_no_dataclass_of_a_file_is_rebuilt_field_by_field() -> None:
    """Python's own way for dataclasses with slots (the opcode BUILD) takes several times
    as long.
    """
    source = Source("a.conf", 3, 1)
    finding = Finding("k", Severity.ERROR, "a message", source, "R1", "an excerpt", "A")
    values = [source, BundleFile("main", "a.conf"), finding]
    assert moved(values) == values
    names = {code.name for code, _, _ in pickletools.genops(pickle.dumps(values))}
    assert "REDUCE" in names
    assert "BUILD" not in names
