import { describe, expect, test } from 'vitest'
import { failedIn, visit } from '../visit.ts'
import { ways } from './far.ts'

/** As it is shipped: FAR=default measures with all clauses, and prints a row for each. */
const isDefault = process.env.FAR === 'default'

describe.concurrent('a service that is slow, far away or not always there is condemned of nothing:', () => {
  test.for(ways)('$name', async ({ name, lend, mostSeconds, clauses, lost }) => {
    const lent = await lend()
    const argv = clauses && !isDefault ? ['--clauses', clauses] : []
    const at = performance.now()
    const visited = await visit({ ...lent.env, RUN_TIMEOUT_S: '1800' }, argv)
    const seconds = (performance.now() - at) / 1000
    const { code, output, report } = visited
    const changed = await lent.changed()
    if (isDefault)
      process.stdout.write(
        `| ${name} | ${code} | ${Math.round(seconds)} | ${lent.count()} | ${changed.length} |\n`,
      )
    expect(failedIn(visited), output).toEqual([])
    expect(changed, output).toEqual([])
    if (!isDefault) expect(seconds, output).toBeLessThan(mostSeconds)
    const undecided = report.clauses.filter(({ verdict }) => verdict === 'inconclusive')
    const reasons = undecided.map(({ reason = '' }) => reason)
    expect(reasons.filter((reason) => !lost?.test(reason))).toEqual([])
    expect(code, output).toBe(undecided.some(({ level }) => level === 'must') ? 3 : 0)
  })
})
