import { commandLine, isOfVitest } from '../../engine/called.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { present } from './present.ts'

/** A longer value has to stand in the shell that repeats a run. */
const longest = 80
const mostOthers = 5
const anId = /[\da-f]{8}-[\da-f]{4}/

/** Two ways to repeat a breach: a run, and a script or why there is none. */
type Repeating = { run: string; script?: string; why?: string }

/** How to repeat a broken clause, by the way the run was started; `dir` is the folder of reports. */
export function repeatingOf({ id, breaches = [] }: ClauseReport, report: Report, dir = '') {
  const files = Object.keys(report.settingsFiles ?? {}).filter((file) => file !== '.env')
  // Of several clauses that met it, the first is enough.
  const ids = [id, ...(breaches[0]?.metBy?.slice(0, 1) ?? [])].join()
  const flags = present([
    files.map((file) => `--env-file ${quoted(file)}`),
    `--clauses ${ids}`,
    report.readOnly && '--read-only',
    report.recorded === undefined && `--seed ${report.seed}`,
  ])
  const command = commandLine('check', flags.join(' '))
  const run = isOfVitest ? command : `${settingsOf(report)}${command}`
  const repeat = breaches.find((each) => each.repeat)?.repeat
  const why = breaches.find((each) => each.notRepeated)?.notRepeated
  if (!repeat) return { run, why }
  return { run, script: `sh ${dir === '' ? '' : `${dir}/`}${repeat}` }
}

/** The settings that no file sets. Ids, secrets and long values stay in the shell; of many, all do. */
function settingsOf({ target, settings, settingsFiles = {} }: Report): string {
  const all = { ...(target.embedded ? {} : { BASE_URL: target.baseUrl }), ...settings }
  const written = Object.values(settingsFiles).flat()
  const own = Object.entries(all).filter(([name]) => !written.includes(name))
  const isShown = (value: string | null) =>
    value !== null && value.length <= longest && !anId.test(value)
  const shown = own.flatMap(([name, value]) =>
    isShown(value) ? `${name}=${quoted(value as string)} ` : [],
  )
  const others = own.flatMap(([name, value]) => (isShown(value) ? [] : `${name}="$${name}" `))
  return [...shown, ...(others.length > mostOthers ? [] : others)].join('')
}

/** The two ways as commands to paste. */
export const commandsOf = ({ run, script }: Repeating): string =>
  script === undefined ? run : `${script}\n# or the whole clause, with the suite installed:\n${run}`

const quoted = (text: string) =>
  /^[\w:./,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
