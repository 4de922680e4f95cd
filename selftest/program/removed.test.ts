import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { type Command, type CommandName, commands } from '../../program/input/commands.ts'
import { describeCommand } from '../../program/input/help.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { builtProgram } from '../built.ts'
import { cleanEnv } from '../clean-env.ts'
import { openTestFolder } from '../test-end.ts'

const leaveOut =
  '--shard is gone; leave it out; a run against an ordinary service takes under a minute.'

const removed: [command: CommandName, argv: string[], sentence: string][] = [
  ['check', ['--shard', '1/4'], leaveOut],
  ['check', ['--shard=1/4', '--strict'], leaveOut],
  [
    'check',
    ['--merge', 'a', 'b'],
    '--merge is gone; make one run; against an ordinary service it takes under a minute.',
  ],
  ['check', ['--rerun', 'report.json'], '--rerun is gone; write --failed REPORT.'],
  [
    'check',
    ['--accept-rerun'],
    '--accept-rerun is gone; write --failed REPORT; a clause that passes now counts as passed.',
  ],
  [
    'check',
    ['--baseline', 'a', '--baseline-days', '30'],
    '--baseline-days is gone; keep the report of a newer run as the baseline.',
  ],
  ['check', ['--slim'], '--slim is gone; set BODIES=none for a smaller report.'],
  [
    'compare',
    ['a', 'b', '--by', 'folder'],
    '--by is gone; write --html FILE: the page groups what differs.',
  ],
  [
    'clauses',
    ['--forms'],
    '--forms is gone; read the suites: what a clause asks stands in its body.',
  ],
  [
    'serve',
    ['--save', 'state'],
    '--save is gone; write the world with curl http://127.0.0.1:4010/__world > world.json.',
  ],
  [
    'serve',
    ['--like', 'a', '--with-breaches'],
    '--with-breaches is gone; leave it out: what that service broke is answered as the contract says.',
  ],
]

describe('a flag that was removed', () => {
  test.each(removed)(
    '%s %j: one sentence that says what to do instead',
    (command, argv, sentence) => {
      const read = () => readFlags(command, { argv, env: {}, out: { write: () => {} } })
      expect(read).toThrow(new Impossible(sentence))
      expect(read).toThrow(Impossible)
    },
  )

  test('is in the list above, and in no help', () => {
    for (const name of Object.keys(commands).filter((each) => each !== 'plan') as CommandName[]) {
      const { removed: gone = {} }: Command = commands[name]
      const listed = removed.flatMap(([command, , sentence]) =>
        command === name ? [/^--(\S+) is gone/.exec(sentence)?.[1]] : [],
      )
      expect([...new Set(listed)].sort()).toEqual(Object.keys(gone).sort())
      for (const each of listed) expect(describeCommand(name)).not.toContain(`--${each} `)
    }
  })

  test('ends the program with 2, and with nothing else on its outputs', () => {
    const cwd = openTestFolder()
    for (const command of new Set(removed.map(([name]) => name))) {
      const [, argv = [], sentence] = removed.find(([name]) => name === command) ?? []
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [builtProgram(), command, ...argv],
        { cwd, env: cleanEnv(), encoding: 'utf8' },
      )
      expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `${sentence}\n` })
    }
  })
})
