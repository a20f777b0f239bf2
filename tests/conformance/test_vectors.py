"""All vectors of the folder in TOPOGRAPH_VECTORS_DIR (default: the project's own), each by (system,
ask.op).

Files are named ``<system>*vectors.json``. An op that a later step builds is reported as "not built
yet" and counted; an op that nobody knows fails.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conformance import amq_interconnect_cases, ems_cases, ibm_mq_cases, mqe_cases, sibus_cases
from conformance.comparison import differences

FOLDER = Path(os.environ.get("TOPOGRAPH_VECTORS_DIR") or Path(__file__).parents[1] / "vectors")

BUILT: dict[str, Any] = {
    "ems": ems_cases,
    "amq_interconnect": amq_interconnect_cases,
    "ibm_mq": ibm_mq_cases,
    "mqe": mqe_cases,
    "sibus": sibus_cases,
}
"""The systems that topograph answers for, with the module that runs their vectors."""

LATER: tuple[str, ...] = ()
"""The systems whose step has not come: all their vectors are "not built yet"."""


def _system(file: Path) -> str:
    names = sorted((*BUILT, *LATER), key=len, reverse=True)
    return next((name for name in names if file.name.startswith(name)), "")


def _vectors() -> list[Any]:
    found = []
    for file in sorted(FOLDER.glob("*vectors.json")):
        for vector in json.loads(file.read_text(encoding="utf-8")):
            found.append(
                pytest.param(_system(file), vector, id=f"{file.stem}-{vector.get('id', '?')}")
            )
    return found


def _later(system: str, vector: Any) -> bool:
    return system in LATER or (system in BUILT and BUILT[system].not_built_yet(vector))


VECTORS = _vectors()
RUN = [entry for entry in VECTORS if not _later(*entry.values)]
NOT_BUILT = Counter(
    f"{system} {vector['ask']['op']}"
    for system, vector in (e.values for e in VECTORS)
    if _later(system, vector)
)


def test_there_are_vectors_to_run() -> None:
    assert RUN, f"no vectors in {FOLDER}"


@pytest.mark.parametrize(("system", "vector"), RUN)
def test_vector(system: str, vector: Any) -> None:
    assert system, "the file's name begins with no system that topograph knows"
    found = differences(vector["expect"], BUILT[system].run(vector))
    assert not found, (
        f"{vector['id']} ({', '.join(vector['rules'])}; {vector['origin']}): " + "; ".join(found)
    )


def test_what_is_not_built_yet_is_counted(
    record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        print(f"\nvectors: {len(RUN)} run, {NOT_BUILT.total()} not built yet in {FOLDER.name}/")
        for name, count in sorted(NOT_BUILT.items()):
            print(f"  not built yet: {name}: {count}")
    record_property("not_built_yet", NOT_BUILT.total())
    assert len(RUN) + NOT_BUILT.total() == len(VECTORS)
