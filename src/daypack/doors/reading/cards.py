"""Calendars (`.ics`) and contacts (`.vcf`) as Markdown: a section for each event, task or person.

    ## Eye doctor                            its summary, or the name of the person
    When: Thursday 3 December 2026, 11:15 to 11:45 (Europe/Berlin)
    Where: Bridge Street 8
    Repeats: every 2 weeks on Tuesday, until 1 March 2027
    Except: 29 December 2026

    Bring the old glasses.                   its description

Both formats are lines `NAME;PARAMETER=value:value`, of which long ones are folded (RFC 5545, RFC 6350). Pictures, keys, alarms
and the properties that only programs need are left out.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from daypack.doors.reading.pages.rendering import render_html

_FOLD = re.compile(r"\r?\n[ \t]")
_SOFT_BREAK = re.compile(r"=\r?\n")
_HEAD = re.compile(
    r"(?:(?P<group>[\w-]{1,100})\.)?(?P<name>[A-Za-z][\w-]{0,60})(?P<parameters>(?:;(?:[^:;\"]|\"[^\"]*\")*)*):"
)
_PARAMETER = re.compile(r";([^=;:\"]+)(?:=((?:[^;\"]|\"[^\"]*\")*))?")
_ESCAPE = re.compile(r"\\([\\;,:nN])")
_BEGINS = re.compile(r"\A\ufeff?\s*BEGIN:(VCALENDAR|VCARD)[ \t]*\r?\n", re.IGNORECASE)
_TAG = re.compile(r"<(?:br|p|div|a|ul|html|b|span)\b[^<>]*>", re.IGNORECASE)
_STRUCTURE = re.compile(r"^(?=#{1,6} |```|~~~|={3,}\s*$|-{3,}\s*$)", re.MULTILINE)


class _Line(NamedTuple):
    name: str
    parameters: dict[str, str]
    value: str  # as written, escapes included
    group: str = ""  # lines of one property, as a date and its label, have the same


class Cards(NamedTuple):
    """The text of a calendar or of contacts, its own name if any, and what it is: "calendar" or "contacts"."""

    text: str
    title: str
    kind: str


def render_cards(text: str) -> Cards | None:
    """A calendar or contacts as Markdown; None for other text, and for one without an event or person."""
    begins = _BEGINS.match(text)
    if begins is None:
        return None
    is_calendar = begins[1].upper() == "VCALENDAR"
    title, parts, holders = "", list[str](), list[tuple[str, list[_Line]]]()
    for line in _lines(text):
        if line.name == "BEGIN":
            holders.append((line.value.strip().upper(), []))
        elif line.name == "END":
            if holders:
                kind, lines = holders.pop()
                if kind in _SECTIONS:
                    parts.append(_SECTIONS[kind](lines))
        elif holders:
            holders[-1][1].append(line)
            if line.name in ("X-WR-CALNAME", "NAME") and holders[-1][0] == "VCALENDAR":
                title = title or _one_line(line)
    if not parts:
        return None
    head = [f"# {title}"] if title else []
    return Cards("\n\n".join([*head, *parts]) + "\n", title, "calendar" if is_calendar else "contacts")


def _lines(text: str) -> Iterator[_Line]:
    if "QUOTED-PRINTABLE" in text.upper():  # in cards of version 2.1, whose long lines end with "="
        text = _SOFT_BREAK.sub("", text)
    for line in _FOLD.sub("", text).splitlines():
        head = _HEAD.match(line)
        if head is None:
            continue
        found = _PARAMETER.findall(head["parameters"])
        parameters = dict[str, str]()
        for key, value in found:
            # version 2.1 writes `TEL;WORK:` for `TEL;TYPE=WORK:`
            name, said = (key.upper(), value) if value else ("TYPE", key)
            parameters[name] = f"{parameters[name]},{said}" if name in parameters else said
        value = line[head.end() :]
        if parameters.get("ENCODING", "").upper() == "QUOTED-PRINTABLE":
            value = quopri.decodestring(value.encode("utf-8", "replace")).decode("utf-8", "replace")
        yield _Line(head["name"].upper(), parameters, value, head["group"] or "")


def _said(line: _Line) -> str:
    """The value without escapes."""
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], line.value).strip()


def _one_line(line: _Line) -> str:
    return " ".join(_said(line).split())


def _fields(line: _Line, separator: str = ";") -> str:
    """The parts of a value that are not empty: `;;Foundry Lane 9;Berlin` is "Foundry Lane 9, Berlin"."""
    parts = re.split(rf"(?<!\\){separator}", line.value)
    return ", ".join(filter(None, (_one_line(line._replace(value=part)) for part in parts)))


def _prose(line: _Line) -> str:
    """A description, which some programs write as a page. Markdown reads none of its lines as a heading."""
    said = _said(line)
    if _TAG.search(said):
        said = (render_html(said) or said).strip()
    return _STRUCTURE.sub(r"\\", said)


def _first(lines: Sequence[_Line], name: str) -> _Line | None:
    return next((line for line in lines if line.name == name and line.value.strip()), None)


# ---------------------------------------------------------------- calendars


def _event(lines: Sequence[_Line]) -> str:
    summary = _first(lines, "SUMMARY")
    facts = [f"## {(_one_line(summary) if summary else '') or '(no title)'}"]
    if (start := _first(lines, "DTSTART")) is not None:
        facts.append(f"When: {_span(start, lines)}")
    for name, label in (("DUE", "Due"), ("COMPLETED", "Completed"), ("RECURRENCE-ID", "Instead of")):
        if (line := _first(lines, name)) is not None:
            facts.append(f"{label}: {_moment(line)}")
    for name, label in (
        ("LOCATION", "Where"),
        ("STATUS", "Status"),
        ("CATEGORIES", "Groups"),
        ("URL", "Link"),
    ):
        line = _first(lines, name)
        if line is not None and (said := _one_line(line)) and said.upper() != "CONFIRMED":
            facts.append(f"{label}: {said.lower() if name == 'STATUS' else said}")
    if (rule := _first(lines, "RRULE")) is not None and (repeats := _repeats(rule.value)):
        facts.append(f"Repeats: {repeats}")
    for name, label in (("RDATE", "Also"), ("EXDATE", "Except")):
        if days := _days([line for line in lines if line.name == name], start):
            facts.append(f"{label}: {', '.join(days)}")
    people = [_person(line) for line in lines if line.name in ("ORGANIZER", "ATTENDEE")]
    if people:
        facts.append(f"With: {', '.join(dict.fromkeys(filter(None, people)))}")
    described = "\n\n".join(_prose(line) for line in lines if line.name in ("DESCRIPTION", "COMMENT"))
    return "\n".join(facts) + (f"\n\n{described}" if described else "")


def _person(line: _Line) -> str:
    name = line.parameters.get("CN", "").strip('" ') or re.sub(r"(?i)^mailto:", "", line.value.strip())
    declined = line.parameters.get("PARTSTAT", "").upper() == "DECLINED"
    return f"{name} (declined)" if declined and name else name


def _time(value: str) -> datetime | date | None:
    """`20261203T111500Z` or `20261203`; None for others."""
    for form in ("%Y%m%dT%H%M%S", "%Y%m%dT%H%M", "%Y-%m-%dT%H:%M:%S"):
        with suppress(ValueError):
            return datetime.strptime(value.strip().removesuffix("Z"), form)
    for form in ("%Y%m%d", "%Y-%m-%d"):
        with suppress(ValueError):
            return datetime.strptime(value.strip(), form).date()
    return None


def _day(moment: date) -> str:
    return f"{moment:%A} {moment.day} {moment:%B} {moment.year}"


def _zone(line: _Line) -> str:
    zone = "UTC" if line.value.strip().endswith("Z") else line.parameters.get("TZID", "").strip('"/')
    return f" ({zone})" if zone else ""


def _moment(line: _Line) -> str:
    moment = _time(line.value)
    if moment is None:
        return _one_line(line)
    return f"{_day(moment)}, {moment:%H:%M}{_zone(line)}" if isinstance(moment, datetime) else _day(moment)


def _span(start: _Line, lines: Sequence[_Line]) -> str:
    first, end_line = _time(start.value), _first(lines, "DTEND")
    last = _time(end_line.value) if end_line is not None else _after(first, _first(lines, "DURATION"))
    if isinstance(first, datetime) and isinstance(last, datetime) and last > first:
        end = f"{last:%H:%M}" if last.date() == first.date() else f"{_day(last)}, {last:%H:%M}"
        return f"{_day(first)}, {first:%H:%M} to {end}{_zone(start)}"
    if first is not None and last is not None and type(first) is date and type(last) is date:
        final = last - timedelta(days=1)  # the end of whole days is the day after them
        return f"{_day(first)} to {_day(final)}" if final > first else _day(first)
    return _moment(start)


_DURATION = re.compile(r"P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?)?")


def _after(first: datetime | date | None, duration: _Line | None) -> datetime | date | None:
    found = _DURATION.fullmatch(duration.value.strip()) if duration is not None else None
    if first is None or found is None:
        return None
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    with suppress(OverflowError):
        return first + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return None


def _days(lines: Sequence[_Line], start: _Line | None) -> list[str]:
    """Single dates of a series as "30 November 2026", with their time only where it is not that of the `start`."""
    usual = (_clock(start), _zone(start)) if start is not None else None
    said = list[str]()
    for line in lines:
        for value in filter(None, (part.strip() for part in line.value.split(","))):
            one = line._replace(value=value.partition("/")[0])  # a period has its end behind the slash
            moment = _time(one.value)
            if moment is None:
                said.append(_one_line(one))
                continue
            at = (_clock(one), _zone(one))
            time = f", {at[0]}{at[1]}" if at[0] and at != usual else ""
            said.append(f"{moment.day} {moment:%B} {moment.year}{time}")
    return list(dict.fromkeys(said))


def _clock(line: _Line) -> str:
    """ "11:15" of a moment; "" of a whole day."""
    moment = _time(line.value)
    return f"{moment:%H:%M}" if isinstance(moment, datetime) else ""


_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}


def _repeats(rule: str) -> str:
    """`FREQ=WEEKLY;INTERVAL=2;BYDAY=TU` in words; "" for a rule without a frequency."""
    parts = dict(part.upper().split("=", 1) for part in rule.strip().split(";") if "=" in part)
    unit = _UNITS.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    interval = parts.get("INTERVAL", "1")
    said = f"every {unit}" if interval == "1" else f"every {interval} {unit}s"
    days = [
        f"the {_ORDINALS[found[1]]} {_DAYS[found[2]]}" if found[1] in _ORDINALS else _DAYS[found[2]]
        for day in parts.get("BYDAY", "").split(",")
        if (found := re.fullmatch(r"([+-]?\d*)(MO|TU|WE|TH|FR|SA|SU)", day))
    ]
    if days:
        said += f" on {' and '.join([', '.join(days[:-1]), days[-1]] if len(days) > 1 else days)}"
    if (until := _time(parts.get("UNTIL", ""))) is not None:
        said += f", until {until.day} {until:%B} {until.year}"
    return f"{said}, {parts['COUNT']} times" if "COUNT" in parts else said


# ---------------------------------------------------------------- contacts

_LABELS = {
    "NICKNAME": "Called",
    "ORG": "Organization",
    "TITLE": "Title",
    "ROLE": "Role",
    "TEL": "Phone",
    "EMAIL": "Mail",
    "ADR": "Address",
    "BDAY": "Birthday",
    "ANNIVERSARY": "Anniversary",
    "X-ABDATE": "Date",
    "URL": "Link",
    "IMPP": "Chat",
    "RELATED": "Related",
    "CATEGORIES": "Groups",
    "NOTE": "Note",
}
_OF_APPLE = re.compile(r"^_\$!<(.*)>!\$_$")  # labels that the program translates
_WITHOUT_YEAR = re.compile(r"--(\d\d)-?(\d\d)")
_LEAP_YEAR = 2000  # which has every day
_NO_TYPE = frozenset({"pref", "internet", "voice", "x-internet", "text", "uri"})


def _contact(lines: Sequence[_Line]) -> str:
    named, parts = _first(lines, "FN"), _first(lines, "N")
    name = _one_line(named) if named else ""
    if not name and parts is not None:
        family, _, rest = parts.value.partition(";")
        name = " ".join(filter(None, (_fields(_Line("N", {}, rest)), _one_line(_Line("N", {}, family)))))
    organization = _first(lines, "ORG")
    facts = [f"## {name or (_fields(organization) if organization else '') or '(no name)'}"]
    labels = {line.group: _OF_APPLE.sub(r"\1", _one_line(line)) for line in lines if line.name == "X-ABLABEL"}
    for line in lines:
        label = _LABELS.get(line.name)
        if label is None or not line.value.strip():
            continue
        said = _fields(line) if line.name in ("ORG", "ADR") else _one_line(line)
        if line.name in ("BDAY", "ANNIVERSARY", "X-ABDATE"):
            said = _date(line)
        own = labels.get(line.group, "") if line.group else ""
        if line.name == "X-ABDATE" and own:
            label, own = own, ""
        types = [
            kind
            for kind in line.parameters.get("TYPE", "").lower().replace('"', "").split(",")
            if kind and kind not in _NO_TYPE
        ]
        types += [own] if own else []
        of = f" ({', '.join(types)})" if types else ""
        if said := re.sub(r"(?i)^(?:tel|mailto):", "", said):
            facts.append(f"{label}{of}: {said}")
    return "\n".join(facts)


def _date(line: _Line) -> str:
    """A day in words, of which the year may be unknown."""
    found = _WITHOUT_YEAR.fullmatch(line.value.strip())
    unknown = line.parameters.get("X-APPLE-OMIT-YEAR", "")
    moment = _time(f"{_LEAP_YEAR}{found[1]}{found[2]}" if found else line.value)
    if moment is None:
        return _one_line(line)
    has_year = not found and unknown != str(moment.year)
    return f"{moment.day} {moment:%B}" + (f" {moment.year}" if has_year else "")


_SECTIONS = {"VEVENT": _event, "VTODO": _event, "VJOURNAL": _event, "VCARD": _contact}
