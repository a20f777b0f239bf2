"""What routers remember between messages: whose turn it is in a list, what is not settled yet,
which of two equal routers they met first.

Nothing of it stands in a file. Where it decides, ``Choices`` are asked, and the answer holds for
the rest of the course.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from topograph.tracing.choices import Choices

Key = tuple[str, ...]


@dataclass
class Turns:
    """The memory of all routers in one course. ``fresh`` routers have forwarded nothing yet:
    their lists begin with what attached first.
    """

    choices: Choices
    fresh: bool
    lists: dict[Key, deque[str]] = field(default_factory=dict)
    outstanding: Counter[Key] = field(default_factory=Counter)
    """Deliveries that are not settled, per list and destination or next hop (M-5)."""
    met_before: dict[str, dict[str, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )
    """Per router: the routers that each router is known to come before, in the order of internal
    numbers (M-5).
    """

    def order(self, key: Key, names: Sequence[str]) -> list[str]:
        """The names in the order of the list now. Whose turn it is first is not known, unless
        the routers are fresh.
        """
        if key not in self.lists:
            start = 0 if self.fresh else self.choices.pick(("turn", *key), len(names))
            self.lists[key] = deque([*names[start:], *names[:start]])
        kept = self.lists[key]
        kept.extend(name for name in names if name not in kept)
        return [name for name in kept if name in names]

    def rotate(self, key: Key, names: Sequence[str]) -> None:
        """Move the head of the list to its end."""
        head = self.order(key, names)[0]
        self.lists[key].remove(head)
        self.lists[key].append(head)

    def taken_in_turn(self, key: Key, names: Sequence[str]) -> str:
        """The next of routers that take turns in an order which no file shows (M-3): nobody
        twice before all have had their turn.
        """
        had = self.lists.setdefault(key, deque())
        waiting = [name for name in names if name not in had]
        if waiting:
            name = waiting[self.choices.pick(("turn", *key, *had), len(waiting))]
        else:
            name = next(name for name in had if name in names)
            had.remove(name)
        had.append(name)
        return name

    def first_met(self, router: str, tied: Sequence[str]) -> str:
        """The one of equal routers that has the lowest internal number at ``router`` (M-5), the
        same in every tie of the course.
        """
        before = self.met_before[router]
        possible = [one for one in tied if not any(one in before[other] for other in tied)]
        first = possible[self.choices.pick(("tie", router, *possible), len(possible))]
        for one in tied:
            if one != first:
                earlier = [name for name, later in before.items() if first in later]
                for name in (first, *earlier):
                    before[name] |= {one} | before[one]
        return first
