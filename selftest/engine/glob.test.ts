import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'

test.each([
  ['auth.key', ['task.*', 'auth.*'], true],
  ['auth.key', ['auth.k?y'], true],
  ['auth.key', ['auth.key?'], false],
  ['auth.key', ['auth'], false],
  ['auth.key', ['auth?*'], true],
  ['authXkey', ['auth.*'], false],
  ['auth.*', ['auth.*'], true],
])('%s matches %j: %s', (id, globs, does) => expect(matchesAny(id, globs)).toBe(does))
