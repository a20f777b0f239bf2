"""What a page is packed into is base85 as the standard library writes it, in digits that mean
nothing in markup."""

from __future__ import annotations

import base64

from hypothesis import given
from hypothesis import strategies as st

from topograph.viz.page.packing import base85

IN_MARKUP = str.maketrans("<>&", ",./")


@given(st.binary(max_size=200))
def test_base85_is_that_of_the_library_in_digits_for_markup(data: bytes) -> None:
    assert base85(data) == base64.b85encode(data).decode().translate(IN_MARKUP)


def test_every_digit_is_used_and_none_means_anything_in_markup() -> None:
    found = base85(bytes(range(256)) * 256 + bytes(number * 7 % 251 for number in range(9_999)))
    assert len(set(found)) == 85
    assert not set(found) & set("<>&\"'\\")
