"""The query of an export: which events it holds, in which language."""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import available_timezones

from .audit import METADATA_KEYS
from .instants import UTC, parse_instant
from .web import stated_refusal

_PLAIN = ("id", "date", "auditee_id", "event_type", "sub_type", "system_source", "comment")
COLUMNS = _PLAIN + METADATA_KEYS

_TITLES = {
    "en": ("Audit events", "Exported", "Number of events", "Page"),
    "de": ("Audit-Ereignisse", "Exportiert", "Anzahl Ereignisse", "Seite"),
    "fr": ("Événements d'audit", "Exporté", "Nombre d'événements", "Page"),
    "it": ("Eventi di audit", "Esportato", "Numero di eventi", "Pagina"),
    "es": ("Eventos de auditoría", "Exportado", "Número de eventos", "Página"),
}

_LABELS = {
    "en": ("Event ID", "Date", "Auditee ID", "Event type", "Subtype", "System source", "Comment",
           "Entity ID", "Assessment ID", "Task ID", "Workflow instance ID", "Screening application ID",
           "Screening configuration ID", "Match ID", "Inquiry ID", "Tag", "Cache ID", "Workflow step"),
    "de": ("Ereignis-ID", "Datum", "Verursacher-ID", "Ereignistyp", "Untertyp", "Quellsystem", "Kommentar",
           "Entitäts-ID", "Prüfungs-ID", "Aufgaben-ID", "Workflow-Instanz-ID", "Screening-Antrags-ID",
           "Screening-Konfigurations-ID", "Treffer-ID", "Anfrage-ID", "Schlagwort", "Cache-ID",
           "Workflow-Schritt"),
}

LOCALES = tuple(_TITLES)


class Wording:
    def __init__(self, locale):
        self.title, self.exported, self.count, self.page = _TITLES[locale]
        labels = _LABELS.get(locale) or [f"{label} ({locale})" for label in _LABELS["en"]]
        self._labels = dict(zip(COLUMNS, labels, strict=True))

    def label(self, column):
        return self._labels[column]


def cells_of(event, write_date):
    """What an event shows, by column."""
    return {**vars(event), "comment": event.comment or "", "date": write_date(event.occurred_at), **event.metadata}


ARRAY_FILTERS = ("auditee_id", "event_type", "sub_type", "system_source")
FILE_TYPES = ("csv", "pdf")
_ARRAY_NAME = re.compile(r"(%s)(\[\d*\])?" % "|".join(ARRAY_FILTERS))
_METADATA_NAME = re.compile(r"metadata\[([^\]]*)\](\[\d*\])?")


def _invalid(message):
    return stated_refusal("Bad Request", message)


@dataclass(frozen=True)
class Selection:
    arrays: dict
    metadata: dict
    start: datetime
    end: datetime

    def __call__(self, event):
        return (
            self.start <= event.occurred_at <= self.end
            and all(getattr(event, name) in values for name, values in self.arrays.items())
            and all(event.metadata.get(key) in values for key, values in self.metadata.items())
        )


@dataclass(frozen=True)
class ExportQuery:
    selection: Selection
    file_type: str
    locale: str
    timezone: str | None


def read_query(pairs):
    """The query parameters (name, value) as an ExportQuery; may refuse."""
    single = {name: value for name, value in pairs}
    file_type = _one_of(single.get("file_type") or "csv", FILE_TYPES, "file_type")
    start, end = _range(single)
    return ExportQuery(
        selection=Selection(arrays=_arrays(pairs), metadata=_metadata(pairs), start=start, end=end),
        file_type=file_type,
        locale=_one_of((single.get("locale") or "en").lower(), LOCALES, "locale"),
        timezone=_timezone(single),
    )


def _one_of(value, allowed, name):
    if value not in allowed:
        raise _invalid(f"{name} must be one of: {', '.join(allowed)}")
    return value


def _nullable(single, name):
    value = single.get(name, "")
    return None if value in ("", "null") else value


def _timezone(single):
    name = _nullable(single, "timezone")
    if name is None:
        return None
    if name not in available_timezones():
        raise _invalid("timezone must be an IANA time zone identifier")
    return name


def _arrays(pairs):
    """Values may be repeated (with or without brackets) or separated by commas."""
    arrays = {}
    for name, value in pairs:
        found = _ARRAY_NAME.fullmatch(name)
        if found and value:
            arrays.setdefault(found[1], []).extend(part.strip() for part in value.split(",") if part.strip())
    return arrays


def _metadata(pairs):
    metadata = {}
    for name, value in pairs:
        if name == "metadata":
            raise _invalid("metadata is sent as metadata[<key>]=<value>")
        found = _METADATA_NAME.fullmatch(name)
        if not found:
            continue
        if found[1] not in METADATA_KEYS:
            raise _invalid(f"metadata key is not allowed: {found[1]}")
        if value:
            metadata.setdefault(found[1], []).append(value)
    return metadata


def _range(single):
    start = _bound(single, "range_start", datetime.min)
    end = _bound(single, "range_end", datetime.max)
    if start > end:
        raise _invalid("range_start is later than range_end")
    return start, end


def _bound(single, name, furthest):
    text = _nullable(single, name)
    try:
        return furthest.replace(tzinfo=UTC) if text is None else parse_instant(text)
    except ValueError as problem:
        raise _invalid(f"{name}: {problem}") from None
