import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holderFor, takeLock } from '../../../engine/journal/lock.ts'
import { sweep } from '../../../engine/journal/sweep.ts'
import { openTestFolder } from '../../test-end.ts'

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
