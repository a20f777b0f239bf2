"""Small made cases for the replay of recorded ones."""

from __future__ import annotations

import itertools
import json

import pytest
from golden.amq_interconnect_case import Case
from golden.made_steps import A, B

collect_ignore_glob = ["recorders/mosquitto/*", "recorders/rabbitmq/*"]
"""Their examples need a client of brokers, which only the recorder has."""


@pytest.fixture
def replay(tmp_path):
    """Replay steps, given as (inputs, results), in a network of two routers with two containers
    behind A. ``more`` goes into the scenario.
    """

    numbers = itertools.count(1)

    def made(*steps, configs=(("A", A), ("B", B)), **more):
        folder = tmp_path / f"case{next(numbers)}"
        (folder / "configs").mkdir(parents=True)
        for name, text in configs:
            (folder / "configs" / f"{name}.conf").write_text(f"# {name}\n{text}", encoding="utf-8")
        scenario = {
            "case": "made",
            "routers": {
                name: {"config": f"configs/{name}.conf", "mode": "interior"} for name, _ in configs
            },
            "brokers": [
                {"name": "K", "container": "K", "port": 20010},
                {"name": "L", "container": "L", "port": 20011},
            ],
            "steps": [{"step": n, **inputs} for n, (inputs, _) in enumerate(steps, 1)],
            **more,
        }
        observed = {
            "case": "made",
            "router_version": "qpid-dispatch 1.19.0",
            "steps": [
                {"step": n, "op": inputs["op"], **results}
                for n, (inputs, results) in enumerate(steps, 1)
            ],
        }
        (folder / "scenario.json").write_text(json.dumps(scenario), encoding="utf-8")
        (folder / "observed.json").write_text(json.dumps(observed), encoding="utf-8")
        return Case(folder).replay()

    return made
