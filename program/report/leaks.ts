import { readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { secretFinder } from '../../engine/http/redaction.ts'
import type { Report } from '../../engine/run/report.ts'
import type { makers } from '../run/contract.ts'

/** A key that may be a common word, as mocks accept. Any other key in a file has leaked. */
const word = /^[a-z-]{1,12}$/i

/**
 * Searches written files for the key in every encoding and removes those that hold it. A key such as "test"
 * also occurs in the suite's own words: that is not a leak.
 */
export function removeLeaks(
  files: readonly string[],
  secrets: readonly string[],
  made: typeof makers,
  report: Report,
) {
  const removed: string[] = []
  // Those whose own words contain the key.
  const unsearched: string[] = []
  for (const secret of secrets.filter(Boolean)) {
    const holds = secretFinder(secret)
    const left = files.filter((file) => !removed.includes(file))
    for (const file of left.filter((each) => holds(readFileSync(each)))) {
      const own = word.test(secret) ? made[basename(file)]?.(blankOf(report)) : undefined
      if (own && holds(Buffer.from(own))) unsearched.push(file)
      else {
        rmSync(file)
        removed.push(file)
      }
    }
  }
  return { removed, unsearched }
}

/** Replaces values from the service in a report. */
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

/** The report without any value from the service: its files hold the suite's own words alone. */
export const blankOf = (report: Report): Report =>
  JSON.parse(
    JSON.stringify(report, (key, value) => {
      if (key in blanks) return blanks[key]
      return typeof value === 'string' && !ownWords.test(key) && key !== '' ? '-' : value
    }),
  )
