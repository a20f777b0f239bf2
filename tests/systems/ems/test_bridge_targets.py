"""A copy that a bridge makes is delivered only to a destination that its server can have (R45)."""

from __future__ import annotations

import random

import pytest

ENTRIES = ("stock", "stock.>", "stock.*", ">", "*.a", "other global")
TARGETS = ("stock", "stock.a", "stock.a.b", "x.a", "shavings")


def allowed(entry: str, name: str) -> bool:
    """Whether an entry stands for a name, element by element."""
    pattern, elements = entry.split(maxsplit=1)[0].split("."), name.split(".")
    if pattern[-1] == ">":
        return len(elements) >= len(pattern) and all(
            one in ("*", other) for one, other in zip(pattern[:-1], elements, strict=False)
        )
    return len(pattern) == len(elements) and all(
        one in ("*", other) for one, other in zip(pattern, elements, strict=True)
    )


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("type_", ["queue", "topic"])
def test_a_copy_goes_where_an_entry_allows_its_destination(estate, seed: int, type_: str) -> None:
    draw = random.Random(seed)
    entries = draw.sample(ENTRIES, draw.randrange(1, 3))
    target = draw.choice(TARGETS)
    lines = "".join(f"{entry}\n" for entry in entries)
    files = {
        "topics.conf": "grind global,maxbytes=1MB\n" + (lines if type_ == "topic" else ""),
        "queues.conf": lines if type_ == "queue" else "none\n",
        "bridges.conf": f"[topic:grind]\n {type_}={target}\n",
    }
    network = estate({"PLANT": files})
    found = network.propagate("PLANT", "topic:grind")
    copied = {one.destination for one in found.deliveries} - {"topic:grind"}
    can = any(allowed(entry, target) for entry in entries)
    assert copied == ({f"{type_}:{target}"} if can else set()), (entries, target)
    straight = network.propagate("PLANT", f"{type_}:{target}")
    assert bool(straight.deliveries) == can


def test_a_queue_behind_a_bridge_that_is_deleted_gets_nothing_more(estate) -> None:
    network = estate(
        {
            "PLANT": {
                "topics.conf": "grind global,maxbytes=1MB\n",
                "queues.conf": "shavings\n",
                "bridges.conf": "[topic:grind]\n queue=shavings\n",
            }
        }
    )
    answer = network.audit("delete queue shavings\n", at="PLANT")
    assert answer.deliveries.gained == ()
    assert {one.destination for one in answer.deliveries.lost} == {"queue:shavings"}


@pytest.mark.parametrize(
    ("sections", "deleted", "warned"),
    [
        ("[topic:T]\n queue=q\n[topic:T]\n queue=r\n", "queue:q", True),
        ("[topic:T]\n queue=q\n queue=r\n", "queue:q", False),
        ("[topic:T]\n queue=q\n[topic:U]\n queue=r\n", "queue:q", False),
        ("[topic:T]\n queue=q\n[topic:T]\n queue=r\n[topic:T]\n topic=U\n", "topic:U", True),
    ],
)
def test_deleting_one_of_several_sections_of_a_source_is_warned_of(
    estate, sections: str, deleted: str, warned: bool
) -> None:
    files = {
        "topics.conf": "T maxbytes=1MB\nU maxbytes=1MB\n",
        "queues.conf": "q\nr\n",
        "bridges.conf": sections,
    }
    answer = estate({"A": files}).audit(f"delete bridge source=topic:T target={deleted}\n", at="A")
    told = [one for one in answer.warnings if one.rule == "bridge-written-twice"]
    assert bool(told) is warned
    assert all("does not start again" in one.message for one in told)
