const nullable =
  'Which task fields other than assignment, custom_metadata and name can be null: not shown.'

const untold =
  'The table names types; which fields of an assessment can be null is not stated (observed by assessment.read.nulls).'

/**
 * Dead things that may end green, as globs of their names, each with the sentence of the contract that
 * leaves the choice to the service.
 */
export const free: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['*_id', 'c_name', 'step_name', '*_at', 'data_version', 'status'].map((field) => [
      `task.${field}: always null`,
      nullable,
    ]),
  ),
  'task.name: always null': 'name | string or null | Task name; may be null.',
  'task.custom_metadata: always null':
    'custom_metadata | object or null | Can be an empty object or null.',
  'task.c_name: always empty': 'c_name | string | Task name value.',
  'task.name: always empty': 'name | string or null | Task name; may be null.',
  'task.status: always empty': 'Allowed values of status other than INCOMPLETE: not shown.',
  'task.step_name: always empty':
    'step_name | string | Name of the workflow step the task belongs to.',
  ...Object.fromEntries(
    ['*_id', 'created_at', 'error_*'].map((field) => [`assessment.${field}: always null`, untold]),
  ),
  'locale: ignored': 'List of supported locales: not shown.',
}
