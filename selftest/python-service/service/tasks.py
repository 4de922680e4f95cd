"""The stored tasks, with their optimistic concurrency."""

import copy
import threading
import time

from .instants import VersionClock
from .web import stated_refusal

REPLICA_DELAY = 0.3


class TaskStore:
    """Keeps every version of a task that a replica may still show."""

    def __init__(self, settings):
        self._settings = settings
        self._clock = VersionClock(settings.way("nano-versions"))
        self._lock = threading.Lock()
        self._versions = {}  # task id -> [(time of writing, task)]

    def add(self, task, updated_at):
        version = self._clock.written(round(updated_at.timestamp() * 1000) * 1_000_000)
        self._versions[task["id"]] = [(float("-inf"), {**task, "updated_at": version})]

    def current(self, task_id):
        if task_id not in self._versions:
            raise stated_refusal("Task not found")
        return copy.deepcopy(self._versions[task_id][-1][1])

    def read(self, task_id):
        """The task as readers see it."""
        current = self.current(task_id)
        if not self._settings.way("lagging-reads"):
            return current
        horizon = time.monotonic() - REPLICA_DELAY
        with self._lock:
            seen = [task for written, task in self._versions[task_id] if written <= horizon]
        return copy.deepcopy(seen[-1])

    def assign(self, task_id, version, assignment_after):
        """Give the task a new assignment if `version` is its current one.

        `assignment_after` maps the former assignment to the new one and may refuse
        by raising. Returns the task before and the task after.
        """
        with self._lock:
            before = self.current(task_id)
            if version != before["updated_at"]:
                raise stated_refusal("Version mismatch", "Version mismatch: the task has changed, read it again")
            after = copy.deepcopy(before)
            after["assignment"] = assignment_after(before["assignment"])
            after["updated_at"] = self._clock.tick()
            after["data_version"] += 1
            self._write(after)
        return before, copy.deepcopy(after)

    def _write(self, task):
        moment = time.monotonic()
        history = self._versions[task["id"]]
        settled = [entry for entry in history if entry[0] <= moment - REPLICA_DELAY][-1:]
        recent = [entry for entry in history if entry[0] > moment - REPLICA_DELAY]
        self._versions[task["id"]] = settled + recent + [(moment, task)]
