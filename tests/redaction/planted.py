"""An estate with a distinctive value in every place where a secret, host, user or client id can
stand.

Each value is planted once or twice and holds a word that nothing else does, so that finding the
word anywhere downstream is a leak.
"""

from __future__ import annotations

from pathlib import Path

from redaction.planting.amq_interconnect import amq_interconnect
from redaction.planting.ems import ems
from redaction.planting.keyed import keyed
from redaction.planting.others import archives, ibm_mq, mqe, others, sibus
from redaction.planting.words import Planted

__all__ = ["Planted", "planted_estate"]


def planted_estate(root: Path) -> Planted:
    """Write the estate; every file of every system, with planted values."""
    planted = Planted()
    files = {
        **dict(ems(planted)),
        **dict(amq_interconnect(planted)),
        **dict(keyed(planted)),
        **dict(sibus(planted)),
        **dict(ibm_mq(planted)),
        **dict(mqe(planted)),
        **dict(others(planted)),
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    archives(planted, root)
    return planted
