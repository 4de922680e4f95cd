import { commandLine } from '../../engine/called.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { present } from './present.ts'

/** A longer value has to stand in the shell that repeats a run. */
const longest = 80

/** Two ways to repeat a breach: a run, and a script or why there is none. */
type Repeating = { run: string; script?: string; why?: string }

/** How to repeat a broken clause; `dir` is the folder of reports. */
export function repeatingOf({ id, breaches = [] }: ClauseReport, report: Report, dir = '') {
  const { target, settings = {}, settingsFiles: files = {}, recorded } = report
  const all = { ...(target.embedded ? {} : { BASE_URL: target.baseUrl }), ...settings }
  const written = Object.values(files).flat()
  const needed = Object.entries(all).flatMap(([name, value]) => {
    if (written.includes(name)) return []
    return `${name}=${value === null || value.length > longest ? `"$${name}"` : quoted(value)} `
  })
  const from = Object.keys(files).filter((file) => file !== '.env')
  const ids = [id, ...(breaches[0]?.metBy ?? [])].join(',')
  const flags = present([
    from.map((file) => `--env-file ${quoted(file)}`),
    `--clauses ${ids}`,
    recorded === undefined && `--seed ${report.seed}`,
  ])
  const run = `${needed.join('')}${commandLine('check', flags.join(' '))}`
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
