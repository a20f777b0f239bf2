"""A target of ``fuzz.targets`` guided by coverage, where atheris is installed (it is no dependency:
wheels of it exist for some systems only).

``python tests/fuzz/with_atheris.py routes.conf -max_total_time=600``: the target, then options of
libFuzzer.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Search from the target's seeds and corpus; a failing input is left in the working folder,
    as libFuzzer does.
    """
    import atheris

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    with atheris.instrument_imports(include=["topograph"]):
        from fuzz.inputs import CORPUS, seeds
        from fuzz.targets import TARGETS, run

    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        raise SystemExit(f"Name a target: {', '.join(TARGETS)}")
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds(name)):
            (Path(folder) / str(number)).write_bytes(data)
        kept = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
        atheris.Setup([sys.argv[0], *sys.argv[1:], folder, *kept], lambda data: run(name, data))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
