"""The service's operations below /v5."""

import hmac

from .assignment import AssignmentDesk
from .export import Exporter
from .tasks import UnknownTask
from .web import Refusal, Router, as_json

PREFIX = "/v5"
EXPORT_PATH = "/audit-sentinel/events/export"


class Api:
    def __init__(self, world, notifier, settings):
        self._world = world
        self._settings = settings
        self._desk = AssignmentDesk(world.tasks, world.directory, world.log, notifier, settings)
        self._exporter = Exporter(world.log, settings)
        self._router = Router()
        self._router.add("PUT", "/tasks/{task_id}/update-assignment", self._update_assignment)
        self._router.add("GET", "/tasks/{task_id}", self._task)
        self._router.add("GET", "/assessments/{assessment_id}", self._assessment)
        self._router.add("GET", EXPORT_PATH, self._export)

    def __call__(self, request):
        try:
            return self._answer(request)
        except Refusal as refusal:
            return refusal.response(self._settings)

    def _answer(self, request):
        if not request.path.startswith(PREFIX + "/"):
            raise Refusal(404, "not_found", "Not Found")
        path = request.path.removeprefix(PREFIX)
        is_export = path == EXPORT_PATH
        if is_export and self._settings.bug("key-after-range"):
            self._exporter.check(request)
        if not (is_export and self._is_open(request)):
            self._require_key(request)
        handler, variables = self._router.find(request.method, path)
        if handler is None:
            raise Refusal(404, "not_found", "Not Found")
        return handler(request, **variables)

    def _is_open(self, request):
        return self._settings.bug("key-pdf-open") and ("file_type", "pdf") in request.pairs

    def _require_key(self, request):
        given = (request.headers.get("apikey") or "").encode("latin-1", "replace")
        right = self._world.api_key.encode()
        valid = hmac.compare_digest(given, right)
        if self._settings.bug("key-truncated"):
            valid = bool(given) and right.startswith(given)
        if not valid:
            raise Refusal(401, "unauthorized", "Unauthorized: the apikey header is missing or invalid")

    # operations

    def _update_assignment(self, request, task_id):
        status = 202 if self._settings.way("other-statuses") else 200
        return as_json(status, self._sent(self._desk.handle(task_id, request)))

    def _task(self, _request, task_id):
        try:
            return as_json(200, self._sent(self._world.tasks.read(task_id)))
        except UnknownTask:
            raise Refusal(404, "task_not_found", "Task not found") from None

    def _assessment(self, _request, assessment_id):
        assessment = self._world.assessments.find(assessment_id)
        if assessment is None and not self._settings.bug("unknown-assessment-null"):
            raise Refusal(404, "not_found", "Not Found")
        return as_json(200, assessment)

    def _export(self, request):
        return self._exporter.handle(request)

    def _sent(self, task):
        """The task as a client gets it."""
        if task["name"] is None and self._settings.bug("name-omitted"):
            del task["name"]
        if self._settings.way("extra-fields"):
            task.update(priority="NORMAL", due_at=None, links={"self": f"{PREFIX}/tasks/{task['id']}"})
            if task["assignment"]:
                task["assignment"].update(assigned_at=task["updated_at"], assigned_to_name="")
        return task
