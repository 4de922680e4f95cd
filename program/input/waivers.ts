import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { mistakeIn } from './or-impossible.ts'
import { readList } from './read-json.ts'

export function readWaivers(file: string, cwd: string): Waived[] {
  const flag = `--waivers ${file}`
  const wanted = 'write [{"clause": "…", "reason": "…", "until": "2026-12-31"}].'
  const waivers = readList(resolve(cwd, file), flag, wanted).map((entry, at) =>
    parseWaiver(entry, mistakeIn(`${flag}, entry ${at + 1}: `)),
  )
  const twice = waivers.find((one, at) => waivers.findIndex((w) => w.clause === one.clause) < at)
  if (!twice) return waivers
  return mistakeIn(flag)(`: ${twice.clause} is waived twice; keep one of the two.`)
}

function parseWaiver(entry: unknown, mistake: (rest: string) => never): Waived {
  if (!isObject(entry)) return mistake('it is not an object; write {"clause", "reason", "until"}.')
  const odd = Object.keys(entry).find((name) => !Object.hasOwn(advice, name))
  if (odd !== undefined)
    return mistake(`unknown member '${odd}'; use ${Object.keys(advice).join(', ')}.`)
  const textAt = (name: string) => {
    const value = entry[name]
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim()
      : mistake(`${name} is missing or not a text; ${advice[name]}.`)
  }
  const clause = textAt('clause')
  if (/[*?,]/.test(clause)) return mistake(`clause is '${clause}'; give the id of one clause.`)
  const until = textAt('until')
  if (!isDay(until)) return mistake(`until is '${until}'; ${advice.until}.`)
  const reason = textAt('reason')
  return { clause, reason, until, ...(entry.ticket !== undefined && { ticket: textAt('ticket') }) }
}

const advice: Record<string, string> = {
  clause: 'give the id of one clause',
  reason: 'say why the failure is accepted',
  until: 'give its last day, such as 2026-12-31',
  ticket: 'leave it out, or name the ticket',
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)
