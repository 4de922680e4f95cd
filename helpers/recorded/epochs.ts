// What recorded exports show beside one another: files of a time in which the trail stood still.

import { learnIdentity } from '../../engine/files/identity.ts'
import {
  isEqual,
  lastingColumns,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
  stableColumns,
} from '../../engine/files/multiset.ts'
import { describeAnswer, isRefused } from '../../engine/http/answers.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { PdfExport } from '../export/ask/pdf-export.ts'
import { describeFilter, type Field, isMetadataKey, type Query } from '../export/ask/query.ts'
import { predicted } from '../export/laws/oracle.ts'
import { PDF_LIMIT } from '../export/laws/pdf-limit.ts'
import { problemsOfShown } from '../export/laws/pdf-parts.ts'
import { eventsOf } from '../export/laws/words.ts'
import { nameMatch } from '../export/learn/cells.ts'
import { problemsOfEvents } from '../export/learn/relations.ts'
import type { Findings } from './findings.ts'
import { clauseOf, hasFilters, isPdf, type Look, textOf, valuesIn, without } from './looks.ts'
import type { Seen } from './recorded.ts'

const maxLooks = 40

/** Looks between two equal looks at all events of a range: what they show was there all the time. */
type Epoch = { whole: Look; columns: number[]; looks: Look[] }

const countOf = ({ rows = [] }: Look) => rows.length

export function epochsOf(looks: readonly Look[]): Epoch[] {
  const wholes = looks.filter(
    ({ query, rows }) => rows && rows.length > 1 && !hasFilters(query) && !query.more,
  )
  const epochs: Epoch[] = []
  const ended = new Map<string, number>()
  for (const whole of wholes) {
    if ((ended.get(whole.text) ?? 0) > whole.start) continue
    const equal = wholes.filter(
      (other) =>
        other.text === whole.text && other.start >= whole.end && countOf(other) === countOf(whole),
    )
    const last = equal.at(-1)
    if (!last) continue
    const columns = stableColumns(whole.rows ?? [], last.rows ?? [])
    if (
      columns.length === 0 ||
      !isEqual(multisetOf(whole.rows ?? [], columns), multisetOf(last.rows ?? [], columns))
    )
      continue
    ended.set(whole.text, last.end)
    const isIn = ({ start, end, query }: Look) =>
      start >= whole.start && end <= last.end && isWithin(query, whole.query)
    const byText = new Map(looks.filter(isIn).map((look) => [look.text, look]))
    epochs.push({ whole, columns, looks: [...byText.values()].slice(0, maxLooks * 5) })
  }
  return epochs
}

const timeOf = (bound: string | undefined, otherwise: number) =>
  bound === undefined ? otherwise : Date.parse(bound)

/** Whether a range lies in another one. */
const isWithin = (part: Query, whole: Query) =>
  timeOf(part.start, Number.NEGATIVE_INFINITY) >= timeOf(whole.start, Number.NEGATIVE_INFINITY) &&
  timeOf(part.end, Number.POSITIVE_INFINITY) <= timeOf(whole.end, Number.POSITIVE_INFINITY)

