"""The steps inside a server before a message leaves it, and their JSON text, which is written when
it is asked for: a graph has very many.
"""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring

from topograph.findings import Source
from topograph.tracing.states import Way
from topograph.tracing.trace import NOWHERE

STEPS_TOLD = 50
"""Steps inside a server that a forward names."""


class ToldStep:
    """A step, with what its marks stand for (``states.Passage.named``)."""

    __slots__ = ("_named", "_text", "_way")

    def __init__(self, way: Way, named: Sequence[tuple[str, str]] = ()) -> None:
        self._way, self._named = way, named
        self._text: str | None = None

    def text(self, known: StepTexts) -> str:
        """The step as JSON; ``known`` keeps the text of a way that many messages take."""
        if self._text is None:
            text = known.of(self._way)
            for mark, name in self._named:
                text = text.replace(mark, encode_basestring(name)[1:-1])
            self._text = text
        return self._text


class StepTexts:
    """The texts of ways, each written once, and of steps that are told together, each kept once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Way, str]] = {}
        self._together: dict[str, str] = {}

    def of(self, way: Way) -> str:
        """The JSON text of a step; its marks as they are."""
        known = self._known.get(id(way))
        if known is None:
            known = way, _step_as_text(way.text, way.rule, way.source)
            self._known[id(way)] = known
        return known[1]

    def together(self, steps: Steps) -> str:
        """The text of the steps before a forward."""
        text = steps.text(self)
        return self._together.setdefault(text, text)


class Steps:
    """The step taken first, and the ``length - 1`` after it: ways that end alike share their
    end.
    """

    __slots__ = ("first", "length", "rest")

    def __init__(self, first: ToldStep, rest: Steps | None) -> None:
        self.first, self.rest = first, rest
        self.length: int = 1 + (rest.length if rest else 0)

    def text(self, known: StepTexts) -> str:
        """The steps as the JSON text of a forward; ``STEPS_TOLD`` of many."""
        told: list[str] = []
        now: Steps | None = self
        while now is not None and len(told) < STEPS_TOLD:
            told.append(now.first.text(known))
            now = now.rest
        if self.length > STEPS_TOLD:
            told.append(_step_as_text(f"and {self.length - STEPS_TOLD:,} more", "", NOWHERE))
        return f"[{', '.join(told)}]"


def _step_as_text(text: str, rule: str, source: Source) -> str:
    """A step, as ``json`` writes it: by hand, since there are so many."""
    words = map(encode_basestring, (text, rule, source.file))
    return '{{"text": {}, "rule": {}, "file": {}, "line": {}}}'.format(*words, source.line)
