type Parameter = {
  /** several values in one request, whose encoding the contract does not show */
  several?: true
  /** the only values that are allowed */
  values?: readonly string[]
  /** what a request without it means */
  default?: string
  /** values that the contract gives as examples */
  examples?: readonly string[]
}

/** The parameters of an export, all of them optional. */
export const parameters = {
  auditee_id: { several: true, examples: [] },
  event_type: { several: true, examples: ['assessment'] },
  sub_type: { several: true, examples: ['created', 'updated'] },
  system_source: { several: true, examples: ['assessment_service', 'task_platform'] },
  metadata: {},
  range_start: {},
  range_end: {},
  file_type: { values: ['csv', 'pdf'], default: 'csv' },
  locale: { default: 'en' },
  timezone: {},
} as const satisfies Record<string, Parameter>

type Parameters = typeof parameters

export type ArrayParameter = {
  [Name in keyof Parameters]: Parameters[Name] extends { several: true } ? Name : never
}[keyof Parameters]

export const arrayParameters = (Object.keys(parameters) as (keyof Parameters)[]).filter(
  (name) => 'several' in parameters[name],
) as [ArrayParameter, ...ArrayParameter[]]

/** An event is classified by these. */
export const classes = [
  'event_type',
  'sub_type',
  'system_source',
] as const satisfies ArrayParameter[]

export type FileType = Parameters['file_type']['values'][number]
export const fileTypes = parameters.file_type.values

export const isFileType = (text: string): text is FileType =>
  fileTypes.some((type) => type === text)

export const defaultLanguage: string = parameters.locale.default

/** The parameter of a metadata key, with its brackets as the contract writes them. */
export const metadataParameter = (key: string): string => `metadata[${key}]`
