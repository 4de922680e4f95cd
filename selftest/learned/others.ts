import type { Report } from '../../engine/run/report.ts'
import { hasPython, meet } from '../python-service/meet.ts'

/** A service that somebody else wrote, and how to get the report of a run against it. */
export type Other = { name: string; report(): Promise<Report | undefined> }

/** The other implementations of the contract that the tests have, as they are by themselves. */
export const others: Other[] = [
  ...(hasPython()
    ? [
        {
          name: 'the service in Python',
          report: async () => (await meet({ name: 'plain', kind: 'profile', sentence: '' })).report,
        },
      ]
    : []),
]
