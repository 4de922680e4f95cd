import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import type { Scene, Symptom } from './causes/cause.ts'
import { causesOfCell } from './causes/of-cell.ts'
import { causesOfEffect } from './causes/of-effect.ts'
import { causesOfMalformed } from './causes/of-malformed.ts'
import { causesOfMember } from './causes/of-member.ts'
import { causesOfReveals } from './causes/of-reveals.ts'
import { causesOfRows } from './causes/of-rows.ts'
import { causesOfSaid } from './causes/of-said.ts'
import { causesOfStatus } from './causes/of-status.ts'
import { causesOfText } from './causes/of-text.ts'
import { causesOfTwins } from './causes/of-twins.ts'
import { causesOfUnserved } from './causes/of-unserved.ts'
import { causesOfWinners } from './causes/of-winners.ts'
import { exchangesBy } from './evidence.ts'
import { cut } from './texts.ts'

// What a breach shows. Broken clauses whose breaches have a symptom in common have one cause.

/** The symptoms of a breach, the most telling first. */
export function symptomsOf(
  breach: Breach,
  { statement }: Pick<ClauseReport, 'statement'>,
  report: Report,
): Symptom[] {
  const [judged = {} as Partial<Exchange>] = exchangesBy(breach.judged, report)
  const route = kindOf(breach, report)
  const scene: Scene = { breach, judged, route, statement, statuses: report.statuses ?? {} }
  const { finding } = breach
  switch (finding?.kind) {
    case 'cell':
      return causesOfCell(finding)
    case 'effect':
      return causesOfEffect(finding, scene)
    case 'email':
      return [{ key: 'no email', title: 'Sends no email for an accepted update' }]
    case 'malformed':
      return causesOfMalformed(finding, scene)
    case 'member':
      return causesOfMember(finding, scene)
    case 'reveals':
      return causesOfReveals(finding, scene)
    case 'rows':
      return causesOfRows(finding)
    case 'status':
      return causesOfStatus(finding, scene)
    case 'text':
      return causesOfText(finding, scene)
    case 'twins':
      return causesOfTwins(finding, scene)
    case 'undone':
      return [{ key: 'undone', title: 'Undoes an accepted update' }]
    case 'unserved':
      return causesOfUnserved(finding, scene)
    case 'winners':
      return causesOfWinners(finding)
    default:
      return causesOfSaid(scene)
  }
}

export const kindOf = ({ judged }: Breach, report: Report): string => {
  const [first] = exchangesBy(judged, report)
  return first ? `${first.method} ${routeOf(first.path)}` : ''
}

export const routeOf = (path: string): string =>
  path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, '…')

const longest = 140
const short = 40

/** Statements whose opposite needs no "not". */
const opposites: [RegExp, string][] = [
  [/^leave (.+) unchanged\b/, 'Changes $1'],
  [/^return no /, 'Returns '],
  [/^not /, 'Does '],
]

/** What a clause does not find, in the words of its statement: the law says what a service does. */
export function titleOf({ statement }: ClauseReport, breach?: Breach): string {
  const [expected, got] = [breach?.expected ?? '', breach?.got ?? ''].map(shortened) as [
    string,
    string,
  ]
  const [, rest] = /^respond \d+(?:, not \d+,)? (?!with\b)(.+)$/.exec(statement) ?? []
  const isStatus = breach?.finding?.kind === 'status'
  if (rest && isStatus) return cut(`Responds ${got}, not ${expected}, ${rest}`, longest)
  const [words, opposite] = opposites.find(([words]) => words.test(statement)) ?? []
  if (words) return cut(statement.replace(words, opposite as string), longest)
  const isTold = got !== '' && got.length <= short && expected.length <= short
  const value = isTold ? `: ${got}${isStatus ? '' : `, not ${expected}`}` : ''
  return `${cut(`Does not ${statement}`, longest - value.length)}${value}`
}

const shortened = (value: string) => value.replace(/([\da-f]{8})-[\da-f]{4}-[\da-f-]{20,}/g, '$1…')
