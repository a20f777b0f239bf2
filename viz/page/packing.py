"""Scripts and data of a page, packed: zlib's streams as base85, for ``packed/unpack.js``."""

from __future__ import annotations

import base64
import zlib

from markupsafe import Markup

from topograph.viz.page.embedding import json_in_script

_IN_MARKUP = str.maketrans("<>&", ",./")
"""Characters of base85 that mean something in markup, and those that stand for them."""


def deflated(text: str) -> str:
    """A text packed by zlib, as base85: four bytes are five characters (``packed/inflate.js``
    reads it). Equal texts give equal ones, on one build of zlib. Linear in the text.
    """
    packed = base64.b85encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9))
    return packed.decode().translate(_IN_MARKUP)


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
