"""The seeded world of a new service, with the audit events that it starts with."""

import random as randomness
from dataclasses import dataclass
from datetime import datetime, timedelta

from .assignment import Directory, Team, User
from .audit import AuditLog, Event, METADATA_KEYS
from .instants import UTC, iso_utc, to_milliseconds
from .tasks import TaskStore

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


class Streams:
    """A random stream for each name, so that a new field or metadata key moves no other value."""

    def __init__(self, seed):
        self._seed = seed
        self._streams = {}

    def of(self, name):
        if name not in self._streams:
            self._streams[name] = randomness.Random(f"{self._seed} {name}")
        return self._streams[name]


def seed_events(number, auditees, assessments, streams):
    end = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    length = timedelta(days=round(MONTHS * 30.44))
    random = streams.of("event.occurred_at")
    instants = sorted(_instant(end - random.random() * length, random) for _ in range(number))
    for border in range(TIE_EVERY, number, TIE_EVERY):
        for index in range(border - 1, min(border + 2, number)):
            instants[index] = instants[border - 2]
    pools = _metadata_pools(assessments, streams)
    return [_event(index, instant, auditees, pools, streams) for index, instant in enumerate(sorted(instants))]


def identifier(random):
    digits = f"{random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _instant(moment, random):
    """Some are on a full minute."""
    return to_milliseconds(moment.replace(second=0, microsecond=0) if random.random() < 0.05 else moment)


def _metadata_pools(assessments, streams):
    pools = {key: [identifier(streams.of(f"pool.{key}")) for _ in range(12)] for key in METADATA_KEYS}
    for key, member in (("entity_id",) * 2, ("assessment_id", "id"), ("workflow_instance_id",) * 2):
        pools[key] += [assessment[member] for assessment in assessments]
    return {**pools, "tag": _TAGS, "workflow_step": _STEPS}


def _event(index, instant, auditees, pools, streams):
    event_type, sub_types, source = streams.of("event.event_type").choice(_KINDS)
    keys = [key for key in METADATA_KEYS
            if index % 25 == 0 or key == "entity_id" or streams.of(f"metadata.{key}").random() < 0.45]
    return Event(
        occurred_at=instant,
        auditee_id=streams.of("event.auditee_id").choice(auditees),
        event_type=event_type,
        sub_type=streams.of("event.sub_type").choice(sub_types),
        system_source=_source(source, streams.of("event.system_source")),
        metadata={key: streams.of(f"metadata.{key}").choice(pools[key]) for key in keys},
        comment=streams.of("event.comment").choice(_COMMENTS),
        id=identifier(streams.of("event.id")),
    )


def _source(usual, random):
    return random.choice(_KINDS)[2] if random.random() < 0.15 else usual


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
    assessments: dict
    log: AuditLog
    lent: dict  # what a client has to know, as environment variables


def seed_world(settings):
    streams = Streams(settings.seed)
    users = [User(identifier(streams.of("user.id")), name, address) for name, address in _USERS]
    teams = [Team(identifier(streams.of("team.id")), name, tuple(users[index] for index in members))
             for name, members in _TEAMS]
    institution_id = identifier(streams.of("institution.id"))
    related = [_assessment(state, institution_id, streams) for state in _STATES]
    assessments, tasks = {assessment["id"]: assessment for assessment in related}, TaskStore(settings)
    task_ids = [_add_task(tasks, index, plan, related, users, teams, streams)
                for index, plan in enumerate(_CHANGEABLE_TASKS + _READ_ONLY_TASKS)]
    events = seed_events(settings.events, [user.id for user in users], related, streams)
    api_key = f"key-{streams.of('api_key').getrandbits(128):032x}"
    return World(api_key, Directory(users, teams), tasks, assessments, AuditLog(settings, events), {
        "API_KEY": api_key,
        "TASK_IDS": ",".join(task_ids[:len(_CHANGEABLE_TASKS)]),
        "READ_TASK_IDS": ",".join(task_ids[len(_CHANGEABLE_TASKS):]),
        "ASSESSMENT_IDS": ",".join(assessments),
        "ACTOR_ID": users[-1].id,
        "USER_IDS": ",".join(user.id for user in users),
        "TEAM_IDS": ",".join(team.id for team in teams),
        "USER_MAILS": ",".join(f"{user.id}={user.address}" for user in users),
        "TEAM_MAILS": ",".join(f"{team.id}={';'.join(user.address for user in team.members)}" for team in teams),
    })


def _past(random, days):
    moment = datetime.now(UTC) - timedelta(days=days, seconds=random.randrange(86_400))
    return moment.replace(microsecond=random.randrange(1000) * 1000)


_ERROR = {
    "error_message": "The registry did not answer",
    "error_details": {"attempts": 3, "registry": "commercial"},
    "error_step": "Screening",
    "error_type": "ExternalServiceError",
}


def _assessment(state, institution_id, streams):
    ids = ("id", "entity_id", "outcome_id", "status_id", "template_id", "workflow_instance_id")
    return {
        **{name: identifier(streams.of(f"assessment.{name}")) for name in ids},
        "created_at": iso_utc(_past(streams.of("assessment.created_at"), 60)),
        "institution_id": institution_id,
        "workflow_state": state,
        **(_ERROR if state == "Error" else dict.fromkeys(_ERROR)),
    }


def _add_task(tasks, index, plan, related, users, teams, streams):
    kind, comment, named, custom_metadata = plan
    assessment, step = related[index % len(related)], _STEPS[index % len(_STEPS)]
    created = _past(streams.of("task.created_at"), 30)
    task = {
        "id": identifier(streams.of("task.id")),
        "assessment_id": assessment["id"],
        "assessment_template_id": assessment["template_id"],
        "assignment": kind and {
            "assigned_by_id": users[-1].id,
            "assigned_to_id": streams.of("task.assignment").choice(users[:-1] if kind == "USER" else teams).id,
            "assigned_to_type": kind,
            "assignment_comment": comment,
        },
        "c_name": step.lower().replace(" ", "_"),
        "name": f"{step} {index + 1}" if named else None,
        "created_at": iso_utc(created),
        "locked_at": iso_utc(created + timedelta(days=1)),
        "custom_metadata": custom_metadata,
        "data_version": streams.of("task.data_version").randrange(1, 9),
        **{name: assessment[name] for name in ("entity_id", "institution_id", "workflow_instance_id")},
        "microfrontend_id": identifier(streams.of("task.microfrontend_id")),
        "status": "INCOMPLETE",
        "step_name": step,
    }
    tasks.add(task, updated_at=_past(streams.of("task.updated_at"), 3))
    return task["id"]
