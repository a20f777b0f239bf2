"""Facts that are read once are those of their source, whatever is asked of them, and in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence

import pytest
from drawn.all_systems import DRAWN, drawn

import topograph
from topograph.facts.fact import Fact, Servers
from topograph.facts.names import FactNames
from topograph.systems import systems_in
from topograph.systems.contract.system import FactSource
from topograph.systems.fact_sources import FactsReadOnce


class Counted:
    """A source that counts how often it is read."""

    def __init__(self, source: FactSource) -> None:
        self.source = source
        self.reads: Counter[tuple[str, ...]] = Counter()

    def facts(
        self, kinds: Sequence[str] = (), server: Servers = "", names: Container[str] | None = None
    ) -> Sequence[Fact]:
        if not server and names is None:
            self.reads[tuple(kinds)] += 1
        return self.source.facts(kinds, server, names)

    def stream(self, kinds: Sequence[str] = ()) -> Iterator[Fact]:
        return self.source.stream(kinds)

    def names(self, kinds: Sequence[str] = ()) -> FactNames:
        return self.source.names(kinds)


@pytest.mark.parametrize("system", DRAWN)
def test_what_is_read_once_is_the_same(system: str, tmp_path) -> None:
    for path, text in drawn(system, "one", 3).files.items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    model = topograph.read(tmp_path)._model
    sources = [part.facts_of(own) for part in model.parts for own in systems_in(part.graph)]
    assert sources
    for source in sources:
        counted = Counted(source)
        once = FactsReadOnce(counted)
        kinds = list(dict.fromkeys(fact.kind for fact in source.facts()))
        servers = sorted({fact.server for fact in source.facts()})
        assert kinds
        for asked in ((), kinds, kinds[:1], kinds[1:], kinds[:1], ()):
            assert list(once.facts(asked)) == list(source.facts(asked))
            assert list(once.stream(asked)) == list(source.stream(asked))
            assert once.names(asked) == source.names(asked)
            for server in servers:
                assert list(once.facts(asked, server)) == list(source.facts(asked, server))
        assert set(counted.reads.values()) == {1}
