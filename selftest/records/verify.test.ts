import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { digestsOf } from '../../program/run/record.ts'
import { madeBy } from '../../program/run/version.ts'
import { replayOf, verify } from '../../program/verify.ts'
import { sealOf } from '../../reporting/seal.ts'
import { isLong } from '../long.ts'
import { openTestFolder, openWorkerFolder } from '../test-end.ts'
import { changes } from './changes.ts'
import { reportIn, type Written } from './recording.ts'

const kept = join(import.meta.dirname, 'kept/a-small-service-that-loses-updates')
/** The run as if this commit had made it: another suite may ask for other things. */
const honest = openWorkerFolder()

const replays = new Map<string, Promise<Report>>()
/** Replays a record once. */
function replayOnce(record: string): Promise<Report> {
  const key = JSON.stringify(digestsOf(record))
  const found = replays.get(key) ?? replayOf(record)
  replays.set(key, found)
  return found
}

const seal = (report: Written) => Object.assign(report, { seal: sealOf(report) })
const write = (place: string, report: Written) =>
  writeFileSync(join(place, 'report.json'), JSON.stringify(report))

beforeAll(() => {
  cpSync(kept, honest, { recursive: true })
  const file = join(honest, 'record/record.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), madeBy }))
  const report = { ...reportIn(kept), ...madeBy, record: digestsOf(join(honest, 'record')) }
  write(honest, seal(report))
})

async function verified(place: string): Promise<{ code: number; output: string }> {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const argv = [join(place, 'report.json')]
  const code = await verify({ argv, env: {}, cwd: place, out, replay: replayOnce })
  return { code, output: output.join('') }
}

test('every verdict of an honest report is confirmed', async () => {
  const { code, output } = await verified(honest)
  expect(output).toMatch(/^NOT CONTRADICTED by the replay of .*: \d+ verdicts confirmed, 0 contrad/)
  expect(code, output).toBe(0)
})

const editors = ['leaves the seal', 'makes the seal and the digests anew'] as const
const all = changes.flatMap((change) => editors.map((editor) => ({ ...change, editor })))

describe(`${all.length} changes to a report or its record`, () => {
  test.each(all.filter((_, at) => isLong || (at < 34 ? at % 4 === 1 : at % 13 === 0)))(
    '$kind is found if its editor $editor',
    async ({ kind, editor, edit }) => {
      const place = openTestFolder()
      cpSync(honest, place, { recursive: true })
      const report = reportIn(place)
      const { sealed, replayed } = edit(report, join(place, 'record'))
      if (editor === editors[1])
        seal(Object.assign(report, { record: digestsOf(join(place, 'record')) }))
      write(place, report)
      const { code, output } = await verified(place)
      const lines = output.split('\n').filter((line) => line.startsWith('contradicted'))
      const wanted = editor === editors[0] ? sealed : replayed
      const said = lines.find((line) => line.includes(wanted)) ?? ''
      if (process.env.SAID) appendFileSync(process.env.SAID, `${kind}, ${editor}:\n    ${said}\n`)
      expect(said, output).not.toBe('')
      expect(code).toBe(1)
    },
  )
})
