"""Record what a RabbitMQ broker does with drawn estates (``tests/golden/rabbitmq/README.md``)."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from golden.recorders.processes import cache
from golden.recorders.rabbitmq.broker import CLUSTER, Brokers, started
from golden.recorders.rabbitmq.drawn import drawn
from golden.recorders.rabbitmq.estate import SECOND, Estate, Message, Round
from golden.recorders.rabbitmq.measure import Got, Session
from golden.recorders.rabbitmq.packages import VERSION, prepared
from golden.recorders.recording import ControlLost, Record, Recorded, Unsettled, say, written

GOLDEN = Path(__file__).resolve().parents[2] / "rabbitmq"
COMPARISON = "rabbitmq_replay"
"""The tests' module that has ``differences(record)``: what topograph says otherwise of the messages
of a record. Without it nothing is compared."""
_TRIES = 3
_FAR = "two-clusters"
"""The feature of messages that may get from one cluster to the other."""


def recorded(brokers: Brokers, seed: int) -> Recorded:
    """What came of the estate of a seed. Raises ControlLost and Unsettled."""
    estate = drawn(seed)
    with brokers.alone(estate):
        return _recorded(brokers, estate)


def _recorded(brokers: Brokers, estate: Estate) -> Recorded:
    session = Session(brokers, estate)
    try:
        brokers.load(estate)
        session.wait_for_links()
        rows: list[Record] = []
        unstable = 0
        for number, where in enumerate(estate.rounds):
            found = _agreed(session, where)
            unstable += len(where.messages) - len(found)
            rows += _rows(where, number, found)
        session.look_at_links()
        seen = {"holds": session.holding(), "declared": session.declared()}
    finally:
        session.close()
        brokers.forget(estate)
    return Recorded(_record(estate, rows, seen), unstable)


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
    row: Record = {
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
    return row | {"size": message.size} if message.size else row


def _outcome(got: Got) -> str:
    if got.endless:
        return "endless"
    if got.publisher.startswith("refused"):
        return "refused"
    if got.queues:
        return "delivered"
    return {"returned": "unroutable", "nacked": "rejected"}.get(got.publisher, "dropped")


def _record(estate: Estate, rows: list[Record], seen: Record) -> Record:
    found: Record = {
        "seed": estate.seed,
        "features": sorted({feature for row in rows for feature in row["features"]}),
        "broker": f"RabbitMQ {VERSION}",
        "cluster": CLUSTER,
        "definitions": {"rabbit_version": VERSION, **estate.first},
        "messages": rows,
    }
    if estate.second is not None:
        found[SECOND] = {"rabbit_version": VERSION, **estate.second}
    if not any(seen["declared"].values()):
        del seen["declared"]
    return found | {name: what for name, what in seen.items() if what}


def _tried(brokers: Brokers, seed: int) -> Recorded | None:
    for number in range(1, _TRIES + 1):
        try:
            return recorded(brokers, seed)
        except (ControlLost, Unsettled, OSError, RuntimeError) as error:
            print(f"seed {seed}, try {number}: {error!r}", file=sys.stderr)
    return None


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
    with started(prepared(cache("rabbitmq"))) as brokers, ThreadPoolExecutor(given.at_once) as pool:
        found = [one for one in pool.map(partial(_tried, brokers), seeds) if one]
    records = [one.record for one in found]
    far = [one for record in records for one in record["messages"] if _FAR in one["features"]]
    print(f"{sum(SECOND in one for one in records)} estates of two clusters, {len(far)} messages "
          "that may get from one to the other", file=sys.stderr)  # fmt: skip
    written(records, given.to / f"seeds-{seeds[0]}-{seeds[-1]}.jsonl.gz")
    say(found, len(seeds), time.monotonic() - began, COMPARISON)


if __name__ == "__main__":
    main()
