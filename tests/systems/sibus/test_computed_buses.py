"""A call of a script whose bus is computed may be about any bus."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import topograph

MADE = """AdminTask.createSIBus('[-bus {bus}]')
AdminTask.addSIBusMember('[-bus {bus} -node n -server s]')
AdminTask.createSIBDestination('[-bus {bus} -name KNOWN -type QUEUE -node n -server s]')
AdminConfig.save()
"""


@pytest.mark.parametrize("number", range(20))
def test_what_a_computed_call_may_have_made_is_not_absent(number: int, tmp_path: Path) -> None:
    at = random.Random(number)
    buses = at.sample(("PA", "PB", "PC"), at.randint(1, 3))
    for bus in buses:
        (tmp_path / f"{bus}.py").write_text(MADE.format(bus=bus))
    computed = at.random() < 0.7
    name = at.choice(("spec['bus']", "self.bus", "sys.argv[0]", "lookup(bus)"))
    bus = name if computed else "'OTHER'"
    rest = "'-name', 'Q', '-type', 'QUEUE', '-node', 'n', '-server', 's'"
    (tmp_path / "lib.py").write_text(
        "import sys\ndef make(self, spec):\n"
        f"    AdminTask.createSIBDestination(['-bus', {bus}, {rest}])\n"
    )
    network = topograph.read(tmp_path)
    for one in buses:
        known = network.trace(one, "queue:KNOWN")
        assert known.outcomes == (f"DELIVERED(KNOWN@{one})",)
        maybe = network.trace(one, "queue:Q")
        assert maybe.outcomes == (("UNDETERMINED",) if computed else ("REJECTED(15)",)), maybe
