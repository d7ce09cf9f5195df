"""A qualified name has dots between its parts, whatever a language writes there."""

import pytest

from daypack.text.qualified_names import dotted


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("total", "total"),
        ("total()", "total"),
        ("Cart::total", "Cart.total"),
        ("Cart#total()", "Cart.total"),
        ("cart->lines->first", "cart.lines.first"),
        ("Shop\\Cart", "Shop.Cart"),
        ("\\\\Shop\\\\Cart::total", ".Shop.Cart.total"),
        ("Cart.", "Cart."),  # a beginning: whoever looks for whole names strips it
    ],
)
def test_a_name_of_any_language_is_written_with_dots(name, expected):
    assert dotted(name) == expected
