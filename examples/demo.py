"""A tour: asks one question on a folder as it is, then imports three of these examples through
Spark and asks each kind of question, in Cypher on a local Neo4j where one can be had.

What it leaves behind is one page to look at, ``topograph-demo.html`` in the current folder;
everything else it makes (snapshot, database) is in a temporary folder and gone at the end. Ends
with 0 if every question was answered and the page was written.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VIOLATION = 1
DATABASE_FAILED = 4

AT_ONCE = (
    "Who gets an order from Canada? One question on a folder, without an import:",
    "propagate HUB --destination topic:orders --set country=Canada -s orders",
)

IMPORTED = ("estate", "two-1hop-zones/with-g-a", "routers")

QUESTIONS = (
    (
        "Which servers are there, and which are only named by others?",
        "show servers --network estate",
        0,
    ),
    ("What did the import notice?", "show findings --network estate", 0),
    ("Where can a message published at USA-EAST go?", "reach USA-EAST --network estate", 0),
    ("How many hops is it from CANADA to MADRID?", "hops CANADA MADRID --network estate", 0),
    (
        "Which paths lead from CANADA to MADRID, and which file and line permits each step?",
        "paths CANADA MADRID --network estate",
        0,
    ),
    ("Whose names does MADRID hold, and from whom?", "interests MADRID --network estate", 0),
    ("Is any route there that the servers would refuse?", "cycles --network estate", 0),
    ("And with the route G-A between two one-hop zones?", "cycles --network with-g-a", VIOLATION),
    ("Why does A not reach C in one-hop zones?", "hops A C --network with-g-a", 0),
    (
        "Who gets an order from Spain?",
        "propagate HQ --destination topic:orders --set country=Spain --network estate",
        0,
    ),
    (
        "Who gets a small order from the USA? (the route is active-active: both selectors count)",
        (
            "propagate HQ --destination topic:orders --set country=USA --set amount=20 "
            "--network estate"
        ),
        0,
    ),
    (
        "Where does stock information from LONDON stop?",
        "propagate LONDON --destination topic:stock.tools --network estate",
        0,
    ),
    (
        "Which way do routers send from LON to FRA, whose direct link costs 25?",
        "paths LON FRA --network routers",
        0,
    ),
    (
        "Which routers are joined by more than one path? (wanted there)",
        "cycles --network routers",
        0,
    ),
    (
        "What happens to an order sent at LON, which has to be stored on its way?",
        "trace LON --destination address:orders --network routers",
        0,
    ),
    (
        "Who gets a price from LON, if the closest receiver gets it?",
        "propagate LON --destination address:prices --network routers",
        0,
    ),
    ("What is wrong or risky in the estate?", "check --network estate", VIOLATION),
)

PAGE = "topograph-demo.html"

PICTURE = (
    (
        "Where does an order for Mexico go, and what keeps it from going elsewhere? As a "
        "page to look at:"
    ),
    "propagate USA-EAST --destination topic:orders --set country=Mexico --network estate",
)


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="topograph-demo-") as folder:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("TOPOGRAPH_NEO4J_")
        }
        environment["TOPOGRAPH_SNAPSHOT"] = str(Path(folder, "demo.snapshot"))
        if "TOPOGRAPH_HOME" not in environment:
            # A database of its own; what is fetched stays in the user's cache for the next time.
            environment["XDG_DATA_HOME"] = folder
        environment["TOPOGRAPH_CACHE_MB"] = "0"
        question, words = AT_ONCE
        heading(question)
        if run(shlex.split(words), environment).returncode:
            print("\nThe question failed.", flush=True)
            return 1
        ran_before = (
            '"running"'
            in run(["db", "status", "--format", "json"], environment, capture=True).stdout
        )
        try:
            heading("A Neo4j on this machine (fetched once, which takes a while)")
            code = run(["db", "start"], environment).returncode
            if code == DATABASE_FAILED:
                print(
                    "\nNo Neo4j can be had here: memory answers instead. The answers are the same.",
                    flush=True,
                )
                return tour("memory", environment)
            return code or tour("neo4j", environment)
        finally:
            if not ran_before:
                run(["db", "stop"], environment, capture=True)


def tour(engine: str, environment: dict[str, str]) -> int:
    """Import, ask everything, and say how many questions ended as they should."""
    heading("The import, through Spark")
    publish = "auto" if engine == "neo4j" else "none"
    if run(
        ["import", *IMPORTED, "-o", environment["TOPOGRAPH_SNAPSHOT"], "--neo4j", publish],
        environment,
    ).returncode:
        print("\nThe import failed: there is nothing to ask about.", flush=True)
        return 1
    answered = 0
    for question, words, expected in QUESTIONS:
        heading(question)
        code = run([*shlex.split(words), "--engine", engine], environment).returncode
        if code == expected:
            answered += 1
        else:
            print(f"This should have ended with exit code {expected}, not {code}.", flush=True)
    drawn = draw(engine, environment)
    print(f"\n{answered} of {len(QUESTIONS)} questions answered, engine {engine}.", flush=True)
    if drawn:
        print(
            f"{PAGE} shows one of the answers: open it in a browser; it needs no network.",
            flush=True,
        )
    return 0 if drawn and answered == len(QUESTIONS) else 1


def draw(engine: str, environment: dict[str, str]) -> bool:
    """Write the page into the current folder; whether that worked."""
    question, words = PICTURE
    heading(question)
    page = str(Path.cwd() / PAGE)
    return (
        run(["view", *shlex.split(words), "-o", page, "--engine", engine], environment).returncode
        == 0
    )


def heading(text: str) -> None:
    print(f"\n--- {text}", flush=True)


def run(
    words: list[str], environment: dict[str, str], *, capture: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run one topograph command in the folder of the examples, showing it unless its output is
    captured.
    """
    if not capture:
        print(f"$ topograph {shlex.join(words)}", flush=True)
    command = [str(Path(sys.executable).with_name("topograph")), *words]
    return subprocess.run(
        command, cwd=HERE, env=environment, capture_output=capture, text=True, check=False
    )


if __name__ == "__main__":
    sys.exit(main())
