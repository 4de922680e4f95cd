// What an update leaves as it is, held against every answer whichever clause asked (rule R9).

import { isDeepStrictEqual } from 'node:util'
import {
  describeAnswer,
  isAccepted,
  isObject,
  type JsonObject,
  jsonIn,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { again } from './again.ts'
import { isSameId } from './ids.ts'
import type { Owned } from './judge.ts'

/** What is neither the assignment nor said to count or to lock anything. */
export const otherFields = [
  'created_at',
  'entity_id',
  'assessment_id',
  'assessment_template_id',
  'institution_id',
  'workflow_instance_id',
  'microfrontend_id',
  'c_name',
  'name',
  'step_name',
  'custom_metadata',
]

/** Metadata may be an empty object or null. */
const known = (value: unknown) =>
  isObject(value) && Object.keys(value).length === 0 ? null : (value ?? null)

/** Whether a field is as it was, upper and lower case of ids apart. */
export const isKept = (before: unknown, after: unknown): boolean =>
  isDeepStrictEqual(known(before), known(after)) ||
  (typeof before === 'string' && isSameId(before, after))

/** Attempts that were refused may be noted in metadata, between one answer and the next: all may not go. */
const isChanged = (field: string, before: unknown, after: unknown): boolean =>
  field === 'custom_metadata'
    ? known(before) !== null && known(after) === null
    : !isKept(before, after)

/** How a task was before the version that it has now: by task and version. */
export type FormerTasks = Map<string, { task: JsonObject; exchange: number; isOfUpdate: boolean }>

const keyOf = (id: string, version: unknown) => `${id.toLowerCase()} ${version}`

/**
 * Fields that are otherwise than before the update which made this version; `taken` is the version that
 * an update was accepted with, undefined for a read.
 */
export function problemsOfOtherFields(
  former: FormerTasks,
  id: string,
  answer: Answer,
  taken?: string,
): Owned[] {
  const task = isAccepted(answer) ? jsonIn(answer) : undefined
  if (!isObject(task) || typeof task.updated_at !== 'string' || task.updated_at === taken) return []
  const key = keyOf(id, task.updated_at)
  const before = former.get(taken === undefined ? key : keyOf(id, taken))
  if (!before) {
    // What comes first of a version is what it is, and the answer to an update is not first.
    if (taken === undefined) former.set(key, { task, exchange: answer.exchange, isOfUpdate: false })
    return []
  }
  if (taken === undefined && !before.isOfUpdate) return []
  const changed = otherFields.filter(
    (field) =>
      field in task && field in before.task && isChanged(field, before.task[field], task[field]),
  )
  // Said once: what follows is held against what it has become.
  const fields = {
    ...before.task,
    ...Object.fromEntries(changed.map((each) => [each, task[each]])),
  }
  former.set(key, { task: fields, exchange: before.exchange, isOfUpdate: true })
  return changed.map((field): Owned => {
    const [expected, got] = [shown(before.task[field]), shown(task[field])]
    const how = taken === undefined ? 'after an update' : 'to an update'
    return {
      owner: 'assign.only-the-assignment',
      ...problem(`${describeAnswer(answer)} ${how}: ${field} is ${got}, and was ${expected}`, {
        expected,
        got,
        judged: answer,
        control: before.exchange,
        again: again.kept(field, taken === undefined ? 'read' : undefined),
      }),
    }
  })
}
