"""The seeded world of a new service, with the audit events that it starts with."""

import random as randomness
from dataclasses import dataclass
from datetime import datetime, timedelta

from .assignment import Directory, Team, User
from .audit import AuditLog, Event, METADATA_KEYS
from .instants import UTC, iso_utc, to_milliseconds
from .tasks import AssessmentStore, ERROR_FIELDS, TaskStore


MONTHS = 18
TIE_EVERY = 100  # events around each hundredth one share their instant

_KINDS = (
    ("assessment", ("created", "updated", "completed", "cancelled"), "assessment_service"),
    ("task", ("created", "updated", "completed"), "task_platform"),
    ("screening", ("created", "updated", "matched"), "screening_engine"),
    ("document", ("created", "updated", "deleted"), "customer_portal"),
    ("entity", ("created", "updated", "deleted"), "entity_service"),
)
_TAGS = ("review", "review-2", "review-final", "high-risk", "pep", "sanctions")
_STEPS = ("Initial review", "Document check", "Screening", "Second review", "Approval")
_COMMENTS = (
    None, None, None, None,
    "Checked against the register.",
    'The client said "later", then "never".',
    "First line\nSecond line\nThird line",
    "Windows line one\r\nWindows line two",
    "Amounts: 1,200; 3,400; 5,600",
    'Quoted "name", with comma\nand a new line',
    "Проверка завершена, замечаний нет",
    "审核已完成,等待批准",
    "مراجعة المستندات مطلوبة",
    "Ο έλεγχος ολοκληρώθηκε",
    "書類を確認しました「承認」",
    "Prüfung für Zürich: größer als üblich – erledigt",
    "Done 👍 and archived 🗂️",
    "Mixed: ключ \"key\" 鍵, clé",
    "=SUM(1;2) is not a formula here",
    "A longer remark on the file. " * 15 + "End of the remark.",
    "  spaces before and after  ",
)


def seed_events(number, auditees, entities, random):
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    start = end - timedelta(days=round(MONTHS * 30.44))
    instants = _with_ties(sorted(_instant(start, end, random) for _ in range(number)))
    pools = _metadata_pools(entities, random)
    return [_event(index, instant, auditees, pools, random) for index, instant in enumerate(instants)]


def identifier(random):
    digits = f"{random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _instant(start, end, random):
    moment = to_milliseconds(start + random.random() * (end - start))
    if random.random() < 0.05:  # some on a full minute
        return moment.replace(second=0, microsecond=0)
    return moment


def _with_ties(instants):
    for border in range(TIE_EVERY, len(instants), TIE_EVERY):
        first = border - 2
        for index in range(first + 1, min(border + 2, len(instants))):
            instants[index] = instants[first]
    return sorted(instants)


def _metadata_pools(entities, random):
    pools = {key: [identifier(random) for _ in range(12)] for key in METADATA_KEYS}
    pools["entity_id"] = [entity["entity_id"] for entity in entities] + pools["entity_id"]
    pools["assessment_id"] = [entity["assessment_id"] for entity in entities] + pools["assessment_id"]
    pools["workflow_instance_id"] = [entity["workflow_instance_id"] for entity in entities] \
        + pools["workflow_instance_id"]
    pools["tag"] = _TAGS
    pools["workflow_step"] = _STEPS
    return pools


def _event(index, instant, auditees, pools, random):
    event_type, sub_types, source = random.choice(_KINDS)
    if random.random() < 0.15:
        source = random.choice(_KINDS)[2]
    keys = METADATA_KEYS if index % 25 == 0 else [
        key for key in METADATA_KEYS if key == "entity_id" or random.random() < 0.45
    ]
    return Event(
        occurred_at=instant,
        auditee_id=random.choice(auditees),
        event_type=event_type,
        sub_type=random.choice(sub_types),
        system_source=source,
        metadata={key: random.choice(pools[key]) for key in keys},
        comment=random.choice(_COMMENTS),
        id=identifier(random),
    )


_USERS = (
    ("Ada Keller", "ada.keller@bank.example"),
    ("Bruno Meier", "bruno.meier@bank.example"),
    ("Chloé Dubois", "chloe.dubois@bank.example"),
    ("Дмитрий Орлов", "dmitri.orlov@bank.example"),
    ("Eva O'Neill", "eva.oneill@bank.example"),
    ("Farid Nasser", "farid.nasser@bank.example"),  # the actor
)
_TEAMS = (("Onboarding", (0, 1, 2)), ("Compliance", (3, 4)))

_STATES = ("Active", "Cancelled", "Error", "Active", "Error")

# (assigned to a user or a team, comment, has a name, custom metadata)
_CHANGEABLE_TASKS = (
    (None, None, True, {}),
    ("USER", None, True, {"risk": "low"}),
    ("TEAM", None, True, None),
    (None, None, False, None),
    ("USER", "Please look at the passport first.", True, {}),
    ("TEAM", "Needs \"two\" pairs of eyes 👀", False, {"branch": "Zürich"}),
    (None, None, True, None),
)
_READ_ONLY_TASKS = (
    ("USER", "Kept as it is", True, {"risk": "high"}),
    (None, None, False, {}),
    ("TEAM", None, True, None),
)


