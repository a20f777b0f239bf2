"""Record what a RabbitMQ broker's definitions are after drawn scripts of ``rabbitmqctl``,
``rabbitmqadmin`` and ``curl`` (``tests/golden/rabbitmq_scripts/README.md``)::

    PYTHONPATH=tests python -m golden.recorders.rabbitmq.scripts COUNT [SEED]
"""

from __future__ import annotations

import gzip
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import rabbitmq_scripts
from golden.recorders.processes import cache
from golden.recorders.rabbitmq.broker import Broker, path, started
from golden.recorders.rabbitmq.packages import Runtime, prepared

GOLDEN = Path(__file__).resolve().parents[2] / "rabbitmq_scripts"
_COMMANDS = 10


def recorded(broker: Broker, place: Path, seed: int) -> dict[str, Any]:
    """The definitions before and after the script of a seed, and which commands were taken."""
    random = Random(seed)
    drawn = rabbitmq_scripts.definitions(random)
    _emptied(broker)
    wanted = {key: value for key, value in drawn.items() if key != "global_parameters"}
    wanted["users"] = [one for one in drawn["users"] if one["name"] != "guest"]
    broker.ask("POST", "definitions", wanted)
    before = broker.ask("GET", "definitions")
    rows = []
    held = json.loads(json.dumps(drawn))
    for _ in range(_COMMANDS):
        one = rabbitmq_scripts.command(random, held)
        done = subprocess.run(
            ["/bin/bash", "-o", "pipefail", "-ec", one.lines],
            cwd=place, capture_output=True, text=True, timeout=300, check=False,
            env={"PATH": f"{place}:/usr/local/bin:/usr/bin:/bin", "HOME": str(place)},
        )  # fmt: skip
        said = "" if not done.returncode else (done.stdout + done.stderr).strip()[-300:]
        rows.append({"lines": one.lines, "taken": not done.returncode, "said": said})
    after = broker.ask("GET", "definitions")
    return {"seed": seed, "before": _bare(before), "commands": rows, "after": _bare(after)}


def _bare(definitions: dict[str, Any]) -> dict[str, Any]:
    """Definitions without hashes of passwords, which differ each time."""
    for one in definitions["users"]:
        one["password_hash"] = "x"
    definitions["global_parameters"] = [
        one for one in definitions["global_parameters"] if one["name"] == "cluster_name"
    ]
    return definitions


def _emptied(broker: Broker) -> None:
    """A broker with the virtual host ``/`` and the user guest."""
    for one in broker.ask("GET", "vhosts"):
        broker.ask("DELETE", path("vhosts", one["name"]))
    for one in broker.ask("GET", "users"):
        if one["name"] != "guest":
            broker.ask("DELETE", path("users", one["name"]))
    broker.ask("PUT", path("vhosts", "/"))


def tools(broker: Broker, runtime: Runtime, place: Path) -> None:
    """The tools as a script finds them, for this broker."""
    environment = " ".join(
        f"{name}={shlex.quote(value)}" for name, value in broker.environment.items()
    )
    node = broker.environment["RABBITMQ_NODENAME"]
    erl = " ".join(
        (
            f"exec env {environment} PATH=/usr/bin:/bin {runtime.programs}/erlexec",
            "+B +S 1:1 +sbwt none -boot no_dot_erlang -noinput -noshell -hidden -smp enable",
            "-kernel inet_dist_listen_min 45672 -kernel inet_dist_listen_max 45692",
            "-run escript start -escript main rabbitmqctl_escript",
            f"-extra {runtime.rabbitmq}/escript/rabbitmqctl -n {node}",
        )
    )
    admin = next(runtime.rabbitmq.glob("plugins/rabbitmq_management-*/priv/www/cli/rabbitmqadmin"))
    port = broker.management
    scripts = {
        "rabbitmqctl": f'{erl} "$@"',
        "rabbitmqadmin": f'exec {shlex.quote(sys.executable)} {admin} -P {port} "$@"',
        "curl": f'exec /usr/bin/curl --connect-to localhost:15672:127.0.0.1:{port} "$@"',
    }
    for name, line in scripts.items():
        (place / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (place / name).chmod(0o755)


def main(arguments: list[str]) -> None:
    """Record as many scripts as the first argument says, from the seed of the second on."""
    count, first = int(arguments[0]), int((arguments[1:] or ["1"])[0])
    runtime = prepared(cache("rabbitmq"))
    GOLDEN.mkdir(exist_ok=True)
    found = []
    with started(runtime) as broker, tempfile.TemporaryDirectory() as folder:
        tools(broker, runtime, Path(folder))
        for seed in range(first, first + count):
            found.append(recorded(broker, Path(folder), seed))
            print(f"seed {seed}", flush=True)
    text = "".join(f"{json.dumps(one, sort_keys=True)}\n" for one in found)
    name = f"scripts-{first}-{first + count - 1}.jsonl.gz"
    (GOLDEN / name).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
