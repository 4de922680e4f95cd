import { commandLine, isOfVitest } from '../../engine/called.ts'
import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { curlLine, exchangeLine, firstToSee, toldEvidence } from './evidence.ts'
import { cut, present } from './texts.ts'

const most = 500

/** A clause that was broken or lost, as the text of an issue: all that a reader needs who has nothing else. */
export function issueOf(
  clause: ClauseReport,
  report: Report,
  quote?: { says: string; section: string },
): string {
  const { id, level, statement, section, reading, reason = '', breaches: [breach] = [] } = clause
  const seen = firstToSee(clause, report)
  const curl = curlLine(clause, report)
  return present([
    cut(`${id} (${level}, ${section}): ${statement}`, 1000),
    cut(reason, 4000),
    seen && `Request: ${exchangeLine(seen)}`,
    breach && [`Expected: ${cut(breach.expected, most)}`, `Got: ${cut(breach.got, most)}`],
    quote && `The contract, ${quote.section}: "${quote.says}"`,
    reading && cut(`Reading: ${reading}`, 1000),
    toldEvidence(clause) || undefined,
    breach && ['', commandsOf(repeatingOf(clause, report))],
    // Half a command is worse than none.
    curl !== undefined && curl.length < 2000 && ['', curl],
  ]).join('\n')
}

/** A longer value is named, not shown. */
const longest = 80
const anId = /[\da-f]{8}-[\da-f]{4}/

/** How to repeat a broken clause, as the run was started, or why no script can; `dir` holds the reports. */
export function repeatingOf({ id, breaches = [] }: ClauseReport, report: Report, dir = '') {
  const files = Object.keys(report.settingsFiles ?? {}).filter((file) => file !== '.env')
  // Of several clauses that met it, the first is enough.
  const ids = [id, ...(breaches[0]?.metBy?.slice(0, 1) ?? [])].join()
  const flags = present([
    files.map((file) => `--env-file ${quoted(file)}`),
    `--clauses ${ids}`,
    report.readOnly && '--read-only',
    `--seed ${report.seed}`,
  ])
  const command = commandLine('check', flags.join(' '))
  const { shown, needs } = settingsOf(report)
  const repeat = breaches.find((each) => each.repeat)?.repeat
  return {
    run: isOfVitest ? command : `${shown}${command}`,
    needs,
    script: repeat && `sh ${dir && `${dir}/`}${repeat}`,
    why: breaches.find((each) => each.notRepeated)?.notRepeated,
  }
}

/** The settings that no file sets. Ids, secrets and long values are only named: .env may set them too. */
function settingsOf({ target, settings, settingsFiles = {} }: Report) {
  const all = { ...(target.embedded ? {} : { BASE_URL: target.baseUrl }), ...settings }
  const written = Object.values(settingsFiles).flat()
  const own = Object.entries(all).filter(([name]) => !written.includes(name))
  const isShown = (value: string | null): value is string =>
    value !== null && value.length <= longest && !anId.test(value)
  const shown = own.map(([name, value]) => (isShown(value) ? `${name}=${quoted(value)} ` : ''))
  const others = own.flatMap(([name, value]) => (isShown(value) ? [] : name)).join(', ')
  return { shown: shown.join(''), needs: others !== '' && `needs, set as in this run: ${others}` }
}

export const commandsOf = ({ run, needs, script }: ReturnType<typeof repeatingOf>): string =>
  present([
    script && [script, '# or the whole clause, with the suite installed:'],
    needs && `# ${needs}`,
    run,
  ]).join('\n')

const quoted = (text: string) =>
  /^[\w:./,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The contract's sentences that a clause checks, those of its section first. */
export function quotesOf(
  { id, section }: Pick<ClauseReport, 'id' | 'section'>,
  { sentences }: Pick<Contract, 'sentences'>,
) {
  const all = Object.entries(sentences).flatMap(([heading, within]) =>
    within.flatMap((each) =>
      'says' in each && 'clauses' in each && matchesAny(id, each.clauses)
        ? [{ says: each.says, section: heading }]
        : [],
    ),
  )
  return all.sort((a, b) => Number(b.section === section) - Number(a.section === section))
}
