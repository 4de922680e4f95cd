import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { mainSettings } from '../../helpers/settings/table.ts'
import { type CommandName, commands, type Flag } from '../../program/input/commands.ts'
import { describeCommand, describeProgram } from '../../program/input/help.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { builtProgram, cleanEnv } from '../built.ts'

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

const read = (argv: string[], env: Record<string, string>) => readFlags('check', { argv, env })

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
    expect(read(argv, {})).toMatchObject({ ...none, ...expected })
  })

  test.each([['check', '--help'], ['-h'], ['compare', '--json', '--strickt', '--help']])(
    '--help wins over every other flag: %s',
    (...argv) => {
      const given = { env: cleanEnv(), encoding: 'utf8' } as const
      const { status, stdout } = spawnSync(process.execPath, [builtProgram(), ...argv], given)
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^(node|npx) \S+ [a-zA-Z]+ /)])
    },
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

  test('--version names the suite', () => {
    const given = { env: cleanEnv(), encoding: 'utf8' } as const
    const args = [builtProgram(), '--strict', '--version']
    const { status, stdout } = spawnSync(process.execPath, args, given)
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^version \d+\.\d+\.\d+ .*\n$/)])
  })

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

describe('what npm keeps', () => {
  test.each([
    ['a flag given on both sides of --', ['--strict'], { npm_config_strict: 'true' }],
    ['--no-strict', [], { npm_config_strict: '' }],
    ['--long --all', [], { npm_config_long: 'true', npm_config_all: 'true' }],
    ['what npm sets by itself', [], { npm_config_yes: '', npm_config_cache: '/root/.npm' }],
  ])('stops nothing: %s', (_, argv, env) => {
    expect(read(argv, env)?.strict).toBe(argv.length > 0)
  })

  test('--verbose works although npm turns it into its log level', () => {
    expect(read([], { npm_config_loglevel: 'verbose' })?.verbose).toBe(true)
    expect(read([], { npm_config_loglevel: 'silent' })?.verbose).toBe(false)
  })
})
