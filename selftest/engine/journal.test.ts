import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
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

test('one that is free is taken, and given back', () => {
  const file = place()
  expect(takeLock(file, ours)).toBeUndefined()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ours)
  expect(takeLock(file, ours)).toMatchObject({ pid: process.pid })
  releaseLock(file)
  expect(existsSync(file)).toBe(false)
  expect(takeLock(file, ours)).toBeUndefined()
})

test.each<[string, Partial<Holder>]>([
  ['a live process of this host', { pid: process.ppid }],
  ['another host', { pid: deadPid, host: 'elsewhere' }],
])('one of %s is theirs', (_, more) => {
  const { file, holder } = lockedBy(more)
  expect(takeLock(file, ours)).toEqual(holder)
  expect(toldHolder(holder)).toBe(`pid ${holder.pid} on ${holder.host} since ${holder.since}`)
  releaseLock(file)
  expect(existsSync(file), 'releasing leaves what is not ours').toBe(true)
})

test.each<[string, Partial<Holder>]>([
  ['a dead process of this host', { pid: deadPid }],
  ['a process that had our id before us', { pid: process.pid }],
  ['a process whose id another one has now', { pid: process.ppid, born: '1' }],
  ['another host, past its time', { host: 'elsewhere', until: new Date(0).toISOString() }],
  ['this host, past its time', { pid: process.ppid, until: new Date(0).toISOString() }],
])('one of %s is taken over', (_, more) => {
  const { file } = lockedBy(more)
  expect(holderOf(file)).toBeUndefined()
  expect(takeLock(file, ours)).toBeUndefined()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(ours)
  releaseLock(file)
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

const task = '67e2f013-c7a2-428b-a7da-335cfd469861'

function folderWith(...names: string[]) {
  const journalDir = openTestFolder()
  const dir = join(journalDir, '0123456789ab')
  mkdirSync(dir)
  for (const name of names) writeFileSync(join(dir, name), '')
  // The disk may have another clock.
  for (const name of names) utimesSync(join(dir, name), new Date(), new Date())
  const swept = (place = dir) => {
    sweep(journalDir)
    return readdirSync(place).sort()
  }
  return { dir, swept }
}

const dead = { ...holderFor(60_000), pid: 2 ** 22 + 1, host: hostname() }

test('files that a killed run was writing are removed, with their lock', () => {
  const { dir, swept } = folderWith(`${task}.json.6f7aa508.draft`, `${task}.lock.17.stale`)
  writeFileSync(join(dir, `${task}.lock`), JSON.stringify(dead))
  expect(swept()).toEqual([])
})

test('a debt stays', () => {
  const { swept } = folderWith(`${task}.json`, `${task}.json.6f7aa508.draft`)
  expect(swept()).toEqual([`${task}.json`])
})

test('files that a live run is writing stay', () => {
  const { dir, swept } = folderWith(`${task}.json.6f7aa508.draft`)
  takeLock(join(dir, `${task}.lock`), holderFor(60_000))
  expect(swept()).toEqual([`${task}.json.6f7aa508.draft`, `${task}.lock`])
})

test('a probe stays as long as its owner may remove it', () => {
  const { dir, swept } = folderWith('probe-00000001', 'probe-00000002.6f7aa508.draft')
  const then = new Date(Date.now() - 120_000)
  utimesSync(join(dir, 'probe-00000002.6f7aa508.draft'), then, then)
  expect(swept()).toEqual(['probe-00000001'])
})

test('files that are not of the journal stay, however old', () => {
  const { dir, swept } = folderWith('notes.draft', 'probe-notes.md', 'x.lock')
  const then = new Date(Date.now() - 120_000)
  utimesSync(join(dir, 'probe-notes.md'), then, then)
  expect(swept()).toEqual(['notes.draft', 'probe-notes.md', 'x.lock'])
})

test('a folder that belongs to no target is ignored', () => {
  const { dir, swept } = folderWith(`${task}.json.6f7aa508.draft`)
  renameSync(dir, `${dir}-of-others`)
  expect(swept(`${dir}-of-others`)).toEqual([`${task}.json.6f7aa508.draft`])
})
