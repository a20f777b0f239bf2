"""Packed columns read back and written again, independently of topograph's own code: for faults
that tests put into the data of a page.
"""

from __future__ import annotations

from collections.abc import Sequence


def unpacked(column: str) -> list[int]:
    """The numbers of ``TYPE:COUNT:HEX`` (differences, their lowest bytes first) or
    ``=:COUNT:NUMBER``.
    """
    kind, count, body = column.split(":")
    if kind == "=":
        return [int(body)] * int(count)
    number, width = int(count), int(kind[1])
    planes = [bytes.fromhex(body)[plane * number : (plane + 1) * number] for plane in range(width)]
    found, last = [], 0
    for row in range(number):
        last = (last + sum(plane[row] << 8 * at for at, plane in enumerate(planes))) % 2 ** (
            8 * width
        )
        found.append(
            last - 2 ** (8 * width) if kind[0] == "i" and last >> (8 * width - 1) else last
        )
    return found


def repacked(numbers: Sequence[int]) -> str:
    """The numbers in four bytes each."""
    steps = [number - before for number, before in zip(numbers, [0, *numbers], strict=False)]
    words = [step.to_bytes(8, "little", signed=True)[:4] for step in steps]
    return f"i4:{len(numbers)}:{''.join(bytes(word[plane] for word in words).hex() for plane in range(4))}"  # noqa: E501
