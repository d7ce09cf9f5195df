"""The time zone of this machine, with the C library's rules for summer time. The variable `TZ` selects another one."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, tzinfo


class MachineZone(tzinfo):
    """Local time. `zoneinfo` would need the name of the zone, which Windows and many containers do not have."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        if moment is None:
            return None
        # -1: the C library decides whether summer time holds.
        local = (*moment.timetuple()[:6], 0, 0, -1)
        return timedelta(seconds=time.localtime(time.mktime(local)).tm_gmtoff)

    def dst(self, _moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, _moment: datetime | None) -> str | None:
        return None

    def fromutc(self, moment: datetime) -> datetime:
        local = time.localtime(moment.replace(tzinfo=UTC).timestamp())
        return datetime(*local[:6], moment.microsecond, tzinfo=self)
