"""A network of two systems: EMS servers HQ and LON, joined by a route, and routers of which one
is called LON too.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ROUTERS = Path(__file__).resolve().parents[2] / "examples" / "routers"


def write(root: Path) -> None:
    """Write its files below a folder."""
    shutil.copytree(ROUTERS, root / "routers", ignore=shutil.ignore_patterns("*.yaml"))
    shutil.copy(ROUTERS / "topograph.yaml", root)
    for name, other in (("HQ", "LON"), ("LON", "HQ")):
        (root / name).mkdir()
        (root / name / "tibemsd.conf").write_text(
            f"server = {name}\nrouting = enabled\nroutes = routes.conf\ntopics = topics.conf\n"
        )
        (root / name / "topics.conf").write_text("orders global\n")
        (root / name / "routes.conf").write_text(
            f"[{other}]\nurl = tcp://{other.lower()}:7222\nzone_name = Z\n"
        )
