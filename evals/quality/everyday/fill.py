"""Records that no question asks for, made of hand-written parts.

Each table is walked with a step of its own, so that neighbours differ, and the same records come out each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from evals.quality.everyday.entries import Entry

START = datetime.fromisoformat("2026-05-04T08:00+00:00")

RIDERS = (
    "Anouk", "Bashir", "Carla", "Dries", "Esme", "Fabio", "Gwen", "Hamza", "Isa", "Jelle", "Katrien", "Leon",
    "Marta", "Nils", "Oona", "Pieter", "Rania", "Stijn", "Tiago", "Wout",
)  # fmt: skip
SHOPS = (
    "Kiosk Zuid", "Livraria Norte", "Bakkerij Vos", "Moor Books", "Casa do Queijo", "Apotheek Lindeboom",
    "Dock Records", "De Groene Kas", "Sapataria Lima", "Needle & Thread", "Visserij Maes",
)  # fmt: skip
STREETS = (
    "Veldstraat", "Briggate", "Rua das Flores", "Kouter", "Call Lane", "Avenida dos Aliados", "Coupure",
    "Kirkgate", "Rua de Cedofeita", "Sint-Pietersnieuwstraat", "Otley Road", "Oude Houtlei", "The Headrow",
)  # fmt: skip
COMPLAINTS = (
    ("Parcel left with a neighbour", "The neighbour brought it over in the evening; nothing was refunded."),
    ("Bell does not work", "The rider called twice and then knocked; delivered at the second try."),
    ("Box was wet", "The lid of the cargo bag had a tear; the bag was replaced."),
    ("Asked for a window of time", "We explained that windows are sold to shops with a contract only."),
    ("Invoice went to the old address", "Address changed in the account, and the invoice was sent again."),
    ("Rider was friendly", "Passed on to the shift lead, who thanked the rider."),
    ("Wrong amount of tip", "One euro was entered instead of ten; the payment provider corrected it."),
    ("Link does not open", "The message was cut by the phone company; a short link was sent."),
    ("Two boxes, one arrived", "The second box lay in the hub and came with the next tour."),
    ("Label cannot be read", "The printer needed a new head; the shop got one the next morning."),
    ("Noise at the hub", "The gate is oiled now, and reverse alarms are off before seven."),
    ("Wants to become a rider", "Forwarded to the coordinator with the telephone number."),
    ("Card was charged late", "The bank holds payments over the weekend; nothing to be done."),
)
NOTES = (
    ("equipment", "{rider} has a new front light and a spare tube since {day}."),
    ("equipment", "{rider} gave the rain jacket back on {day}; size L is free."),
    ("route", "{street} is dug up until {day}; couriers walk the last metres."),
    ("route", "In {street} the parcel lockers are behind the bakery."),
    ("shops", "{shop} hands parcels out at the back door from {day} on."),
    ("shops", "{shop} prints labels with its own printer; codes are a little small."),
    ("training", "{rider} finished the course on first aid on {day}."),
    ("training", "{rider} shows new riders the zone around {street}."),
    ("wishes", "{rider} would like to ride with {other} on weekends."),
    ("wishes", "{shop} asks for a pickup after closing time."),
    ("repairs", "The brake of {rider}'s bike was changed on {day}; the old pads were worn."),
    ("repairs", "The repair stand in {street} lost its pump."),
)
TURNS = (
    ("user", "Rename the column for {street} in the report of pickups, the accent is broken."),
    ("assistant", "I renamed the column and ran the report again; {street} has its accent."),
    ("user", "Please look at the pickup of {shop}, it shows the wrong hour."),
    ("assistant", "The pickup of {shop} was entered by hand at noon; I corrected the hour."),
    ("assistant", "The import of addresses in {street} is done, two house numbers were unknown."),
    ("user", "Write a short note to {shop} that we deliver on the public holiday."),
    ("assistant", "I wrote the note to {shop} and left the date open."),
    ("user", "How many parcels did {rider} carry on {day}?"),
    (
        "assistant",
        "{rider} carried between 20 and 30 parcels on {day}; the exact number is in the dashboard.",
    ),
    ("assistant", "Tests of the address parser pass; {street} was added to the samples."),
)
REPORTS = (
    ("Visit at {shop}", "{shop} sends mostly small boxes; the owner is content with riders and unhappy with the form for pickups."),
    ("Traffic count in {street}", "In an hour at noon {count} bicycles and {more} cars passed in {street}; the lane is narrow at the corner."),
    ("Test of a bag", "{rider} rode with the new bag for a week: it is light, its zip sticks when it is cold."),
    ("Talk with {shop}", "{shop} thinks of sending on Saturdays too and wants to hear about prices in autumn."),
    ("Weather and tours", "On {day} rain came at four; {count} parcels were handed over before it, {more} after."),
    ("Locker in {street}", "The locker in {street} was used {count} times in a month, mostly after eight in the evening."),
    ("Training day", "On {day} nine riders trained braking on wet stones; {rider} led the group."),
)  # fmt: skip
LOGS = (
    "{time} INFO intake received {count} parcels from {shop}",
    "{time} INFO intake printed {count} labels for {shop}",
    "{time} DEBUG address parser normalised {street}",
    "{time} INFO pickup of {shop} confirmed by {rider}",
    "{time} WARN label of {shop} read at the second try",
    "{time} INFO tour of {rider} closed with {count} stops",
)


class Parts:
    """The words of record number `n`."""

    def __init__(self, n: int) -> None:
        self.at = START + timedelta(hours=11 * n)
        self.words = {
            "rider": RIDERS[n * 7 % len(RIDERS)],
            "other": RIDERS[(n * 7 + 3) % len(RIDERS)],
            "shop": SHOPS[n * 5 % len(SHOPS)],
            "street": STREETS[n * 4 % len(STREETS)],
            "day": f"{self.at:%A} {self.at.day} {self.at:%B}",
            "count": str(20 + n * 13 % 70),
            "more": str(30 + n * 29 % 110),
            "time": f"{self.at:%Y-%m-%dT%H:%M:%S}",
        }

    def __call__(self, template: str) -> str:
        return template.format_map(self.words)


def filling() -> Iterator[Entry]:
    """80 tickets, 72 memories, 70 turns, 56 sources, 12 notes as files and 6 logs as labels."""
    for n in range(80):
        parts, (subject, result) = Parts(n), COMPLAINTS[n * 3 % len(COMPLAINTS)]
        fields = {
            "subject": subject,
            "shop": parts("{shop}"),
            "street": parts("{street}"),
            "opened": f"{parts.at:%Y-%m-%d}",
            "state": "closed" if n % 6 else "open",
            "result": result,
        }
        yield Entry("documents", f"tickets/T-{4100 + n}", parts.at, "", fields)
    for n in range(72):
        parts, (tag, text) = Parts(n), NOTES[n % len(NOTES)]
        head = {"author": parts("{other}").lower(), "tags": tag}
        yield Entry("memories", f"note.{n:03}", parts.at, parts(text), head)
    for n in range(70):
        who, text = TURNS[n % len(TURNS)]
        parts = Parts(n)
        # half of them lie in the session of now, whose days are from the 14th of September on
        at = parts.at if n % 2 else datetime.fromisoformat("2026-09-14T07:00+00:00") + timedelta(hours=3 * n)
        yield Entry("sessions", "old1" if n % 2 else "now", at, parts(text), {"who": who})
    for n in range(56):
        parts, (title, text) = Parts(2 * n), REPORTS[n % len(REPORTS)]
        head = {"kind": "evidence_summary", "title": parts(title)}
        yield Entry("sources", f"report-{n:03}", parts.at, parts(text), head)
    for n in range(12):
        parts = Parts(9 * n)
        lines = [f"# Tour notes {parts.at:%Y-%m-%d}", ""]
        lines += [f"- {Parts(9 * n + i)(NOTES[(n + i) % len(NOTES)][1])}" for i in range(5)]
        yield Entry("files", f"docs/tours/{parts.at:%Y-%m-%d}.md", parts.at, "\n".join(lines) + "\n", {})
    for n in range(6):
        lines = [Parts(20 * n + i)(LOGS[(n + 5 * i) % len(LOGS)]) for i in range(40)]
        yield Entry("labels", f"intake-log-{n}", Parts(20 * n).at, "\n".join(lines) + "\n", {})
