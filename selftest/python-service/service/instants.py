"""Reading, writing and making points in time."""

import re
import threading
import time
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?", re.I)


def parse_instant(text):
    """An ISO 8601 datetime as an aware UTC datetime; without offset it is taken as UTC."""
    if not _ISO.fullmatch(text):
        raise ValueError(f"not an ISO 8601 datetime: {text}")
    moment = datetime.fromisoformat(text.upper())
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC)


def iso_utc(moment):
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_milliseconds(moment):
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def now():
    return to_milliseconds(datetime.now(UTC))


class VersionClock:
    """Gives out updated_at values; no value is ever given twice."""

    def __init__(self, nanoseconds=False):
        self._nanoseconds = nanoseconds
        self._lock = threading.Lock()
        self._last = 0

    def tick(self):
        step = 1 if self._nanoseconds else 1_000_000
        with self._lock:
            self._last = max(time.time_ns() // step * step, self._last + step)
            return self.written(self._last)

    def written(self, nanoseconds):
        seconds, rest = divmod(nanoseconds, 1_000_000_000)
        fraction = f"{rest:09d}" if self._nanoseconds else f"{rest // 1_000_000:03d}"
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + fraction + "Z"


def date_writer(zone_name, local_form):
    """Writes the dates of an export in the zone that the caller asked for."""
    zone = ZoneInfo(zone_name) if zone_name else None

    def write(moment):
        if zone is None:
            return iso_utc(moment)
        local = moment.astimezone(zone)
        return local.strftime("%d.%m.%Y %H:%M:%S.%f")[:-3] if local_form else local.isoformat(timespec="milliseconds")

    return write
