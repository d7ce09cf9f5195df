"""Names of Solidity: contracts, modifiers, errors, events, libraries, and all names of an imported file."""

from __future__ import annotations

from pathlib import Path

from code_support import opened

FILES = {
    "contracts/Port.sol": """\
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Tides} from "./lib/Tides.sol";
import "./Owned.sol";

/// A port that boats pay for.
contract Port is Owned {
    using Tides for uint256;

    error TooLow(uint256 level);
    event Moored(address boat);

    uint256 private level;

    constructor(uint256 start) Owned(msg.sender) {
        _rise(start);
    }

    function moor(uint256 depth) public onlyOwner returns (uint256) {
        if (level < depth) {
            revert TooLow(level);
        }
        emit Moored(msg.sender);
        return Tides.high(level);
    }

    function _rise(uint256 by) internal {
        level = level + by.high();
    }
}
""",
    "contracts/lib/Tides.sol": "library Tides {\n    function high(uint256 level) internal pure returns (uint256) {\n        return level * 2;\n    }\n}\n",
    "contracts/Owned.sol": "abstract contract Owned {\n    address internal owner;\n\n    constructor(address first) {\n        owner = first;\n    }\n\n    modifier onlyOwner() {\n        _check();\n        _;\n    }\n\n    function _check() internal view {}\n}\n",
}


def test_callers_in_solidity_are_found_by_modifiers_libraries_errors_and_bases(tmp_path: Path) -> None:
    names = ("onlyOwner", "_check", "Tides.high", "TooLow", "Moored", "Owned", "_rise")
    with opened(tmp_path / "app", FILES) as dp:
        found = {
            name: [
                (row.symbol.name, row.relationship[0], row.at.rpartition(":")[2])
                for row in dp.code.callers(name)
            ]
            for name in names
        }
        assert dp.code.symbol("Port").signature == "contract Port is Owned"
        assert (
            dp.code.symbol("moor").signature
            == "function moor(uint256 depth) public onlyOwner returns (uint256)"
        )
        assert dp.code.symbol("TooLow").signature == "error TooLow(uint256 level)"
    assert found == {
        "onlyOwner": [("Port.moor", "called_by", "20")],
        "_check": [("Owned.onlyOwner", "called_by", "9")],
        "Tides.high": [("Port.moor", "called_by", "25"), ("Port._rise", "called_by", "29")],
        "TooLow": [("Port.moor", "used_by", "22")],
        "Moored": [("Port.moor", "used_by", "24")],
        "Owned": [("Port", "extended_by", "8"), ("Port.constructor", "called_by", "16")],
        "_rise": [("Port.constructor", "called_by", "17")],
    }
