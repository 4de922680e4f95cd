"""The service's operations below /v5."""

import hmac

from .assignment import AssignmentDesk
from .export import Exporter
from .web import Router, as_json, stated_refusal

PREFIX = "/v5"


class Api:
    def __init__(self, world, notifier, settings):
        self._world = world
        self._settings = settings
        self._desk = AssignmentDesk(world.tasks, world.directory, world.log, notifier, settings)
        self._router = Router()
        self._router.add("PUT", PREFIX + "/tasks/{task_id}/update-assignment", self._update_assignment)
        self._router.add("GET", PREFIX + "/tasks/{task_id}", self._task)
        self._router.add("GET", PREFIX + "/assessments/{assessment_id}", self._assessment)
        self._router.add("GET", PREFIX + "/audit-sentinel/events/export", Exporter(world.log, settings).handle)

    def __call__(self, request):
        self._require_key(request)
        handler, variables = self._router.find(request.method, request.path)
        return handler(request, **variables)

    def _require_key(self, request):
        given = (request.headers.get("apikey") or "").encode("latin-1", "replace")
        if not hmac.compare_digest(given, self._world.api_key.encode()):
            raise stated_refusal("Unauthorized", "Unauthorized: the apikey header is missing or invalid")

    # operations

    def _update_assignment(self, request, task_id):
        status = 202 if self._settings.way("other-statuses") else 200
        return as_json(status, self._sent(self._desk.handle(task_id, request)))

    def _task(self, _request, task_id):
        return as_json(200, self._sent(self._world.tasks.read(task_id)))

    def _assessment(self, _request, assessment_id):
        assessment = self._world.assessments.get(assessment_id)
        if assessment is None:
            raise stated_refusal("Not Found")
        more = {"labels": ["kyc", "annual"], "updated_by_id": None, "progress": {"done": 3, "total": 7}}
        return as_json(200, {**assessment, **(more if self._settings.way("extra-fields") else {})})

    def _sent(self, task):
        """The task as a client gets it."""
        if self._settings.way("extra-fields"):
            task.update(priority="NORMAL", due_at=None, links={"self": f"{PREFIX}/tasks/{task['id']}"})
            if task["assignment"]:
                task["assignment"].update(assigned_at=task["updated_at"], assigned_to_name="")
        return task
