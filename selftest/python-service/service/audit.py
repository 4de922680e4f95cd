"""The audit log: recording events and finding them again."""

import bisect
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime

METADATA_KEYS = (
    "entity_id", "assessment_id", "task_id", "workflow_instance_id", "screening_application_id",
    "screening_config_id", "match_id", "inquiry_id", "tag", "cache_id", "workflow_step",
)
RECORDING_DELAY = 0.5


@dataclass(frozen=True)
class Event:
    occurred_at: datetime
    auditee_id: str
    event_type: str
    sub_type: str
    system_source: str
    metadata: dict = field(default_factory=dict)
    comment: str | None = None
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    visible_from: float = 0.0


class AuditLog:
    """Events in the order of their time; those of one instant in the order of recording."""

    def __init__(self, settings, events=()):
        self._settings = settings
        self._lock = threading.Lock()
        self._events = sorted(events, key=_time_of)

    def record(self, event):
        with self._lock:
            bisect.insort(self._events, event, key=_time_of)

    def visible_from(self):
        """The monotonic time from which an event recorded now can be read."""
        return time.monotonic() + RECORDING_DELAY if self._settings.way("late-events") else 0.0

    def find(self, matches):
        moment = time.monotonic()
        with self._lock:
            events = list(self._events)
        return [event for event in events if event.visible_from <= moment and matches(event)]


def _time_of(event):
    return event.occurred_at
