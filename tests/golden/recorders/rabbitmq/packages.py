"""RabbitMQ and Erlang as Debian packages, unpacked into a folder: nothing is installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from golden.recorders.debian import unpacked

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
    libraries = unpacked(cache, f"rabbitmq-{VERSION}", PACKAGES) / "usr" / "lib"
    return Runtime(
        libraries / "erlang", libraries / "rabbitmq" / "lib" / f"rabbitmq_server-{VERSION}"
    )