export async function judgeEpoch(
  findings: Findings,
  { whole, columns, looks }: Epoch,
  refused: { seen: Seen; query: Query }[],
) {
  const byText = new Map(looks.map((look) => [look.text, look]))
  const find = (query: Query) => byText.get(textOf(query))
  const lasting = (part: Look) => lastingColumns(whole.rows ?? [], part.rows ?? [], columns)
  const eventsIn = (look: Look, kept: readonly number[]): Multiset =>
    from(multisetOf(look.rows ?? [], kept), look.number)
  const isAlike = (one: Look, other: Look) => one.rows?.[0]?.length === other.rows?.[0]?.length

  for (const look of looks) {
    const { query } = look
    const plain = { ...query, fileType: query.fileType ?? 'csv' }
    if (look.rows) {
      for (const [field, values] of valuesIn(query)) judgeFilter(look, field, values)
      if (query.fileType === null)
        judgeSame('export.default-csv', look, find({ ...query, fileType: 'csv' }))
      if (query.locale === undefined)
        judgeSame('export.default-locale', look, find({ ...query, locale: 'en' }))
      if (query.timezone !== undefined)
        judgeCount('export.timezone.same-events', look, otherWith({ ...query }, 'timezone'))
      if (query.locale !== undefined)
        judgeCount('export.locale.same-events', look, otherWith({ ...query }, 'locale'))
      judgeRange(look)
    } else
      await judgePdf(
        look,
        find({ ...plain, fileType: 'csv' }) ?? find({ ...plain, fileType: null }),
      )
  }
  for (const { seen, query } of refused) {
    const { answer, number } = seen
    const isIn =
      seen.start >= whole.start && isRefused(answer) && ![401, 403, 429].includes(answer.status)
    const named = query.fileType === null ? find({ ...query, fileType: 'csv' }) : undefined
    if (isIn && named)
      findings.judged(
        'export.default-csv',
        problemsOfStatus(answer, '2xx', { control: named.number }),
        number,
      )
    const unnamed =
      query.locale === 'en' ? find({ ...query, locale: undefined } as Query) : undefined
    if (isIn && unnamed)
      findings.judged(
        'export.default-locale',
        problemsOfStatus(answer, '2xx', { control: unnamed.number }),
        number,
      )
    if (answer.status === 400 && isPdf(query)) {
      const csv = find({ ...query, fileType: 'csv' }) ?? find({ ...query, fileType: null })
      if (csv && countOf(csv) > PDF_LIMIT) findings.decided(['export.pdf-limit.over'], number)
    }
  }

  function otherWith(query: Query, name: 'timezone' | 'locale'): Look | undefined {
    const { [name]: _, ...rest } = query
    return find(rest as Query) ?? find({ ...query, [name]: name === 'timezone' ? 'UTC' : 'en' })
  }

  /** Two files that are to be the same. */
  function judgeSame(clause: string, one: Look, other: Look | undefined) {
    if (!other?.rows) return
    const [a, b] = [eventsIn(one, columns), eventsIn(other, columns)]
    const apart = sizeOf(minus(a, b)) + sizeOf(minus(b, a))
    const titles = JSON.stringify(one.header) === JSON.stringify(other.header)
    const what = apart > 0 ? `${apart} of the rows` : 'its titles'
    const sentence = `${describeAnswer(one.answer)} with another file than ${other.answer.path}: they differ in ${what}`
    const facts = {
      expected: 'the same file',
      got: `another in ${what}`,
      judged: one.number,
      control: other.number,
    }
    findings.judged(clause, apart === 0 && titles ? [] : [problem(sentence, facts)], one.number)
  }

  function judgeCount(clause: string, one: Look, other: Look | undefined) {
    if (!other?.rows || one === other || countOf(other) < 2) return
    const sentence = `${describeAnswer(one.answer)} with ${eventsOf(countOf(one))}, and ${other.answer.path} has ${countOf(other)}`
    const facts = {
      expected: eventsOf(countOf(other)),
      got: eventsOf(countOf(one)),
      judged: one.number,
      control: other.number,
    }
    findings.judged(
      clause,
      countOf(one) === countOf(other) ? [] : [problem(sentence, facts)],
      one.number,
    )
  }

  function atMost(look: Look, others: readonly Look[], most: number, what: string): Problem[] {
    if (countOf(look) <= most) return []
    const control = others.map(({ number }) => number)
    return [
      problem(`${describeAnswer(look.answer)} with ${eventsOf(countOf(look))}, ${what}`, {
        expected: `${eventsOf(most)} at most`,
        got: eventsOf(countOf(look)),
        judged: look.number,
        control,
      }),
    ]
  }

  function judgeFilter(look: Look, field: Field, values: string[]) {
    const wide = find(without(look.query, field))
    if (!wide?.rows) return
    findings.judged(
      clauseOf(field, 'narrows'),
      atMost(look, [wide], countOf(wide), `and ${countOf(wide)} without ${field}`),
      look.number,
    )
    if (
      values.length !== 1 ||
      look.query.locale !== undefined ||
      look.query.timezone !== undefined ||
      !isAlike(look, wide)
    )
      return
    const [value = ''] = values
    const kept = lasting(look)
    const found = eventsIn(look, kept)
    const all = eventsIn(wide, kept)
    const exact = (problems: Problem[]) =>
      findings.judged(clauseOf(field, 'exact'), problems, look.number)
    const what = describeFilter(field, value)
    // An event has one value of a field: those of two values have nothing in common.
    for (const [, other] of byText) {
      const [theirs] = valuesIn(other.query).find(([name]) => name === field)?.[1] ?? []
      if (
        !other.rows ||
        theirs === undefined ||
        theirs.toLowerCase() === value.toLowerCase() ||
        field === 'tag'
      )
        continue
      if (textOf(without(other.query, field)) !== wide.text) continue
      const sum = countOf(look) + countOf(other)
      if (sum > countOf(wide))
        exact(
          atMost(
            look,
            [other, wide],
            Math.max(0, countOf(wide) - countOf(other)),
            `though ${countOf(other)} of ${countOf(wide)} have another value`,
          ),
        )
    }
    const column = wide.header?.findIndex((title) => nameMatch(title, field) === 'so') ?? -1
    const showing = (wide.rows ?? []).filter(
      (row) => row[column]?.toLowerCase() === value.toLowerCase(),
    )
    const isShown = column >= 0 && showing.length > 0 && showing.length < countOf(wide)
    const least = isShown ? multisetOf(showing, kept) : new Map()
    exact(
      problemsOfEvents(`CSV for ${what}`, found, {
        least,
        most: isShown ? least : all,
        all,
        control: wide.number,
      }),
    )
    const pair = valuesIn(look.query).find(([name]) => name !== field)
    const beside = pair && find(without(look.query, pair[0]))
    const none = pair && find(without(without(look.query, field), pair[0]))
    if (!pair || !beside?.rows || !none?.rows || pair[0] < field) return
    const alone = [eventsIn(beside, kept), eventsIn(wide, kept)].map((events) => [events])
    const both = predicted(alone, eventsIn(none, kept))
    const clause =
      isMetadataKey(field) && isMetadataKey(pair[0])
        ? 'export.metadata.conjunction'
        : 'export.filter.conjunction'
    findings.judged(
      clause,
      problemsOfEvents(`CSV for ${what} and ${describeFilter(pair[0], ...pair[1])}`, found, {
        ...both,
        control: [beside.number, wide.number],
      }),
      look.number,
    )
  }

  /** Ranges that lie in one another, that meet, and that do not. */
  function judgeRange(look: Look) {
    const { start, end, ...rest } = look.query
    const alike = looks.filter(
      (other) =>
        other.rows &&
        other !== look &&
        textOf({ ...other.query, start, end } as Query) === look.text,
    )
    for (const other of alike.slice(0, maxLooks)) {
      if (isWithin(look.query, other.query))
        findings.judged(
          'export.range.outside',
          atMost(look, [other], countOf(other), `and ${countOf(other)} in a range around it`),
          look.number,
        )
      if (
        end === undefined ||
        other.query.start === undefined ||
        Date.parse(other.query.start) < Date.parse(end)
      )
        continue
      const around = find({ ...rest, start, end: other.query.end } as Query)
      if (!around?.rows || !isAlike(look, around) || countOf(around) < 2) continue
      const meet = other.query.start === end
      const [a, b, all] = [look, other, around].map((each) => eventsIn(each, lasting(look))) as [
        Multiset,
        Multiset,
        Multiset,
      ]
      const sum: Multiset = new Map(a)
      for (const [row, count] of b) sum.set(row, (sum.get(row) ?? 0) + count)
      const [lost, more] = [sizeOf(minus(all, sum)), sizeOf(minus(sum, all))]
      const problems: Problem[] = []
      const facts = { judged: [look.number, other.number], control: around.number }
      if (meet && lost > 0)
        problems.push(
          problem(
            `${lost} of ${eventsOf(countOf(around))} of a range are in neither of two parts that meet`,
            { expected: 'each event in a part', got: `${lost} in none`, ...facts },
          ),
        )
      if (!meet && more > 0)
        problems.push(
          problem(
            `two ranges that do not meet hold ${more} events more than the range around them`,
            { expected: 'no event twice', got: `${more} more`, ...facts },
          ),
        )
      findings.judged(meet ? 'export.range.split' : 'export.range.apart', problems, look.number)
    }
  }

  async function judgePdf(look: Look, csv: Look | undefined) {
    const { pdf, query, number, answer } = look
    if (!pdf || !csv?.rows) return
    if (countOf(csv) > PDF_LIMIT)
      findings.judged(
        'export.pdf-limit.over',
        problemsOfStatus(answer, 400, { control: csv.number, what: eventsOf(countOf(csv)) }),
        number,
      )
    const { text } = pdf
    if (!text || countOf(csv) > PDF_LIMIT) return
    const letters = text.join('').trim().length
    if (countOf(csv) > 0)
      findings.judged(
        'export.pdf.text',
        letters > 0
          ? []
          : [
              problem(
                `${describeAnswer(answer)} without text, and the CSV has ${eventsOf(countOf(csv))}`,
                { expected: 'text', got: 'none', judged: number, control: csv.number },
              ),
            ],
        number,
      )
    if (letters === 0 || countOf(csv) === 0) return
    try {
      const full = find({ ...whole.query, fileType: 'pdf' })
      const identity = learnIdentity(
        full?.pdf?.text ?? text,
        (full?.pdf ? whole.rows : csv.rows) ?? [],
      )
      const shows: PdfExport = {
        answer: answer as never,
        query: '',
        isDescribed: true,
        read: async () => pdf,
      }
      const isPart = query.start !== whole.query.start || query.end !== whole.query.end
      const problems = await problemsOfShown(`PDF for ${answer.path}`, shows, {
        wanted: csv.rows,
        all: whole.rows ?? [],
        identity,
      })
      const clause = hasFilters(query)
        ? 'filter.pdf'
        : query.timezone
          ? 'timezone.pdf'
          : query.locale
            ? 'locale.pdf'
            : isPart
              ? 'range.pdf.rows'
              : 'pdf-matches-csv'
      findings.judged(
        `export.${clause}`,
        problems.map((each) => ({ ...each, judged: [number], control: [csv.number] })),
        number,
      )
    } catch (error) {
      if (!(error instanceof NotDecidable)) throw error
    }
  }
}

