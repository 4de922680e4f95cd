"""The mailbox behind the part of Mailpit's HTTP API that a test client needs."""

import html
import json
import re
import shlex

from .instants import iso_utc
from .mail import SENDER_ADDRESS, SENDER_NAME
from .web import Response, Router, as_json

_SNIPPET = 250
_DEFAULT_LIMIT = 50


class Mailpit:
    def __init__(self, mailbox):
        self._mailbox = mailbox
        self._router = Router()
        self._router.add("GET", "/api/v1/info", self._info)
        self._router.add("GET", "/api/v1/messages", self._messages)
        self._router.add("DELETE", "/api/v1/messages", self._delete)
        self._router.add("GET", "/api/v1/message/{id}", self._message)
        self._router.add("GET", "/api/v1/search", self._search)
        self._router.add("DELETE", "/api/v1/search", self._delete_found)

    def __call__(self, request):
        handler, variables, allowed = self._router.find(request.method, request.path)
        if handler is None:
            return _text(405 if allowed else 404, "method not allowed" if allowed else "404 page not found")
        return handler(request, **variables)

    def _info(self, _request):
        mails = self._mailbox.all()
        return as_json(200, {"Version": "v1.21.0", "Messages": len(mails), "Unread": _unread(mails)})

    def _messages(self, request):
        mails = self._mailbox.all()
        return self._listing(request, mails, mails)

    def _search(self, request):
        query = dict(request.pairs).get("query", "").strip()
        if not query:
            return _text(400, "Error: no search query")
        mails = self._mailbox.all()
        return self._listing(request, mails, [mail for mail in mails if _found(mail, query)])

    def _listing(self, request, mails, found):
        parameters = dict(request.pairs)
        start = _number(parameters.get("start"), 0)
        limit = _number(parameters.get("limit"), _DEFAULT_LIMIT)
        shown = found[start:start + limit] if limit else found[start:]
        return as_json(200, {
            "total": len(mails),
            "unread": _unread(mails),
            "count": len(shown),
            "messages_count": len(found),
            "messages_unread": _unread(found),
            "start": start,
            "tags": [],
            "messages": [_summary(mail) for mail in shown],
        })

    def _message(self, _request, id):
        mail = self._mailbox.find(id)
        if mail is None:
            return _text(404, "message not found")
        mail.read = True
        return as_json(200, _full(mail))

    def _delete(self, request):
        body = json.loads(request.body) if request.body.strip() else {}
        self._mailbox.delete(set(body.get("IDs") or body.get("ids") or ()))
        return _text(200, "ok")

    def _delete_found(self, request):
        query = dict(request.pairs).get("query", "").strip()
        found = {mail.id for mail in self._mailbox.all() if query and _found(mail, query)}
        if found:
            self._mailbox.delete(found)
        return _text(200, "ok")


def _text(status, text):
    return Response(status, text.encode(), "text/plain; charset=utf-8")


def _number(text, default):
    return int(text) if text and text.isdigit() else default


def _unread(mails):
    return sum(not mail.read for mail in mails)


def _common(mail):
    return {
        "ID": mail.id,
        "MessageID": f"{mail.id}@tasks.example",
        "From": {"Name": SENDER_NAME, "Address": SENDER_ADDRESS},
        "To": [{"Name": mail.to_name, "Address": mail.to_address}],
        "Cc": [],
        "Bcc": [],
        "ReplyTo": [],
        "Subject": mail.subject,
        "Tags": [],
        "Size": len(mail.text.encode()) + 400,
    }


def _summary(mail):
    return {
        **_common(mail),
        "Read": mail.read,
        "Created": iso_utc(mail.created),
        "Username": "",
        "Attachments": 0,
        "Snippet": " ".join(mail.text.split())[:_SNIPPET],
    }


def _full(mail):
    return {
        **_common(mail),
        "ReturnPath": SENDER_ADDRESS,
        "Date": iso_utc(mail.created),
        "ListUnsubscribe": {"Header": "", "Links": [], "Errors": "", "HeaderPost": ""},
        "Text": mail.text.replace("\n", "\r\n"),
        "HTML": f"<html><body><p>{html.escape(mail.text).replace(chr(10), '<br>')}</p></body></html>",
        "Inline": [],
        "Attachments": [],
    }


def _found(mail, query):
    """Mailpit's search: words and "phrases", all of them; to: from: subject: is: and ! or - for not."""
    try:
        words = shlex.split(query, posix=True)
    except ValueError:
        words = query.split()
    return all(_has(mail, word) for word in words)


def _has(mail, word):
    negated = len(word) > 1 and word[0] in "!-"
    return _matches(mail, (word[1:] if negated else word).lower()) != negated


def _matches(mail, word):
    recipient = f"{mail.to_name} {mail.to_address}".lower()
    sender = f"{SENDER_NAME} {SENDER_ADDRESS}".lower()
    fields = {
        "to": recipient, "addressed": f"{recipient} {sender}", "from": sender, "subject": mail.subject.lower(),
        "message-id": f"{mail.id}@tasks.example".lower(), "cc": "", "bcc": "", "reply-to": "",
    }
    found = re.match(r"([a-z-]+):(.*)", word, re.S)
    if found and found[1] in fields:
        return found[2] in fields[found[1]]
    if word in ("is:read", "is:unread"):
        return mail.read == (word == "is:read")
    return word in " ".join([recipient, sender, mail.subject, mail.text]).lower()
