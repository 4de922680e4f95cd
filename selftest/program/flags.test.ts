import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { mainSettings } from '../../helpers/settings/table.ts'
import { type CommandName, commands, type Flag } from '../../program/input/commands.ts'
import { describeCommand, describeProgram } from '../../program/input/help.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { builtProgram } from '../built.ts'
import { cleanEnv } from '../clean-env.ts'

const none = {
  words: [],
  strict: false,
  clauses: [],
  require: [],
  readOnly: false,
  plan: false,
  failed: undefined,
  baseline: undefined,
  waivers: undefined,
  seed: undefined,
  verbose: false,
}

const read = (argv: string[], env: Record<string, string>) =>
  readFlags('check', { argv, env, out: { write: () => {} } })

const mistakeOf = (argv: string[], env: Record<string, string> = {}) => {
  try {
    read(argv, env)
  } catch (error) {
    if (error instanceof Impossible) return error.message
    throw error
  }
  return undefined
}

const lists = 'npm run contract -- --help lists the flags.'

describe('flags', () => {
  test.each([
    [[], {}],
    [['--strict', '--read-only', '--plan'], { strict: true, readOnly: true, plan: true }],
    [['--clauses', 'auth.*'], { clauses: ['auth.*'] }],
    [['--clauses=a, b', '--clauses', 'c'], { clauses: ['a', 'b', 'c'] }],
    [['--require', 'a,b,'], { require: ['a', 'b'] }],
    [['--seed', '0'], { seed: 0 }],
    [['--seed=4294967295', '--seed', '4294967295'], { seed: 4294967295 }],
    [['--verbose'], { verbose: true }],
    [['--baseline', 'a.json', '--waivers=w.json'], { baseline: 'a.json', waivers: 'w.json' }],
    [['--failed', 'a.json'], { failed: 'a.json' }],
    [['--failed=a.json'], { failed: 'a.json' }],
    [['--failed'], { failed: '' }],
    [['--failed', '--strict'], { failed: '', strict: true }],
  ])('%j', (argv, expected) => {
    expect(read(argv, {})).toEqual({ ...none, ...expected })
  })

  test.each([
    [['--strickt'], 'unknown flag --strickt; did you mean --strict?'],
    [['--readonly'], 'unknown flag --readonly; did you mean --read-only?'],
    [['--readOnly'], 'unknown flag --readOnly; did you mean --read-only?'],
    [['--read_only=1'], 'unknown flag --read_only; did you mean --read-only?'],
    [['--clause', 'auth.*'], 'unknown flag --clause; did you mean --clauses?'],
    [['-strict'], 'unknown flag -strict; did you mean --strict?'],
    [['--dry-run'], 'unknown flag --dry-run; npm run contract -- --help lists the flags.'],
    [['--strict=yes'], '--strict has no value; write --strict alone.'],
    [['--clauses'], '--clauses needs a value; write --clauses GLOB.'],
    [['--clauses='], '--clauses needs a value; write --clauses GLOB.'],
    [['--require', ','], '--require needs a value; write --require GLOB.'],
    [['--clauses', '--strict'], '--clauses needs a value; write --clauses GLOB.'],
    [['--seed'], '--seed needs a value; write --seed N.'],
    [['--seed', '1e3'], "--seed holds '1e3'; give a whole number from 0 to 4294967295."],
    [['--seed=-1'], "--seed holds '-1'; give a whole number from 0 to 4294967295."],
    [['--seed', '-1'], "--seed holds '-1'; give a whole number from 0 to 4294967295."],
    [['--seed', '1', '--seed=2'], '--seed is given twice, with 1 and with 2; give it once.'],
    [
      ['--baseline', 'a', '--strict', '--baseline', 'b'],
      '--baseline is given twice, with a and with b; give it once.',
    ],
    [['auth.*'], `unexpected argument 'auth.*'; ${lists}`],
    [['--strict', 'yes'], `unexpected argument 'yes'; ${lists}`],
  ])('%j is a mistake', (argv, sentence) => {
    expect(mistakeOf(argv)).toBe(sentence)
  })

  test.each([[['--help']], [['-h']], [['--verbose', '--strickt', '--help']]])(
    '%j: help is wanted',
    (argv) => expect(read(argv, {})).toBeUndefined(),
  )

  test('the help of the program shows settings, examples and exit codes', () => {
    const help = describeProgram()
    for (const name of [...Object.keys(commands), ...mainSettings])
      expect(help).toMatch(new RegExp(`^ +${name} {2,}\\S`, 'm'))
    expect(help.match(/^ {4}npm run .* {2}\S/gm)?.length).toBe(3)
    for (const code of ['0', '1', '2', '3', '130, 143'])
      expect(help).toMatch(new RegExp(`^ {4}${code} {2,}\\S`, 'm'))
    expect(describeCommand('check')).toContain(help.slice(help.indexOf('  settings that matter')))
  })

  test.each([['--version'], ['-v'], ['check', '--version'], ['--strict', '--version']])(
    '%s %s names the suite',
    (...argv) => {
      const given = { env: cleanEnv(), encoding: 'utf8' } as const
      const { status, stdout } = spawnSync(process.execPath, [builtProgram(), ...argv], given)
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^version \d+\.\d+\.\d+ .*\n$/)])
    },
  )

  test.each(Object.keys(commands) as CommandName[])(
    'the help of %s names every flag with its meaning',
    (command) => {
      const lines = describeCommand(command).split('\n')
      for (const [name, { argument, meaning }] of Object.entries<Flag>(commands[command].flags)) {
        const head = argument === undefined ? `  --${name} ` : `  --${name} ${argument} `
        const line = lines.find((each) => each.startsWith(head))
        expect(line?.endsWith(`  ${meaning}`), `${head}: ${line}`).toBe(true)
      }
    },
  )
})

