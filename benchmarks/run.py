"""The table of what topograph does, what its peer takes for the same, and the ratio; every answer
is compared with the peer's.

::

    ./dev bench                     # everything, at the sizes of docs/design.md section 5
    ./dev bench --hubs 100          # a tenth of the estate
    ./dev bench walk commands       # some parts only

Ends with 1 if two answers differ. Times are never a reason to fail: goals that are missed are
marked.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from as_commands import commands, importing, without_import
from audits import audits
from destinations import destinations
from failures import failures
from growth import growth
from histories import histories
from in_database import cypher, publish
from in_memory import all_pairs, walk
from measurement import Bench, Different
from new_routes import new_route
from pages import pages
from queue_managers import queue_managers
from reading import reading
from reports import reports
from routers import routers
from stars import one_star

FULL = 1_000

PARTS = {
    "reading": reading,
    "import": importing,
    "commands": commands,
    "folder": without_import,
    "walk": walk,
    "all-pairs": all_pairs,
    "new-route": new_route,
    "audit": audits,
    "failures": failures,
    "destinations": destinations,
    "star": one_star,
    "cypher": cypher,
    "publish": publish,
    "pages": pages,
    "report": reports,
    "routers": routers,
    "queue-managers": queue_managers,
    "growth": growth,
    "history": histories,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"which of {', '.join(PARTS)}; all unless named"
    )
    parser.add_argument("--hubs", type=int, default=FULL, help="ten servers each (1,000)")
    parser.add_argument(
        "--spokes",
        type=int,
        default=1_000,
        help=(
            "of the star that is published: as many squared forwards; twice as many in "
            "memory (1,000)"
        ),
    )
    parser.add_argument(
        "--sample",
        type=int,
        default=100,
        help="sources that networkx walks from for all pairs (100)",
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(
            f"no part is called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}"
        )
    with tempfile.TemporaryDirectory(prefix="topograph-bench-") as folder:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TOPOGRAPH_")
        }
        environment["XDG_DATA_HOME"] = folder
        # As an installed package has it: modules are compiled once, not at every start.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        bench = Bench(Path(folder), given.hubs, given.spokes, given.sample, environment)
        print("| Work | Peer | Ours | Ratio | Goal | |\n|---|---|---|---|---|---|", flush=True)
        try:
            for name in given.parts or PARTS:
                for row in PARTS[name](bench):
                    # The goals are stated for the whole estate.
                    print(
                        row if given.hubs == FULL else replace(row, goal="", met=None), flush=True
                    )
        except Different as difference:
            print(f"\n{difference}", file=sys.stderr)
            return 1
        finally:
            bench.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
