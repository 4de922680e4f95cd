import { expect, test } from 'vitest'
import { commandLine } from '../../engine/called.ts'
import { matchesAny } from '../../engine/glob.ts'

const name = 'task-assignment-contract'
const linux = `/usr/lib/node_modules/${name}/bin/${name}.cjs`
const windows = `C:\\Users\\ann\\node_modules\\${name}\\bin\\${name}.cjs`
const spaced = `C:\\Program Files\\${name}\\bin\\${name}.cjs`

test.each([
  ['a clone', { isBuilt: false }, 'npm run contract -- --plan'],
  ['npx on Linux', { file: `/home/ann/.npm/_npx/1/node_modules/.bin/${name}` }, `npx ${name}`],
  ['npx on Windows', { file: windows, npmCommand: 'exec' }, `npx ${name}`],
  ['a global install on Linux', { file: `/usr/bin/${name}` }, name],
  ['node on Linux', { file: linux }, `node ${linux}`],
  ['a global install on Windows', { file: windows }, `node ${windows}`],
  ['a path with a space', { file: spaced }, `node "${spaced}"`],
  ['the action', { file: linux, by: 'action' }, `npx ${name}`],
])('messages name the command as the user started it: %s', (_, how, begin) => {
  const said = commandLine('check', '--plan', { isBuilt: true, ...how })
  expect(said).toBe('isBuilt' in how ? begin : `${begin} check --plan`)
})

test('in a vitest of others it is the test of the clause', () => {
  const said = commandLine('check', '--clauses a.b,c --seed 7', { isBuilt: true, by: 'vitest' })
  expect(said).toBe('npx vitest run -t a.b')
})

test.each([
  ['auth.key', ['task.*', 'auth.*'], true],
  ['auth.key', ['auth.k?y'], true],
  ['auth.key', ['auth.key?'], false],
  ['auth.key', ['auth'], false],
  ['auth.key', ['auth?*'], true],
  ['authXkey', ['auth.*'], false],
  ['auth.*', ['auth.*'], true],
])('%s matches %j: %s', (id, globs, does) => expect(matchesAny(id, globs)).toBe(does))
