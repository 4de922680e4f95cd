import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import { compareReports } from '../../program/compare.ts'
import { asVersion1, clause } from '../reporting/sample-reports.ts'
import { broken, compared, mock, place, real } from './compared.ts'

describe('bad input', () => {
  const some = [clause('a'), clause('b')]

  test.each<[string, Report, Report, RegExp]>([
    [
      'different suite versions',
      real(some),
      mock([clause('a')], { suiteVersion: '1.3.0' }),
      /of different suite versions \(A 1\.2\.3, B 1\.3\.0\); of their clauses the 1 that both have are/,
    ],
    [
      'the same target',
      real(some),
      mock(some, { target: real(some).target }),
      /A and B are both runs on https:\/\/eu\.example\.com\/v5/,
    ],
    ['one and the same run', real(some), real(some), /A and B are one and the same run/],
    [
      'a run that is inconclusive',
      real(some),
      mock(some, { verdict: 'inconclusive', reasons: ['no suite was found'] }),
      /the run on B is inconclusive as a whole \(no suite was found\): what it lost is not/,
    ],
    ['an interrupted run', real(some, { interrupted: true }), mock(some), /on A was interrupted/],
    [
      'ids in one file only',
      real(some),
      mock([clause('a')]),
      /1 clause is in the report of A only: b/,
    ],
    [
      'files that are swapped',
      mock(some),
      real(some),
      /A is local and B is not; give the report of the real service first/,
    ],
    [
      'a clause of another level',
      real([clause('a', { level: 'should' }), clause('b')]),
      mock([broken('a'), clause('b')]),
      /level changed: a is should \(A\), must \(B\), and not compared; broken by B/,
    ],
    [
      'a report of version 1',
      asVersion1(real([clause('a', { verdict: 'skip', reason: 'r' }), clause('b')])),
      mock(some),
      /Not compared\n[\s\S]*A skip: r\n {6}a/,
    ],
    [
      'a breach beside what was not decided',
      real([clause('a', { verdict: 'skip', reason: 'r' }), clause('b')]),
      mock([broken('a'), clause('b')]),
      /1 clause is broken by B and undecided on A, so not compared: a/,
    ],
  ])('%s: a sentence', async (_, one, other, sentence) => {
    const { output, exitCode } = await compared(one, other)
    expect(output).toMatch(sentence)
    expect(exitCode).toBe(0)
  })

  test.each<[string, () => [Report | string, Report | string, ...string[]], string]>([
    ['an empty file', () => [real(some), ''], 'is empty; give a report.json'],
    ['a file that is cut', () => [JSON.stringify(real(some)).slice(0, 99), ''], 'is not JSON'],
    ['no report', () => ['{}', ''], 'is not a report of this suite'],
    [
      'a future version',
      () => [JSON.stringify({ ...real(some), reportVersion: 3 }), mock(some)],
      'is a report of version 3: this suite reads versions 1 and 2; read it with',
    ],
    [
      'nothing in common',
      () => [real([clause('a')]), mock([clause('b')])],
      '.json have no clause in common; give two reports of one suite.',
    ],
    [
      'a page that cannot be written',
      () => [real(some), mock(some), '--html', join(place, 'none', 'a.html')],
      'cannot be written (it is not there); give a file in an existing folder.',
    ],
  ])('%s: one sentence, and 2', async (_, given, sentence) => {
    await expect(compared(...given())).rejects.toThrow(sentence)
    await expect(compared(...given())).rejects.toThrow(Impossible)
  })

  const call = (argv: string[], env: Record<string, string> = {}) =>
    compareReports({ argv, env, cwd: place, out: { write: () => {} } })

  test.each<[string, string[], string]>([
    [
      'no report',
      [],
      'compare needs two reports or more and got none; write npm run compare -- real/',
    ],
    ['one report', ['a'], 'compare needs two reports or more and got 1; '],
    ['one of three twice', ['a', 'b', 'a'], 'a is given twice; give each report once.'],
    ['a flag that is none', ['a', 'b', '--htm', 'c'], 'unknown flag --htm; did you mean --html?'],
    [
      'two values for one flag',
      ['a', 'b', '--fail-on', 'any', '--fail-on=none'],
      '--fail-on is given twice, with any and with none; give it once.',
    ],
    ['no value', ['a', 'b', '--html'], '--html needs a value; write --html FILE.'],
    [
      'no limit',
      ['a', 'b', '--fail-on', 'all'],
      "--fail-on holds 'all'; write contract, any, none.",
    ],
  ])('%s: one sentence on the command line', async (_, argv, sentence) => {
    await expect(call(argv)).rejects.toThrow(sentence)
    await expect(call(argv)).rejects.toThrow(Impossible)
  })

  test('a flag that npm kept: the command that was meant', async () => {
    await expect(call(['a', 'b', 'any'], { npm_config_fail_on: 'true' })).rejects.toThrow(
      'npm kept --fail-on for itself; write: npm run compare -- a b --fail-on any',
    )
  })
})
