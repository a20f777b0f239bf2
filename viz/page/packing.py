"""Scripts and data of a page, packed: zlib's streams as base85, for ``packed/unpack.js``."""

from __future__ import annotations

import zlib

import numpy as np
from markupsafe import Markup

from topograph.viz.page.embedding import json_in_script

_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%/()*+-;,=.?@^_`{|}~"
"""Those of ``base64.b85encode``, with others in place of ``<``, ``>`` and ``&``."""


def deflated(text: str) -> str:
    """A text packed by zlib, as base85: four bytes are five characters (``packed/inflate.js``
    reads it). Equal texts give equal ones, on one build of zlib. Linear in the text.
    """
    return base85(zlib.compress(text.encode("utf-8", "backslashreplace"), 9))


def base85(data: bytes) -> str:
    """What ``base64.b85encode`` makes of some bytes, in other digits, and in a tenth of its time.
    Linear."""
    missing = -len(data) % 4
    numbers = np.frombuffer(data + bytes(missing), ">u4").astype(np.uint32)
    places = np.empty((len(numbers), 5), np.uint8)
    for place in range(4, -1, -1):
        numbers, places[:, place] = np.divmod(numbers, 85)
    text = np.frombuffer(_DIGITS, np.uint8)[places].tobytes().decode()
    return text[: len(text) - missing]


def plain(id_: str, value: object) -> tuple[str, str, Markup]:
    """Data of a page as (id, type, text) of its script element, as JSON. Linear in the value."""
    return id_, "application/json", Markup(json_in_script(value))  # noqa: S704


def packed(id_: str, value: object) -> tuple[str, str, Markup]:
    """Data of a page as (id, type, text) of its script element: packed where that is smaller than
    its JSON. Linear in the value."""
    text = json_in_script(value)
    small = deflated(text)
    if len(small) < len(text):
        return id_, "application/zlib", Markup(small)  # noqa: S704
    return plain(id_, value)
