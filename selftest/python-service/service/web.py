"""HTTP plumbing: requests, responses, errors, routes and a threaded keep-alive server."""

import json
import re
import sys
import traceback
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    pairs: list
    headers: object
    body: bytes


@dataclass(frozen=True)
class Response:
    status: int
    body: bytes = b""
    content_type: str = "application/json; charset=utf-8"
    headers: tuple = ()


def as_json(status, value):
    return Response(status, json.dumps(value, ensure_ascii=False).encode())


class Router:
    """Finds the handler of a method and a path such as /tasks/{task_id}."""

    def __init__(self):
        self._routes = []

    def add(self, method, template, handler):
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
        self._routes.append((method, re.compile(pattern), handler))

    def find(self, method, path):
        """(handler, variables)"""
        for known, pattern, handler in self._routes:
            match = pattern.fullmatch(path)
            if match and known == method:
                return handler, {name: unquote(value) for name, value in match.groupdict().items()}
        raise stated_refusal("Not Found")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "task-service/5"
    sys_version = ""
    disable_nagle_algorithm = True
    timeout = 75

    def _serve(self):
        parts = urlsplit(self.path)
        request = Request(
            method=self.command,
            path=parts.path,
            pairs=parse_qsl(parts.query, keep_blank_values=True),
            headers=self.headers,
            body=self.rfile.read(int(self.headers.get("Content-Length") or 0)),
        )
        try:
            response = self.server.application(request)
        except Refusal as refusal:
            response = refusal.response(self.server.sends_text_errors)
        except Exception:  # the last resort of a server: tell the operator, not the caller
            traceback.print_exc(file=sys.stderr)
            response = stated_refusal("Internal Server Error", "Unexpected error").response(as_text=False)
        self._send(response)

    do_GET = do_PUT = _serve

    def _send(self, response):
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        self.wfile.write(response.body)
        self.wfile.flush()

    def log_message(self, *_):
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def make_server(application, sends_text_errors=False):
    server = _Server(("127.0.0.1", 0), _Handler)
    server.application, server.sends_text_errors = application, sends_text_errors
    return server


# The contract's table of errors: the status of each row, by its name.
ERRORS = {
    "Bad Request": 400,
    "Unauthorized": 401,
    "Task not found": 404,
    "Not Found": 404,
    "Version mismatch": 409,
    "Internal Server Error": 500,
}


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def response(self, as_text):
        if as_text:
            return Response(self.status, f"{self.message}\n".encode(), "text/plain; charset=utf-8")
        return as_json(self.status, {"error": {"code": self.code, "message": self.message}})


def stated_refusal(name, message=None):
    """The refusal of this row of the table of errors."""
    return Refusal(ERRORS[name], name.lower().replace(" ", "_"), message or name)
