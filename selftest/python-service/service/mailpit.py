"""The mailbox behind the two requests of Mailpit's HTTP API that a run sends."""

import html

from .instants import iso_utc
from .mail import SENDER_ADDRESS, SENDER_NAME
from .web import Response, Router, as_json

_DEFAULT_LIMIT = 50


class Mailpit:
    def __init__(self, mailbox):
        self._mailbox = mailbox
        self._router = Router()
        self._router.add("GET", "/api/v1/messages", self._messages)
        self._router.add("GET", "/api/v1/message/{id}", self._message)

    def __call__(self, request):
        handler, variables = self._router.find(request.method, request.path)
        if handler is None:
            return _text(404, "404 page not found")
        return handler(request, **variables)

    def _messages(self, request):
        mails = self._mailbox.all()
        parameters = dict(request.pairs)
        start = _number(parameters.get("start"), 0)
        limit = _number(parameters.get("limit"), _DEFAULT_LIMIT)
        shown = mails[start:start + limit]
        return as_json(200, {
            "total": len(mails),
            "count": len(shown),
            "messages_count": len(mails),
            "start": start,
            "messages": [_summary(mail) for mail in shown],
        })

    def _message(self, _request, id):
        mail = self._mailbox.find(id)
        return _text(404, "message not found") if mail is None else as_json(200, _full(mail))


def _text(status, text):
    return Response(status, text.encode(), "text/plain; charset=utf-8")


def _number(text, default):
    return int(text) if text and text.isdigit() else default


def _summary(mail):
    return {
        "ID": mail.id,
        "MessageID": f"{mail.id}@tasks.example",
        "From": {"Name": SENDER_NAME, "Address": SENDER_ADDRESS},
        "To": [{"Name": mail.to_name, "Address": mail.to_address}],
        "Cc": [],
        "Bcc": [],
        "Subject": mail.subject,
        "Created": iso_utc(mail.created),
    }


def _full(mail):
    return {
        **_summary(mail),
        "Date": iso_utc(mail.created),
        "Text": mail.text.replace("\n", "\r\n"),
        "HTML": f"<html><body><p>{html.escape(mail.text).replace(chr(10), '<br>')}</p></body></html>",
    }
