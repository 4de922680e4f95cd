import type { Column } from './export-call.ts'

/** The languages of exports: titles of columns, and words for values. */
export const words: Record<string, Words> = {
  en: { titles: {}, labels: {} },
  de: {
    titles: {
      id: 'Kennung',
      time: 'Zeitpunkt',
      auditee_id: 'Benutzer',
      event_type: 'Ereignisart',
      sub_type: 'Unterart',
      system_source: 'Quelle',
      description: 'Beschreibung',
      comment: 'Kommentar',
      tag: 'Schlagwort',
      workflow_step: 'Arbeitsschritt',
    },
    labels: {
      assessment: 'Bewertung',
      task: 'Aufgabe',
      entity: 'Rechtsträger',
      screening: 'Prüfung',
      inquiry: 'Anfrage',
      created: 'angelegt',
      updated: 'geändert',
      completed: 'abgeschlossen',
      viewed: 'angesehen',
      assigned: 'zugewiesen',
      reassigned: 'neu zugewiesen',
      unassigned: 'Zuweisung aufgehoben',
    },
  },
  fr: {
    titles: {
      id: 'identifiant',
      time: 'date',
      auditee_id: 'utilisateur',
      event_type: "type d'événement",
      sub_type: 'sous-type',
      system_source: 'source',
      description: 'description',
      comment: 'commentaire',
      tag: 'étiquette',
      workflow_step: 'étape',
    },
    labels: {
      assessment: 'évaluation',
      task: 'tâche',
      entity: 'entité',
      screening: 'contrôle',
      inquiry: 'demande',
      created: 'créé',
      updated: 'modifié',
      completed: 'terminé',
      viewed: 'consulté',
      assigned: 'attribué',
      reassigned: 'réattribué',
      unassigned: 'désattribué',
    },
  },
  es: {
    titles: {
      id: 'identificador',
      time: 'fecha',
      auditee_id: 'usuario',
      event_type: 'tipo de evento',
      sub_type: 'subtipo',
      system_source: 'origen',
      description: 'descripción',
      comment: 'comentario',
      tag: 'etiqueta',
      workflow_step: 'paso',
    },
    labels: {
      assessment: 'evaluación',
      task: 'tarea',
      entity: 'entidad',
      screening: 'control',
      inquiry: 'consulta',
      created: 'creado',
      updated: 'actualizado',
      completed: 'completado',
      viewed: 'consultado',
      assigned: 'asignado',
      reassigned: 'reasignado',
      unassigned: 'desasignado',
    },
  },
}

type Words = { titles: Partial<Record<Column, string>>; labels: Record<string, string> }

/** The title of a column in a language; its name in English or without a translation. */
export const titleIn = (locale: string, column: Column): string =>
  words[locale]?.titles[column] ?? column

/** The word for a value in a language; only types and subtypes are translated. */
export const labelIn = (locale: string, column: Column, value: string): string =>
  column === 'event_type' || column === 'sub_type' ? (words[locale]?.labels[value] ?? value) : value
