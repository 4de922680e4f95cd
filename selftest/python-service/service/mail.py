"""Mails to assignees, and the mailbox they arrive in, with the two requests of Mailpit's HTTP API that a run sends."""

import collections
import html
import secrets

from .instants import iso_utc, now
from .web import Refusal, Router, as_json

_SENDER = {"Name": "Workflow tasks", "Address": "no-reply@tasks.example"}


class Mailbox:
    """Holds the mails, newest first, as Mailpit shows one."""

    def __init__(self):
        self._mails = collections.deque()
        self._router = Router()
        self._router.add("GET", "/api/v1/messages", self._messages)
        self._router.add("GET", "/api/v1/message/{id}", self._message)

    def __call__(self, request):
        handler, variables = self._router.find(request.method, request.path)
        return handler(request, **variables)

    def receive(self, mail):
        self._mails.appendleft(mail)

    def _messages(self, request):
        mails, parameters = list(self._mails), dict(request.pairs)
        start, limit = int(parameters.get("start", 0)), int(parameters.get("limit", 50))
        shown = [{name: value for name, value in mail.items() if name not in ("Date", "Text", "HTML")}
                 for mail in mails[start:start + limit]]
        return as_json(200, {"total": len(mails), "count": len(shown), "messages_count": len(mails), "start": start,
                             "messages": shown})

    def _message(self, _request, id):
        found = [mail for mail in list(self._mails) if mail["ID"] == id]
        if not found:
            raise Refusal(404, "not_found", "Not Found")
        return as_json(200, found[0])


def _mail(recipient, subject, text):
    id, created = secrets.token_hex(12), iso_utc(now())
    return {
        "ID": id,
        "MessageID": f"{id}@tasks.example",
        "From": _SENDER,
        "To": [{"Name": recipient.name, "Address": recipient.address}],
        "Cc": [],
        "Bcc": [],
        "Subject": subject,
        "Created": created,
        "Date": created,
        "Text": text.replace("\n", "\r\n"),
        "HTML": f"<html><body><p>{html.escape(text).replace(chr(10), '<br>')}</p></body></html>",
    }


class Notifier:
    """Tells assignees about their task."""

    def __init__(self, directory, mailbox):
        self._directory = directory
        self._mailbox = mailbox

    def assigned(self, task, request):
        """`request` is the update object that was accepted."""
        title = task["name"] or task["c_name"]
        actor = self._directory.users[request["assigned_by_id"]].name
        comment = request.get("assignment_comment")
        for recipient in self._directory.recipients(request["assigned_to_type"], request["assigned_to_id"]):
            lines = [f"Hello {recipient.name}", "", f"{actor} has assigned you a task: {title}",
                     f"Task: {task['id']}", f"Step: {task['step_name']}", *(["", "Comment:", comment] if comment else [])]
            self._mailbox.receive(_mail(recipient, f"Task assigned: {title}", "\n".join(lines) + "\n"))