@dataclass
class World:
    api_key: str
    directory: Directory
    tasks: TaskStore
    assessments: AssessmentStore
    log: AuditLog
    task_ids: list
    read_task_ids: list
    assessment_ids: list

    def environment(self, base_url, mailbox_url):
        """What a client has to know, as environment variables."""
        users = list(self.directory.users.values())
        teams = list(self.directory.teams.values())
        return {
            "BASE_URL": base_url,
            "API_KEY": self.api_key,
            "TASK_IDS": ",".join(self.task_ids),
            "READ_TASK_IDS": ",".join(self.read_task_ids),
            "ASSESSMENT_IDS": ",".join(self.assessment_ids),
            "ACTOR_ID": users[-1].id,
            "USER_IDS": ",".join(user.id for user in users),
            "TEAM_IDS": ",".join(team.id for team in teams),
            "MAILBOX_URL": mailbox_url,
            "USER_MAILS": ",".join(f"{user.id}={user.address}" for user in users),
            "TEAM_MAILS": ",".join(
                f"{team.id}={';'.join(member.address for member in team.members)}" for team in teams),
        }


def seed_world(settings):
    random = randomness.Random(settings.seed)
    directory = _directory(random)
    institution_id = identifier(random)
    assessments = AssessmentStore(settings)
    related = [_assessment(state, institution_id, random) for state in _STATES]
    for assessment in related:
        assessments.add(assessment)
    tasks = TaskStore(settings)
    task_ids = [_add_task(tasks, index, plan, related, directory, random)
                for index, plan in enumerate(_CHANGEABLE_TASKS + _READ_ONLY_TASKS)]
    entities = [{"entity_id": assessment["entity_id"], "assessment_id": assessment["id"],
                 "workflow_instance_id": assessment["workflow_instance_id"]} for assessment in related]
    events = seed_events(settings.events, list(directory.users), entities, random)
    return World(
        api_key=f"key-{random.getrandbits(128):032x}",
        directory=directory,
        tasks=tasks,
        assessments=assessments,
        log=AuditLog(settings, events),
        task_ids=task_ids[:len(_CHANGEABLE_TASKS)],
        read_task_ids=task_ids[len(_CHANGEABLE_TASKS):],
        assessment_ids=[assessment["id"] for assessment in related],
    )


def _directory(random):
    users = [User(identifier(random), name, address) for name, address in _USERS]
    teams = [Team(identifier(random), name, tuple(users[index] for index in members)) for name, members in _TEAMS]
    return Directory(users, teams)


def _past(random, days):
    moment = datetime.now(UTC) - timedelta(days=days, seconds=random.randrange(86_400))
    return moment.replace(microsecond=random.randrange(1000) * 1000)


def _assessment(state, institution_id, random):
    errors = dict.fromkeys(ERROR_FIELDS)
    if state == "Error":
        errors = {
            "error_message": "The registry did not answer",
            "error_details": {"attempts": 3, "registry": "commercial"},
            "error_step": "Screening",
            "error_type": "ExternalServiceError",
        }
    return {
        "id": identifier(random),
        "created_at": iso_utc(_past(random, 60)),
        "entity_id": identifier(random),
        "institution_id": institution_id,
        "outcome_id": identifier(random),
        "status_id": identifier(random),
        "template_id": identifier(random),
        "workflow_instance_id": identifier(random),
        "workflow_state": state,
        **errors,
    }


def _add_task(tasks, index, plan, related, directory, random):
    kind, comment, named, custom_metadata = plan
    assessment = related[index % len(related)]
    step = _STEPS[index % len(_STEPS)]
    created = _past(random, 30)
    task = {
        "id": identifier(random),
        "assessment_id": assessment["id"],
        "assessment_template_id": assessment["template_id"],
        "assignment": _assignment(kind, comment, directory, random),
        "c_name": step.lower().replace(" ", "_"),
        "name": f"{step} {index + 1}" if named else None,
        "created_at": iso_utc(created),
        "locked_at": iso_utc(created + timedelta(days=1)),
        "custom_metadata": custom_metadata,
        "data_version": random.randrange(1, 9),
        "entity_id": assessment["entity_id"],
        "institution_id": assessment["institution_id"],
        "microfrontend_id": identifier(random),
        "status": "INCOMPLETE",
        "step_name": step,
        "workflow_instance_id": assessment["workflow_instance_id"],
    }
    tasks.add(task, updated_at=_past(random, 3))
    return task["id"]


def _assignment(kind, comment, directory, random):
    if kind is None:
        return None
    users = list(directory.users)
    assignees = users[:-1] if kind == "USER" else list(directory.teams)
    return {
        "assigned_by_id": users[-1],
        "assigned_to_id": random.choice(assignees),
        "assigned_to_type": kind,
        "assignment_comment": comment,
    }
