import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretFinder } from '../../../engine/http/redaction.ts'
import { type Lent, start } from '../../helpers/loans/lent-service.ts'
import { lendBehind } from '../../hostile/visit.ts'

type Key = string | ((lent: Pick<Lent, 'taskIds'>) => string)

async function lendWithKey(key: Key) {
  const keyOf = (lent: Pick<Lent, 'taskIds'>) => (typeof key === 'string' ? key : key(lent))
  const lent = await lendBehind(({ headers }): false => {
    if ('apikey' in headers)
      headers.apikey = headers.apikey === keyOf(lent) ? lent.apiKey : 'not the key'
    return false
  })
  return { ...lent, key: keyOf(lent) }
}

const clauses = ['--clauses', 'auth.*,task.*,assign.unassigned-to-user,export.csv.status']

/** Ends with one sentence before the first request, or as a run with any other key. */
const keys: [what: string, key: Key, code: 0 | 2][] = [
  ['of one character', 'k', 0],
  ['of three characters', 'k3y', 0],
  ['of eight characters', 'S3cret-8', 0],
  ['of signs of a regular expression', String.raw`(a+)+$[^.]*\d{2}|?`, 0],
  ['of percent signs', '%25%2F%zz%%41', 0],
  ['of markup', '<b>&amp;"\'</b>', 0],
  ['that is a word of the reports', 'conformant', 0],
  ['that an id begins with', ({ taskIds }) => (taskIds[0] ?? '').slice(0, 8), 0],
  ['that stands in the path', 'update-assignment', 0],
  ['of 8,192 characters', 'k3Y+'.repeat(2048), 0],
  ['of 8,193 characters', `${'k3Y+'.repeat(2048)}x`, 2],
  ['of 100,000 characters', 'k3Y+'.repeat(25_000), 2],
  ['of another script', 'ключ-від-сервісу', 2],
]

/** Words that every report holds, or that the request contained: nobody learns the key from them. */
const isWord = (what: string) => /of one|of three|word|begins|path/.test(what)

describe.concurrent('a key', () => {
  test.for(keys)('%s', async ([what, key, code]) => {
    const lent = await lendWithKey(key)
    const env = { ...lent.env, API_KEY: lent.key }
    const { code: ended, output } = await start('directly', 'check', env, clauses).ended
    expect(ended, output).toBe(code)
    expect(output).not.toMatch(/^\s+at .+:\d+/m)
    const files = readdirSync(lent.place, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    expect(files.length > 0).toBe(code === 0)
    if (code === 2) expect(output).toMatch(/^API_KEY /m)
    if (isWord(what)) return
    const holdsKey = secretFinder(lent.key)
    expect(files.filter((file) => holdsKey(readFileSync(file)))).toEqual([])
    expect(holdsKey(Buffer.from(output)), output).toBe(false)
  })
})
