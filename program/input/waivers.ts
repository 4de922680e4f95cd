import { resolve } from 'node:path'
import { isObject } from '../../engine/http/answers.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { presentId } from '../../helpers/contract/former-ids.ts'
import { mistakeIn, readJson } from './read-json.ts'

const example = { clause: '…', reason: 'why it is accepted', until: '2026-12-31' }
const texts = [...Object.keys(example), 'ticket']
const known = [...texts, 'finding']
const wanted = `write [${JSON.stringify(example)}].`

export function readWaivers(file: string, cwd: string): Waived[] {
  const place = `--waivers ${file}`
  const list = readJson(resolve(cwd, file), {
    unread: (reason) => `${place} cannot be read (${reason}); give a readable file.`,
    notJson: () => `${place} is not JSON; ${wanted}`,
  })
  if (!Array.isArray(list)) return mistakeIn(place)(` does not hold a list; ${wanted}`)
  const waivers = list.map((entry, at) => waivedIn(entry, `${place}, entry ${at + 1}: `))
  const mistake = mistakeIn(`${place}: `)
  for (const [at, { clause }] of waivers.entries()) {
    if (/[*?,]/.test(clause)) mistake(`clause is '${clause}'; give the id of one clause.`)
    if (waivers.findIndex((each) => presentId(each.clause) === presentId(clause)) < at)
      mistake(`${clause} is waived twice; keep one of the two.`)
  }
  return waivers
}

function waivedIn(entry: unknown, place: string): Waived {
  const mistake = mistakeIn(place)
  if (!isObject(entry)) return mistake(`it is not an object; ${wanted}`)
  const odd = Object.keys(entry).find((name) => !known.includes(name))
  if (odd !== undefined) return mistake(`unknown member '${odd}'; ${wanted}`)
  const isText = (name: string) => typeof entry[name] === 'string' && entry[name].trim() !== ''
  const missing = texts.find((name) => !isText(name) && (name in example || name in entry))
  if (missing !== undefined) return mistake(`${missing} is missing or not a text; ${wanted}`)
  const { finding } = entry
  const hasKind = isObject(finding) && typeof finding.kind === 'string'
  if (finding !== undefined && !hasKind)
    return mistake(
      'finding has no kind; copy the finding of a breach from report.json, without what differs from run to run.',
    )
  const waiver = Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  ) as Waived
  if (!isDay(waiver.until))
    return mistake(`until is '${waiver.until}'; give a day, such as ${example.until}.`)
  return waiver
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)
