"""The colours of the pages keep the contrast that WCAG 2.2 asks for: 4.5:1 for text (1.4.3), 3:1
for lines and signs (1.4.11).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from topograph import viz

STYLE = (Path(viz.__file__).parent / "page" / "style.css").read_text(encoding="utf-8")
PAIRS = dict(re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\);", STYLE))

GROUNDS = ("page", "canvas")
AS_TEXT = ("text", "muted", "from", "path", "twice", *(f"zone-{number}" for number in range(8)))
AS_LINE = ("line", "plain", "faded", "good", "bad", "doubt", "passed", "spare", "focus")


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_definition() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("names", "least"), [(AS_TEXT, 4.5), (AS_LINE, 3.0)], ids=["text", "lines"]
)
def test_colours_stand_out_from_their_ground(
    scheme: int, names: tuple[str, ...], least: float
) -> None:
    def colour(name: str) -> str:
        return PAIRS[name].split(", ")[scheme]

    weak = {
        (name, ground): round(found, 2)
        for name in names
        for ground in GROUNDS
        if (found := contrast(colour(name), colour(ground))) < least
    }

    assert weak == {}
