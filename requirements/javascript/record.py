"""Writes viz/vendor/vendor.json: what the bundle beside it is made of, by the lock file here."""

import hashlib
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENDOR = HERE.parents[1] / "viz" / "vendor"
BUNDLED = (
    "vis-network",
    "vis-data",
    "vis-util",
    "@egjs/hammerjs",
    "component-emitter",
    "keycharm",
    "uuid",
)

pinned = json.loads((HERE / "package-lock.json").read_text())["packages"]
packages = [
    {"package": name}
    | {key: pinned[f"node_modules/{name}"][key] for key in ("version", "integrity")}
    for name in BUNDLED
]
file = "vis-network.min.js"
digest = hashlib.sha256((VENDOR / file).read_bytes()).hexdigest()
record = {"files": [{"file": file, "sha256": digest, "bundled": packages}]}
(VENDOR / "vendor.json").write_text(json.dumps(record, indent=2) + "\n")
