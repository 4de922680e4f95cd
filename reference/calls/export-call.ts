import type { Call } from './call.ts'
import type { AuditEvent, MetadataKey } from './events.ts'

export type FileType = 'csv' | 'pdf'

export const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const

type Parameter = (typeof parameters)[number]

export type Filter = { of: 'event' | 'metadata'; name: string; values: string[] }

/** The bounds of a request as canonical timestamps; undefined if absent. */
export type Range = { start: string | undefined; end: string | undefined }

/** One export as the service understood it. */
export type Export = Call & {
  fileType: FileType
  locale: string
  zone: string
  filters: Filter[]
  range: Range
}

/** What can be wrong with a query besides what the contract names. */
export type QueryFlaw =
  | 'file type'
  | 'locale'
  | 'time zone'
  | 'range form'
  | 'metadata key'
  | 'unknown value'
  | 'parameter'

/** How a query lists several values of a parameter; `comma` may also be repeated. */
export type ArrayEncoding =
  | 'repeat'
  | 'brackets'
  | 'indices'
  | 'comma'
  | 'pipe'
  | 'semicolon'
  | 'space'
  | 'json'

/** A possible column: a field of an event, one metadata key, or all metadata as JSON. */
export type Column = Exclude<keyof AuditEvent, 'metadata'> | MetadataKey | 'metadata'

export const valueIn = (event: AuditEvent, { of, name }: { of: Filter['of']; name: string }) =>
  of === 'event' ? event[name as Parameter] : event.metadata[name as MetadataKey]

export const isIdentifier = (name: string): boolean => name.endsWith('_id')

export const locales = ['en', 'de', 'fr', 'es']

/** A text in each language but English, which uses the names themselves. */
type Translations = [de: string, fr: string, es: string]

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

/** Without a translation, a column has its name in English. */
export const titleIn = (locale: string, column: Column): string =>
  inLocale(locale, titles[column]) ?? column

/** The word for a value in a language; only types and subtypes are translated. */
export const labelIn = (locale: string, column: Column, value: string): string =>
  column === 'event_type' || column === 'sub_type'
    ? (inLocale(locale, labels[value]) ?? value)
    : value
