"""Values that nothing else holds, handed out and found again."""

from __future__ import annotations

import re
from collections import Counter


class Planted:
    """Hands out values of a kind, and finds them again in whatever an import made."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self.words: dict[str, str] = {}
        """Word to kind."""

    def _word(self, kind: str) -> str:
        self._numbers[kind] += 1
        word = f"zq{kind}{self._numbers[kind]}x"
        self.words[word] = kind
        return word

    def secret(self) -> str:
        return self._word("secret")

    def host(self) -> str:
        return f"{self._word('host')}.{self._word('domain')}.example"

    def user(self) -> str:
        return self._word("user")

    def client(self) -> str:
        return self._word("client")

    def text(self) -> str:
        """A word in a description, an unknown setting, a path on a server: hidden by redaction,
        and by nothing else.
        """
        return self._word("text")

    def key(self) -> str:
        """A word of a configuration's own language that nobody knows: the name of a setting or a
        type, which stays.
        """
        return self._word("key")

    def leaks(self, shown: str | bytes, *kinds: str) -> list[str]:
        """The planted words of those kinds (of all, if none are named) that stand in what is
        shown.
        """
        lower = (shown.decode("utf-8", "replace") if isinstance(shown, bytes) else shown).lower()
        # One search for all words: no word overlaps another.
        found = set(re.findall(rf"zq(?:{'|'.join(self._numbers)})[0-9]+x", lower))
        return [
            word
            for word, kind in self.words.items()
            if word in found and (not kinds or kind in kinds)
        ]
