import { describe, expect, test } from 'vitest'
import { lendBehind } from '../in-front.ts'
import { failedIn, visit } from '../visit.ts'
import { scopes, silences, spoiling } from './silences.ts'

/** As it is shipped a run takes up to two minutes here: ENDLESS=default measures that. */
const isDefault = process.env.ENDLESS === 'default'
const patience: Record<string, string> = isDefault
  ? { TIMEOUT_MS: '10000', DOWNLOAD_TIMEOUT_S: '60', SETTLE_MS: '2000', AUDIT_WAIT_S: '30' }
  : { TIMEOUT_MS: '1000', DOWNLOAD_TIMEOUT_S: '3' }
const mostSeconds = isDefault ? 120 : 90

const cases = Object.entries(silences).flatMap(([what, silence]) =>
  Object.entries(scopes).map(([where, scope]) => ({ name: `${what}: ${where}`, silence, scope })),
)

describe.concurrent('a run ends, and is condemned of nothing, where a service answers with', () => {
  test.for(cases)('$name', async ({ name, silence, scope }) => {
    let since: number | undefined
    const spoil = spoiling(silence, scope)
    const lent = await lendBehind((...given) => {
      const isSpoilt = spoil(...given)
      if (isSpoilt) since ??= performance.now()
      return isSpoilt
    })
    const visited = await visit({ ...lent.env, RUN_TIMEOUT_S: '600', ...patience })
    const seconds = (performance.now() - (since ?? Number.NaN)) / 1000
    const { code, output, report } = visited
    const changed = await lent.changed()
    if (isDefault)
      process.stdout.write(
        `| ${name} | ${code} | ${Math.round(seconds)} | ${lent.count()} | ${changed.length} |\n`,
      )
    expect(failedIn(visited), output).toEqual([])
    expect(code, output).toBe(3)
    expect(seconds, output).toBeLessThan(mostSeconds)
    expect(report.reasons.join(), output).not.toContain('RUN_TIMEOUT_S')
    expect(report.residue.map(({ task }) => task)).toEqual(expect.arrayContaining(changed))
  })
})
