"""The audit events that a new world starts with."""

from datetime import datetime, timedelta

from .audit import METADATA_KEYS, Event
from .instants import UTC, to_milliseconds

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
