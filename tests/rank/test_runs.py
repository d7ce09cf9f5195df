"""Neighbours, sections and records that are found when they are asked for are those of the whole view."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np

from daypack.index.postings.columns import COLUMNS
from daypack.rank.views import LexicalView


def test_neighbours_and_sizes_are_those_of_one_sort_of_everything() -> None:
    for seed in range(40):
        chance = random.Random(seed)
        count = chance.randint(1, 60)
        columns = np.zeros(count, dtype=COLUMNS)
        columns["chunk_id"] = chance.sample(range(100), count)
        for name, most in (("record_id", 20), ("group", 9), ("section", 9)):
            columns[name] = sorted(chance.choices(range(most), k=count))
            if seed % 2:  # scattered over the segments
                chance.shuffle(columns[name])
        columns["time"] = [chance.choice([np.nan, 1.0, 2.0, 3.0]) for _ in range(count)]
        dead = chance.sample(columns["chunk_id"].tolist(), count // 5)
        hidden = chance.sample(range(20), 2)
        view = LexicalView(columns, {1: 0}, dead, hidden)

        alive = ~np.isin(columns["chunk_id"], dead) & ~np.isin(columns["record_id"], hidden)
        assert view.alive.tolist() == alive.tolist()
        assert view.living == alive.sum()
        times = np.nan_to_num(columns["time"], nan=0.0)
        order = np.lexsort((columns["chunk_id"], columns["record_id"], times, columns["group"], ~alive))
        previous, following = np.arange(count), np.arange(count)
        for left, right in pairwise(order):
            if columns["group"][left] == columns["group"][right] and alive[left] and alive[right]:
                previous[right], following[left] = left, right
        asked = np.asarray(chance.choices(range(count), k=8))
        for positions in (asked, np.arange(count)):
            before, after = view.neighbours(positions)
            assert before.tolist() == previous[positions].tolist()
            assert after.tolist() == following[positions].tolist()
            same = columns["section"][positions][:, None] == columns["section"]
            assert view.section_sizes(positions).tolist() == (same & alive).sum(axis=1).tolist()
        records = np.asarray([3, 7, 99])
        expected = np.flatnonzero(np.isin(columns["record_id"], records) & alive)
        assert view.inside(view.alive, records).tolist() == expected.tolist()
