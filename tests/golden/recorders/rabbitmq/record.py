"""Record what a RabbitMQ broker does with drawn estates (``tests/golden/rabbitmq/README.md``)."""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from golden.recorders.processes import cache
from golden.recorders.rabbitmq.broker import CLUSTER, Broker, started
from golden.recorders.rabbitmq.drawn import drawn
from golden.recorders.rabbitmq.estate import Estate, Message, Round
from golden.recorders.rabbitmq.measure import Got, Session, Unsettled
from golden.recorders.rabbitmq.packages import VERSION, prepared

GOLDEN = Path(__file__).resolve().parents[2] / "rabbitmq"
COMPARISON = "systems.rabbitmq.replaying"
"""The tests' module that has ``differences(record)``: what topograph says otherwise of the messages
of a record. Without it nothing is compared."""
_TRIES = 3

Record = dict[str, Any]


class ControlLost(Exception):
    """A message that must arrive did not: what else did not arrive proves nothing."""


@dataclass(frozen=True)
class Recorded:
    """An estate's record, and how many of its messages were left out."""

    record: Record
    unstable: int


def recorded(broker: Broker, seed: int) -> Recorded:
    """What came of the estate of a seed. Raises ControlLost and Unsettled."""
    estate = drawn(seed)
    vhosts = [one["name"] for one in estate.definitions["vhosts"]]
    session = Session(broker, estate)
    try:
        broker.load(estate.definitions)
        session.wait_for_links()
        rows: list[Record] = []
        unstable = 0
        for number, where in enumerate(estate.rounds):
            found = _agreed(session, where)
            unstable += len(where.messages) - len(found)
            rows += _rows(where, number, found)
    finally:
        session.close()
        broker.forget(vhosts)
    return Recorded(_record(estate, rows), unstable)


def _agreed(session: Session, where: Round) -> dict[str, Got]:
    """What came of each message; of rounds in which time matters, what came of it twice."""
    first = session.measured(where)
    if where.kind not in ("timed", "linked"):
        return first
    second = session.measured(where)
    chosen = {one.id for one in where.messages if one.choice}
    agreed = {key for key, got in first.items() if got.same(second[key])} | chosen
    if len(agreed) == len(first):
        return first
    third = session.measured(where)
    return {
        key: third[key]
        for key, got in first.items()
        if key in agreed or third[key].same(got) or third[key].same(second[key])
    }


def _rows(where: Round, number: int, found: dict[str, Got]) -> list[Record]:
    controls = {one.path: one.id for one in where.messages if one.control}
    rows = [_row(one, number, where, found[one.id]) for one in where.messages if one.id in found]
    outcomes = {row["id"]: row["outcome"] for row in rows}
    for message in where.messages:
        if message.control and outcomes.get(message.id) != "delivered":
            raise ControlLost(f"{message.vhost} {message.path}: {message.id}")
    paths = {one.id: one.path for one in where.messages}
    for row in rows:
        if row["control"] is None and row["outcome"] != "delivered":
            row["control"] = controls[paths[row["id"]]]
    return rows


def _row(message: Message, number: int, where: Round, got: Got) -> Record:
    acts = [*message.acts]
    acts += [{"do": "consume", "queue": queue} for queue, (do, _) in where.acts.items()
             if do == "consume"]  # fmt: skip
    acts += [{"do": do, "queue": queue, "times": times}
             for (do, queue), times in sorted(got.acts.items()) if times]  # fmt: skip
    return {
        "id": message.id,
        "round": number,
        "vhost": message.vhost,
        "user": message.user,
        "exchange": message.exchange,
        "key": message.key,
        "headers": message.headers,
        "expiration": message.expiration,
        "features": list(message.features),
        "control": True if message.control else None,
        "publisher": got.publisher,
        "outcome": _outcome(got),
        "queues": dict(sorted(got.queues.items())),
        "choice": message.choice,
        "endless": got.endless,
        "acts": acts,
    }


def _outcome(got: Got) -> str:
    if got.endless:
        return "endless"
    if got.publisher.startswith("refused"):
        return "refused"
    if got.queues:
        return "delivered"
    return {"returned": "unroutable", "nacked": "rejected"}.get(got.publisher, "dropped")


def _record(estate: Estate, rows: list[Record]) -> Record:
    return {
        "seed": estate.seed,
        "features": sorted({feature for row in rows for feature in row["features"]}),
        "broker": f"RabbitMQ {VERSION}",
        "cluster": CLUSTER,
        "definitions": {"rabbit_version": VERSION, **estate.definitions},
        "messages": rows,
    }


def _tried(broker: Broker, seed: int) -> Recorded | None:
    for number in range(1, _TRIES + 1):
        try:
            return recorded(broker, seed)
        except (ControlLost, Unsettled) as error:
            print(f"seed {seed}, try {number}: {error!r}", file=sys.stderr)
    return None


def comparison() -> Callable[[Record], Iterable[object]] | None:
    """How topograph's own answers are compared with a record, where it has answers."""
    try:
        module = importlib.import_module(COMPARISON)
    except ModuleNotFoundError as error:
        if not COMPARISON.startswith(error.name or "."):
            raise
        return None
    return getattr(module, "differences", None)


def written(records: Iterable[Record], file: Path) -> None:
    """A file of records; the same records are the same bytes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in records]
    file.write_bytes(gzip.compress("".join(f"{one}\n" for one in lines).encode(), mtime=0))


def main(arguments: Sequence[str] | None = None) -> None:
    """Record the estates of some seeds."""
    parser = argparse.ArgumentParser(prog="./dev record rabbitmq", description=__doc__)
    parser.add_argument("estates", type=int, nargs="?", default=10, help="how many (default: 10)")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="the first (default: 1)")
    parser.add_argument("--at-once", type=int, default=3, help="estates at a time (default: 3)")
    parser.add_argument("--to", type=Path, default=GOLDEN, help="the folder of the recording")
    given = parser.parse_args(arguments)
    began = time.monotonic()
    seeds = range(given.seed, given.seed + given.estates)
    with started(prepared(cache("rabbitmq"))) as broker, ThreadPoolExecutor(given.at_once) as pool:
        found = [one for one in pool.map(partial(_tried, broker), seeds) if one]
    records = [one.record for one in found]
    written(records, given.to / f"seeds-{seeds[0]}-{seeds[-1]}.jsonl.gz")
    _say(found, len(seeds), time.monotonic() - began)


def _say(found: list[Recorded], seeds: int, seconds: float) -> None:
    messages = [row for one in found for row in one.record["messages"]]
    gone = sum(row["outcome"] != "delivered" for row in messages)
    print(
        f"{len(found)} of {seeds} estates in {seconds:.0f} s; {gone} messages did not arrive; "
        f"{sum(one.unstable for one in found)} were left out, for they came out differently",
        file=sys.stderr,
    )
    differences = comparison()
    if differences is None:
        print(f"{len(messages)} messages on real brokers, not compared")
        return
    different = [each for one in found for each in differences(one.record)]
    for each in different:
        print(each, file=sys.stderr)
    print(f"{len(messages)} messages on real brokers, {len(different)} differences")


if __name__ == "__main__":
    main()
