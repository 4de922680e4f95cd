import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messagesIn } from '../messages/messages.ts'
import { pageOf } from '../messages/page.ts'
import { Names, readSources } from '../messages/sources.ts'

test('docs/messages.md lists what the code says', () => {
  const sources = readSources()
  const made = pageOf(messagesIn(sources, new Names(sources))).split('\n')
  const kept = readFileSync(join(import.meta.dirname, '../../docs/messages.md'), 'utf8').split('\n')
  const missing = made.filter((line) => !kept.includes(line))
  const needless = kept.filter((line) => !made.includes(line))
  expect({ missing, needless }, 'run npm run messages').toEqual({ missing: [], needless: [] })
  expect(kept.join('\n') === made.join('\n'), 'run npm run messages').toBe(true)
})
