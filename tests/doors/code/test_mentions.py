"""Names of languages whose calls are not read: `callers`, `impact` and `uses` find the places that mention them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from code_support import opened

from daypack import Daypack
from daypack.doors.code.serialize import listing
from daypack.errors import NotFound

FILES = {
    "protos/ferry.proto": 'syntax = "proto3";\n\nservice Harbour {\n  rpc BookTrip(TripOrder) returns (Trip) {}\n}\n\n'
    "message TripOrder {\n  int32 seats = 1;\n}\n\nmessage Trip {\n  TripOrder order = 1;\n}\n",
    "desk/main.go": 'package main\n\nimport pb "example.org/ferry/genproto"\n\n'
    "func book(c *grpc.ClientConn) {\n\tpb.NewHarbourClient(c).\n\t\tBookTrip(ctx, &pb.TripOrder{Seats: 2})\n}\n",
    "web/page.html.erb": "<p><%= total_of_trips(@trips) %> trips</p>\n",
    "web/totals.rb": "module Totals\n  def total_of_trips(trips)\n    trips.size\n  end\nend\n",
    "web/app.js": "export function order(client) {\n  return client.bookTrip({ seats: 2 })\n}\n",
    "quay/service.py": "class Quay(HarbourServicer):\n    def BookTrip(self, request, context):\n        return Trip()\n",
    "models/trips_by_month.sql": "select month, count(*) from {{ ref('all_trips') }} group by month\n",
    "models/all_trips.sql": "select * from {{ source('ferry', 'trips') }} where {{ is_paid('state') }}\n",
    "models/late_trips.sql": "select * from {{ ref('all_trips') }}\nwhere late and {{ is_paid('state') }}\n",
    "models/trips.yml": "models:\n  - name: all_trips\n    description: Every trip.\n",
    "macros/is_paid.sql": "{% macro is_paid(column) %}\n  {{ column }} = 'paid'\n{% endmacro %}\n",
    "Makefile": "build: deps\n\tgo build ./...\n\ndeps:\n\tgo mod download\n",
    "tools/build.py": "def build(deps):\n    return deps\n",
    "infra/store.tf": '# The cache of the desk.\nresource "cache_instance" "desk-cache" {\n  name = "desk-cache"\n}\n\n'
    'resource "cache_instance" "desk-cache-2" {\n  size = 1\n}\n',
    "infra/out.tf": 'output "host" {\n  value = cache_instance.desk-cache[0].host\n}\n\noutput "other" {\n'
    "  value = cache_instance.desk-cache-2.host\n}\n",
    "README.md": "# Ferry\n\nThe model all_trips has every trip; BookTrip books one.\n",
}


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with opened(tmp_path_factory.mktemp("mentions") / "ferry", FILES) as dp:
        yield dp


def places(dp: Daypack, reference: str) -> list[tuple[str, str, str]]:
    rows = dp.code.callers(reference)
    return [(row.symbol.name, *row.relationship, row.at) for row in rows]


def test_a_message_has_the_places_that_mention_it_in_every_language(ferry: Daypack) -> None:
    """Who uses a message: calls and uses of its language were said not to be read."""
    assert places(ferry, "TripOrder") == [
        ("book", "mentioned_by", "desk/main.go:7"),
        ("Harbour", "mentioned_by", "protos/ferry.proto:4"),
        ("Trip", "mentioned_by", "protos/ferry.proto:12"),
    ]


def test_a_call_through_a_client_that_was_not_read_is_found_by_its_name(ferry: Daypack) -> None:
    """A client that a program writes at build time has no text here, so the call of its method had no meaning."""
    assert places(ferry, "BookTrip") == [
        ("book", "mentioned_by", "desk/main.go:7"),
        ("order", "mentioned_by", "web/app.js:2"),
        ("Harbour", "mentioned_by", "protos/ferry.proto:4"),
    ]
    assert places(ferry, "Harbour.BookTrip")[:3:2] == [
        ("book", "mentioned_by", "desk/main.go:7"),
        ("order", "mentioned_by", "web/app.js:2"),
    ]
    with pytest.raises(NotFound):
        ferry.code.callers("BookTrips")


def test_a_model_is_called_by_the_name_of_its_file(ferry: Daypack) -> None:
    expected = [
        ("models/late_trips.sql", "mentioned_by", "models/late_trips.sql:1"),
        ("models/trips_by_month.sql", "mentioned_by", "models/trips_by_month.sql:1"),
        ("models/trips.yml", "mentioned_by", "models/trips.yml:2"),
    ]
    assert places(ferry, "all_trips") == places(ferry, "models/all_trips.sql") == expected


def test_a_file_of_macros_is_called_by_their_names(ferry: Daypack) -> None:
    expected = [
        ("models/all_trips.sql", "mentioned_by", "models/all_trips.sql:1"),
        ("models/late_trips.sql", "mentioned_by", "models/late_trips.sql:2"),
    ]
    assert places(ferry, "is_paid") == places(ferry, "macros/is_paid.sql") == expected


def test_a_call_in_a_template_is_a_mention(ferry: Daypack) -> None:
    """A helper that only pages call had no callers."""
    assert places(ferry, "total_of_trips") == [("web/page.html.erb", "mentioned_by", "web/page.html.erb:1")]


def test_a_name_with_hyphens_is_a_whole_name(ferry: Daypack) -> None:
    """No place was found, and "desk-cache-2" says another name. The head below a comment is the definition itself."""
    assert places(ferry, "desk-cache") == [
        ("host", "mentioned_by", "infra/out.tf:2"),
        ("cache_instance.desk-cache", "mentioned_by", "infra/store.tf:3"),
    ]
    assert places(ferry, "cache_instance.desk-cache-2") == [("other", "mentioned_by", "infra/out.tf:6")]


def test_a_plain_word_is_a_name_in_its_own_language_only(ferry: Daypack) -> None:
    assert places(ferry, "deps") == [("build", "mentioned_by", "Makefile:1")]
    assert places(ferry, "tools/build.py:build") == []
    with pytest.raises(NotFound, match="not read"):
        ferry.code.callers("models/trips.yml:1")


def test_a_mention_is_listed_as_one(ferry: Daypack) -> None:
    assert (
        listing(ferry.code.callers("deps")) == "Makefile:1-2  build: deps\n    mentioned_by at Makefile:1\n"
    )


@pytest.mark.parametrize(
    "text", ["is_paid", "rename macro is_paid", "all_trips", "TripOrder", "desk-cache", "deps"]
)
def test_a_change_of_a_name_shows_the_places_that_mention_it(ferry: Daypack, text: str) -> None:
    """The answer was called weak: the text had no name of indexed code."""
    found = ferry.pack(text, task="impact", budget=1_000)
    named = {row.symbol.file for row in ferry.code.callers(text.split()[-1])}
    assert not found.stats.weak_because
    assert named <= {excerpt.citation.uri for excerpt in found.excerpts}


def test_uses_of_a_macro_are_its_calls(ferry: Daypack) -> None:
    found = ferry.pack("is_paid", task="uses", budget=500)
    assert not found.stats.weak_because
    assert {excerpt.citation.uri for excerpt in found.excerpts} == {
        "models/all_trips.sql",
        "models/late_trips.sql",
    }
