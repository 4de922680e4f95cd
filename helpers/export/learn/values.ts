// Values to try a filter with.

import { acceptedBody } from '../../../engine/http/answers.ts'
import type { Reading } from '../../reads/readings.ts'
import { metadata } from '../../service/operations.ts'
import type { Settings } from '../../settings/table.ts'
import { type Field, isMetadataKey, type Parameter } from '../ask/query.ts'
import { isPlain } from './cells.ts'
import { likelyColumns, namedColumns, type Source, valuesShown } from './columns.ts'
import type { Window } from './window.ts'

export type Sources = {
  settings: Settings
  read(): Promise<{ tasks: Reading[]; assessments: Reading[] }>
}

/** The contract's own examples. */
const examples: Record<Parameter, readonly string[]> = {
  auditee_id: [],
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
}

/** Values of a field that are declared, or that tasks and assessments show: events may have them. */
export async function valuesBeside(field: Field, { settings, read }: Sources): Promise<string[]> {
  if (!isMetadataKey(field)) {
    const people = [settings.actorId ?? [], settings.userIds].flat()
    return field === 'auditee_id' ? people : [...examples[field]]
  }
  return [
    ...new Set([...(settings.metadataValues[field] ?? []), ...(await valuesRead(field, read))]),
  ]
}

export async function valuesRead(field: Field, read: Sources['read']): Promise<string[]> {
  if (!isMetadataKey(field) || metadata[field].task === undefined) return []
  const { tasks, assessments } = await read()
  const values = [
    ...memberValues(tasks, metadata[field].task),
    ...memberValues(assessments, metadata[field].assessment),
  ]
  return [...new Set(values)]
}

function memberValues(readings: Reading[], name: string | undefined): string[] {
  return readings
    .map(({ answer }) => (name === undefined ? undefined : acceptedBody(answer)?.[name]))
    .filter((value): value is string => typeof value === 'string' && value !== '')
}

/**
 * Values of a parameter to try before the encoding is known, the likeliest first: from a column with its
 * name, from the contract and the settings, from similar columns.
 */
export async function valuesToTry(
  parameter: Parameter,
  window: Window,
  sources: Sources,
): Promise<string[]> {
  const beside = await valuesBeside(parameter, sources)
  const of = (columns: Source[], maxEach: number) =>
    columns.slice(0, 2).flatMap((source) => valuesShown(source, window.rows).slice(0, maxEach))
  const named = of(namedColumns(parameter, window), 2)
  const likely = of(likelyColumns(parameter, window, beside), 1)
  const some = [...named.slice(0, 1), ...beside.slice(0, 2), ...named.slice(1), ...likely]
  return [...new Set(some)].filter(isPlain)
}
