"""Names of destinations that patterns tell apart: what stands for all names that the same
patterns match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from topograph.systems.ems.destinations.topics import is_wildcard, matches, overlap

MOST_TOPICS = 40
"""Names that are tried at one link."""


def names_of(
    changed: Collection[str], here: Collection[str], everywhere: Collection[str]
) -> tuple[list[str], bool]:
    """Names that some changed patterns concern, of each the names that other patterns tell
    apart: those of the link (``here``) first, then those of the whole network; and whether these
    are all: at most MOST_TOPICS."""
    named = list(dict.fromkeys(pattern for pattern in changed if not is_wildcard(pattern)))
    made: dict[str, None] = {}
    complete = True
    for pattern in changed:
        for others in (here, everywhere) if is_wildcard(pattern) else ():
            named += [one for one in others if not is_wildcard(one) and matches(pattern, one)]
            wide = [pattern, *(one for one in others if is_wildcard(one) and overlap(one, pattern))]
            tried = list(_grid(wide))
            complete &= len(tried) <= MOST_TOPICS
            made |= dict.fromkeys(one for one in tried if matches(pattern, one))
    wild = [one for one in dict.fromkeys((*changed, *here, *everywhere)) if is_wildcard(one)]
    alike: dict[tuple[bool, ...], str] = {}
    for name in made:
        alike.setdefault(tuple(matches(one, name) for one in wild), name)
    names = list(dict.fromkeys((*named, *alike.values())))
    return names[:MOST_TOPICS], complete and len(names) <= MOST_TOPICS


def _grid(patterns: Collection[str]) -> Iterator[str]:
    """A name for each way in which patterns can match and not match: at each place one of their
    words, or a word of none; one element longer than the longest. The shortest first; at most
    MOST_TOPICS and one more, each in time linear in the words of the patterns: every beginning that
    is gone on with begins a name that some pattern matches."""
    split = [one.split(".") for one in patterns]
    words: list[list[str]] = []
    for place in range(1 + max(map(len, split))):
        own = {one[place] for one in split if len(one) > place} - {"*", ">"}
        words.append(["example", *sorted(own)])
    # Elsewhere than at the end ">" is a word, and none of these (R81).
    possible = [one for one in split if ">" not in one[:-1]]
    names = (
        name for length in range(1, len(words) + 1) for name in _fitting(possible, words[:length])
    )
    yield from islice(names, MOST_TOPICS + 1)


def _fitting(patterns: Collection[list[str]], words: list[list[str]]) -> Iterator[str]:
    """The names with a word at each place that some pattern matches, in the order of the words."""
    length = len(words)
    left = [
        one for one in patterns if (len(one) <= length if one[-1] == ">" else len(one) == length)
    ]
    stack: list[tuple[tuple[str, ...], list[list[str]]]] = [((), left)] if left else []
    while stack:
        chosen, left = stack.pop()
        place = len(chosen)
        if place == length:
            yield ".".join(chosen)
            continue
        for word in reversed(words[place]):
            fits = [
                one
                for one in left
                if (place >= len(one) - 1 and one[-1] == ">") or one[place] in ("*", word)
            ]
            if fits:
                stack.append(((*chosen, word), fits))
