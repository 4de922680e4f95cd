import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { product, root } from '../kept.ts'
import { openTestFolder } from '../test-end.ts'
import { differencesOf, recordsIn, reportIn, type Written } from './recording.ts'

// RECORDS=DIR tries the records of another folder, as `npm run prove -- records write DIR` leaves them.
const kept = process.env.RECORDS ?? join(import.meta.dirname, 'kept')

/** The replay of a record by a suite that is changed in one place. */
async function replayedBy(record: string, [file, from, to]: readonly [string, string, string]) {
  const copy = openTestFolder()
  for (const each of [...product, 'reporting', 'contract.ts', 'package.json'])
    cpSync(join(root, each), join(copy, each), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const source = readFileSync(join(copy, file), 'utf8')
  expect(source.split(from).length, `${file} has "${from}" once`).toBe(2)
  writeFileSync(join(copy, file), source.replace(from, to))
  const argv = ['--import', 'tsx', 'contract.ts', 'check', '--replay', record]
  await promisify(execFile)(process.execPath, argv, { cwd: copy }).catch(() => {})
  return JSON.parse(readFileSync(join(copy, 'reports/replayed/report.json'), 'utf8')) as Written
}

const stricter = [
  'helpers/reads/refusals.ts',
  'jsonIn(answer) !== undefined,',
  "answer.text.includes('code') && jsonIn(answer) !== undefined,",
] as const
const oneMore = [
  'suites/reads.ts',
  "ofTask('task.read.repeatable', {",
  `ofTask('task.read.thrice', { should: 'be read three times' })(['service', 'stillTaskId'], async ({ service, stillTaskId }) => {
  for (let n = 0; n < 3; n += 1) expect((await service.readTask(stillTaskId)).status).toBe(200)
})
ofTask('task.read.repeatable', {`,
] as const

test.each(recordsIn(kept))('a stricter law is judged on the same cases: %s', async (name) => {
  const place = join(kept, name)
  const now = await replayedBy(join(place, 'record'), stricter)
  expect(now.replayed?.departed).toBeUndefined()
  const { moved } = differencesOf(reportIn(place), now)
  if (!process.env.RECORDS) expect(moved.length).toBeGreaterThan(0)
  expect(moved.filter((each) => !/\.error-is-json: pass -> warn/.test(each))).toEqual([])
})

const lawful = recordsIn(kept).filter((name) => reportIn(join(kept, name)).verdict === 'conformant')
test.each(lawful)('a clause more leaves most decided, and none otherwise: %s', async (name) => {
  const place = join(kept, name)
  const [then, now] = [reportIn(place), await replayedBy(join(place, 'record'), oneMore)]
  const { moved } = differencesOf(then, now)
  const lost = moved.filter((each) => / -> (skip data|inconclusive)$/.test(each))
  const others = moved.filter((each) => !lost.includes(each) && !each.includes('task.read.thrice'))
  const share = 1 - lost.length / then.clauses.length
  console.log(`${name}: ${Math.round(share * 100)} % decided; ${now.replayed?.departed?.why}`)
  expect(others).toEqual([])
  expect(share).toBeGreaterThan(0.6)
})
