"""The SHA-256 of each file of a network, as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from topograph.pipeline.file_columns import listed, texts
from topograph.store.columns import column


class InputDigests:
    """Paths, and beside each the digest of its content (of a redacted import, a keyed one)."""

    def __init__(self, paths: pa.Array | pa.ChunkedArray = (), digests: pa.Array = ()) -> None:
        self._paths = paths
        self._digests = digests

    @classmethod
    def of(cls, digests: Mapping[str, str]) -> InputDigests:
        """The columns of digests by path, in hexadecimal digits. Linear."""
        return cls(texts(digests), column([*map(bytes.fromhex, digests.values())], pa.binary()))

    def by_path(self) -> dict[str, str]:
        """Path to digest, in hexadecimal digits. Linear."""
        if not len(self._paths):
            return {}
        found = (data.hex() for data in self._digests.to_pylist())
        return dict(zip(listed(self._paths), found, strict=True))


class DigestsByNetwork(Mapping[str, Mapping[str, str]]):
    """The digests of several networks, those of each made when they are asked for."""

    def __init__(self, digests: Mapping[str, InputDigests]) -> None:
        self._digests = digests

    def __getitem__(self, network: str) -> Mapping[str, str]:
        return self._digests[network].by_path()

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)
