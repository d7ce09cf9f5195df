"""Names of members that containers of C++ have are telling names in other languages."""

from __future__ import annotations

from pathlib import Path

from code_support import opened


def test_a_method_named_as_a_member_of_containers_of_cpp_is_certain_in_python(tmp_path: Path) -> None:
    files = {
        "shop/cart.py": "class Cart:\n    def reserve(self):\n        return 1\n",
        "shop/desk.py": "def sell(cart):\n    return cart.reserve()\n",
    }
    with opened(tmp_path / "app", files) as dp:
        calls = [edge for edge in dp.code.edges("shop/desk.py") if edge.relation == "calls"]
        assert [(edge.target.name, edge.ambiguous) for edge in calls] == [("Cart.reserve", False)]
