import type { Report } from '../../engine/run/report.ts'
import { hasPython, meet as meetFourth } from '../fourth-service/meet.ts'
import { runProgram } from '../proofs/prove.ts'
import { startOddService } from '../second-service/service.ts'
import { settingsOf } from '../second-service/settings.ts'
import { meet as meetThird } from '../third-service/meet.ts'

/** A service that somebody else wrote, and how to get the report of a run against it. */
export type Other = { name: string; report(): Promise<Report | undefined> }

/** The other implementations of the contract that the tests have, as they are by themselves. */
export const others: Other[] = [
  {
    name: 'the second service',
    async report() {
      const service = await startOddService({ seed: 1 })
      try {
        const { report } = await runProgram({ ...settingsOf(service), SEED: '1' })
        return report
      } finally {
        await service.close()
      }
    },
  },
  {
    name: 'the third service',
    report: async () => (await meetThird({ name: 'plain', kind: 'lawful' })).report,
  },
  ...(hasPython()
    ? [
        {
          name: 'the fourth service',
          report: async () =>
            (await meetFourth({ name: 'plain', kind: 'profile', sentence: '' })).report,
        },
      ]
    : []),
]
