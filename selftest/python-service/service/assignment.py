"""Users and teams; updating a task's assignment: checking the body, changing the task, recording, notifying."""

import json
import re
from dataclasses import dataclass

from .audit import Event
from .instants import now
from .web import Refusal


@dataclass(frozen=True)
class User:
    id: str
    name: str
    address: str


@dataclass(frozen=True)
class Team:
    id: str
    name: str
    members: tuple


class Directory:
    def __init__(self, users, teams):
        self.users = {user.id: user for user in users}
        self.teams = {team.id: team for team in teams}

    def knows(self, kind, identifier):
        return identifier in (self.users if kind == "USER" else self.teams)

    def recipients(self, kind, identifier):
        if kind == "TEAM":
            return list(self.teams[identifier].members)
        return [self.users[identifier]]


SHORT_COMMENT = 200


class AssignmentDesk:
    def __init__(self, tasks, directory, log, notifier, settings):
        self._tasks = tasks
        self._directory = directory
        self._log = log
        self._notifier = notifier
        self._settings = settings

    def handle(self, task_id, request):
        """The task after the update that the request asks for."""
        self._tasks.current(task_id)
        action, wish = self._read_body(request)
        after_update = self._assignment if action == "update" else self._no_assignment
        before, after = self._tasks.assign(task_id, self._version(request), lambda former: after_update(former, wish))
        if action == "unassign":
            self._record(after, wish, "unassigned")
        else:
            self._record(after, wish, "reassigned" if before["assignment"] else "assigned")
            self._notifier.assigned(after, wish)
        return after

    # reading the request

    def _invalid(self, message):
        status = 422 if self._settings.way("other-statuses") else 400
        return Refusal(status, "invalid_request", message)

    def _version(self, request):
        header = request.headers.get("If-Match")
        if header is None or not header.strip():
            status = 428 if self._settings.way("other-statuses") else 400
            raise Refusal(status, "if_match_required", "The header If-Match is required")
        return re.fullmatch(r'(?:W/)?("?)(.*)\1', header.strip(), re.S)[2]

    def _read_body(self, request):
        if request.headers.get_content_type() != "application/json":
            raise Refusal(415, "unsupported_media_type", "Content-Type must be application/json")
        try:
            body = json.loads(request.body)
        except ValueError:
            raise self._invalid("The body is not JSON") from None
        if not isinstance(body, dict):
            raise self._invalid("The body must be an object")
        actions = [name for name in ("update", "unassign") if body.get(name) is not None]
        if len(actions) != 1:
            raise self._invalid("The body must hold either update or unassign")
        action, wish = actions[0], body[actions[0]]
        if not isinstance(wish, dict):
            raise self._invalid(f"{action} must be an object")
        self._check_comment(wish)
        self._check_people(action, wish)
        return action, wish

    def _check_comment(self, wish):
        comment = wish.get("assignment_comment")
        if comment is not None and not isinstance(comment, str):
            raise self._invalid("assignment_comment must be a string or null")
        if comment and any("\ud800" <= character <= "\udfff" for character in comment):
            raise self._invalid("assignment_comment must be valid Unicode")
        if self._settings.way("short-comments") and len(comment or "") > SHORT_COMMENT:
            raise self._invalid(f"assignment_comment must not exceed {SHORT_COMMENT} characters")

    def _check_people(self, action, wish):
        self._check_person(wish, "assigned_by_id", "USER")
        if action == "update":
            kind = wish.get("assigned_to_type")
            if kind not in ("USER", "TEAM"):
                raise self._invalid("assigned_to_type must be USER or TEAM")
            self._check_person(wish, "assigned_to_id", kind)

    def _check_person(self, wish, name, kind):
        identifier = wish.get(name)
        if not isinstance(identifier, str) or not identifier:
            raise self._invalid(f"{name} is required")
        if not self._directory.knows(kind, identifier):
            raise self._invalid(f"{name} is not a known {kind.lower()}")

    # changing the task

    def _assignment(self, former, wish):
        if former and former["assigned_to_id"] == wish["assigned_to_id"] and self._settings.way("refuse-same"):
            raise self._invalid("The task is already assigned to this assignee")
        members = ("assigned_by_id", "assigned_to_id", "assigned_to_type", "assignment_comment")
        return {member: wish.get(member) for member in members}

    def _no_assignment(self, former, _wish):
        if former is None and self._settings.way("strict-unassign"):
            raise self._invalid("The task is not assigned")
        return None

    # recording

    def _record(self, task, wish, sub_type):
        self._log.record(Event(
            occurred_at=now(),
            auditee_id=wish["assigned_by_id"],
            event_type="task",
            sub_type=sub_type,
            system_source="task_platform",
            metadata={
                "entity_id": task["entity_id"],
                "assessment_id": task["assessment_id"],
                "task_id": task["id"],
                "workflow_instance_id": task["workflow_instance_id"],
                "workflow_step": task["step_name"],
            },
            comment=wish.get("assignment_comment") or None,
            visible_from=self._log.visible_from(),
        ))
