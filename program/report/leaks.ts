import { readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { secretFinder } from '../../engine/http/redaction.ts'
import type { Report } from '../../engine/run/report.ts'
import type { makers } from '../run/contract.ts'

export type Search = {
  /** files that held the key and were removed */
  removed: string[]
  /** files that could not be searched, for their own words hold what the key consists of */
  unsearched: string[]
}

/** A key that may be a word, as mocks take them: any other in a file is there because it leaked. */
const word = /^[a-z-]{1,12}$/i

/**
 * Looks for the key in files that were written, however it is written there, and removes those
 * that hold it. A key such as "test" stands in the words that a file is made with: that is no leak.
 */
export function removeLeaks(
  files: readonly string[],
  secrets: readonly string[],
  made: typeof makers,
  report: Report,
): Search {
  const found: Search = { removed: [], unsearched: [] }
  for (const secret of secrets.filter(Boolean)) {
    const holds = secretFinder(secret)
    const left = files.filter((file) => !found.removed.includes(file))
    for (const file of left.filter((each) => holds(readFileSync(each)))) {
      const own = word.test(secret) ? made[basename(file)]?.(blankOf(report)) : undefined
      if (own && holds(Buffer.from(own))) found.unsearched.push(file)
      else {
        rmSync(file)
        found.removed.push(file)
      }
    }
  }
  return found
}

/** What stands in a report in place of what came from elsewhere. */
const blanks: Record<string, unknown> = {
  baseUrl: 'http://-',
  path: '/?a=b',
  headers: { 'content-type': 'application/json' },
  requestHeaders: { apikey: '(configured)' },
  body: '{}',
  requestBody: '{}',
  observed: '-',
  exportFacts: undefined,
}

const ownWords = /^(id|level|verdict|cause|role|method|start|startedAt|until)$/

/** The report with nothing of the service in it: what is made of it holds the words of the suite alone. */
export const blankOf = (report: Report): Report =>
  JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (key in blanks) return blanks[key]
      return typeof value === 'string' && !ownWords.test(key) && key !== '' ? '-' : value
    }),
  )