/** Of three looks the second is another, though the first and the last are alike. */
export function judgeRepeats(findings: Findings, looks: readonly Look[]) {
  const byText = new Map<string, Look[]>()
  for (const look of looks)
    if (look.rows) byText.set(look.text, [...(byText.get(look.text) ?? []), look])
  for (const same of byText.values())
    for (const [at, look] of same.entries()) {
      const [before, after] = [same[at - 1], same[at + 1]]
      if (
        !before?.rows ||
        !after?.rows ||
        !look.rows ||
        before.end > look.start ||
        look.end > after.start
      )
        continue
      const columns = stableColumns(before.rows, after.rows)
      const [a, b, c] = [before, look, after].map(({ rows = [] }) => multisetOf(rows, columns)) as [
        Multiset,
        Multiset,
        Multiset,
      ]
      if (!isEqual(a, c)) continue
      const apart = sizeOf(minus(a, b)) + sizeOf(minus(b, a))
      const isTitled =
        JSON.stringify(look.header) === JSON.stringify(before.header) ||
        JSON.stringify(after.header) !== JSON.stringify(before.header)
      const sentence = `${describeAnswer(look.answer)} with other ${apart > 0 ? `rows (${apart})` : 'titles'} than before and after`
      const facts = {
        expected: 'the same file',
        got: 'another',
        judged: look.number,
        control: [before.number, after.number],
      }
      findings.judged(
        'export.deterministic',
        apart === 0 && isTitled ? [] : [problem(sentence, facts)],
        look.number,
      )
    }
}
