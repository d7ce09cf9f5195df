"""The sum of the rounds that `storm.py kill` prints."""

from __future__ import annotations

import json
import sys
from collections import Counter

rounds = [json.loads(line) for line in sys.stdin]
verdicts = Counter(one["verdict"] for one in rounds)
damaged = sum(bool(one["damaged"]) for one in rounds)
acknowledged = sum(one["acknowledged"] for one in rounds)
sys.stderr.write(
    f"{len(rounds):,} kills, {acknowledged:,} acknowledged writes: {verdicts['lost']} lost, {verdicts['doubled']} doubled, "
    f"{verdicts['half']} half-applied; {damaged} rounds left damage\n"
)
sys.exit(1 if verdicts["kept"] < len(rounds) or damaged or not rounds else 0)
