"""RabbitMQ and Erlang as Debian packages, unpacked into a folder: nothing is installed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

VERSION = "3.10.8"
_ERLANG = (
    "asn1", "base", "crypto", "eldap", "inets", "mnesia", "os-mon", "parsetools", "public-key",
    "runtime-tools", "ssl", "syntax-tools", "tools", "xmerl",
)  # fmt: skip
PACKAGES = (
    f"rabbitmq-server={VERSION}-1.1+deb12u1",
    *(f"erlang-{one}=1:25.2.3+dfsg-1+deb12u4" for one in _ERLANG),
)


@dataclass(frozen=True)
class Runtime:
    """What a broker is started with: the folders of Erlang and of RabbitMQ."""

    erlang: Path
    rabbitmq: Path

    @property
    def programs(self) -> Path:
        """Erlang's own programs."""
        return next(self.erlang.glob("erts-*/bin"))


def prepared(cache: Path) -> Runtime:
    """The broker below ``cache``, fetched and unpacked there first if it is not. Raises
    RuntimeError where the packages cannot be had: this needs apt-get and dpkg of Debian 12."""
    unpacked = cache / f"rabbitmq-{VERSION}"
    if not unpacked.is_dir():
        partial = cache / f"rabbitmq-{VERSION}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _run(["apt-get", "download", *PACKAGES], partial)
        for package in sorted(partial.glob("*.deb")):
            _run(["dpkg", "-x", str(package), str(partial)], partial)
            package.unlink()
        partial.rename(unpacked)
    libraries = unpacked / "usr" / "lib"
    return Runtime(
        libraries / "erlang", libraries / "rabbitmq" / "lib" / f"rabbitmq_server-{VERSION}"
    )


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise RuntimeError(f"RabbitMQ {VERSION} is fetched with {command[0]}: {error}") from None
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:2])} failed: {done.stderr[-1000:]}")
