import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import type { Note, Report } from '../../engine/run/report.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { mistakeIn, readJson } from './read-json.ts'

export type Noted = Note & { clause: string }

type Entry = Record<string, string>
type Form = { example: Entry; optional?: string; day: string; isDay(text: string): boolean }

function readEntries(flag: string, file: string, cwd: string, form: Form): Entry[] {
  const { example, optional, day, isDay } = form
  const place = `${flag} ${file}`
  const wanted = `write [${JSON.stringify(example)}].`
  const list = readJson(resolve(cwd, file), {
    unread: (reason) => `${place} cannot be read (${reason}); give a readable file.`,
    notJson: () => `${place} is not JSON; ${wanted}`,
  })
  if (!Array.isArray(list)) return mistakeIn(place)(` does not hold a list; ${wanted}`)
  const known = [...Object.keys(example), ...(optional ? [optional] : [])]
  return list.map((entry, at) => {
    const mistake = mistakeIn(`${place}, entry ${at + 1}: `)
    if (!isObject(entry)) return mistake(`it is not an object; ${wanted}`)
    const odd = Object.keys(entry).find((name) => !known.includes(name))
    if (odd !== undefined) return mistake(`unknown member '${odd}'; ${wanted}`)
    const isText = (name: string) => typeof entry[name] === 'string' && entry[name].trim() !== ''
    const missing = known.find((name) => !isText(name) && (name in example || name in entry))
    if (missing !== undefined) return mistake(`${missing} is missing or not a text; ${wanted}`)
    const texts = Object.fromEntries(
      Object.entries(entry).map(([name, text]) => [name, String(text).trim()]),
    )
    return isDay(texts[day] ?? '')
      ? texts
      : mistake(`${day} is '${texts[day]}'; give a day, such as ${example[day]}.`)
  })
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

export function readWaivers(file: string, cwd: string): Waived[] {
  const waivers = readEntries('--waivers', file, cwd, {
    example: { clause: '…', reason: 'why it is accepted', until: '2026-12-31' },
    optional: 'ticket',
    ...{ day: 'until', isDay },
  }) as Waived[]
  const mistake = mistakeIn(`--waivers ${file}: `)
  for (const [at, { clause }] of waivers.entries()) {
    if (/[*?,]/.test(clause)) mistake(`clause is '${clause}'; give the id of one clause.`)
    if (waivers.findIndex((each) => each.clause === clause) < at)
      mistake(`${clause} is waived twice; keep one of the two.`)
  }
  return waivers
}

export const readNotes = (file: string, cwd: string): Noted[] =>
  readEntries('--notes', file, cwd, {
    example: { clause: '…', text: '…', who: '…', when: '2026-12-31' },
    ...{ day: 'when', isDay: (text) => !Number.isNaN(Date.parse(text)) },
  }) as Noted[]

/** Notes change no verdict. */
export function withNotes(report: Report, notes: readonly Noted[]): Report {
  const known = new Set(report.clauses.map(({ id }) => id))
  const lost = notes.filter(({ clause }) => !known.has(clause))
  return {
    ...report,
    notices: [
      ...report.notices,
      ...lost.map(({ clause }) => `a note is about ${clause}, which is not in this run`),
    ],
    clauses: report.clauses.map((clause) => {
      const own = notes.flatMap(({ clause: id, ...note }) => (id === clause.id ? [note] : []))
      return own.length > 0 ? { ...clause, notes: own } : clause
    }),
  }
}
