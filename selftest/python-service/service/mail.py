"""Mails to assignees, and the mailbox they arrive in."""

import queue
import secrets
import threading
from dataclasses import dataclass, field
from datetime import datetime

from .instants import now

SENDER_NAME = "Workflow tasks"
SENDER_ADDRESS = "no-reply@tasks.example"


@dataclass
class Mail:
    to_name: str
    to_address: str
    subject: str
    text: str
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16).replace("-", "x").replace("_", "y"))
    created: datetime = field(default_factory=now)


class Mailbox:
    """Holds the mails, newest first."""

    def __init__(self):
        self._lock = threading.Lock()
        self._mails = []

    def receive(self, mail):
        with self._lock:
            self._mails.insert(0, mail)

    def all(self):
        with self._lock:
            return list(self._mails)

    def find(self, mail_id):
        return next((mail for mail in self.all() if mail.id == mail_id), None)


class Notifier:
    """Tells assignees about their task, off the request's thread."""

    def __init__(self, directory, mailbox):
        self._directory = directory
        self._mailbox = mailbox
        self._queue = queue.SimpleQueue()
        threading.Thread(target=self._deliver, daemon=True).start()

    def assigned(self, task, request):
        """`request` is the update object that was accepted."""
        for recipient in self._directory.recipients(request["assigned_to_type"], request["assigned_to_id"]):
            self._queue.put(self._mail(recipient, task, request["assigned_by_id"], request.get("assignment_comment")))

    def _mail(self, recipient, task, actor_id, comment):
        title = task["name"] or task["c_name"]
        actor = self._directory.users[actor_id].name
        lines = [f"Hello {recipient.name}", "", f"{actor} has assigned you a task: {title}",
                 f"Task: {task['id']}", f"Step: {task['step_name']}"]
        if comment:
            lines += ["", "Comment:", comment]
        return Mail(recipient.name, recipient.address, f"Task assigned: {title}", "\n".join(lines) + "\n")

    def _deliver(self):
        while True:
            self._mailbox.receive(self._queue.get())
