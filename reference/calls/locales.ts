import type { Column } from './export-call.ts'

/** The languages of exports. */
export const locales = ['en', 'de', 'fr', 'es']

/** A text in each language but English, which uses the names themselves. */
type Translations = [de: string, fr: string, es: string]

/** The titles of columns. */
const titles: Partial<Record<Column, Translations>> = {
  id: ['Kennung', 'identifiant', 'identificador'],
  time: ['Zeitpunkt', 'date', 'fecha'],
  auditee_id: ['Benutzer', 'utilisateur', 'usuario'],
  event_type: ['Ereignisart', "type d'événement", 'tipo de evento'],
  sub_type: ['Unterart', 'sous-type', 'subtipo'],
  system_source: ['Quelle', 'source', 'origen'],
  description: ['Beschreibung', 'description', 'descripción'],
  comment: ['Kommentar', 'commentaire', 'comentario'],
  tag: ['Schlagwort', 'étiquette', 'etiqueta'],
  workflow_step: ['Arbeitsschritt', 'étape', 'paso'],
}

/** The words for types and subtypes of events. */
const labels: Record<string, Translations> = {
  assessment: ['Bewertung', 'évaluation', 'evaluación'],
  task: ['Aufgabe', 'tâche', 'tarea'],
  entity: ['Rechtsträger', 'entité', 'entidad'],
  screening: ['Prüfung', 'contrôle', 'control'],
  inquiry: ['Anfrage', 'demande', 'consulta'],
  created: ['angelegt', 'créé', 'creado'],
  updated: ['geändert', 'modifié', 'actualizado'],
  completed: ['abgeschlossen', 'terminé', 'completado'],
  viewed: ['angesehen', 'consulté', 'consultado'],
  assigned: ['zugewiesen', 'attribué', 'asignado'],
  reassigned: ['neu zugewiesen', 'réattribué', 'reasignado'],
  unassigned: ['Zuweisung aufgehoben', 'désattribué', 'desasignado'],
}

const inLocale = (locale: string, translations: Translations | undefined): string | undefined =>
  translations?.[locales.indexOf(locale) - 1]

/** The title of a column in a language; its name in English or without a translation. */
export const titleIn = (locale: string, column: Column): string =>
  inLocale(locale, titles[column]) ?? column

/** The word for a value in a language; only types and subtypes are translated. */
export const labelIn = (locale: string, column: Column, value: string): string =>
  column === 'event_type' || column === 'sub_type'
    ? (inLocale(locale, labels[value]) ?? value)
    : value
