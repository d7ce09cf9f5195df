"""Sessions, their events and their pages as plain data for JSON. Times are ISO 8601 in UTC, to the second."""

from __future__ import annotations

from typing import Any

from daypack.doors.sessions.types import (
    Briefing,
    PurgeReceipt,
    Session,
    SessionEvent,
    SessionReport,
    Timeline,
)
from daypack.shapes.plain import pick, trust_mark
from daypack.shapes.wording import instant
from daypack.types import Trust


def session_to_dict(session: Session) -> dict[str, Any]:
    return {
        **pick(session, "session=id short client folder"),
        **pick(session, "started=started_at last=last_at", instant),
        **pick(session, "events evicted request"),
    }


def event_to_dict(event: SessionEvent) -> dict[str, Any]:
    return {
        **pick(event, "reference number session category categories author text"),
        **pick(event, "first=first_at last=last_at", instant),
        **pick(event, "count subject state"),
        **_mark(event.trust),
    }


def _mark(trust: Trust) -> dict[str, str]:
    """The mark of an untrusted text. Other texts need none: the author shows whether a user or an agent wrote them."""
    return trust_mark(trust) if trust is Trust.UNTRUSTED else {}


def timeline_to_dict(found: Timeline) -> dict[str, Any]:
    return {
        "events": [event_to_dict(event) for event in found.events],
        "sessions": [session_to_dict(session) for session in found.sessions],
        "cut": found.cut,
        "cut_from": instant(found.cut_from) if found.cut_from is not None else None,
    }


def briefing_to_dict(found: Briefing) -> dict[str, Any]:
    sections = [
        {
            **pick(section, "title more"),
            "lines": [
                {**pick(line, "reference number text note"), **_mark(line.trust)} for line in section.lines
            ],
        }
        for section in found.sections
    ]
    return {
        "session": session_to_dict(found.session) if found.session is not None else None,
        "budget": pick(found.budget, "limit tokenizer"),
        **pick(found, "tokens_used left_out text"),
        "sections": sections,
    }


def report_to_dict(report: SessionReport) -> dict[str, Any]:
    return pick(report, "sessions files added repeated known evicted broken redactions issues")


def receipt_to_dict(receipt: PurgeReceipt) -> dict[str, Any]:
    return pick(receipt, "sessions events chunks vectors log_emptied may_still_hold")
