"""What moves between the driver and the workers."""

from __future__ import annotations

import pickle
import pickletools
from dataclasses import dataclass
from typing import ClassVar

from topograph.facts import Fact
from topograph.findings import Finding, Severity, Source
from topograph.importers.reading import (
    Bundle,
    BundleFile,
    Options,
    Reading,
    Recognised,
    Reference,
    Role,
    Use,
)
from topograph.pipeline.tasks import BundleTask, FileSeen, PartKey, _records
from topograph.store.listing import InputFile


def moved(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


def test_what_is_moved_arrives_as_it_was() -> None:
    reference = Reference("routes", "routes.conf", Source("a.conf", 3, 1))
    role = Role("main", Use.MAIN, "ems")
    seen = FileSeen("n", "a.conf", Recognised("a.conf", role, server="A"), "00" * 32)
    assert (moved(reference), moved(role), moved(seen)) == (reference, role, seen)
    file = InputFile("a.conf", "/x/a.conf", 10)
    bundle = Bundle("a.conf", "ems", "A", (BundleFile("main", "a.conf"),))
    task = BundleTask("n", bundle, (file,), Options(strict=True))
    assert moved(task) == task
    output = moved(BundleFile("main", "a.conf", is_output=True))
    assert isinstance(output, BundleFile)
    assert output.is_output  # which equality does not look at
    gone = FileSeen("n", "b.conf", None, failure="Permission denied")
    assert moved(gone) == gone


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
    found = _records("net", Reading(tuple(facts)), None)
    kept = found[PartKey("facts", "net", "crane", "hook")]
    assert sorted(map(id, kept)) == sorted(map(id, facts))


def test_no_dataclass_of_a_file_is_rebuilt_field_by_field() -> None:
    """Python's own way for dataclasses with slots (the opcode BUILD) takes several times
    as long.
    """
    source = Source("a.conf", 3, 1)
    recognised = Recognised("a.conf", Role("main", Use.MAIN, "ems"), server="A")
    finding = Finding("k", Severity.ERROR, "a message", source, "R1", "an excerpt", "A")
    values = [source, FileSeen("n", "a.conf", recognised), BundleFile("main", "a.conf"), finding]
    assert moved(values) == values
    names = {code.name for code, _, _ in pickletools.genops(pickle.dumps(values))}
    assert "REDUCE" in names
    assert "BUILD" not in names
