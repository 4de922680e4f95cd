"""The languages of an export."""

from .audit import METADATA_KEYS

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
    "fr": ("ID de l'événement", "Date de l'événement", "ID de l'auteur", "Type d'événement", "Sous-type",
           "Système source", "Commentaire", "ID de l'entité", "ID de l'évaluation", "ID de la tâche",
           "ID du workflow", "ID de la demande de filtrage", "ID de la configuration de filtrage",
           "ID de la correspondance", "ID de la requête", "Étiquette", "ID du cache", "Étape du workflow"),
    "it": ("ID evento", "Data", "ID autore", "Tipo di evento", "Sottotipo", "Sistema di origine", "Commento",
           "ID entità", "ID valutazione", "ID attività", "ID istanza workflow", "ID richiesta screening",
           "ID configurazione screening", "ID corrispondenza", "ID richiesta", "Etichetta", "ID cache",
           "Fase del workflow"),
    "es": ("ID del evento", "Fecha", "ID del autor", "Tipo de evento", "Subtipo", "Sistema de origen",
           "Comentario", "ID de la entidad", "ID de la evaluación", "ID de la tarea",
           "ID del flujo de trabajo", "ID de la solicitud", "ID de la configuración",
           "ID de la coincidencia", "ID de la consulta", "Etiqueta", "ID de la caché",
           "Paso del flujo de trabajo"),
}

LOCALES = tuple(_TITLES)


class Wording:
    def __init__(self, locale):
        self.title, self.exported, self.count, self.page = _TITLES[locale]
        self._labels = dict(zip(COLUMNS, _LABELS[locale], strict=True))

    def label(self, column):
        return self._labels[column]
