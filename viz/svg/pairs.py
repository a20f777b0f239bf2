"""Two paths of a drawing that are looked at together: those of a name that arrives twice, or of a
message before and after a change. The second is a broken line with square numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.viz.scene.records import PathDrawn, StepDrawn

PATH_WORDS = {
    False: ("first path and its steps", "second path and its steps"),
    True: ("way before the change and its steps", "way after the change and its steps"),
}
"""What two paths that are looked at together are called; True where they are of two states."""

SECOND_STEP = '<rect class="step second" x="-9" y="-9" width="18" height="18" rx="4"/>'
"""What is behind the number of a step of the second path."""


def paired(shown: Sequence[PathDrawn]) -> bool:
    """Whether the first two paths are looked at together."""
    return len(shown) > 1 and bool(shown[1].together) and shown[0].together == shown[1].together


def second_of(shown: Sequence[PathDrawn]) -> frozenset[StepDrawn]:
    """The steps of the second of two paths that are looked at together which the first does not
    have on the same link; none where the paths are not looked at together."""
    if not paired(shown):
        return frozenset()
    first = {(one.number, one.link, one.from_, one.to) for one in shown[0].steps}
    return frozenset(
        one for one in shown[1].steps if (one.number, one.link, one.from_, one.to) not in first
    )
