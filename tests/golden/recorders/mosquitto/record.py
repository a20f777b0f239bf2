"""Record what mosquitto brokers do with drawn estates (``tests/golden/mosquitto/README.md``)."""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from golden.recorders.mosquitto.drawn import drawn
from golden.recorders.mosquitto.estate import NAMES, Estate, Message
from golden.recorders.mosquitto.measure import Got, measured
from golden.recorders.mosquitto.packages import VERSION, Runtime, prepared
from golden.recorders.processes import cache
from golden.recorders.recording import ControlLost, Record, Recorded, Unsettled, say, written

GOLDEN = Path(__file__).resolve().parents[2] / "mosquitto"
COMPARISON = "mosquitto_replay"
"""The tests' module that has ``differences(record)``: what topograph says otherwise of the messages
of a record. Without it nothing is compared."""
_TRIES = 3


def recorded(runtime: Runtime, seed: int) -> Recorded:
    """What came of the estate of a seed. Raises ControlLost and Unsettled."""
    estate = drawn(seed)
    found = measured(runtime, estate)
    for message in estate.messages:
        got = found[message.id]
        if message.control and not any(broker == message.far for broker, _ in got.copies):
            raise ControlLost(f"{message.control}: {message.id}")
    return Recorded(_record(estate, found), 0)


def _record(estate: Estate, found: dict[str, Got]) -> Record:
    return {
        "seed": estate.seed,
        "features": sorted(estate.features),
        "broker": f"mosquitto {VERSION}",
        "files": estate.files({}),
        "bridges": {one.label: one.state for one in estate.connections},
        "messages": [_row(estate, one, found[one.id]) for one in estate.messages],
    }


def _row(estate: Estate, message: Message, got: Got) -> Record:
    copies: dict[str, dict[str, int]] = defaultdict(dict)
    if not got.endless:
        for (broker, topic), number in sorted(got.copies.items()):
            copies[NAMES[broker]][topic] = number
    return {
        "id": message.id,
        "broker": NAMES[message.broker],
        "user": message.user,
        "topic": message.topic,
        "size": message.size,
        "control": message.control or None,
        "outcome": _outcome(estate, message, got),
        "copies": copies,
    }


def _outcome(estate: Estate, message: Message, got: Got) -> str:
    reached = {broker for broker, _ in got.copies}
    if got.endless:
        return "endless"
    if len(reached) == len(estate.brokers):
        return "delivered"
    return "partly" if reached - {message.broker} else "local" if reached else "dropped"


def _tried(runtime: Runtime, seed: int) -> Recorded | None:
    for number in range(1, _TRIES + 1):
        try:
            return recorded(runtime, seed)
        except (ControlLost, Unsettled, OSError, RuntimeError) as error:
            print(f"seed {seed}, try {number}: {error!r}", file=sys.stderr)
    return None


def main(arguments: Sequence[str] | None = None) -> None:
    """Record the estates of some seeds."""
    parser = argparse.ArgumentParser(prog="./dev record mosquitto", description=__doc__)
    parser.add_argument("estates", type=int, nargs="?", default=10, help="how many (default: 10)")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="the first (default: 1)")
    parser.add_argument("--at-once", type=int, default=3, help="estates at a time (default: 3)")
    parser.add_argument("--to", type=Path, default=GOLDEN, help="the folder of the recording")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    seeds = range(given.seed, given.seed + given.estates)
    runtime = prepared(cache("mosquitto"))
    with ThreadPoolExecutor(given.at_once) as pool:
        found = [one for one in pool.map(partial(_tried, runtime), seeds) if one]
    records = [one.record for one in found]
    written(records, given.to / f"seeds-{seeds[0]}-{seeds[-1]}.jsonl.gz")
    say(found, len(seeds), time.monotonic() - began, COMPARISON)


if __name__ == "__main__":
    main()
