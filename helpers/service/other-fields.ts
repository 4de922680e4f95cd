// What an update must leave unchanged, judged over every answer.

import { isDeepStrictEqual } from 'node:util'
import {
  acceptedBody,
  describeAnswer,
  isObject,
  type JsonObject,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { shown } from '../../engine/shown.ts'
import { wordsOf } from '../../engine/word-list.ts'
import { again } from './again.ts'
import { isSameId } from './ids.ts'
import { type Owned, problemOwnedBy } from './judge.ts'

/** Fields besides the assignment that neither count nor lock anything. */
export const otherFields = wordsOf(
  'created_at entity_id assessment_id assessment_template_id institution_id workflow_instance_id microfrontend_id c_name name step_name custom_metadata',
)

/** Metadata may be an empty object or null. */
const known = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 0 ? null : (value ?? null)

export const isKept = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(known(before), known(after)) ||
  (typeof before === 'string' && isSameId(before, after))

/** The service may note refused attempts in metadata: entries may come, but not all may go. */
const isChanged = (field: string, before: unknown, after: unknown): boolean =>
  field === 'custom_metadata'
    ? known(before) !== null && known(after) === null
    : !isKept(before, after)

/** The fields besides the assignment that differ between two sights of a task. */
export const changedFields = (before: object, after: object): string[] => {
  const [one, other] = [before as JsonObject, after as JsonObject]
  return otherFields.filter(
    (field) => field in one && field in other && isChanged(field, one[field], other[field]),
  )
}

/** Each task before its current version, by task and version. */
export type FormerTasks = Map<string, { task: JsonObject; exchange: number; isOfUpdate: boolean }>

const keyOf = (id: string, version: unknown) => `${id.toLowerCase()} ${version}`

/**
 * Fields that differ from those before the update which made this version. `taken` is the If-Match of an
 * accepted update, undefined for a read.
 */
export function problemsOfOtherFields(
  former: FormerTasks,
  id: string,
  answer: Answer,
  taken?: string,
): Owned[] {
  const task = acceptedBody(answer)
  if (typeof task?.updated_at !== 'string' || task.updated_at === taken) return []
  const key = keyOf(id, task.updated_at)
  const before = former.get(taken === undefined ? key : keyOf(id, taken))
  if (!before) {
    // The first sight of a version defines it, except in the answer to its update.
    if (taken === undefined) former.set(key, { task, exchange: answer.exchange, isOfUpdate: false })
    return []
  }
  if (taken === undefined && !before.isOfUpdate) return []
  const changed = changedFields(before.task, task)
  // Reported once: later answers are compared with the new value.
  const now = Object.fromEntries(changed.map((each) => [each, task[each]]))
  const fields = changed.length === 0 ? before.task : { ...before.task, ...now }
  former.set(key, { task: fields, exchange: before.exchange, isOfUpdate: true })
  return changed.map((field) => {
    const [expected, got] = [shown(before.task[field]), shown(task[field])]
    const how = taken === undefined ? 'after an update' : 'to an update'
    const sentence = `${describeAnswer(answer)} ${how}: ${field} is ${got}, and was ${expected}`
    const kept = again.kept(field, taken === undefined ? 'read' : undefined)
    const facts = { expected, got, judged: answer, control: before.exchange, again: kept }
    return problemOwnedBy('assign.only-the-assignment', sentence, facts)
  })
}
