import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Holder,
  holderFor,
  holderOf,
  releaseLock,
  sweep,
  takeLock,
  toldHolder,
} from '../../engine/journal/lock.ts'
import { openTestFolder } from '../test-end.ts'

const place = () => join(openTestFolder(), 'of-a-target', 'task.lock')
const minute = 60_000
const ours = holderFor(minute)
const deadPid = spawnSync(process.execPath, ['--version']).pid

const lockedBy = (more: Partial<Holder>) => {
  const file = place()
  takeLock(file, ours)
  releaseLock(file)
  const holder = { ...ours, born: undefined, ...more }
  writeFileSync(file, JSON.stringify(holder))
  return { file, holder }
}

const past = { until: new Date(0).toISOString() }

// biome-ignore format: one holder a line
test.each<[string, Partial<Holder>, boolean]>([
  ['a live process of this host', { pid: process.ppid }, true],
  ['another host', { pid: deadPid, host: 'elsewhere' }, true],
  ['a dead process of this host', { pid: deadPid }, false],
  ['a process that had our id before us', { pid: process.pid }, false],
  ['a process whose id another one has now', { pid: process.ppid, born: '1' }, false],
  ['another host, past its time', { host: 'elsewhere', ...past }, false],
  ['this host, past its time', { pid: process.ppid, ...past }, false],
])('whether one of %s is theirs, or taken over', (_, more, isTheirs) => {
  const { file, holder } = lockedBy(more)
  expect(holderOf(file)).toEqual(isTheirs ? holder : undefined)
  expect(takeLock(file, ours)).toEqual(isTheirs ? holder : undefined)
  if (!isTheirs) expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ours)
  else expect(toldHolder(holder)).toBe(`pid ${holder.pid} on ${holder.host} since ${holder.since}`)
  releaseLock(file)
  expect(existsSync(file), 'releasing leaves what is not ours').toBe(isTheirs)
})

test('a lock that is just being written counts, one that was never written does not', () => {
  const { file } = lockedBy({})
  writeFileSync(file, '')
  utimesSync(file, new Date(), new Date())
  expect(takeLock(file, ours)).toBeDefined()
  utimesSync(file, new Date(0), new Date(0))
  expect(takeLock(file, ours)).toBeUndefined()
  releaseLock(file)
})

test('what dead runs left is swept, and no debt, and nothing of a live run', () => {
  const { file: live } = lockedBy({ pid: process.ppid })
  const dir = dirname(live)
  const dead = { ...ours, pid: deadPid, born: undefined }
  writeFileSync(join(dir, 'dead.lock'), JSON.stringify(dead))
  for (const name of ['task.json.draft', 'dead.json.draft', 'dead.json'])
    writeFileSync(join(dir, name), '')
  sweep(dir)
  expect(readdirSync(dir).sort()).toEqual(['dead.json', 'task.json.draft', 'task.lock'])
})
