import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { cut } from './cut.ts'
import { curlLine, exchangeLine, firstToSee, toldEvidence } from './evidence.ts'
import { present } from './present.ts'
import { commandsOf, repeatingOf } from './repeating.ts'

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
    breach?.log && `--on-breach: ${cut(breach.log, 4000)}`,
    breach && ['', commandsOf(repeatingOf(clause, report))],
    // Half a command is worse than none.
    curl !== undefined && curl.length < 2000 && ['', curl],
  ]).join('\n')
}
