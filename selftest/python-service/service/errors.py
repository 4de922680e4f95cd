"""The shape of error answers."""

from .web import Response, as_json


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def response(self, settings):
        if settings.way("text-errors"):
            return Response(self.status, f"{self.message}\n".encode(), "text/plain; charset=utf-8")
        return as_json(self.status, {"error": {"code": self.code, "message": self.message}})
