import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lendService, start } from '../../helpers/loans/lent-service.ts'

// HUNDRED=100 npx vitest run selftest/program/many/hundred makes so many.
const count = Number(process.env.HUNDRED ?? '4')
const peakModule = join(import.meta.dirname, '../../hostile/peak.mjs')
const clauses = ['--clauses', 'version.stale.*,task.read.*,export.csv.*,export.pdf.*']

const filesIn = (dir: string) =>
  existsSync(dir) ? readdirSync(dir, { recursive: true }).map(String).sort() : []

test(`${count} runs on one service leave no more than the first, and take no more memory`, {
  timeout: 3_600_000,
}, async () => {
  const lent = await lendService()
  const [temporary, peakFile] = [join(lent.place, 'tmp'), join(lent.place, 'peak')]
  mkdirSync(temporary)
  const env = {
    ...lent.env,
    TMPDIR: temporary,
    PEAK_FILE: peakFile,
    NODE_OPTIONS: `--import=${peakModule}`,
  }
  const peaks: number[] = []
  let first: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const { code, output } = await start('directly', 'check', { ...env, SEED: `${n}` }, clauses)
      .ended
    expect(code, output).toBe(0)
    peaks.push(Number(readFileSync(peakFile, 'utf8')))
    if (n === 1) first = filesIn(lent.env.REPORTS_DIR)
    expect(filesIn(lent.env.REPORTS_DIR)).toEqual(first)
    expect(filesIn(temporary)).toEqual([])
    expect(lent.journal()).toEqual([])
    expect(await lent.changed()).toEqual([])
  }
  const [before, after] = [Math.max(...peaks.slice(0, 2)), Math.min(...peaks.slice(-2))]
  expect(after, `peaks in kB: ${peaks.join(', ')}`).toBeLessThan(before * 1.2)
})
