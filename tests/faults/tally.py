"""The sum of the rounds that `storm.py kill` prints."""

from __future__ import annotations

import json
import sys

rounds = [json.loads(line) for line in sys.stdin]
lost = sum(not one["kept"] for one in rounds)
damaged = sum(bool(one["damaged"]) for one in rounds)
acknowledged = sum(one["acknowledged"] for one in rounds)
sys.stderr.write(
    f"{len(rounds):,} kills, {acknowledged:,} acknowledged writes: {lost} rounds lost or invented one, {damaged} left damage\n"
)
sys.exit(1 if lost or damaged or not rounds else 0)