// What npm 11.19 was seen to make of `npm run contract …`; --help it answers itself.
describe('what npm keeps', () => {
  const plan = { npm_config_parseable: 'true', npm_config_long: 'true', npm_config_all: 'true' }

  test.each<[string, string[], Record<string, string>, string, string]>([
    ['--strict', [], { npm_config_strict: 'true' }, '--strict', '--strict'],
    ['--read-only', [], { npm_config_read_only: 'true' }, '--read-only', '--read-only'],
    ['--plan', [], plan, '--plan', '--plan'],
    [
      '--clauses auth.*',
      ['auth.*'],
      { npm_config_clauses: 'true' },
      '--clauses',
      "--clauses 'auth.*'",
    ],
    ['--clauses=auth.*', [], { npm_config_clauses: 'auth.*' }, '--clauses', "--clauses 'auth.*'"],
    ['--clauses', [], { npm_config_clauses: 'true' }, '--clauses', '--clauses GLOB'],
    ['--clauses=', [], { npm_config_clauses: '' }, '--clauses', '--clauses GLOB'],
    [
      '--require=a --require=b',
      [],
      { npm_config_require: 'a\n\nb' },
      '--require',
      '--require a --require b',
    ],
    [
      '--require=a --require b',
      ['b'],
      { npm_config_require: 'a\n\ntrue' },
      '--require',
      '--require a --require b',
    ],
    ['--seed 5', ['5'], { npm_config_seed: 'true' }, '--seed', '--seed 5'],
    ['--seed=5', [], { npm_config_seed: '5' }, '--seed', '--seed 5'],
    [
      '--strict --seed 5',
      ['5'],
      { npm_config_strict: 'true', npm_config_seed: 'true' },
      '--strict and --seed',
      '--strict --seed 5',
    ],
    [
      '--clauses a --require b',
      ['a', 'b'],
      { npm_config_clauses: 'true', npm_config_require: 'true' },
      '--clauses and --require',
      '--clauses GLOB --require GLOB',
    ],
    [
      '--clauses a --require',
      ['a'],
      { npm_config_clauses: 'true', npm_config_require: 'true' },
      '--clauses and --require',
      '--clauses GLOB --require GLOB',
    ],
    [
      '--clauses a -- --strict',
      ['a', '--strict'],
      { npm_config_clauses: 'true' },
      '--clauses',
      '--strict --clauses a',
    ],
  ])('%s', (_, argv, env, kept, command) => {
    const sentence = `npm kept ${kept} for itself; write: npm run contract -- ${command}`
    expect(mistakeOf(argv, env)).toBe(sentence)
  })

  test.each([
    ['a flag given on both sides of --', ['--strict'], { npm_config_strict: 'true' }],
    ['--no-strict', [], { npm_config_strict: '' }],
    ['--long --all', [], { npm_config_long: 'true', npm_config_all: 'true' }],
    ['what npm sets by itself', [], { npm_config_yes: '', npm_config_cache: '/root/.npm' }],
  ])('stops nothing: %s', (_, argv, env) => {
    expect(mistakeOf(argv, env)).toBeUndefined()
  })

  test('--verbose is ours as well, for npm hands on its log level', () => {
    expect(read([], { npm_config_loglevel: 'verbose' })?.verbose).toBe(true)
    expect(read([], { npm_config_loglevel: 'silent' })?.verbose).toBe(false)
  })
})
