from __future__ import annotations

import pytest

from daypack import Daypack
from daypack.doors.documents.collection import Collection


@pytest.fixture
def teas(dp: Daypack) -> Collection:
    """Four documents with every kind of value between them."""
    collection = dp.documents.collection("teas")
    collection.insert(
        [
            {
                "_id": 1,
                "name": "Sencha",
                "year": 2021,
                "price": 4.5,
                "tags": ["green", "japan"],
                "origin": {"country": "Japan", "height": 300},
            },
            {
                "_id": 2,
                "name": "Assam",
                "year": 2019,
                "price": 3.0,
                "tags": ["black"],
                "origin": {"country": "India"},
                "sold": None,
            },
            {
                "_id": 3,
                "name": "Gyokuro",
                "year": 2021,
                "price": 12,
                "tags": ["green", "japan", "shade"],
                "harvests": [{"y": 2020, "kg": 5}, {"y": 2021, "kg": 9}],
            },
            {
                "_id": 4,
                "name": "Yunnan",
                "tags": [],
                "origin": {"country": "China", "height": 1500},
                "packed": {"$date": "2026-10-01T00:00:00Z"},
            },
        ]
    )
    return collection
