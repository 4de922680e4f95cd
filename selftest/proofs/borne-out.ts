// Whether each sentence of a breach is borne out by the exchanges that it names.

import { distinct } from '../../engine/distinct.ts'
import type { MemberFinding } from '../../engine/findings/member.ts'
import type { StatusFinding } from '../../engine/findings/status.ts'
import { describeAnswer } from '../../engine/head.ts'
import { isObject } from '../../engine/http/answers.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import { numbersIn } from '../../engine/problem.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { ifMatchOf } from '../../reporting/parts/evidence.ts'

/** Files and mails show these, and reports keep little of files. */
const ofTrail = /^(audit|notify|export)\./
const saysOthers = /simultaneous|sent at once, and it|with the same If-Match/

// A path with a colon behind it begins what a failed attempt says.
const responded = /(?:GET|PUT) \S+[^\s:] responded \d+/g
/** Ids, versions, and the comments of this suite that are not cut. */
const values = /"Contract test[^"\\…]*"|[\da-f]{8}-[\da-f-]{27}|\d+-\d\d-\d\dT[\d:]+\.?\d*Z/g

const assignmentIn = ({ body = '' }: Exchange) => {
  const task = parsed(body)
  return JSON.stringify(isObject(task) ? task.assignment : undefined)
}

const areAlike = (one: Exchange, other: Exchange) =>
  one !== other && one.path === other.path && ifMatchOf(one) === ifMatchOf(other)

/** The answer of a status finding, if none of the exchanges is it. */
function unshownAnswer({ of }: StatusFinding, all: readonly Exchange[]): string[] {
  const isShown = all.some(
    ({ method, path, status }) => method === of.method && path === of.path && status === of.status,
  )
  return isShown ? [] : [describeAnswer(of)]
}

/** What a member is said to be, if none of the exchanges shows it. */
function unshownMember(finding: MemberFinding, all: readonly Exchange[]): string[] {
  const { member, got, bodies } = finding
  if (member === '' || bodies !== undefined) return []
  // The suite reads a type in any letter case.
  const textOf = (value: unknown) => JSON.stringify(value ?? null).toLowerCase()
  const isShown = all.some(({ body = '' }) => textOf(valueAt(parsed(body), member)) === textOf(got))
  return isShown ? [] : [`${member} ${JSON.stringify(got)}`]
}

const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), body)

/** What a breach says, and its exchanges do not show. */
function unborneBy(breach: Breach, report: Report): string[] {
  const { finding, sentence, expected, got, judged, before = [] } = breach
  const named = (numbers: readonly number[]) =>
    report.exchanges.filter(({ number }) => numbers.includes(number))
  const all = named(numbersIn([breach]))
  if (finding?.kind === 'status') return unshownAnswer(finding, all)
  const lines = all.map(({ method, path, status }) => `${method} ${path} responded ${status}`)
  const texts = all.map((each) => JSON.stringify(each).replaceAll('\\', '')).join()
  const isWhole = all.every(({ body, status = 0 }) => body !== undefined || status >= 300)
  const told = isWhole ? ([sentence, expected, got].join(' ').match(values) ?? []) : []
  const [read] = named(judged)
  const isAsBefore = read && named(before).some((each) => assignmentIn(each) === assignmentIn(read))
  if (finding?.kind === 'member') {
    const unshown = isWhole ? unshownMember(finding, all) : []
    return [...unshown, ...(finding.isAsBefore && !isAsBefore ? ['what was there before'] : [])]
  }
  const updates = all.filter(({ method }) => method === 'PUT')
  const hasOthers = updates.some((one) => updates.some((other) => areAlike(one, other)))
  return [
    ...(sentence.match(responded) ?? []).filter((line) => !lines.includes(line)),
    ...told.filter((value) => !texts.includes(value.replaceAll('"', ''))),
    ...(saysOthers.test(sentence) && !hasOthers ? ['another update with its If-Match'] : []),
  ]
}

/** What two sentences on one exchange may not both say. */
const opposites: [RegExp, RegExp][] = [
  [/the read after it still shows/, /the assignment changed/],
  [/responded [45]\d\d, not 2xx/, / was accepted, /],
]

/** The sentences of one card that disagree. */
export function disagreeingIn({ clauses }: Pick<Report, 'clauses'>): string[] {
  const ofCards = clauses.flatMap(({ breaches = [] }) =>
    breaches.map(({ judged }) =>
      breaches.flatMap((each) =>
        each.judged.some((number) => judged.includes(number)) ? each.sentence : [],
      ),
    ),
  )
  const found = ofCards.flatMap((said) =>
    opposites.flatMap(([one, other]) => {
      const first = said.find((each) => one.test(each))
      const second = said.find((each) => other.test(each) && each !== first)
      return first && second ? `"${first}" and "${second}" disagree` : []
    }),
  )
  return distinct(found)
}

/** Sentences of breaches that say more than their exchanges show, and those that disagree. */
export const unborneIn = ({ report }: { report?: Report | undefined }): string[] =>
  report
    ? [
        ...disagreeingIn(report),
        ...report.clauses
          .filter(({ id }) => !ofTrail.test(id))
          .flatMap(({ id, breaches = [] }) =>
            breaches.flatMap((each) =>
              unborneBy(each, report).map(
                (what) => `${id} does not show ${what}: ${each.sentence}`,
              ),
            ),
          ),
      ]
    : []
