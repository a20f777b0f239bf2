"""Finding many values in a text as whole words, in time linear in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from topograph.redaction.vocabulary import WORD


class Finder:
    """Finds texts without regard to case where they are not part of a longer word; of two that
    begin at one place the longer one.

    ``replacements`` maps what to find, in lower case, to what stands for it. A value without any
    letter or digit is never found.
    """

    def __init__(self, replacements: Mapping[str, str]) -> None:
        self._replacements = dict(replacements)
        self._starting: dict[str, list[tuple[int, str]]] = {}
        for text in self._replacements:
            first = WORD.search(text)
            if first is not None:
                self._starting.setdefault(first.group(), []).append((first.start(), text))
        for found in self._starting.values():
            found.sort(key=lambda one: (-len(one[1]), one[1]))

    def replaced(self, text: str) -> str:
        """The text with every value replaced."""
        return "".join(part for part, _ in self.parts(text))

    def found(self, text: str) -> Iterator[str]:
        """The values in a text, also those inside others."""
        lower = self._lower(text)
        for word in WORD.finditer(lower):
            yield from (value for value, _, _ in self._at(lower, word.group(), word.start()))

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """The text in parts: (what stands for a value, True), (what stands between, False)."""
        at = 0
        for value, start, end in self._places(text):
            if start > at:
                yield text[at:start], False
            yield self._replacements[value], True
            at = end
        if at < len(text):
            yield text[at:], False

    def _places(self, text: str) -> Iterator[tuple[str, int, int]]:
        """The values to replace, longest first, none inside another."""
        lower = self._lower(text)
        at = 0
        for word in WORD.finditer(lower):
            for value, start, end in self._at(lower, word.group(), word.start()):
                if start >= at:
                    yield value, start, end
                    at = end
                    break

    def _at(self, lower: str, word: str, place: int) -> Iterator[tuple[str, int, int]]:
        """The values whose first word begins at a place, longest first, with their ends."""
        for offset, value in self._starting.get(word, ()):
            start = place - offset
            end = start + len(value)
            if (
                start >= 0
                and lower.startswith(value, start)
                and not _inside_a_word(lower, start, end)
            ):
                yield value, start, end

    @staticmethod
    def _lower(text: str) -> str:
        """The text in lower case; one in which a letter would get longer, which moves all
        places, as it is.
        """
        lower = text.lower()
        return lower if len(lower) == len(text) else text


def _inside_a_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return (before.isalnum() and text[start].isalnum()) or (
        after.isalnum() and text[end - 1].isalnum()
    )
