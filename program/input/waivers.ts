import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import { reasonOf } from '../../engine/journal/disk.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { UsageError } from './mistakes.ts'

const members = ['clause', 'reason', 'until', 'ticket']

/** Reads a file of waivers, or throws the first thing that is wrong with it. */
export function readWaivers(file: string, cwd: string): Waived[] {
  const mistake = (rest: string): never => {
    throw new UsageError(`--waivers ${file}${rest}`)
  }
  const list = parseList(readText(resolve(cwd, file), mistake), mistake)
  const waivers = list.map((entry, at) =>
    parseWaiver(entry, (rest) => mistake(`, entry ${at + 1}: ${rest}`)),
  )
  const twice = waivers.find((one, at) => waivers.findIndex((w) => w.clause === one.clause) < at)
  return twice ? mistake(`: ${twice.clause} is waived twice; keep one of the two.`) : waivers
}

type Mistake = (rest: string) => never

function readText(path: string, mistake: Mistake): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return mistake(` cannot be read (${reasonOf(error)}): give a file that can.`)
  }
}

function parseList(text: string, mistake: Mistake): unknown[] {
  const wanted = 'write [{"clause": "…", "reason": "…", "until": "2026-12-31"}].'
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : mistake(` does not hold a list; ${wanted}`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return mistake(` is not JSON; ${wanted}`)
  }
}

function parseWaiver(entry: unknown, mistake: Mistake): Waived {
  if (!isObject(entry)) return mistake('it is not an object; write {"clause", "reason", "until"}.')
  const odd = Object.keys(entry).find((name) => !members.includes(name))
  if (odd !== undefined) return mistake(`unknown member '${odd}'; use ${members.join(', ')}.`)
  const textAt = (name: string) => {
    const value = entry[name]
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim()
      : mistake(`${name} is missing or not a text; ${advice[name]}.`)
  }
  const clause = textAt('clause')
  if (/[*?,]/.test(clause)) return mistake(`clause holds '${clause}'; give the id of one clause.`)
  const until = textAt('until')
  if (!isDay(until)) return mistake(`until holds '${until}'; ${advice.until}.`)
  const reason = textAt('reason')
  return { clause, reason, until, ...(entry.ticket !== undefined && { ticket: textAt('ticket') }) }
}

const advice: Record<string, string> = {
  clause: 'give the id of one clause',
  reason: 'say why the failure is accepted',
  until: 'give the last day that it holds, such as 2026-12-31',
  ticket: 'leave it out, or name the ticket',
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)
