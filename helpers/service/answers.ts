import type { Answer } from '../../engine/http/client.ts'
import { Breach, NotDecidable, Trouble } from '../../engine/outcome.ts'
import { problemsOf, shown } from './schema.ts'

export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: 'USER' | 'TEAM'
  assignment_comment?: string | null
}

export type Task = {
  id: string
  updated_at: string
  assignment: Assignment | null
  [field: string]: unknown
}

export type JsonObject = Record<string, unknown>

export const isAccepted = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300

export const isRefused = ({ status }: Pick<Answer, 'status'>) => status >= 400 && status < 500

/** What was asked and what came, as the beginning of a sentence. */
export const describeAnswer = ({ method, path, status }: Answer) =>
  `${method} ${path} answered ${status}`

/** The value of a body that is JSON; undefined for one that is not. */
export function jsonIn({ text }: Pick<Answer, 'text'>): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const excess = excessOf(text)
  if (excess) throw new Trouble(`the answer is JSON of more than ${excess} to be read`)
  return value
}

/** Nobody needs as many, and whatever compares or prints a value calls itself once for each. */
const maxLevels = 200
/** Parsed, small values take up a hundred times as much as their text. */
const maxValues = 50_000

/** By its text, for a value of a hostile size takes longer to walk through than to read. */
function excessOf(json: string): string | undefined {
  let level = 0
  let values = 0
  for (const [sign] of json.matchAll(/[[\]{},]|"[^"\\]*(?:\\.[^"\\]*)*"/g)) {
    if (sign === '[' || sign === '{') level += 1
    if (sign === ']' || sign === '}') level -= 1
    if (sign === '[' || sign === '{' || sign === ',') values += 1
    if (level > maxLevels) return `${maxLevels} levels: too deep`
    if (values > maxValues) return `${maxValues} values: too much`
  }
  return undefined
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object in an answer's body; anything else there breaks the contract. */
export function objectIn(answer: Answer): JsonObject {
  const value = jsonIn(answer)
  if (isObject(value)) return value
  const what = value === undefined ? `no JSON: ${shown(answer.text)}` : shown(value)
  throw new Breach(`${describeAnswer(answer)} with ${what}, not with a JSON object`)
}

/**
 * The Task in an answer, of which the members that later steps read are asserted: without this a
 * member left out would end as a TypeError of ours.
 */
export function taskIn(answer: Answer): Task {
  const body = objectIn(answer)
  const needed = problemsOf('task', body).filter(({ path }) =>
    /^(id|updated_at|assignment(\..*)?)$/.test(path),
  )
  if (needed.length > 0)
    throw new Breach(
      `${describeAnswer(answer)}: ${needed.map(({ sentence }) => sentence).join('; ')}`,
    )
  if (body.updated_at === null)
    throw new NotDecidable(
      `${describeAnswer(answer)} with updated_at null: there is no version to send`,
    )
  return body as Task
}

/** The Task of a read that a clause only stands on: what is wrong with it is not its matter. */
export const taskRead = (answer: Answer): Task => taskStoodOn(answer, 'task.read.*')

/** The Task in the answer to an update that a clause only stands on. */
export const taskAnswered = (answer: Answer): Task => taskStoodOn(answer, 'assign.answer-is-task')

function taskStoodOn(answer: Answer, matterOf: string): Task {
  needAccepted(answer)
  try {
    return taskIn(answer)
  } catch (error) {
    if (!(error instanceof Breach)) throw error
    throw new NotDecidable(`${error.message}: see ${matterOf}`)
  }
}

/** Ends the clause when a step that it only stands on was not accepted. */
export function needAccepted(answer: Answer): void {
  if (isAccepted(answer)) return
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer)}: the key may not do this`)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}, and this clause stands on it`)
  throw new NotDecidable(`${describeAnswer(answer)}, and this clause stands on it being accepted`)
}

/** Goes on only where the condition holds, or the step was accepted; gives the Task of the step. */
export function premise(answer: Answer): Task
export function premise(condition: boolean, otherwise: string): void
export function premise(given: Answer | boolean, otherwise = ''): Task | undefined {
  if (typeof given !== 'boolean') return taskAnswered(given)
  if (!given) throw new NotDecidable(otherwise)
  return undefined
}

/** Refusing is everyone's right while what a key may do is not shown: 403 leaves a clause undecided. */
export function premisePermitted(answer: Pick<Answer, 'method' | 'path' | 'status'>): void {
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer as Answer)}: the key may not do this`)
}
