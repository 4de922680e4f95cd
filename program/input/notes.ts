import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import type { Note, Report } from '../../engine/run/report.ts'
import { mistakeIn } from './or-impossible.ts'
import { readList } from './read-json.ts'

export type Noted = Note & { clause: string }

const wanted = 'write [{"clause": "…", "text": "…", "who": "…", "when": "2026-12-31"}].'
const members = ['clause', 'text', 'who', 'when']

export function readNotes(file: string, cwd: string): Noted[] {
  return readList(resolve(cwd, file), `--notes ${file}`, wanted).map((entry, at) => {
    const mistake = mistakeIn(`--notes ${file}, entry ${at + 1}: `)
    const isText = (name: string) =>
      isObject(entry) && typeof entry[name] === 'string' && entry[name].trim() !== ''
    const missing = members.find((name) => !isText(name))
    if (!isObject(entry) || missing !== undefined)
      return mistake(`${missing} is missing or not a text; ${wanted}`)
    const odd = Object.keys(entry).find((name) => !members.includes(name))
    if (odd !== undefined) return mistake(`unknown member '${odd}'; ${wanted}`)
    if (Number.isNaN(Date.parse(String(entry.when))))
      return mistake(`when is '${entry.when}'; give a day, such as 2026-12-31.`)
    return entry as Noted
  })
}

/** Adds people's notes to a report; they change no verdict. */
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
      const own = notes.filter((note) => note.clause === clause.id)
      return own.length === 0
        ? clause
        : { ...clause, notes: own.map(({ text, who, when }) => ({ text, who, when })) }
    }),
  }
}
