"""mosquitto as Debian packages, unpacked into a folder: nothing is installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from golden.recorders.debian import unpacked

VERSION = "2.0.11"
PACKAGES = (
    f"mosquitto={VERSION}-1.2+deb12u2",
    f"libmosquitto1={VERSION}-1.2+deb12u2",
    "libcjson1=1.7.15-1+deb12u4",
    "libdlt2=2.18.8-6",
    "libwrap0=7.6.q-32",
)


@dataclass(frozen=True)
class Runtime:
    """The program of a broker, and the folders of its libraries."""

    program: Path
    libraries: str


def prepared(cache: Path) -> Runtime:
    """The broker below ``cache``. Raises RuntimeError where its packages cannot be had."""
    folder = unpacked(cache, f"mosquitto-{VERSION}", PACKAGES)
    libraries = sorted({str(one.parent) for one in folder.glob("**/*-linux-gnu/*.so*")})
    return Runtime(folder / "usr" / "sbin" / "mosquitto", ":".join(libraries))
