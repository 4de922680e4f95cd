import { commandLine } from '../../engine/called.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'

/** Two ways to repeat a breach: a run, and a script or why there is none. */
type Repeating = { run: string; script?: string; why?: string }

/** How to repeat a broken clause; `dir` is the folder of reports. */
export function repeatingOf({ id, breaches = [] }: ClauseReport, report: Report, dir = '') {
  const { target, settings = {}, recorded } = report
  const all = { ...(target.embedded ? {} : { BASE_URL: target.baseUrl }), ...settings }
  const needed = Object.entries(all).map(
    ([name, value]) => `${name}=${value === null ? `"$${name}"` : quoted(value)} `,
  )
  const base = needed.join('')
  const seed = recorded === undefined ? ` --seed ${report.seed}` : ''
  const ids = [id, ...(breaches[0]?.metBy ?? [])].join(',')
  const run = `${base}${commandLine('check', `--clauses ${ids}${seed}`)}`
  const repeat = breaches.find((each) => each.repeat)?.repeat
  const why = breaches.find((each) => each.notRepeated)?.notRepeated
  if (!repeat) return { run, why }
  return { run, script: `sh ${dir === '' ? '' : `${dir}/`}${repeat}` }
}

/** The two ways as commands to paste. */
export const commandsOf = ({ run, script }: Repeating): string =>
  script === undefined ? run : `${script}\n# or the whole clause, with the suite installed:\n${run}`

const quoted = (text: string) =>
  /^[\w:./,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
