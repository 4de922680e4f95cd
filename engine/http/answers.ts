import { memberFinding } from '../findings/member.ts'
import { Trouble } from '../outcome.ts'
import { parsed } from '../parsed.ts'
import { type Problem, problem } from '../problem.ts'
import type { Answer } from './client.ts'

export { describeAnswer } from '../head.ts'

export type JsonObject = Record<string, unknown>

export const isAccepted = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300

export const isRefused = ({ status }: Pick<Answer, 'status'>) => status >= 400 && status < 500

/** An unexpected error: asked again, the server may answer. */
export const isInternalError = ({ status }: Pick<Answer, 'status'>) => status === 500

export function jsonIn({ text }: Pick<Answer, 'text'>): unknown {
  const value = parsed(text)
  if (value === undefined) return undefined
  const excess = excessOf(text)
  if (excess) throw new Trouble(`the response is JSON with more than ${excess} to be read`)
  return value
}

const maxLevels = 200
/** Small values take a hundred times as much memory parsed as their text. */
const maxValues = 50_000

/** Checked on the text: walking a hostile value takes longer than scanning it. */
function excessOf(json: string): string | undefined {
  const most = json.split('{').length + json.split('[').length
  if (most < maxLevels && json.length < maxValues) return undefined
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

export function membersOf(answer: Parameters<typeof jsonIn>[0]): JsonObject {
  const value = jsonIn(answer)
  return isObject(value) ? value : {}
}

export function acceptedBody(answer: Pick<Answer, 'status' | 'text'>): JsonObject | undefined {
  const value = isAccepted(answer) ? jsonIn(answer) : undefined
  return isObject(value) ? value : undefined
}

export function problemsOfNoObject(answer: Answer): Problem[] {
  const value = jsonIn(answer)
  if (isObject(value)) return []
  const wanted = { kind: 'form' as const, form: 'a JSON object' }
  const finding = memberFinding(answer, { member: '', got: value ?? answer.text, wanted })
  return [problem(finding, { judged: answer })]
}
