"""The database with the networks that several comparisons are about."""

from __future__ import annotations

import pytest
from engines.corpus import Corpus

from topograph.store.where import DatabaseAddress


@pytest.fixture(scope="session")
def corpus(neo4j: DatabaseAddress, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Networks that are published once for all tests."""
    return Corpus(neo4j, tmp_path_factory.mktemp)
